"""Whether to speak by what a message means, where its words had the hook say nothing.

Looking costs a tenth of a second and more, so only a message that asks or orders something by itself is looked at: not
a few words, not a pasted text, not what leans on the conversation. Then how near the nearest note lies decides.
"""

from __future__ import annotations

from ladder.query.sentences import sentences
from ladder.speaking.coverage import leans_on
from ladder.speaking.weights import BESIDE, LEAST_COSINE, NEAR_ENOUGH, NEAR_ENOUGH_LATER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.meaning.near import Near
    from ladder.query.query import Query
    from ladder.ranking.explain import Suggestion

#: Distinct terms of the message, at least and at most.
LEAST_TERMS, MOST_TERMS = 3, 60


def worth_looking(index: Index, query: Query) -> bool:
    """Whether a message asks or orders something by itself, so that its meaning is worth a look.

    Not one that speaks to the agent ("rewrite your last message"): it is about the work at hand.
    """
    return (
        not query.command
        and LEAST_TERMS <= len(query.part("message")) <= MOST_TERMS
        and not leans_on(index, query)
        and not _to_agent(query.message)
    )


def _to_agent(message: str) -> bool:
    """Whether a sentence that asks speaks to the agent; any sentence where none asks."""
    found = sentences(message)
    return any([each.to_agent for each in [one for one in found if one.asks] or found])  # noqa: C419 (a list costs the hook less)


def needed(query: Query) -> float:
    """How near a note must lie for the message to be answered, as `nearness` counts."""
    return NEAR_ENOUGH_LATER if query.later else NEAR_ENOUGH


def near_enough(query: Query, near: Near) -> bool:
    """Whether a note stands out so far that it is worth saying."""
    return max(near.best.values(), default=0.0) >= LEAST_COSINE and nearness(near) >= needed(query)


def nearness(near: Near) -> float:
    """How near the nearest piece of all lies, in standard deviations from the usual."""
    return (max(near.best.values(), default=near.usual) - near.usual) / near.spread if near.spread else 0.0


def named_by_meaning(near: Near, found: list[Suggestion]) -> list[Suggestion]:
    """Return those of the suggestions, best first, that lie nearly as near as the nearest."""
    nearest = max([near.best.get(each.note, near.usual) for each in found], default=0.0)
    return [each for each in found if near.best.get(each.note, near.usual) >= nearest - BESIDE]
