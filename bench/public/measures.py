"""Scores a ranking: ir-measures' figures for one question, and what follows from them over all."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.public.model import Question

CUTS = (1, 5, 10, 20, 50)
#: Documents that are read whole where a system shows no text of its own.
READ = 5
#: Tokens that a system with a budget may show.
BUDGET = 1000
#: Share of the gold that counts as all of it: ir-measures returns floats.
ALL = 1 - 1e-9
#: Measures in the order of the table.
MEASURES = (
    *(f"R@{k}" for k in CUTS),
    *(f"R@{k} any" for k in CUTS),
    *(f"R@{k} all" for k in CUTS),
    "nDCG@5",
    "nDCG@10",
    "MRR",
    "text any",
)


@dataclass(frozen=True, slots=True)
class Answered:
    """What one system did with one question."""

    question: str
    kind: str
    group: str
    held: bool
    ranked: tuple[str, ...]
    values: Mapping[str, float]
    """Measure -> value between 0 and 1; 0 throughout when nothing was returned."""
    milliseconds: float
    tokens: int
    """Of the text that the system shows; of its first documents, whole, where it shows none."""


def score(
    question: Question,
    ranked: Sequence[str],
    distractors: frozenset[str] = frozenset(),
    shown: frozenset[str] | None = None,
) -> dict[str, float]:
    """Return every measure for one question; ids that come twice count once, at their first place.

    `shown` are the documents that the system's text is of: `text any` is 1 when some gold is among them, and without
    them when some gold is among the first five, which then have to be read.

    `distractors` are the documents of the pool that are there to mislead; `distractors@20` is their share of the first
    twenty, a measure of which less is better.
    """
    import ir_measures  # noqa: PLC0415 (the extra `public`: it brings scipy, half of what an installation weighs)
    from ir_measures import RR, R, Success, nDCG  # noqa: PLC0415 (the same)

    places = list(dict.fromkeys(ranked))
    values = dict.fromkeys(MEASURES, 0.0)
    if places and question.gold:
        # trec_eval orders by score and breaks ties by id: distinct falling scores keep the system's own order.
        run = {question.id: {name: float(len(places) - place) for place, name in enumerate(places)}}
        gold = {question.id: dict.fromkeys(question.gold, 1)}
        asked = [*(R @ k for k in CUTS), *(Success @ k for k in CUTS), nDCG @ 5, nDCG @ 10, RR]
        found = ir_measures.calc_aggregate(asked, gold, run)
        for k in CUTS:
            values[f"R@{k}"] = found[R @ k]
            values[f"R@{k} any"] = found[Success @ k]
            values[f"R@{k} all"] = float(found[R @ k] >= ALL)
        values["nDCG@5"] = found[nDCG @ 5]
        values["nDCG@10"] = found[nDCG @ 10]
        values["MRR"] = found[RR]
    values["text any"] = float(bool(question.gold & (frozenset(places[:READ]) if shown is None else shown)))
    if question.checklist:
        seen = set(places[: CUTS[-2]])
        values["checklist@20"] = statistics.fmean(bool(point & seen) for point in question.checklist)
    if distractors:
        first = places[: CUTS[-2]]
        values["distractors@20"] = len(distractors.intersection(first)) / len(first) if first else 0.0
    return values
