"""Dates in a question, absolute and relative.

    dates_in("what broke on 14 March?", "2026-09-02")    -> [(20260314, 20260314)]
    dates_in("was haben wir letzte Woche gemacht?", …)   -> [(20260824, 20260830)]

A month without a year is the latest one that is not in the future of `now`; without `now` it is a month of any year,
written with year 0. English, German, French, Spanish, Italian, Portuguese and Dutch; Chinese and Japanese
day and week words.
"""

from __future__ import annotations

from ladder.query.dates.calendar import day_number
from ladder.query.dates.relative import cut_words, days_told, month_end, times_told
from ladder.query.dates.relative_cjk import wide_times

TYPE_CHECKING = False
if TYPE_CHECKING:
    Range = tuple[int, int]

#: Characters of a message that are searched for dates; those in a pasted log ask nothing.
_LONGEST = 1500
_MONTHS: dict[str, int] = {}
for _dated_number, _dated_names in enumerate(
    (
        "january jan januar jänner janvier enero gennaio janeiro januari",
        "february feb februar février fevrier febrero febbraio fevereiro februari",
        "march mar märz maerz mrz mars marzo março marco maart",
        "april apr avril abril aprile",
        "may mai mayo maggio maio mei",
        "june jun juni juin junio giugno junho",
        "july jul juli juillet julio luglio julho",
        "august aug août aout agosto augustus",
        "september sep sept septembre septiembre settembre setembro",
        "october oct oktober okt octobre octubre ottobre outubro",
        "november nov novembre noviembre novembro",
        "december dec dezember dez décembre decembre diciembre dicembre dezembro",
    ),
    1,
):
    for _dated_name in _dated_names.split():
        _MONTHS[_dated_name] = _dated_number
#: Month names that are ordinary words too: they count only beside a day, a year or one of the words before a month.
_DOUBTFUL = frozenset(("may", "mar", "march", "mars", "mai", "mei", "sep", "dec", "jan", "marco"))
_MONTH_BEFORE = """
in of since until by during early mid late last im seit bis anfang mitte ende en de du depuis début fin desde hasta
a da dal em sinds begin eind
"""
_BEFORE = frozenset(_MONTH_BEFORE.split())
#: Which third of the month a word before it means.
_THIRDS = {
    "early": 0, "anfang": 0, "début": 0, "begin": 0, "mid": 1, "mitte": 1, "late": 2, "ende": 2, "fin": 2, "eind": 2,
}  # fmt: skip
_AND = frozenset(("and", "or", "to", "until", "through", "und", "bis", "et", "au", "y", "a", "e", "en", "tot"))
_BRIDGES = frozenset(("of", "de", "del", "the", "den", "dem", "le", "el", "do"))


def dates_in(text: str, now: str = "") -> list[Range]:
    """The ranges of days (YYYYMMDD, both included) that `text` names, in its order; `now` is an ISO date or empty."""
    text = text[:_LONGEST].lower()
    today = day_number(now)
    words = cut_words(text)
    found: list[tuple[int, Range]] = []
    for i, word in enumerate(words):
        if word[:1].isdigit():
            full = _full(word)
            if full:
                found.append((i, (full, full)))
        name = word.removeprefix("mid-")
        month = _MONTHS.get(name)
        if month:
            before = words[i - 1] if i else ""
            span = _month(words, i, name, before if name == word else "mid", month, today)
            if span:
                found.append((i, span))
    if today:
        found += [(told[0], days_told(told, today)) for told in times_told(words)]
        found.sort(key=_place)
    ranges = [span for _, span in found]
    if not text.isascii():
        ranges += _wide(text, today)
    return list(dict.fromkeys(ranges))


def words_ago(text: str) -> list[str]:
    """Return the words of `text` that name a time relative to today, like `last week`: they are no words of a note.

    Months are not among them: notes write them too (LoCoMo and LifeBench lose half a point without).
    """
    text = text[:_LONGEST].lower()
    words = cut_words(text)
    found = [word for told in times_told(words) for word in words[told[0] : told[1]]]
    if not text.isascii():
        found += [text[told[0] : told[1]] for told in wide_times(text)]
    return found


def is_date_word(word: str) -> bool:
    """Whether a word of `cut_words` is a month, a day, a year or what stands between them."""
    name = word.removeprefix("mid-")
    known = name in _MONTHS or word in _BEFORE or word in _THIRDS or word in _BRIDGES
    return known or _count(word) > 0 or _full(word) > 0


