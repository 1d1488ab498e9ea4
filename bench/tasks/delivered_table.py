"""What a replay of whole sessions came to: shares delivered against tokens, by variant, with their intervals."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.scores import Rate, rate
from ladder.hook.event import MOMENTS
from ladder.indexing.token_counts import count_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.tasks.handed import Replayed, Variant


@dataclass(frozen=True, slots=True)
class Row:
    """One variant over all sessions."""

    variant: str
    delivered: Rate
    """Of the pairs, those of whose evidence a line was handed over before the agent opened the note."""
    by_moment: dict[str, int]
    """How many of them at which event first."""
    named: Rate
    """Of the pairs, those whose note was named by then."""
    vain: Rate
    """Of the turns that needed no note, those at whose message something was said."""
    tokens: dict[str, float]
    """Mean tokens handed over in a session, by moment."""
    texts: dict[str, int]
    """Texts handed over, by moment."""
    used: dict[str, Rate]
    """Of the notes handed over at a moment that had not been read, those that the agent read later."""
    vain_at: dict[str, Rate]
    """Of the turns that needed no note, those in which something was said at a moment."""
    session: float
    """Mean tokens handed over in a session."""
    turn: float
    """The same in a turn."""
    blocks: int
    """Texts handed over at messages."""
    median: float
    """Median tokens of these; 0 for none."""
    largest: int
    """Tokens of the largest text."""

    @property
    def each(self) -> float:
        """Pairs delivered for a thousand tokens handed over at messages and calls; 0 where nothing was said."""
        spent = self.session - self.tokens["start"]
        return self.delivered.value * self.delivered.n / spent / self.sessions * 1000 if spent else 0.0

    sessions: int = 0


def rows(found: Sequence[Replayed], variants: Sequence[Variant]) -> list[Row]:
    """Return a row for each variant."""
    made = []
    turns = sum(each.turns for each in found) or 1
    count = len(found) or 1
    for number, variant in enumerate(variants):
        told = [each.told[number] for each in found]
        firsts = [
            (each.session, one.first(wanted), one.names(wanted))
            for each, one in zip(found, told, strict=True)
            for wanted in each.wanted
        ]
        owners = [session for session, _, _ in firsts]
        handed = [each for one in told for each in one.handed]
        spent = {name: sum(each.tokens for each in handed if each.moment == name) / count for name in MOMENTS}
        used = [
            (each.session, handed.moment, float(one_used))
            for each, one in zip(found, told, strict=True)
            for handed in one.handed
            for one_used in each.used(handed)
        ]
        vain = {
            name: rate(
                [
                    float(any(h.moment == name and h.turn == turn for h in one.handed))
                    for one in told
                    for turn in one.needless
                ],
                [one.session for one in told for _ in one.needless],
            )
            for name in MOMENTS
        }
        blocks = [each.tokens for each in handed if each.moment == "message"]
        made.append(
            Row(
                variant=variant.name,
                delivered=rate([float(first is not None) for _, first, _ in firsts], owners),
                by_moment={name: sum(f is not None and f.moment == name for _, f, _ in firsts) for name in MOMENTS},
                named=rate([float(named) for _, _, named in firsts], owners),
                vain=rate(
                    [float(spoke) for one in told for spoke in one.vain],
                    [one.session for one in told for _ in one.vain],
                ),
                tokens=spent,
                texts={name: sum(each.moment == name for each in handed) for name in MOMENTS},
                used={
                    name: rate([u for _, at, u in used if at == name], [s for s, at, _ in used if at == name])
                    for name in MOMENTS
                },
                vain_at=vain,
                session=sum(spent.values()),
                turn=sum(spent.values()) * count / turns,
                blocks=len(blocks),
                median=statistics.median(blocks) if blocks else 0.0,
                largest=max((each.tokens for each in handed), default=0),
                sessions=count,
            )
        )
    return made


def yardsticks(found: Sequence[Replayed]) -> tuple[float, float]:
    """Return what the agent's own reading of notes cost a session, and what the evidence lines alone would have."""
    count = len(found) or 1
    lines = [
        f"{wanted.note}.md\n{min(wanted.lines, key=len)}".encode("utf-8", "replace")
        for each in found
        for wanted in each.wanted
    ]
    return sum(each.read for each in found) / count, sum(count_many(lines)) / count


def lines(made: Sequence[Row], found: Sequence[Replayed]) -> list[str]:
    """The rows as text, shares in per cent with their 95 % intervals."""
    titles = f"{'HOOK':30} {'DELIVERED':>20} {'NAMED':>20} {'IN VAIN':>20} {'A SESSION':>9} {'A TURN':>7} {'BLOCK':>6}"
    shown = [f"{titles} {'PER 1K':>7}  AT"]
    for row in made:
        at = ", ".join(f"{name} {times}" for name, times in row.by_moment.items() if times)
        shown.append(
            f"{row.variant:30} {_percent(row.delivered):>20} {_percent(row.named):>20} {_percent(row.vain):>20} "
            f"{row.session:9.0f} {row.turn:7.1f} {row.median:6.0f} {row.each:7.3f}  {at}"
        )
    if made:
        own, least = yardsticks(found)
        turns, first = sum(each.turns for each in found), made[0]
        shown.append(
            f"{len(found)} sessions, {turns} turns; {first.delivered.n} pairs, {first.vain.n} turns that needed no "
            f"note; {first.blocks} blocks at messages"
        )
        shown.append(f"tokens a session: the agent's own reading of notes {own:.0f}; an oracle's lines {least:.0f}")
        shown += ["", f"{'FIRST ROW, AT':30} {'TEXTS':>6} {'A SESSION':>9} {'NOTE READ LATER':>20} {'IN VAIN':>20}"]
        for name in MOMENTS:
            shown.append(
                f"{name:30} {first.texts[name]:6} {first.tokens[name]:9.0f} {_percent(first.used[name]):>20} "
                f"{_percent(first.vain_at[name]):>20}"
            )
    for number, row in enumerate(made):
        told = [(each.session, narrowed) for each in found for narrowed in each.told[number].narrowed]
        if told:
            kept = [(session, float(one)) for session, narrowed in told for one in narrowed.kept]
            before, after = (sum(getattr(each, side) for _, each in told) for side in ("before", "after"))
            share = rate([one for _, one in kept], [session for session, _ in kept])
            shown.append(
                f"{row.variant}: {len(told)} reads of notes made narrow, {before:,} to {after:,} tokens; of "
                f"{share.n} pairs whose evidence came by one, it still comes for {_percent(share)}"
            )
    return shown


def _percent(share: Rate) -> str:
    if not share.n:
        return "-"
    return f"{100 * share.value:.1f} ({100 * share.low:.1f}-{100 * share.high:.1f})"
