"""What a replayed session was handed by the hook, and what was wanted of it: the records of `bench.tasks.delivered`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ladder.hook.event import MOMENTS


class Variant(NamedTuple):
    """One way to set the hook."""

    budget: int | None = None
    """`hook_budget`; None for what ships."""
    gate: float | None = None
    """The gate's threshold; None for what ships."""
    moments: tuple[str, ...] = MOMENTS
    """The setting of that name."""
    read: str | None = None
    """The setting of that name; None for what ships."""

    @property
    def name(self) -> str:
        """What differs from what ships, in words."""
        said = [f"budget {self.budget}"] * (self.budget is not None) + [f"gate {self.gate}"] * (self.gate is not None)
        if self.read is not None:
            said.append(f"read {self.read}")
        if self.moments != MOMENTS:
            said.append(f"{'+'.join(self.moments)} only")
        return ", ".join(said) or "as shipped"


class Handed(NamedTuple):
    """A text that the hook handed over."""

    moment: str
    turn: int
    """Number of the turn; 0 before the first."""
    offset: int
    """Where the log stood, bytes."""
    tokens: int
    text: str
    notes: tuple[str, ...] = ()
    """Those shown or named in it."""


class Narrowed(NamedTuple):
    """A whole read of a note that the hook made narrow."""

    offset: int
    """Where the agent asked for the note, bytes of the log."""
    note: str
    limit: int
    """Lines that come, from the first."""
    text: str
    """What the agent is told instead."""
    before: int = 0
    """Tokens of the read as it was."""
    after: int = 0
    """Tokens of these lines and the text."""
    kept: tuple[bool, ...] = ()
    """Of each pair whose evidence came by this read, whether a line of it still comes."""


class Wanted(NamedTuple):
    """A mined pair as it is looked for."""

    turn: int
    offset: int
    """Where the agent asked for the note, bytes of the log; the turn's end when a sub-agent did."""
    note: str
    lines: tuple[str, ...]
    """The evidence that stood in the note when the session began."""


@dataclass
class Told:
    """What one session was told under one variant."""

    session: str
    handed: list[Handed] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    """Where the log stood when the conversation was compacted."""
    vain: list[bool] = field(default_factory=list)
    """Of each turn that needed no note, whether the hook spoke at its message."""
    needless: list[int] = field(default_factory=list)
    """The numbers of these turns."""
    narrowed: list[Narrowed] = field(default_factory=list)

    def first(self, wanted: Wanted) -> Handed | None:
        """The first text that held a line of the evidence before the agent opened the note, and still stood there."""
        for each in self.handed:
            if (each.turn, each.offset) >= (wanted.turn, wanted.offset):
                break
            if any(each.offset < at <= wanted.offset for at in self.lost):
                continue
            shown = {line.strip() for line in each.text.split("\n")}
            if any(line in shown for line in wanted.lines):
                return each
        return None

    def names(self, wanted: Wanted) -> bool:
        """Whether a text named the note before the agent opened it."""
        return any(
            wanted.note in each.text and (each.turn, each.offset) < (wanted.turn, wanted.offset)
            for each in self.handed
            if each.moment != "start"
        )


@dataclass
class Replayed:
    """A session under all variants."""

    session: str
    time: str
    turns: int
    wanted: list[Wanted]
    read: int
    """Tokens of notes that the agent read by itself."""
    told: list[Told]
    opened: list[tuple[int, str]] = field(default_factory=list)
    """Each note that the agent read, with where it asked for it."""

    def used(self, handed: Handed) -> list[bool]:
        """Of each note handed over that had not been read, whether the agent read it later."""
        before = {note for offset, note in self.opened if offset < handed.offset}
        later = {note for offset, note in self.opened if offset >= handed.offset}
        return [note in later for note in handed.notes if note not in before]
