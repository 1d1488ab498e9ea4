"""Messages that name a time and nothing else: what has nothing of that time answers none of them.

`26 November 2026` leads by its words to every note with a 26 in it; a date that no note knows should find none.
"""

from __future__ import annotations

from ladder.days import entry_days
from ladder.tokenise import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.route import Scene

#: The entries of more notes than this are not looked through.
_ONLY_SCANNED = 5_000
#: Words by which a message asks what was in that time.
_ONLY_ASKED = """
happen happened happens anything everything gemacht getan passiert geschehen war wurde haben hat wir was los fait passé
passe qu est avons nous pasó paso hicimos hizo hemos hecho qué que fatto successo abbiamo cosa fizemos aconteceu feito
gedaan gebeurd hebben wat
"""


def only_a_time(scene: Scene) -> bool:
    """Whether the message names days and nothing to look for beside them, and no conversation stands round it."""
    if not scene.dates or scene.query.later or scene.query.at_work:
        return False
    from ladder.ago import cut_words  # noqa: PLC0415 (most messages name no day)
    from ladder.dated import is_date_word, words_ago  # noqa: PLC0415 (as above)

    message = scene.query.message
    times = {*words_ago(message), *_ONLY_ASKED.split()}
    return all(word in times or is_date_word(word) or not terms(word) for word in cut_words(message.lower()))


def of_that_time(scene: Scene, most: int) -> list[int]:
    """At most `most` notes with an entry of the days that the message names, or with those as the message writes them.

    Candidates first; then others, since an entry may write its day as no word of the message does.
    """
    from ladder.ago import cut_words  # noqa: PLC0415 (as above)
    from ladder.dated import is_date_word  # noqa: PLC0415 (as above)

    words = [word for word in cut_words(scene.query.message.lower()) if is_date_word(word)]
    written = {term for word in words for term in terms(word)}
    index = scene.index
    found = []
    for n in scene.candidates:
        if entry_days(scene, n):
            found.append(n)
        elif written:
            places = [{place for place, _ in index.passages(n).places(term)} for term in written]
            if set.intersection(*places):
                found.append(n)
    others = range(index.count if index.count <= _ONLY_SCANNED else 0)
    known = set(found)
    for n in others:
        if len(found) >= most:
            break
        if n not in known and index.alive(n) and entry_days(scene, n):
            found.append(n)
    return found[:most]


def keep_that_time(scene: Scene, most: int) -> bool:
    """Make the notes of that time the candidates, when the message asks for nothing else; whether it does."""
    if not only_a_time(scene):
        return False
    scene.only(of_that_time(scene, most))
    for n in scene.candidates:
        scene.totals.setdefault(n, {})
    return True
