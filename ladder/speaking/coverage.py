"""Whether a note holds a message nearly whole: then it is worth showing though nothing has been learned yet.

A message in ordinary words, or a question in it, that one passage takes up almost word by word is a question that the
note answers, or its very topic. Words count by their rarity, one that no note holds as much as one of a single note, so
that a long message about something else, which shares a few words with some passage, does not pass.
"""

from __future__ import annotations

from ladder.lean.math import log1p
from ladder.query.conversation import heard
from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.ranking.explain import Suggestion
    from ladder.ranking.search import Search

#: How many distinct terms of the message a passage must hold, and then what share of its weight: who asks wants to
#: know, so two are enough for a question; words of an order are soon found anywhere (docs/decisions.md: the curve).
NEEDED_ASKED = ((3, 0.5), (2, 0.7))
NEEDED = ((3, 0.7),)
#: A message in a conversation that leans on it more than this is no question by itself (see heard.py).
LEANING = 0.24
#: What ends a question: ?, and the marks of Arabic, Chinese and Japanese, and Greek.
_ASKED = ("?", "\u061f", "\uff1f", "\u037e")
#: What may stand behind the mark, before the question has ended; and what tells that a word is an address or code, in
#: the middle of which a mark asks nothing: `host/path?page=2`, `reply?.body`. Characters of a word.
_BEHIND = "?!.,;:)]}>\"'*_~\u2026\u201d\u2019\u00bb"
_WORD = 200
_NO_WORD = frozenset("/\\=&%$()[]{}<>|_.:*+^#@~")
#: Last words of a question that needs no mark, in Japanese and Chinese; and what may stand behind them.
_ASKING = ("\u304b", "\u5417", "\u55ce", "\u5462")
_END = " \n.\u3002\uff0e!\uff01"
#: Paragraphs to each side that count to a passage, within the section.
REACH = 2
#: Suggestions that are looked at.
LOOKED = 3
#: A message of more terms is a pasted text.
_MOST_TERMS = 60
#: Characters of a message whose questions are told apart.
_LONGEST = 2000


def covering(scene: Search, found: list[Suggestion]) -> bool:
    """Whether a passage of one of the first suggestions holds the message nearly whole."""
    asked = [] if leans(scene) else _coverable(scene.index, scene.query)
    needed = needed_of(scene.query)
    for each in found[:LOOKED] if asked else ():
        for known, whole in asked:
            if _holds_enough(scene, each.note, known, whole, needed):
                return True
    return False


def share_held(scene: Search) -> float | None:
    """Return the most, in [0, 1], of the message's weight that a passage of a first note holds, however few its terms.

    Of its questions and of all of it, the best counts. None for a message that is too short or too long.
    """
    parts = [(known, whole) for known, whole in _weighed(scene.index, scene.query) if whole]
    shares = [
        sum([known[term] for term in together]) / whole
        for known, whole in parts
        for note in scene.candidates[:LOOKED]
        for together in _together(scene, note, known)
    ]
    return max(shares, default=0.0) if parts else None


def leans(scene: Search) -> bool:
    """Whether the message leans on what was said before it, so that it is no question by itself."""
    return scene.query.later and scene.heard > LEANING


def leans_on(index: Index, query: Query) -> bool:
    """The same of a query that was not searched for yet."""
    return query.later and heard(index, query) > LEANING


def coverable(index: Index, query: Query) -> bool:
    """Whether a passage can hold enough of the message: most are told that none can without looking into any note."""
    return bool(_coverable(index, query)) and not leans_on(index, query)


def _coverable(index: Index, query: Query) -> list[tuple[dict[str, float], float]]:
    """Return of each question, and of all the message: its terms that notes hold, weighed, and the weight of all terms.

    Without those of which no passage can hold enough.
    """
    needed = needed_of(query)
    found = []
    for known, whole in _weighed(index, query):
        held = sum(known.values())
        if any([len(known) >= least and held >= share * whole for least, share in needed]):  # noqa: C419 (as above)
            found.append((known, whole))
    return found


def _weighed(index: Index, query: Query) -> Iterator[tuple[dict[str, float], float]]:
    """Yield for each question, then for all of the message: its terms that notes hold, weighed, and all its weight.

    Of a slash command what stands behind its name.
    """
    message, text = list(query.part("message")), query.message
    if query.command:
        text = text.lstrip()[len(query.command) :]
        message = [term for term in dict.fromkeys(terms(text)) if term not in query.empty]
    least = needed_of(query)[-1][0]
    # As much as a word of one note: in a small store a word of none would outweigh all that is known.
    unknown = log1p((index.count - 0.5) / 1.5)
    mended, empty = query.mended or {}, query.empty
    each_asked = [[mended.get(term, term) for term in each if term not in empty] for each in questions(text)]
    for asked in [*each_asked, message]:
        if least <= len(asked) <= _MOST_TERMS:
            known = index.idfs(asked)
            yield known, sum(known.values()) + unknown * (len(asked) - len(known))


