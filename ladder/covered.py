"""Whether a note holds a message nearly whole: then it is worth showing though nothing has been learned yet.

A message in ordinary words, or a question in it, that one passage takes up almost word by word is a question that the
note answers, or its very topic. Words count by their rarity, one that no note holds as much as one of a single note, so
that a long message about something else, which shares a few words with some passage, does not pass.
"""

from __future__ import annotations

from ladder.logarithm import log1p
from ladder.tokenise import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ladder.cold import Index
    from ladder.context import Query
    from ladder.route import Scene, Suggestion

#: Share of the message's weight that a passage must hold, and distinct terms of it (docs/decisions.md has the curve).
SHARE = 0.65
LEAST = 4
#: Distinct terms that are enough in a message that asks.
LEAST_ASKED = 2
#: What ends a question: ?, and the marks of Arabic, Chinese and Japanese, and Greek.
_ASKED = ("?", "\u061f", "\uff1f", "\u037e")
#: Paragraphs to each side that count to a passage, within the section.
REACH = 2
#: Suggestions that are looked at.
LOOKED = 3
#: A message of more terms is a pasted text.
_MOST_TERMS = 60
#: Characters of a message whose questions are told apart.
_LONGEST = 2000


def covering(scene: Scene, found: list[Suggestion]) -> list[Suggestion]:
    """Return those of the first suggestions of which one passage holds the message nearly whole."""
    weights, wanted = coverable(scene.index, scene.query)
    if not weights:
        return []
    least = least_terms(scene.query)
    return [each for each in found[:LOOKED] if _most_held(scene, each.note, weights, least, wanted) >= wanted]


def share_held(scene: Scene) -> float | None:
    """Return the most, in [0, 1], of the message's weight that a passage of a first note holds, however few its terms.

    Of its questions and of all of it, the best counts. None for a message that is too short or too long.
    """
    parts = [(known, whole) for known, whole in _weighed(scene.index, scene.query) if whole]
    shares = [
        _most_held(scene, note, known, 1, 0.0) / whole
        for known, whole in parts
        for note in scene.candidates[:LOOKED]
    ]
    return max(shares, default=0.0) if parts else None


def coverable(index: Index, query: Query) -> tuple[dict[str, float], float]:
    """Return the message's terms that notes hold, with their weights, and how much of it a passage must hold.

    No terms when no passage can: most messages are told so without looking into any note.
    """
    least = least_terms(query)
    for known, whole in _weighed(index, query):
        if len(known) >= least and sum(known.values()) >= SHARE * whole:
            return known, SHARE * whole
    return {}, 0.0


def _weighed(index: Index, query: Query) -> Iterator[tuple[dict[str, float], float]]:
    """Yield for each question, then for all of the message: its terms that notes hold, weighed, and all its weight."""
    message = list(query.parts.get("message", {}))
    least = least_terms(query)
    # As much as a word of one note: in a small store a word of none would outweigh all that is known.
    unknown = log1p((index.count - 0.5) / 1.5)
    for asked in [*questions(query.message), message]:
        if least <= len(asked) <= _MOST_TERMS:
            known = index.idfs(asked)
            yield known, sum(known.values()) + unknown * (len(asked) - len(known))


def questions(message: str) -> list[list[str]]:
    """The terms of each sentence of `message` that ends in a question mark: what stands round it is not asked."""
    found = []
    if len(message) <= _LONGEST:
        for mark in _ASKED[1:]:
            message = message.replace(mark, "?")
        for piece in message.split("?")[:-1]:
            sentence = piece.rpartition("\n")[2]
            for end in (". ", "! ", "; "):
                sentence = sentence.rpartition(end)[2]
            # A file that is pointed at is before the agent, and no word of the question.
            found.append(list(dict.fromkeys(terms(" ".join([word for word in sentence.split() if word[0] != "@"])))))
    return [each for each in found if each]


def least_terms(query: Query) -> int:
    """Return how many terms of the message a passage must hold.

    Who asks wants to know, so two are enough; three words of an order are soon found anywhere.
    """
    return LEAST_ASKED if any([mark in query.message for mark in _ASKED]) else LEAST  # noqa: C419 (a list costs the hook less)


def _most_held(scene: Scene, note: int, weights: dict[str, float], least: int, wanted: float) -> float:
    """Return the most weight that one passage with `least` terms holds; 0 where all of the note holds not `wanted`.

    With `wanted` the first passage that reaches it is enough.
    """
    passages = scene.index.passages(note)
    count = passages.count
    held: dict[int, set[str]] = {}
    #: section from 0 -> terms of its heading; the first one's is the note's title
    headings: dict[int, set[str]] = {}
    known = 0.0
    ranks = scene.weighed.terms
    looked_up = {ranks[rank][1]: places for rank, places, _ in scene.scales[note].found}
    asked = {term for _, term in ranks}  # a note is weighed by the heaviest terms only
    for term, weight in weights.items():
        places = looked_up.get(term, []) if term in asked else [place for place, _ in passages.places(term)]
        if places:
            known += weight
        for place in places:
            if place < count:
                held.setdefault(place, set()).add(term)
            else:
                headings.setdefault(place - count, set()).add(term)
    if known < wanted:
        return 0.0
    most = 0.0
    owner = passages.p_section
    for paragraph in held:
        together = headings.get(0, set()) | headings.get(owner[paragraph] - 1, set())
        for near in range(paragraph - REACH, paragraph + REACH + 1):
            if near in held and owner[near] == owner[paragraph]:
                together |= held[near]
        if len(together) >= least:
            most = max(most, sum([weights[term] for term in together]))
            if most >= wanted > 0:
                break  # enough is enough for the hook
    for section, own in headings.items():  # an entry may be told by its heading alone
        together = headings.get(0, set()) | own
        if section and len(together) >= least:
            most = max(most, sum([weights[term] for term in together]))
    return most
