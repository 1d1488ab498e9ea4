"""What a replay means for one person, in sentences: what the agent read, what ladder would have done, what is decided.

Three kinds of evidence are told apart and never added up. *Openings*: which note the agent opened next (many, weak).
*Pairs*: a line that the agent read and whose uncommon words came back in its reply (few, strong). *Expected answers*:
all echoes, also in tool inputs, each weighed by how probable it is that the line was used.
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
    from bench.trend.expected import Expected

#: The budget that the sentence speaks of: what an agent with ladder reads for one question.
BUDGET = 2000
#: What the interval of a difference from fragments says.
AHEAD, BEHIND = "Ahead of fragments, beyond chance", "Behind fragments, beyond chance"
UNDECIDED = "Within chance so far"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sentences of a replay, each of which stands alone."""

    read: str
    """What the agent read of notes."""
    named: str
    """How often ladder names the note before it is opened; empty without openings."""
    held: str
    """How often ladder holds the answer, for how many tokens; empty without pairs."""
    expected: str
    """The same of all echoes, weighed; empty where there are none but the pairs."""
    decided: str
    """What the intervals decide and what is missing for more."""

    def __str__(self) -> str:
        """All of it as one paragraph."""
        return " ".join(part for part in (self.read, self.named, self.held, self.expected, self.decided) if part)


def verdict(reading: Reading, replay: Replay | None, budget: int = BUDGET, weighed: Expected | None = None) -> Verdict:
    """Return what these figures say; `replay` is None, or has no question, where nothing was mined."""
    told: list[tuple[str, str]] = []
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
        told.append(_told(reading.gain, "naming the note"))
    held = ""
    if replay is not None and replay.questions:
        moment = replay.moments[-1]
        table = {row.strategy: row for row in rows(replay) if row.moment == moment}
        ours, theirs = table.get(f"ladder@{budget}"), table.get(f"fragments@{budget}, same query")
        if ours and theirs:
            held = (
                f"It holds a line that the reply then used in {_share(ours.hit)} of {number_of(ours.hit.n, 'pair')}, "
                f"for {ours.tokens:,.0f} tokens each (fragments: {_share(theirs.hit)})."
            )
            change = {name: each for name, _, each in against_fragments(replay, moment)}[f"ladder@{budget}"]
            told.append(_told(change, "holding the line"))
    expected = ""
    if weighed is not None:
        expected = (
            f"Of {number_of(weighed.ours.n, 'line')} that echoed, also in tool inputs, each counted by how probable "
            f"its use is ({weighed.answers:.0f} expected answers), {_share(weighed.ours)} come into view (fragments: "
            f"{_share(weighed.theirs)})."
        )
        told.append(_told(weighed.gain, "holding the expected answers"))
    return Verdict(read, named, held, expected, _decision(told))


def _share(value: Rate) -> str:
    return f"{100 * value.value:.0f} % ({100 * value.low:.0f} to {100 * value.high:.0f})"


def _told(change: Difference, what: str) -> tuple[str, str]:
    """Whether a difference leaves chance out, and what is said there."""
    interval = f"{100 * change.low:+.0f} to {100 * change.high:+.0f}"
    kind = UNDECIDED if not change.clear else AHEAD if change.value > 0 else BEHIND
    return kind, f"{what} ({100 * change.value:+.0f} points, {interval}, n = {change.n})"


def _decision(told: list[tuple[str, str]]) -> str:
    kinds = {kind: [what for verdict, what in told if verdict == kind] for kind in (AHEAD, BEHIND, UNDECIDED)}
    if kinds[UNDECIDED]:
        kinds[UNDECIDED][-1] += "; more sessions will tell"
    said = " ".join(f"{kind}: {'; '.join(those)}." for kind, those in kinds.items() if those)
    return said or "Nothing can be said yet: no note was opened in these sessions."