def questions(message: str) -> list[list[str]]:
    """The terms of each sentence of `message` that ends in a question mark: what stands round it is not asked."""
    found = []
    if len(message) <= _LONGEST:
        for piece in as_asked(message).split("?")[:-1]:
            sentence = piece.rpartition("\n")[2]
            for end in (". ", "! ", "; "):
                sentence = sentence.rpartition(end)[2]
            # A file that is pointed at is before the agent, and no word of the question.
            found.append(list(dict.fromkeys(terms(" ".join([word for word in sentence.split() if word[0] != "@"])))))
    return [each for each in found if each]


def as_asked(message: str) -> str:
    """Return `message` with `?` for each mark that ends a question, and a space for each in code or in an address."""
    if not any([mark in message for mark in _ASKED]):  # noqa: C419 (a list costs the hook less)
        return message
    for mark in _ASKED[1:]:
        message = message.replace(mark, _ASKED[2])  # of a script in which no space need follow
    blocks = message.split("```")
    for i, block in enumerate(blocks):
        pieces = block.split("`")
        for k, piece in enumerate(pieces):
            if i % 2 or (k % 2 and k + 1 < len(pieces)):  # the last backtick may have no other
                pieces[k] = piece.replace("?", " ").replace(_ASKED[2], " ")
            else:
                pieces[k] = _without_marks_in_words(piece).replace(_ASKED[2], "?")
        blocks[i] = "`".join(pieces)
    return "```".join(blocks)


def _without_marks_in_words(text: str) -> str:
    """Put a space in the place of each `?` that stands within a word which is none of a language."""
    kept: list[str] = []
    begin = 0
    at = text.find("?")
    while at >= 0:
        behind = text[at + 1 : at + _WORD]
        rest = behind.lstrip(_BEHIND)[:1]
        if rest.isascii() and rest.strip():
            before = text[max(0, at - _WORD) : at]
            word = "" if before[-1:].isspace() else "".join(before.split()[-1:])
            if not _NO_WORD.isdisjoint(word + behind.split(None, 1)[0]):
                kept.append(text[begin:at])
                begin = at + 1
        at = text.find("?", at + 1)
    return " ".join([*kept, text[begin:]])


def needed_of(query: Query) -> tuple[tuple[int, float], ...]:
    """Return (terms, share of the weight) pairs, one of which a passage must reach; the fewest terms last."""
    asked = "?" in as_asked(query.message)
    return NEEDED_ASKED if asked or query.message.rstrip(_END).endswith(_ASKING) else NEEDED


def _holds_enough(
    scene: Search, note: int, weights: dict[str, float], whole: float, needed: tuple[tuple[int, float], ...]
) -> bool:
    """Whether one passage of a note reaches one of the pairs `needed`."""
    for together in _together(scene, note, weights):
        if len(together) >= needed[-1][0]:
            share = sum([weights[term] for term in together]) / whole
            if any([len(together) >= least and share >= wanted for least, wanted in needed]):  # noqa: C419 (as above)
                return True
    return False


def _together(scene: Search, note: int, weights: dict[str, float]) -> Iterator[set[str]]:
    """Yield of each place of a note the terms that stand together: near paragraphs, the heading, the note's title."""
    passages = scene.index.passages(note)
    count = passages.count
    held: dict[int, set[str]] = {}
    #: section from 0 -> terms of its heading; the first one's is the note's title
    headings: dict[int, set[str]] = {}
    ranks = scene.weighed.terms
    looked_up = {ranks[rank][1]: places for rank, places, _ in scene.scales(note).found}
    asked = {term for _, term in ranks}  # a note is weighed by the heaviest terms only
    for term in weights:
        places = looked_up.get(term, []) if term in asked else [place for place, _ in passages.places(term)]
        for place in places:
            if place < count:
                held.setdefault(place, set()).add(term)
            else:
                headings.setdefault(place - count, set()).add(term)
    owner = passages.p_section
    for paragraph in held:
        together = headings.get(0, set()) | headings.get(owner[paragraph] - 1, set())
        for near in range(paragraph - REACH, paragraph + REACH + 1):
            if near in held and owner[near] == owner[paragraph]:
                together |= held[near]
        yield together
    for section, own in headings.items():  # an entry may be told by its heading alone
        if section:
            yield headings.get(0, set()) | own
