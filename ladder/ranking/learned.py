"""Features of what was learned: which notes such words and such a command led to, and which are opened often."""

from __future__ import annotations

from ladder.index.name_table import fold_name
from ladder.lean.math import log
from ladder.learning.model import learned_terms
from ladder.ranking.weights import DOUBT, HABIT_AT_WORK, LEARNED_HEARD, LEARNED_POWER, OFTEN_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ladder.ranking.search import Search

#: The logarithm at which the value is 1.
_FULL = log(1.0 + OFTEN_FULL)


def _numbers(search: Search, found: Mapping[int, float]) -> dict[int, float]:
    """The same by the notes' numbers in the index; names that are no note any more are left out."""
    learned = search.learned
    if learned is None:
        return {}
    numbers = [number for number in found if 0 <= number < len(learned.names)]
    notes = search.index.named([fold_name(learned.names[number]) for number in numbers])
    return {n: found[number] for number, n in zip(numbers, notes) if n >= 0}  # noqa: B905 (one for each)


def led_by_words(search: Search) -> dict[int, float]:
    """Of the turns in which such words stood, the share in which this note was opened."""
    if search.learned is None:
        return {}
    factor = _factor(search)
    shares = search.learned.shares(learned_terms(search.query))
    return _numbers(search, {number: factor * share for number, share in shares.items()})


def led_by_command(search: Search) -> dict[int, float]:
    """Of the uses of this slash command, the share in which the note was opened."""
    if search.learned is None or not search.query.command:
        return {}
    seen, led = search.learned.led(search.query.command)
    return _numbers(search, {number: count / (seen + DOUBT) for number, count in led})


def often_opened(search: Search) -> dict[int, float]:
    """The logarithm of how often the note was opened lately, 1 at OFTEN_FULL times."""
    learned = search.learned
    if learned is None:
        return {}
    factor = HABIT_AT_WORK if search.query.at_work else _factor(search)
    values = {i: min(1.0, factor * log(1.0 + weight) / _FULL) for i, weight in enumerate(learned.opened)}
    return _numbers(search, values)


def _factor(search: Search) -> float:
    """Return how much habit counts: a message that is clear by itself means that, whatever was opened before.

    It is the cube of the conversation's share: at a fifth of its sixty points it would still outweigh every word of
    the message.
    A search means its words, however few they are.
    """
    return LEARNED_HEARD if search.query.search else max(search.heard**LEARNED_POWER, LEARNED_HEARD)
