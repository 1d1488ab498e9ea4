"""Asks every question through every strategy, counts tokens, looks whether the evidence came into view."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench import product
from bench.fragments import weights_of
from bench.questions import MOMENTS, Question
from bench.strategies import Ask, Strategy, View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.world import World
    from ladder.learned import Learned

#: How deep the right note is looked for among the suggestions.
DEPTH = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one strategy did for one question at one moment."""

    hit: bool
    tokens: int
    calls: int
    notes: tuple[str, ...]
    error: str = ""
    """What the product raised; the question then counts as missed, at no cost."""


@dataclass(slots=True)
class Replay:
    """All outcomes, by moment and strategy, each list in the order of `questions`."""

    questions: list[Question]
    moments: tuple[str, ...]
    strategies: list[Strategy]
    outcomes: dict[tuple[str, str], list[Outcome]] = field(default_factory=dict)
    ranks: dict[str, list[int]] = field(default_factory=dict)
    """For each moment the rank of the right note among the suggestions, from 1; 0 = not among the first ten."""
    first: dict[str, list[str]] = field(default_factory=dict)
    """For each moment the note that was suggested first; empty for none."""
    fixed: dict[str, int] = field(default_factory=dict)
    """For each strategy the tokens that enter once a session, whatever is asked."""

    @property
    def sessions(self) -> list[str]:
        """The session of each question."""
        return [question.session for question in self.questions]

    def hits(self, moment: str, strategy: str) -> list[float]:
        """1 for each question that was answered, else 0."""
        return [float(outcome.hit) for outcome in self.outcomes[moment, strategy]]

    def tokens(self, moment: str, strategy: str) -> list[float]:
        """Tokens of each question."""
        return [float(outcome.tokens) for outcome in self.outcomes[moment, strategy]]

    def errors(self) -> Counter[str]:
        """How often the product raised what."""
        return Counter(outcome.error for outcomes in self.outcomes.values() for outcome in outcomes if outcome.error)


def replay(
    questions: Sequence[Question],
    world_of: Callable[[Question], World],
    strategies: Sequence[Strategy],
    moments: Sequence[str] = MOMENTS,
    watch: Callable[[Sequence[int]], Iterable[int]] = iter,
    learned: Mapping[str, Learned] | None = None,
) -> Replay:
    """Replay every question; `world_of` gives the notes it is asked of, `watch` may show progress over the questions.

    What does not use the product's query is asked once, of the message, and stands in every moment. `learned` is what
    the product had learned when each session began.
    """
    result = Replay(list(questions), tuple(moments), list(strategies))
    size = len(result.questions)
    for moment in moments:
        result.ranks[moment] = [0] * size
        result.first[moment] = [""] * size
        for strategy in strategies:
            result.outcomes[moment, strategy.name] = [Outcome(False, 0, 0, ())] * size  # noqa: FBT003 (a record's field)
    # Questions of one world together: an index, and the rival's ranking, are opened once.
    worlds = [world_of(question) for question in result.questions]
    order = sorted(range(size), key=lambda at: (worlds[at].key, at))
    for at in watch(order):
        question, world = result.questions[at], worlds[at]
        plain = weights_of(question.text)
        for turn, moment in enumerate(moments):
            query, error = product.query_of(question.contexts.get(moment, {}))
            ask = Ask(question, moment, query, plain, (learned or {}).get(question.session))
            names = product.ranked(world, ask, DEPTH)
            if question.note in names:
                result.ranks[moment][at] = names.index(question.note) + 1
            if names:
                result.first[moment][at] = names[0]
            for strategy in strategies:
                if turn and not strategy.needs_query:
                    outcome = result.outcomes[moments[0], strategy.name][at]
                else:
                    outcome = _one(strategy, world, ask, error)
                result.outcomes[moment, strategy.name][at] = outcome
    for strategy in strategies:
        result.fixed[strategy.name] = strategy.fixed(worlds[0]) if worlds else 0
    return result


def _one(strategy: Strategy, world: World, ask: Ask, error: str) -> Outcome:
    try:
        view = strategy.run(world, ask, strategy.size)
    except Exception as raised:  # noqa: BLE001 (whatever a broken product raises is a miss, and is shown)
        return Outcome(hit=False, tokens=0, calls=0, notes=(), error=type(raised).__name__)
    return Outcome(
        hit=sees(view, world, ask.question.lines),
        tokens=world.tokens if view.everything else sum(world.costs(list(view.parts))),
        calls=view.calls,
        notes=view.notes,
        error=error if strategy.needs_query else "",
    )


def sees(view: View, world: World, lines: Sequence[str]) -> bool:
    """Whether at least one of the lines stands in what came into view."""
    if view.everything:
        return world.holds(lines)
    return any(line in part for part in view.parts for line in lines)
