"""Dates in a question, absolute and relative.

    dates_in("what broke on 14 March?", "2026-09-02")    -> [(20260314, 20260314)]
    dates_in("was haben wir letzte Woche gemacht?", …)   -> [(20260824, 20260830)]

A month without a year is the latest one that is not in the future of `now`; without `now` it is a month of any year,
written with year 0. English, German, French, Spanish, Italian, Portuguese and Dutch; Chinese and Japanese
day and week words.
"""

from __future__ import annotations

from ladder.days import day_number, day_ordinal

TYPE_CHECKING = False
if TYPE_CHECKING:
    Range = tuple[int, int]

#: Characters of a message that are looked at; dates in a pasted log are no question.
_DATED_LONGEST = 1500
_DATED_MONTHS: dict[str, int] = {}
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
        _DATED_MONTHS[_dated_name] = _dated_number
#: Month names that are ordinary words too: they count only beside a day, a year or one of the words before a month.
_DATED_DOUBTFUL = frozenset(("may", "mar", "march", "mars", "mai", "mei", "sep", "dec", "jan", "marco"))
_DATED_MONTH_BEFORE = """
in of since until by during early mid late last this im seit bis anfang mitte ende en de du depuis début fin desde hasta
a da dal em sinds begin eind
"""
_DATED_BEFORE = frozenset(_DATED_MONTH_BEFORE.split())
#: Which third of the month a word before it means.
_DATED_THIRDS = {
    "early": 0, "anfang": 0, "début": 0, "begin": 0, "mid": 1, "mitte": 1, "late": 2, "ende": 2, "fin": 2, "eind": 2,
}  # fmt: skip
_DATED_BRIDGES = frozenset(("of", "de", "del", "the", "den", "dem", "le", "el", "do"))
_DATED_DAYS = {
    "today": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0, "oggi": 0, "hoje": 0, "vandaag": 0, "tonight": 0,
    "yesterday": 1, "gestern": 1, "hier": 1, "ayer": 1, "ieri": 1, "ontem": 1, "gisteren": 1,
    "vorgestern": 2, "avant-hier": 2, "anteayer": 2, "anteontem": 2, "eergisteren": 2,
}  # fmt: skip
_DATED_LAST_WORDS = """
last past previous letzte letzten letzter letztes vorige vorigen dernière dernier derniere pasada pasado scorsa scorso
passada passado afgelopen
"""
_DATED_LAST = frozenset(_DATED_LAST_WORDS.split())
_DATED_UNITS = {
    "day": 1, "days": 1, "tag": 1, "tage": 1, "tagen": 1, "jour": 1, "jours": 1, "día": 1, "días": 1, "dias": 1,
    "giorni": 1, "dagen": 1, "dag": 1,
    "week": 7, "weeks": 7, "woche": 7, "wochen": 7, "semaine": 7, "semaines": 7, "semana": 7, "semanas": 7,
    "settimana": 7, "settimane": 7, "weken": 7,
    "month": 30, "months": 30, "monat": 30, "monate": 30, "monaten": 30, "mois": 30, "mes": 30, "meses": 30, "mese": 30,
    "mesi": 30, "mês": 30, "maand": 30, "maanden": 30,
}  # fmt: skip
_DATED_AGO = frozenset(("ago", "fa", "atrás", "geleden"))
_DATED_AGO_BEFORE = frozenset(("vor", "hace", "a", "há"))
_DATED_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "few": 3, "einem": 1, "einer": 1, "zwei": 2, "drei": 3,
    "deux": 2, "trois": 3, "dos": 2, "tres": 3, "due": 2, "tre": 3, "un": 1, "una": 1, "couple": 2,
}  # fmt: skip
_DATED_WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
    "montag": 0, "dienstag": 1, "mittwoch": 2, "donnerstag": 3, "freitag": 4, "samstag": 5, "sonntag": 6,
    "lundi": 0, "mardi": 1, "mercredi": 2, "jeudi": 3, "vendredi": 4, "samedi": 5, "dimanche": 6,
    "lunes": 0, "martes": 1, "miércoles": 2, "jueves": 3, "viernes": 4, "sábado": 5, "domingo": 6,
}  # fmt: skip
_DATED_UNSPACED = (
    ("今天", 0, 0), ("今日", 0, 0), ("昨天", 1, 1), ("昨日", 1, 1), ("前天", 2, 2), ("一昨日", 2, 2),
    ("上周", 7, 13), ("上週", 7, 13), ("先週", 7, 13), ("上个月", 30, 60), ("上個月", 30, 60), ("先月", 30, 60),
)  # fmt: skip
_DATED_KEPT = "/-.'\u2019"


