"""Whether to speak by what a message means, where its words had the hook say nothing.

Looking costs a tenth of a second and more, so only a message that asks or orders something by itself is looked at: not
a few words, not a pasted text, not what leans on the conversation. Then how near the nearest note lies decides.
"""

from __future__ import annotations

from ladder.speaking.coverage import leans_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.meaning.near import Near
    from ladder.query.query import Query
    from ladder.ranking.survey import Suggestion

#: Distinct terms of the message, at least and at most.
LEAST_TERMS, MOST_TERMS = 3, 60
#: The cosine of a message with a note's nearest piece from which something is said (docs/decisions.md: the curve).
NEAR_ENOUGH = 0.5
#: How much less than the nearest note another may lie to be named beside it.
BESIDE = 0.1


def worth_looking(index: Index, query: Query) -> bool:
    """Whether a message asks or orders something by itself, so that its meaning is worth a look."""
    return not query.command and LEAST_TERMS <= len(query.part("message")) <= MOST_TERMS and not leans_on(index, query)


def named_by_meaning(near: Near, found: list[Suggestion]) -> list[Suggestion]:
    """Return those of the suggestions, best first, that lie near enough to be named; none when silence is better."""
    nearest = max([near.best.get(each.note, 0.0) for each in found], default=0.0)
    if nearest < NEAR_ENOUGH:
        return []
    return [each for each in found if near.best.get(each.note, 0.0) >= nearest - BESIDE]
