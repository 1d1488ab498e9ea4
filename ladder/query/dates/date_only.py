"""Messages that name a time and nothing else: what has nothing of that time answers none of them.

`26 November 2026` leads by its words to every note with a 26 in it; a date that no note knows should find none.
"""

from __future__ import annotations

from ladder.query.dates.calendar import date_fit, day_words, days_shown
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.ranking.survey import Scene

#: The entries of more notes than this are not looked through.
_SCANNED = 5_000
#: Words by which a message asks what was in that time.
_ASKED = """
happen happened happens anything everything gemacht getan passiert geschehen war wurde haben hat wir was los fait passé
passe qu est avons nous pasó paso hicimos hizo hemos hecho qué que fatto successo abbiamo cosa fizemos aconteceu feito
gedaan gebeurd hebben wat
"""


def only_a_time(scene: Scene) -> bool:
    """Whether the message names days and nothing to look for beside them, and no conversation stands round it."""
    if not scene.dates or scene.query.later or scene.query.at_work:
        return False
    from ladder.query.dates.absolute import is_date_word, words_ago  # noqa: PLC0415 (as above)
    from ladder.query.dates.relative import cut_words  # noqa: PLC0415 (most messages name no day)

    message = scene.query.message
    times = {*words_ago(message), *_ASKED.split()}
    return all(word in times or is_date_word(word) or not terms(word) for word in cut_words(message.lower()))


def only_days(index: Index, query: Query) -> str:
    """The days of a message that names a time and nothing else, 2026-02-01 to 2026-02-28; "" of any other."""
    from ladder.ranking.survey import Scene  # noqa: PLC0415 (route.py need not be loaded for who only asks this module's rest)

    scene = Scene(index, query, None)
    return ", ".join([days_shown(first, last) for first, last in scene.dates]) if only_a_time(scene) else ""


def of_that_time(scene: Scene, most: int) -> dict[int, set[int]]:
    """At most `most` notes with something of the days that the message names: note -> its paragraphs of that time.

    An entry of such a day, or the day in the text, as ISO has it or as the message writes it. Candidates first; then
    others, since an entry may write its day as no word of the message does.
    """
    from ladder.query.dates.absolute import is_date_word  # noqa: PLC0415 (as above)
    from ladder.query.dates.relative import cut_words  # noqa: PLC0415 (as above)

    words = [word for word in cut_words(scene.query.message.lower()) if is_date_word(word)]
    written = {term for word in words for term in terms(word)}
    days = day_words(scene.dates)
    index = scene.index
    found: dict[int, set[int]] = {}
    for n in [*scene.candidates, *range(index.count if index.count <= _SCANNED else 0)]:
        if len(found) == most:
            break
        if n not in found and index.alive(n):
            parts = _parts(scene, n, written, days)
            if parts:
                found[n] = parts
    return found


def _parts(scene: Scene, n: int, written: set[str], days: list[str]) -> set[int]:
    """The paragraphs of note `n` that are of that time; all of a section whose heading is."""
    passages = scene.index.passages(n)
    parts = {p for p, day in enumerate(passages.p_date) if day and date_fit(day, scene.dates) == 1.0}
    places = {place for day in days for place, _ in passages.places(day)}
    if written:
        places |= set.intersection(*[{place for place, _ in passages.places(term)} for term in written])
    count = passages.count
    sections = {place - count + 1 for place in places if place >= count}
    sections |= {s + 1 for s, day in enumerate(passages.s_date) if day and date_fit(day, scene.dates) == 1.0}
    parts |= {p for p in places if p < count}
    parts |= {p for p, section in enumerate(passages.p_section) if section in sections}
    return parts


def keep_that_time(scene: Scene, most: int) -> dict[int, set[int]] | None:
    """Make the notes of that time the candidates and return them, when the message asks for nothing else; else None."""
    if not only_a_time(scene):
        return None
    found = of_that_time(scene, most)
    scene.only(list(found))
    for n in scene.candidates:
        scene.totals.setdefault(n, {})
    return found
