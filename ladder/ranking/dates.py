"""Notes and passages of the days that a message names.

An entry of such a day lifts its note (`dated_entries`); a message that names a time and nothing else is answered by
what is of that time alone (`of_that_time`).
"""

from __future__ import annotations

from ladder.index.note_view import iso_day
from ladder.query.dates.calendar import day_ordinal, day_words
from ladder.query.dates.date_only import only_a_time
from ladder.ranking.weights import LATE, LATE_DAYS
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.ranking.search import Search, Values

    Range = tuple[int, int]

#: The entries of more notes than this are not looked through.
_SCANNED = 5_000


def date_fit(day: int, ranges: list[Range]) -> float:
    """How well an entry of the day YYYYMMDD fits: 1 inside a range, less shortly after one, 0 elsewhere."""
    best = 0.0
    for first, last in ranges:
        at = day if first >= 10000 else day % 10000
        if first <= at <= last:
            return 1.0
        if last < at and first >= 10000 and day_ordinal(day) - day_ordinal(last) <= LATE_DAYS:
            best = LATE
    return best


def entry_days(search: Search, n: int) -> list[str]:
    """The days that the message names and entries of note `n` are of, 2026-09-02, the last first."""
    passages = search.index.passages(n)
    days = {day for day in (*passages.p_date, *passages.s_date) if day}
    fitting = sorted([day for day in days if date_fit(day, search.dates) == 1.0], reverse=True)
    return [iso_day(day) for day in fitting]


def dated_entries(search: Search) -> Values:
    """For each candidate the best of its windows that stand in an entry of a day that the message names."""
    ranges = search.dates
    if not ranges:
        return {}
    found: Values = {}
    for n in search.candidates:
        scales = search.scales(n)
        days = scales.passages.p_date
        windows = scales.windows
        best = max([score * date_fit(days[p], ranges) for p, score in enumerate(windows) if days[p]], default=0.0)
        if best > 0:
            found[n] = best
    return found


def of_that_time(search: Search, most: int) -> dict[int, set[int]] | None:
    """Return at most `most` notes with something of the days that the message names: note -> its paragraphs of them.

    None when the message asks for anything else, or leans on a conversation. An entry of such a day counts, and the day
    in the text, as ISO has it or as the message writes it. Candidates come first; then others, since an entry may write
    its day as no word of the message does.
    """
    if not search.dates or not only_a_time(search.query):
        return None
    from ladder.query.dates.absolute import is_date_word  # noqa: PLC0415 (most messages name no day)
    from ladder.query.dates.relative import cut_words  # noqa: PLC0415 (as above)

    words = [word for word in cut_words(search.query.message.lower()) if is_date_word(word)]
    written = {term for word in words for term in terms(word)}
    days = day_words(search.dates)
    index = search.index
    found: dict[int, set[int]] = {}
    for n in [*search.candidates, *range(index.count if index.count <= _SCANNED else 0)]:
        if len(found) == most:
            break
        if n not in found and index.alive(n):
            parts = _parts(search, n, written, days)
            if parts:
                found[n] = parts
    return found


def _parts(search: Search, n: int, written: set[str], days: list[str]) -> set[int]:
    """The paragraphs of note `n` that are of that time; all of a section whose heading is."""
    passages = search.index.passages(n)
    parts = {p for p, day in enumerate(passages.p_date) if day and date_fit(day, search.dates) == 1.0}
    places = {place for day in days for place, _ in passages.places(day)}
    if written:
        places |= set.intersection(*[{place for place, _ in passages.places(term)} for term in written])
    count = passages.count
    sections = {place - count + 1 for place in places if place >= count}
    sections |= {s + 1 for s, day in enumerate(passages.s_date) if day and date_fit(day, search.dates) == 1.0}
    parts |= {p for p in places if p < count}
    parts |= {p for p, section in enumerate(passages.p_section) if section in sections}
    return parts
