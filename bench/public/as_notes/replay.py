"""Replays a set's questions through the product and its rival, by the very strategies that replay mined pairs.

A hit is an evidence line in view. Everything that the ladder prints is counted, names too; the fragments are charged
for bare text. Intervals redraw groups (a conversation, a meeting, a person's month), differences are paired.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bench import product
from bench.corpus.snapshot import World
from bench.public.as_notes import lifebench, locomo, qmsum
from bench.questions import Question
from bench.replay import sees
from bench.rivals.fragments import weights_of
from bench.scores import Difference, Rate, difference, rate
from bench.strategies import Ask, fragments_query_budget, ladder_budget, ladder_given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from bench.corpus.cache import Keep
    from bench.public.as_notes.note_set import NoteSet
    from bench.public.as_notes.note_set import Question as Asked

#: Tokens.
BUDGETS = (250, 500, 1000, 2000, 4000, 8000)
#: What the published study's ladder read with the right note given.
GIVEN = 2700
DEPTHS = (1, 4, 10)

#: Name -> the set in the catalogue, and what reads it from where it lies.
SETS: dict[str, tuple[str, Callable[[Path], NoteSet]]] = {
    "locomo": ("locomo", locomo.load),
    "qmsum": ("qmsum", qmsum.load),
    "qmsum-no-heads": ("qmsum", partial(qmsum.load, heads=False)),
    "lifebench": ("lifebench", lifebench.load),
}


@dataclass(frozen=True, slots=True)
class Budget:
    """What came into view for one budget."""

    tokens: int
    ladder: Rate
    fragments: Rate
    gain: Difference
    spent: float
    """Tokens that the ladder used, the mean."""


@dataclass(frozen=True, slots=True)
class Found:
    """All figures of one set."""

    name: str
    half: str
    notes: int
    questions: int
    left_out: dict[str, int]
    budgets: list[Budget]
    first: dict[int, Rate]
    """Depth -> share of questions of which a note with evidence stands so high among the suggestions."""
    given: Rate
    """Hit with the note that holds most evidence given, at GIVEN tokens."""


def replay(
    made: NoteSet, keep: Keep, *, half: str = "held", watch: Callable[[Sequence[Asked]], Iterable[Asked]] = iter
) -> Found:
    """Ask the questions of a half: `held` (not tuned on), `tune`, or `all`."""
    world = World(made.notes, keep)
    asked = [each for each in made.questions if half == "all" or each.held == (half == "held")]
    groups = [each.group for each in asked]
    hits: dict[tuple[str, int], list[float]] = {}
    spent: dict[int, list[float]] = {}
    ranks: list[int] = []
    given: list[float] = []
    for each in watch(asked):
        ask = _ask(made, each)
        names = product.ranked(world, ask, max(DEPTHS))
        right = {line.note for line in each.evidence}
        ranks.append(next((place for place, name in enumerate(names, 1) if name in right), 0))
        given.append(float(sees(ladder_given(world, ask, GIVEN), world, ask.question)))
        for budget in BUDGETS:
            view = ladder_budget(world, ask, budget)
            hits.setdefault(("ladder", budget), []).append(float(sees(view, world, ask.question)))
            spent.setdefault(budget, []).append(float(sum(world.costs(list(view.parts)))))
            rival = fragments_query_budget(world, ask, budget)
            hits.setdefault(("fragments", budget), []).append(float(sees(rival, world, ask.question)))
    return Found(
        name=made.name,
        half=half,
        notes=len(made.notes),
        questions=len(asked),
        left_out=made.left_out,
        budgets=[
            Budget(
                budget,
                rate(hits["ladder", budget], groups),
                rate(hits["fragments", budget], groups),
                difference(hits["ladder", budget], hits["fragments", budget], groups),
                sum(spent[budget]) / max(len(spent[budget]), 1),
            )
            for budget in BUDGETS
            if asked
        ],
        first={depth: rate([float(0 < rank <= depth) for rank in ranks], groups) for depth in DEPTHS},
        given=rate(given, groups),
    )


def _ask(made: NoteSet, each: Asked) -> Ask:
    """The question as the bench asks it: the product's query of the bare message, on the day it was asked."""
    context = {"message": each.text, "now": each.asked}
    lines = tuple(
        made.notes[line.note][line.start : line.end].decode("utf-8").strip() for line in dict.fromkeys(each.evidence)
    )
    question = Question(
        id=each.id,
        session=each.group,
        time=each.asked,
        text=each.text,
        contexts={"message": context},
        note=Counter(line.note for line in each.evidence).most_common(1)[0][0],
        lines=lines,
    )
    asked, error = product.query_of(context)
    if asked is None:
        raise RuntimeError(f"the product makes no query: {error}")
    return Ask(question, "message", asked, weights_of(each.text))
