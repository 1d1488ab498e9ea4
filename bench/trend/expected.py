"""Expected answers: each echo counts as much as it is probable that the agent used the line, not all or nothing.

A pair needs words that came back in the reply. Of what came back in tool inputs, or scattered over a reply, a judge
found fewer lines used (`PRECISION` in bench/questions.py), and there is more of it. This stands beside the pairs, never
in their place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bench.corpus.corpus import replay_today
from bench.scores import difference, rate
from bench.strategies import strategies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.corpus import Corpus
    from bench.scores import Difference, Rate

#: The moment asked at: what the agent knew just before it opened a note.
MOMENT = "read"


@dataclass(frozen=True, slots=True)
class Expected:
    """What comes into view of the lines that echoed, each weighed by how probable its use is."""

    answers: float
    """The sum of these probabilities."""
    ours: Rate
    """Weighted; n counts echoes."""
    theirs: Rate
    """The same of fragments with the same query and budget."""
    gain: Difference


def expected(found: Sequence[Corpus], budget: int) -> Expected | None:
    """Return the weighed evidence of these corpora; None where there is none but the pairs, which say it all then."""
    weighed = [replace(corpus, level="any") for corpus in found]
    if all(question.level == "reply" for corpus in weighed for question in corpus.asked_today):
        return None
    names = (f"ladder@{budget}", f"fragments@{budget}, same query")
    done = replay_today(weighed, [each for each in strategies((budget,)) if each.name in names], (MOMENT,))[0]
    sure = [question.sure for question in done.questions]
    ours, theirs = (done.hits(MOMENT, name) for name in names)
    return Expected(
        sum(sure),
        rate(ours, done.sessions, sure),
        rate(theirs, done.sessions, sure),
        difference(ours, theirs, done.sessions, sure),
    )
