"""What a run of several systems over one set amounts to: a row a system, differences against ladder, by kind."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from bench.public.measures import MEASURES, Answered
from bench.public.run import Outcome
from bench.scores import Difference, Rate, difference, rate

#: Measures that get an interval in the table.
SHOWN = ("R@1 any", "R@5 any", "R@10 any", "R@20 any", "R@5 all", "R@20", "nDCG@5", "nDCG@10", "MRR", "text any")
#: Further measures that stand in the table where a set has them.
OPTIONAL = ("checklist@20", "distractors@20")


@dataclass(frozen=True, slots=True)
class Row:
    """One system over one set."""

    system: str
    n: int
    """Questions that it was asked: fewer than the run has where it was stopped."""
    rates: dict[str, Rate]
    """Measure -> mean with its interval, over all questions."""
    candidates: float
    """Share of questions with gold among all that was returned (up to 50)."""
    ranking_loss: float
    """Candidate recall minus R@1: what a better order of the same candidates could win."""
    kinds: dict[str, dict[str, Rate]]
    """Kind of question -> measure -> mean with its interval, for the measures that were asked for."""
    tokens: float
    """Mean a question, of the text that is shown or of the first five documents where none is."""
    seconds: float
    median_ms: float
    against: dict[str, Difference]
    """Measure -> this system minus ladder on the same questions; empty for ladder or where ladder did not run."""


def rows(outcomes: Sequence[Outcome], compared: Sequence[str] = ("MRR",)) -> list[Row]:
    """Return a row for each outcome, in their order; `compared` are measured by kind and against ladder too."""
    ladder = next((outcome for outcome in outcomes if outcome.system == "ladder"), None)
    return [_row(outcome, ladder, compared) for outcome in outcomes]


def _row(outcome: Outcome, ladder: Outcome | None, compared: Sequence[str]) -> Row:
    answers = outcome.answers
    kinds: dict[str, list[Answered]] = {}
    for answer in answers:
        kinds.setdefault(answer.kind, []).append(answer)
    rates = _rates(answers, (*MEASURES, *OPTIONAL))
    candidates = rates["R@50 any"].value
    against = {}
    if ladder and ladder is not outcome:
        theirs = {answer.question: answer.values for answer in ladder.answers}
        # Either of the two may have been stopped before its end.
        both = [answer for answer in answers if answer.question in theirs]
        for name in compared:
            held = [theirs[answer.question].get(name, 0.0) for answer in both]
            against[name] = difference(values(both, name), held, [answer.group for answer in both])
    return Row(
        system=outcome.system,
        n=len(answers),
        rates=rates,
        candidates=candidates,
        ranking_loss=candidates - rates["R@1 any"].value,
        kinds={kind: _rates(some, compared) for kind, some in sorted(kinds.items())},
        tokens=statistics.fmean(answer.tokens for answer in answers) if answers else 0.0,
        seconds=outcome.seconds,
        median_ms=statistics.median(answer.milliseconds for answer in answers) if answers else 0.0,
        against=against,
    )


def _rates(answers: Sequence[Answered], measures: Sequence[str]) -> dict[str, Rate]:
    """Return measure -> mean with its interval, over the questions that have it."""
    found = {}
    for name in measures:
        some = [answer for answer in answers if name in answer.values]
        if some:
            found[name] = rate(values(some, name), [answer.group for answer in some])
    return found


def values(answers: Sequence[Answered], measure: str) -> list[float]:
    """Return one value a question."""
    return [answer.values.get(measure, 0.0) for answer in answers]
