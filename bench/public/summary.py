"""What a run of several systems over one set amounts to: a row a system, differences against ladder, by kind."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from bench.public.measures import MEASURES, Answered
from bench.public.run import Outcome
from bench.scores import Difference, Rate, difference, rate

#: Measures that get an interval in the table.
SHOWN = ("R@1 any", "R@5 any", "R@10 any", "R@5 all", "R@20", "nDCG@5", "nDCG@10", "MRR")
#: Further measures that stand in the table where a set has them.
OPTIONAL = ("checklist@20", "distractors@20")


@dataclass(frozen=True, slots=True)
class Row:
    """One system over one set."""

    system: str
    n: int
    rates: dict[str, Rate]
    """Measure -> mean with its interval, over all questions."""
    candidates: float
    """Share of questions with gold among all that was returned (up to 50)."""
    ranking_loss: float
    """Candidate recall minus R@1: what a better order of the same candidates could win."""
    kinds: dict[str, Rate]
    """Kind of question -> MRR."""
    seconds: float
    median_ms: float
    against: Difference | None
    """MRR of this system minus ladder's on the same questions; None for ladder or where ladder did not run."""


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return a row for each outcome, in their order."""
    ladder = next((outcome for outcome in outcomes if outcome.system == "ladder"), None)
    return [_row(outcome, ladder) for outcome in outcomes]


def _row(outcome: Outcome, ladder: Outcome | None) -> Row:
    answers = outcome.answers
    groups = [answer.group for answer in answers]
    rates = {name: rate(values(answers, name), groups) for name in MEASURES}
    for name in OPTIONAL:
        some = [answer for answer in answers if name in answer.values]
        if some:
            rates[name] = rate(values(some, name), [answer.group for answer in some])
    kinds: dict[str, list[Answered]] = {}
    for answer in answers:
        kinds.setdefault(answer.kind, []).append(answer)
    candidates = rates["R@50 any"].value
    against = None
    if ladder and ladder is not outcome:
        theirs = {answer.question: answer.values["MRR"] for answer in ladder.answers}
        against = difference(values(answers, "MRR"), [theirs.get(answer.question, 0.0) for answer in answers], groups)
    return Row(
        system=outcome.system,
        n=len(answers),
        rates=rates,
        candidates=candidates,
        ranking_loss=candidates - rates["R@1 any"].value,
        kinds={
            kind: rate(values(some, "MRR"), [answer.group for answer in some]) for kind, some in sorted(kinds.items())
        },
        seconds=outcome.seconds,
        median_ms=statistics.median(answer.milliseconds for answer in answers) if answers else 0.0,
        against=against,
    )


def values(answers: Sequence[Answered], measure: str) -> list[float]:
    """Return one value a question."""
    return [answer.values.get(measure, 0.0) for answer in answers]
