"""Replays every question through every strategy, counts tokens, and checks whether the evidence came into view."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from bench import product
from bench.forked import can_fork, in_processes
from bench.questions import MOMENTS, Question
from bench.rivals.fragments import weights_of
from bench.strategies import Ask, Strategy, View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.corpus.snapshot import World
    from ladder.learning.model import Learned

#: Number of suggestions among which the right note is looked for.
DEPTH = 10
#: Number of questions from which on several processes ask them.
MANY = 200


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

    def ask(at: int) -> list[_Answers]:
        question = result.questions[at]
        return _asked(question, worlds[at], strategies, moments, (learned or {}).get(question.session))

    groups = [list(group) for _, group in groupby(order, lambda at: worlds[at].key)]
    if size >= MANY and can_fork():
        if len(groups) == 1:
            worlds[0].ready()
        answers = in_processes(groups, ask, watch)
    else:
        answers = ((at, ask(at)) for at in watch(order))
    for at, found in answers:
        for moment, (rank, first, outcomes) in zip(moments, found, strict=True):
            result.ranks[moment][at] = rank
            result.first[moment][at] = first
            for strategy, outcome in zip(strategies, outcomes, strict=True):
                result.outcomes[moment, strategy.name][at] = outcome
    for strategy in strategies:
        result.fixed[strategy.name] = strategy.fixed(worlds[0]) if worlds else 0
    return result


class _Answers(NamedTuple):
    """What came of a question at one moment."""

    rank: int
    first: str
    outcomes: list[Outcome]
    """One for each strategy."""


def _asked(
    question: Question, world: World, strategies: Sequence[Strategy], moments: Sequence[str], learned: Learned | None
) -> list[_Answers]:
    """Ask a question at every moment."""
    plain = weights_of(question.text)
    found: list[_Answers] = []
    for turn, moment in enumerate(moments):
        context = question.contexts.get(moment, {})
        # What was known may be the same as before: a session's first message has nothing before it.
        same = [at for at in range(turn) if question.contexts.get(moments[at], {}) == context]
        if same:
            found.append(found[same[0]])
            continue
        query, error = product.query_of(context)
        ask = Ask(question, moment, query, plain, learned)
        names = product.ranked(world, ask, DEPTH)
        views = [
            None if turn and not strategy.needs_query else _viewed(strategy, world, ask, error)
            for strategy in strategies
        ]
        # All texts are counted together.
        parts = list(dict.fromkeys(part for each in views if each and each[0] for part in each[0].parts))
        costs = dict(zip(parts, world.costs(parts), strict=True))
        outcomes = [
            found[0].outcomes[at] if each is None else _outcome(*each, world, question, costs)
            for at, each in enumerate(views)
        ]
        rank = names.index(question.note) + 1 if question.note in names else 0
        found.append(_Answers(rank, names[0] if names else "", outcomes))
    return found


def _viewed(strategy: Strategy, world: World, ask: Ask, error: str) -> tuple[View | None, str]:
    """What the strategy shows, None when it fails; and what the product raised."""
    try:
        return strategy.run(world, ask, strategy.size), error if strategy.needs_query else ""
    except Exception as raised:  # noqa: BLE001 (whatever a broken product raises is a miss, and is shown)
        return None, type(raised).__name__


def _outcome(view: View | None, error: str, world: World, question: Question, costs: Mapping[str, int]) -> Outcome:
    if view is None:
        return Outcome(hit=False, tokens=0, calls=0, notes=(), error=error)
    return Outcome(
        hit=sees(view, world, question),
        tokens=world.tokens if view.everything else sum(costs[part] for part in view.parts),
        calls=view.calls,
        notes=view.notes,
        error=error,
    )


def sees(view: View, world: World, question: Question) -> bool:
    """Whether at least one of the question's lines stands in what came into view."""
    if view.everything:
        return world.holds(question.lines, question.note)
    return any(line in part for part in view.parts for line in question.lines)