def _dated_day(ordinal: int) -> int:
    """The day YYYYMMDD of a number that `day_ordinal` gave."""
    y = (10000 * ordinal + 14780) // 3652425
    rest = ordinal - (365 * y + y // 4 - y // 100 + y // 400)
    if rest < 0:
        y -= 1
        rest = ordinal - (365 * y + y // 4 - y // 100 + y // 400)
    m = (100 * rest + 52) // 3060
    return (y + (m + 2) // 12) * 10000 + ((m + 2) % 12 + 1) * 100 + rest - (m * 306 + 5) // 10 + 1


def dates_in(text: str, now: str = "") -> list[Range]:
    """The ranges of days (YYYYMMDD, both included) that `text` names, in its order; `now` is an ISO date or empty."""
    text = text[:_DATED_LONGEST].lower()
    today = day_number(now)
    found: list[Range] = []
    words = "".join([c if c.isalnum() or c in _DATED_KEPT else " " for c in text]).split()
    words = [word.strip("'\u2019.-/").replace("\u2019", "'") for word in words]
    for i, word in enumerate(words):
        if word[:1].isdigit():
            full = _dated_full(word)
            if full:
                found.append((full, full))
        before = words[i - 1] if i else ""
        name = word.removeprefix("mid-")
        month = _DATED_MONTHS.get(name)
        if month:
            span = _dated_month(words, i, name, before if name == word else "mid", month, today)
            if span:
                found.append(span)
        elif today:
            found += _dated_relative(words, i, word, before, today)
    if not text.isascii():
        found += _dated_wide(text, today)
    return list(dict.fromkeys(found))


def words_ago(text: str) -> list[str]:
    """The words of `text` that tell how long ago, like `last week`: they are no words of a note.

    Months are not among them: notes write them too (LoCoMo and LifeBench lose half a point without).
    """
    words = "".join([c if c.isalnum() or c == "'" else " " for c in text[:_DATED_LONGEST].lower()]).split()
    return [
        word
        for word in words
        if word in _DATED_DAYS or word in _DATED_UNITS or word in _DATED_LAST or word in _DATED_AGO
    ]  # fmt: skip


def _dated_full(word: str) -> int:
    """2026-09-02, 2026/9/2, 2.9.2026 as 20260902; 0 for anything else."""
    for mark in "-/.":
        parts = word.split(mark)
        if len(parts) == 3 and "".join(parts).isdigit() and all(parts):
            a, b, c = [int(part) for part in parts]
            if len(parts[0]) == 4 and 1 <= b <= 12 and 1 <= c <= 31:
                return a * 10000 + b * 100 + c
            if mark == "." and len(parts[2]) == 4 and 1 <= b <= 12 and 1 <= a <= 31:
                return c * 10000 + b * 100 + a
    return 0


def _dated_count(word: str) -> int:
    """14, 14th, 14. as 14; 0 for what is no number below 10000."""
    digits = word.rstrip("stndrhe.º")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else 0


def _dated_month(words: list[str], i: int, word: str, before: str, month: int, today: int) -> Range | None:
    """The day or month that a month's name at `i` gives with its neighbours."""
    at = i - 1
    while at >= 0 and words[at] in _DATED_BRIDGES:
        at -= 1
    day = _dated_count(words[at]) if at >= 0 else 0
    ahead = i + 1
    after = _dated_count(words[ahead]) if ahead < len(words) else 0
    if not 1 <= day <= 31:
        day = 0
        if 1 <= after <= 31:
            day = after
            ahead += 1
            after = _dated_count(words[ahead]) if ahead < len(words) else 0
    while ahead < len(words) and words[ahead] in _DATED_BRIDGES:
        ahead += 1
        after = _dated_count(words[ahead]) if ahead < len(words) else 0
    year = after if 1900 <= after < 2200 else 0
    if word in _DATED_DOUBTFUL and not day and not year and before not in _DATED_BEFORE:
        return None
    if not year and today:
        year = today // 10000
        if year * 10000 + month * 100 + (day or 1) > today:
            year -= 1
    start = year * 10000 + month * 100
    if day:
        return start + day, start + day
    third = _DATED_THIRDS.get(before)
    if third is not None:
        return start + 1 + 10 * third, start + (31 if third == 2 else 10 + 10 * third)
    return start + 1, start + 31


def _dated_relative(words: list[str], i: int, word: str, before: str, today: int) -> list[Range]:
    """What `yesterday`, `last week`, `3 days ago`, `last Friday` and their like mean on the day `today`."""
    now = day_ordinal(today)
    after = words[i + 1] if i + 1 < len(words) else ""
    if word in _DATED_DAYS:
        day = _dated_day(now - _DATED_DAYS[word])
        return [(day, day)]
    unit = _DATED_UNITS.get(word)
    if unit:
        counted = _dated_count(before) or _DATED_NUMBERS.get(before, 0)
        if before == "of" and i > 1:
            counted = _DATED_NUMBERS.get(words[i - 2], 0)
        earlier = words[i - 2] if i > 1 else ""
        if counted and (after in _DATED_AGO or earlier in _DATED_AGO_BEFORE):
            middle, slack = now - counted * unit, unit // 4
            return [(_dated_day(middle - slack), _dated_day(middle + slack))]
        if before in _DATED_LAST or after in _DATED_LAST:
            if unit == 1:
                return [(_dated_day(now - 1), today)]
            if unit == 7:  # the calendar week before this one, Monday to Sunday
                monday = now - (now + 2) % 7 - 7
                return [(_dated_day(monday), _dated_day(monday + 6))]
            start = _dated_day(day_ordinal(today // 100 * 100 + 1) - 1) // 100 * 100
            return [(start + 1, start + 31)]
    if word in _DATED_WEEKDAYS and (before in _DATED_LAST or before in ("on", "am", "le", "el")):
        back = ((now + 2) % 7 - _DATED_WEEKDAYS[word] - 1) % 7 + 1
        return [(_dated_day(now - back), _dated_day(now - back))]
    return []


def _dated_wide(text: str, today: int) -> list[Range]:
    """Dates of scripts without spaces: 2026年9月2日, 9月2日, 昨日, 上周."""
    found: list[Range] = []
    at = text.find("月")
    while at >= 0:
        month, _, head = _dated_back(text, at)
        day = _dated_ahead(text, at + 1)
        if 1 <= month <= 12:
            year = _dated_back(text, head)[0] if text[head : head + 1] == "年" else 0
            if not year and today:
                year = today // 10000 - (today // 10000 * 10000 + month * 100 + (day or 1) > today)
            start = year * 10000 + month * 100
            found.append((start + day, start + day) if day else (start + 1, start + 31))
        at = text.find("月", at + 1)
    if today:
        now = day_ordinal(today)
        for word, last, first in _DATED_UNSPACED:
            if word in text:
                found.append((_dated_day(now - first), _dated_day(now - last)))
    return found


def _dated_back(text: str, at: int) -> tuple[int, int, int]:
    """The number that ends before `at`, where it begins, and the place of the character before it (or `len(text)`)."""
    begin = at
    while begin > 0 and "0" <= text[begin - 1] <= "9" and at - begin < 4:
        begin -= 1
    return int(text[begin:at] or 0), begin, begin - 1 if begin else len(text)


def _dated_ahead(text: str, at: int) -> int:
    """The day number that begins at `at` and ends with 日 or 号; 0 when there is none."""
    end = at
    while end < len(text) and "0" <= text[end] <= "9" and end - at < 2:
        end += 1
    return int(text[at:end]) if end > at and text[end : end + 1] in ("日", "号") else 0
