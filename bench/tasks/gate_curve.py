"""The gate's curve: false positives (the hook speaks, no note is needed) against hits lost, by threshold.

A turn is quiet when the agent saw no note in it, by any way. In the other turns, a hit is a turn of whose notes at
least one is among the first three suggestions for its message. Nothing is learned from the same session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.scores import Rate, rate
from bench.tasks.next_note import taught
from ladder.learning.model import open_learned
from ladder.query.query import Context, query
from ladder.speaking.verdict import decide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.tasks.next_note import Notes, Seen

#: Suggestions that a block names.
SHOWN = 3
THRESHOLDS = (0.0, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7)


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn: how likely the gate took it to need a note, and what it came to."""

    session: str
    likelihood: float
    answered: float
    """How likely the notes answer what the message asks."""
    quiet: bool
    hit: bool
    """A note that it opened is among the first suggestions; the message did not name it."""


@dataclass(frozen=True, slots=True)
class Point:
    """The curve at one threshold; shares in [0, 1]."""

    threshold: float
    false: Rate
    """Of the quiet turns, those in which something would have been said."""
    gate_alone: Rate
    """The same without the messages that notes answer."""
    hits: Rate
    """Of the turns that opened notes, those in which a block would have named one of them."""
    precision: float
    """Of the turns in which something would have been said, those in which a note named was opened."""

    def plain(self) -> dict[str, Any]:
        """The point as JSON has it."""
        return {
            "threshold": self.threshold,
            "false_surfacing": [self.false.value, self.false.low, self.false.high],
            "gate_alone": [self.gate_alone.value, self.gate_alone.low, self.gate_alone.high],
            "hit_rate": [self.hits.value, self.hits.low, self.hits.high],
            "precision": self.precision,
            "quiet": self.false.n,
            "opened": self.hits.n,
        }


def judge(seen: Seen, notes: Notes, folder: Path, *, learning: bool = True) -> list[Judged]:
    """Return every turn that was quiet or opened notes that its message did not name, in order of time."""
    found = []
    for turn, target in taught(seen, folder, learning=learning):
        wanted = {opening.note for opening in turn.openings if not opening.named}
        if not (turn.quiet or wanted):
            continue
        learned = open_learned(str(target))
        decision = decide(notes.index(turn.version), query(Context(**turn.context)), learned, glance=False)
        search = decision.search
        assert search is not None
        first = {search.index.note(n).name for n in search.candidates[:SHOWN]}
        sure = decision.answer.probability if first else 0.0
        found.append(Judged(turn.session, decision.opening, sure, turn.quiet, bool(first & wanted)))
    return found


def curve(judged: Sequence[Judged]) -> list[Point]:
    """Return the curve over THRESHOLDS."""
    quiet = [each for each in judged if each.quiet]
    needed = [each for each in judged if not each.quiet]
    points = []
    for threshold in THRESHOLDS:
        spoke = [each for each in judged if max(each.answered, each.likelihood) >= threshold]
        points.append(
            Point(
                threshold=threshold,
                false=rate(
                    [float(max(each.answered, each.likelihood) >= threshold) for each in quiet],
                    [e.session for e in quiet],
                ),
                gate_alone=rate([float(each.likelihood >= threshold) for each in quiet], [e.session for e in quiet]),
                hits=rate(
                    [float(each.hit and (max(each.answered, each.likelihood) >= threshold)) for each in needed],
                    [e.session for e in needed],
                ),
                precision=sum(each.hit for each in spoke) / len(spoke) if spoke else 0.0,
            )
        )
    return points


def lines(points: Sequence[Point]) -> list[str]:
    """The curve as text, shares in per cent with their 95 % intervals."""
    titles = ("SPOKE FOR NOTHING", "THE GATE ALONE", "NAMED WHAT WAS OPENED")
    found = [f"{'THRESHOLD':>9}  {titles[0]:20} {titles[1]:20} {titles[2]:22} {'PRECISION':>9}"]
    found += [
        f"{each.threshold:9.2f}  {_rate(each.false):20} {_rate(each.gate_alone):20} {_rate(each.hits):22} "
        f"{100 * each.precision:9.1f}"
        for each in points
    ]
    if points:
        found.append(f"n = {points[0].false.n} quiet turns, {points[0].hits.n} turns that opened notes")
    return found


def _rate(found: Rate) -> str:
    return f"{100 * found.value:.1f} ({100 * found.low:.0f}-{100 * found.high:.0f})"
