"""Does the block that the hook injects hold the answer, and does it stay silent when there is none?

*Answer carry*: the share of the mined questions, asked at the turn's start, whose evidence line stands inside the
block, by the block's budget; of all questions, and of those whose note the block names. *False surfacing*: the share
of turns whose agent neither read nor echoed any note in which the hook would have spoken, by the gate's threshold.
Both go through the product's public functions, with the notes of the question's world.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.scores import Rate, rate
from ladder.hook.on_message import LOOKED_INTO, NAMED, RANKED, compose
from ladder.query.query import Context, query
from ladder.ranking.survey import suggestions, survey
from ladder.speaking.coverage import covering
from ladder.speaking.gate import likelihood
from transcripts import Past, at_turn, turns
from transcripts.turns.contexts import Cutter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from bench.corpus.corpus import Corpus
    from bench.corpus.snapshot import World
    from bench.questions import Question
    from ladder.ranking.survey import Scene, Suggestion

#: Budgets of the block that are compared, tokens.
BUDGETS = (150, 300, 600, 1000)


@dataclass(frozen=True, slots=True)
class Carry:
    """One budget's outcome."""

    budget: int
    carried: Rate
    """Of all questions."""
    named: Rate
    """Questions whose note the block names, of all."""
    when_named: Rate
    """Of those whose note the block names."""
    tokens: float
    """Mean tokens of the blocks that were made."""


def scene_of(world: World, context: Mapping[str, Any]) -> Scene:
    """Return what routing makes of a context."""
    return survey(world.index, query(Context(**context)), depth=LOOKED_INTO)


def reader(world: World) -> Callable[[int], bytes | None]:
    """Return what gives a note's bytes in a world, which need not lie in files."""
    return lambda n: world.files.get(world.index.note(n).name)


def carries(
    asked: Sequence[tuple[Question, World]],
    worth: Callable[[Scene], list[Suggestion]],
    budgets: Sequence[int] = BUDGETS,
    moment: str = "turn",
) -> list[Carry]:
    """Ask each question in its world, as the first message of a session would be; `worth` says what may be named."""
    hits: dict[int, list[float]] = {budget: [] for budget in budgets}
    names: dict[int, list[float]] = {budget: [] for budget in budgets}
    spent: dict[int, list[int]] = {budget: [] for budget in budgets}
    sessions = [question.session for question, _ in asked]
    for question, world in asked:
        for budget in budgets:
            # The scene is narrowed to what is named, so each budget gets one of its own.
            scene = scene_of(world, question.contexts[moment])
            text, tokens, named = compose(scene, worth(scene)[:NAMED], budget, reader(world))
            lines = {line.strip() for line in text.split("\n")}
            hits[budget].append(float(any(line in lines for line in question.lines)))
            names[budget].append(float(any(found.name == question.note for found in named)))
            if text:
                spent[budget].append(tokens)
    return [
        Carry(
            budget,
            rate(hits[budget], sessions),
            rate(names[budget], sessions),
            rate(
                [hit for hit, named in zip(hits[budget], names[budget], strict=True) if named],
                [session for session, named in zip(sessions, names[budget], strict=True) if named],
            ),
            sum(spent[budget]) / max(1, len(spent[budget])),
        )
        for budget in budgets
    ]


def unrelated(corpus: Corpus) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (session, context at the turn's start) of the turns in which no note was read, echoed or written."""
    echoed = {(pair.session, pair.turn) for pair in corpus.found.pairs}
    for session in corpus.sessions:
        past, cutter = Past(), Cutter()
        for turn in turns(session):
            if turn.message and not turn.reads and not turn.notes_written and (session.id, turn.number) not in echoed:
                yield session.id, dict(at_turn(past, turn))
            past.add(turn, cutter)


@dataclass(frozen=True, slots=True)
class Surfaced:
    """How often the hook would have spoken at one threshold of the gate."""

    threshold: float
    unrelated: Rate
    """Of the turns in which no note was needed: false surfacing."""
    gate_alone: Rate
    """The same without the rule that a note which holds the message nearly whole is shown whatever the gate says."""
    asked: Rate
    """Of the questions that notes did answer."""


def surfacing(
    corpora: Sequence[Corpus], thresholds: Sequence[float], limit: int = 0, *, seed: int = 1
) -> list[Surfaced]:
    """Return the curve over `thresholds`; of each corpus at most `limit` unrelated turns, drawn at random."""
    quiet: list[tuple[str, float, bool]] = []
    for corpus in corpora:
        found = list(unrelated(corpus))
        if limit and len(found) > limit:
            found = random.Random(seed).sample(found, limit)  # noqa: S311 (a sample that is the same each time)
        quiet += [(session, *_sure(scene_of(corpus.today, context))) for session, context in found]
    asked = [
        (question.session, *_sure(scene_of(corpus.today, question.contexts["turn"])))
        for corpus in corpora
        for question in corpus.asked_today
    ]
    return [
        Surfaced(
            threshold,
            rate([float(sure >= threshold or whole) for _, sure, whole in quiet], [row[0] for row in quiet]),
            rate([float(sure >= threshold) for _, sure, _ in quiet], [row[0] for row in quiet]),
            rate([float(sure >= threshold or whole) for _, sure, whole in asked], [row[0] for row in asked]),
        )
        for threshold in thresholds
    ]


def _sure(scene: Scene) -> tuple[float, bool]:
    """Return what the gate thinks, and whether a note holds the message nearly whole."""
    found = suggestions(scene, RANKED)
    return (likelihood(scene) if found else 0.0), covering(scene, found)
