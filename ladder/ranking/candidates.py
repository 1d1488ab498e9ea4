"""Which notes are looked into: the first by the features, and those in which most of the message stands together."""

from __future__ import annotations

from itertools import islice

from ladder.index.scoring import best
from ladder.ranking.in_view import InView
from ladder.ranking.weights import TOGETHER_EACH, TOGETHER_SHARE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ladder.ranking.search import Search

#: Of a larger store only this many notes best by their words, and as many best by their labels, are weighed: a table of
#: ten thousand notes that share one word with the query costs the hook more than finding the best.
POOL = 512
#: Notes in which most of the message stands together are searched among the next TOGETHER_POOL * depth notes of the
#: ranking, by the TOGETHER_TERMS heaviest terms of the message.
TOGETHER_POOL = 16
TOGETHER_TERMS = 12
#: More than one term by itself can weigh, which is rounded.
_MORE = 1.001


def pool(by_word: list[float], by_label: list[float]) -> Iterable[int]:
    """Return the notes that are weighed by their words: all, of a large store those that are best by either."""
    if len(by_word) <= POOL:
        return range(len(by_word))
    return {*best(by_word, POOL), *best(by_label, POOL)}


def choose(search: Search, ranked: list[int], depth: int) -> list[int]:
    """Return the notes of `ranked` to look into, none that the agent has in view or whose file is gone.

    The first `depth`, and half as many more whose text holds most of the message together.
    """
    index = search.index
    seen = InView(search)
    chosen: list[int] = []
    at = 0
    while at < len(ranked) and len(chosen) < depth:  # one by one: whether a note is in view costs a read
        if ranked[at] not in seen and index.alive(ranked[at]):
            chosen.append(ranked[at])
        at += 1
    if search.query.near is not None:
        near = search.query.near.nearest(depth)
        chosen += [n for n in near if n not in chosen and n not in seen and index.alive(n)]
        taken = {*chosen}
        ranked = ranked[:at] + [n for n in ranked[at:] if n not in taken]
    others = _together(search, ranked[at : at + TOGETHER_POOL * depth])
    return chosen + list(islice((n for n in others if n not in seen and index.alive(n)), depth // TOGETHER_EACH))


def _together(search: Search, others: list[int]) -> list[int]:
    """Return those of `others` in which most of the message stands together, the most first."""
    message = search.query.part("message")
    terms = [pair for pair in search.weighed.terms if pair[1] in message][:TOGETHER_TERMS]
    if len(terms) < 2 or search.query.command or not others:  # a command's name asks for no line
        return []
    together = search.index.together(terms, others)
    least = max(TOGETHER_SHARE * sum([weight for weight, _ in terms]), terms[0][0] * _MORE)
    found = [n for n in others if together.get(n, 0.0) > least]
    found.sort(key=lambda n: -together[n])  # equal ones stay as they are ranked
    return found
