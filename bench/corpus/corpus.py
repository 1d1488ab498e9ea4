"""A person's logs and notes as the bench replays them, pooled or not, against today's notes and as of the turn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bench.corpus.as_of import Worlds, as_of, texts_then
from bench.corpus.learned_before import learned_before
from bench.corpus.older_measure import older_hits
from bench.corpus.snapshot import World, read_files
from bench.corpus.versions import Versions
from bench.questions import Question, from_pairs
from bench.replay import replay
from bench.scores import Rate, rate

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Sequence

    from bench.corpus.cache import Keep
    from bench.corpus.gather import Gathered
    from bench.replay import Replay
    from bench.strategies import Strategy
    from ladder.learning.model import Learned
    from transcripts import Session


@dataclass
class Corpus:
    """Logs and notes that belong together."""

    found: Gathered
    sessions: Sequence[Session]
    keep: Keep
    """What replays share."""
    level: str = "reply"
    source: Counter[str] | None = field(default=None, init=False)
    """How many questions were asked of which source of older notes; None before the first replay as of the turn."""

    def of_client(self, name: str) -> Corpus:
        """Return the part of one client; which words are uncommon was decided with the logs of all."""
        pairs = [pair for pair in self.found.pairs if pair.client == name]
        its = [session for session in self.sessions if session.client == name]
        return Corpus(replace(self.found, pairs=pairs), its, self.keep, self.level)

    @cached_property
    def today(self) -> World:
        """The notes as they are."""
        return World(read_files((file.name, Path(file.path)) for file in self.found.notes), self.keep)

    @cached_property
    def versions(self) -> Versions:
        """The notes' history in git."""
        return Versions(self.found.root)

    @cached_property
    def asked_today(self) -> list[Question]:
        """The questions whose evidence stands in the notes of today."""
        return from_pairs(self.found.pairs, self.level, "today")

    @cached_property
    def asked_then(self) -> list[Question]:
        """All questions, whatever has become of their evidence."""
        return from_pairs(self.found.pairs, self.level, "as-of")

    @cached_property
    def worlds(self) -> Worlds:
        """The notes as of each turn."""
        found = as_of(
            self.asked_then,
            self.today,
            self.versions,
            self.keep,
            lambda left: texts_then(self.sessions, self.found, left),
        )
        self.source = found.source
        return found

    @cached_property
    def learned(self) -> dict[str, Learned]:
        """What the product had learned when each session began; nothing without the notes' history."""
        return learned_before(self.sessions, self.versions) if self.versions.versions else {}


def replay_today(
    corpora: Sequence[Corpus],
    strategies: Sequence[Strategy],
    moments: Sequence[str],
    watch: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> tuple[Replay, Callable[[Question], World]]:
    """Replay the questions of all corpora, each against its own notes of today; and the world of each question."""
    worlds = {question.id: corpus.today for corpus in corpora for question in corpus.asked_today}
    asked = [question for corpus in corpora for question in corpus.asked_today]

    def world_of(question: Question) -> World:
        return worlds[question.id]

    return replay(asked, world_of, strategies, moments, watch, _learned(corpora, strategies)), world_of


def replay_then(
    corpora: Sequence[Corpus],
    strategies: Sequence[Strategy],
    moments: Sequence[str],
    watch: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> tuple[Replay, Callable[[Question], World]]:
    """Replay the questions of all corpora, each against its notes as of the turn; and the world of each question."""
    worlds = {question.id: corpus.worlds(question) for corpus in corpora for question in corpus.asked_then}
    asked = [question for corpus in corpora for question in corpus.asked_then]

    def world_of(question: Question) -> World:
        return worlds[question.id]

    return replay(asked, world_of, strategies, moments, watch, _learned(corpora, strategies)), world_of


def _learned(corpora: Sequence[Corpus], strategies: Sequence[Strategy]) -> dict[str, Learned]:
    """What was learned before each session, when a strategy uses it: it takes a second reading of the logs."""
    if not any(strategy.family == "ladder@N, learned" for strategy in strategies):
        return {}
    return {session: learned for corpus in corpora for session, learned in corpus.learned.items()}


def older_measure(corpora: Sequence[Corpus]) -> Rate | None:
    """Share of the messages after which a suggested note was opened, see `older_measure`; None without messages."""
    sessions: list[str] = []
    hits: list[float] = []
    for corpus in corpora:
        sessions.extend(opening.session for opening in corpus.found.openings)
        hits.extend(older_hits(corpus.found.openings, corpus.today))
    return rate(hits, sessions) if hits else None
