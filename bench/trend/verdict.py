"""What a replay means for one person, in sentences: what the agent read, what ladder would have done, what is decided.

Two kinds of evidence are told apart and never added up. *Openings*: which note the agent opened next (many, weak).
*Pairs*: a line that the agent read and whose uncommon words came back in its reply (few, strong).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.table import against_fragments, rows
from bench.tasks.notes_read import AMONG
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from bench.replay import Replay
    from bench.scores import Difference, Rate
    from bench.tasks.notes_read import Reading

#: The budget that the sentence speaks of: what an agent with ladder reads for one question.
BUDGET = 2000


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sentences of a replay, each of which stands alone."""

    read: str
    """What the agent read of notes."""
    named: str
    """How often ladder names the note before it is opened; empty without openings."""
    held: str
    """How often ladder holds the answer, for how many tokens; empty without pairs."""
    decided: str
    """What the intervals decide and what is missing for more."""

    def __str__(self) -> str:
        """All of it as one paragraph."""
        return " ".join(part for part in (self.read, self.named, self.held, self.decided) if part)


def verdict(reading: Reading, replay: Replay | None) -> Verdict:
    """Return what these figures say; `replay` is None, or has no question, where nothing was mined."""
    decided: list[str] = []
    undecided: list[str] = []
    read = (
        f"In {number_of(reading.sessions, 'session')} the agent opened notes {number_of(reading.opened, 'time')} "
        f"and read about {reading.tokens:,} tokens of them."
    )
    named = ""
    if reading.reads:
        named = (
            f"Asked with what was known just before, ladder names the note among {AMONG} in {_share(reading.named)} of "
            f"{number_of(len(reading.reads), 'opening')} that no message named (best fragments: "
            f"{_share(reading.named_by_fragments)})."
        )
        _sort(reading.gain, "naming the note", decided, undecided)
    held = ""
    if replay is not None and replay.questions:
        moment = replay.moments[-1]
        table = {row.strategy: row for row in rows(replay) if row.moment == moment}
        ours, theirs = table.get(f"ladder@{BUDGET}"), table.get(f"fragments@{BUDGET}, same query")
        if ours and theirs:
            held = (
                f"It holds a line that the reply then used in {_share(ours.hit)} of {number_of(ours.hit.n, 'pair')}, "
                f"for {ours.tokens:,.0f} tokens each (fragments: {_share(theirs.hit)})."
            )
            change = {name: each for name, _, each in against_fragments(replay, moment)}[f"ladder@{BUDGET}"]
            _sort(change, "holding the line", decided, undecided)
    return Verdict(read, named, held, _decision(decided, undecided))


def _share(value: Rate) -> str:
    return f"{100 * value.value:.0f} % ({100 * value.low:.0f} to {100 * value.high:.0f})"


def _sort(change: Difference, what: str, decided: list[str], undecided: list[str]) -> None:
    interval = f"{100 * change.low:+.0f} to {100 * change.high:+.0f}"
    points = f"{what} ({100 * change.value:+.0f} points, {interval}, n = {change.n})"
    (decided if change.clear else undecided).append(points)


def _decision(decided: list[str], undecided: list[str]) -> str:
    said = []
    if decided:
        said.append(f"Decided against fragments: {'; '.join(decided)}.")
    if undecided:
        said.append(f"Not decided yet: {'; '.join(undecided)}; more sessions will tell.")
    return " ".join(said) or "Nothing can be said yet: no note was opened in these sessions."