def _place(found: tuple[int, Range]) -> int:
    return found[0]


def _full(word: str) -> int:
    """2026-09-02, 2026/9/2, 2.9.2026 as 20260902; 0 for anything else, also for no day of a calendar.

    A time stamp, 2026-09-02T10:15, is a pasted log's: 14 of 1,485 messages held one, and none asked for it.
    """
    for mark in "-/.":
        parts = word.split(mark)
        if len(parts) == 3 and "".join(parts).isdigit() and all(parts):
            a, b, c = [int(part) for part in parts]
            if mark == "." and len(parts[2]) == 4:
                a, c = c, a
            elif len(parts[0]) != 4:
                continue
            day = a * 10000 + b * 100 + c
            if 1 <= b <= 12 and 1 <= c <= 31 and day <= month_end(day):
                return day
    return 0


def _count(word: str) -> int:
    """14, 14th, 14. as 14; 0 for what is no number below 10000."""
    digits = word.rstrip("stndrhe.º")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else 0


def _month(words: list[str], i: int, word: str, before: str, month: int, today: int) -> Range | None:
    """The day or month that a month's name at `i` gives with its neighbours."""
    at = i - 1
    while at >= 0 and words[at] in _BRIDGES:
        at -= 1
    day = _count(words[at]) if at >= 0 else 0
    ahead = i + 1
    after = _count(words[ahead]) if ahead < len(words) else 0
    if not 1 <= day <= 31:
        day = 0
        if 1 <= after <= 31:
            day = after
            ahead += 1
            after = _count(words[ahead]) if ahead < len(words) else 0
    while ahead < len(words) and words[ahead] in _BRIDGES:
        ahead += 1
        after = _count(words[ahead]) if ahead < len(words) else 0
    year = after if 1900 <= after < 2200 else _year_ahead(words, ahead)
    if word in _DOUBTFUL and not day and not year and before not in _BEFORE:
        return None
    if not year and today:
        year = today // 10000
        if year * 10000 + month * 100 + (day or 1) > today:
            year -= 1
    start = year * 10000 + month * 100
    if day and start + day <= month_end(start):
        return start + day, start + day
    third = _THIRDS.get(before)
    if third is not None:
        return start + 1 + 10 * third, month_end(start) if third == 2 else start + 10 + 10 * third
    return start + 1, month_end(start)


def _year_ahead(words: list[str], at: int) -> int:
    """The year that two months share: of `September and October 2025`, from `and` on; 0 for none."""
    if at < len(words) and words[at] in _AND:
        for i in range(at + 1, min(at + 5, len(words))):
            count = _count(words[i])
            if 1900 <= count < 2200:
                return 0 if _MONTHS.keys().isdisjoint(words[at + 1 : i]) else count
            if not (words[i] in _MONTHS or words[i] in _BRIDGES or 1 <= count <= 31):
                break
    return 0


def _wide(text: str, today: int) -> list[Range]:
    """Dates of scripts without spaces: 2026年9月2日, 9月2日, 昨日, 上周."""
    found: list[Range] = []
    at = text.find("月")
    while at >= 0:
        month, _, head = _back(text, at)
        day = _ahead(text, at + 1)
        if 1 <= month <= 12:
            year = _back(text, head)[0] if text[head : head + 1] == "年" else 0
            if not year and today:
                year = today // 10000 - (today // 10000 * 10000 + month * 100 + (day or 1) > today)
            start = year * 10000 + month * 100
            real = day and start + day <= month_end(start)
            found.append((start + day, start + day) if real else (start + 1, month_end(start)))
        at = text.find("月", at + 1)
    if today:
        found += [days_told(told, today) for told in wide_times(text)]
    return found


def _back(text: str, at: int) -> tuple[int, int, int]:
    """The number that ends before `at`, where it begins, and the place of the character before it (or `len(text)`)."""
    begin = at
    while begin > 0 and "0" <= text[begin - 1] <= "9" and at - begin < 4:
        begin -= 1
    return int(text[begin:at] or 0), begin, begin - 1 if begin else len(text)


def _ahead(text: str, at: int) -> int:
    """The day number that begins at `at` and ends with 日 or 号; 0 when there is none."""
    end = at
    while end < len(text) and "0" <= text[end] <= "9" and end - at < 2:
        end += 1
    return int(text[at:end]) if end > at and text[end : end + 1] in ("日", "号") else 0
