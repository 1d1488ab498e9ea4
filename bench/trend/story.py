"""What a report shows: the replay, its comparison with earlier runs, survival, notes and misses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.replay import Replay
    from bench.scores import Difference, Rate
    from bench.trend.causes import Causes
    from bench.trend.misses import Miss
    from bench.trend.runs import NoteUse, Run
    from bench.trend.survival import Point
    from bench.trend.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Side:
    """One strategy in both worlds: today's notes, and the notes as of the turn."""

    strategy: str
    today: Rate
    as_of: Rate
    """On the pairs that both worlds hold."""
    all_as_of: Rate
    """On all pairs, also those whose evidence is gone today."""


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that a report shows."""

    title: str
    made: str
    command: str
    """The command that made the figures."""
    replay: Replay
    budget: int
    moment: str
    notes: dict[str, NoteUse]
    misses: list[Miss]
    counts: dict[str, int]
    """What the miner counted: turns, reads, pairs, alive, moved, gone …"""
    runs: list[Run] = field(default_factory=list)
    compared: Difference | None = None
    """Newest run minus the one before, on the pairs they share."""
    causes: Causes | None = None
    """What became of the pairs since the run before."""
    said: Verdict | None = None
    """What all of it means, in sentences."""
    survival: list[Point] = field(default_factory=list)
    last_day: float = 0.0
    """The longest that a line was watched, in days."""
    sides: list[Side] = field(default_factory=list)
