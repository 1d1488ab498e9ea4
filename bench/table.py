"""Turns the bench's outcomes into rows, and rows into a Markdown table that also reads well in a terminal."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bench.replay import DEPTH, Replay
from bench.scores import Difference, Rate, difference, mean, percentile, rate
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ZONES = ("head", "body", "history")
#: The budget that clients are compared at, in tokens.
BUDGET = 2000


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy at one moment."""

    moment: str
    strategy: str
    family: str
    size: int
    fair: str
    hit: Rate
    tokens: float
    """Mean tokens a question, everything that enters the context."""
    p90: float
    calls: float
    fixed: int
    """Tokens that enter once a session whatever is asked."""


def rows(replay: Replay) -> list[Row]:
    """One row for each moment and strategy."""
    found = []
    for moment in replay.moments:
        for strategy in replay.strategies:
            tokens = replay.tokens(moment, strategy.name)
            calls = [float(outcome.calls) for outcome in replay.outcomes[moment, strategy.name]]
            found.append(
                Row(
                    moment,
                    strategy.name,
                    strategy.family,
                    strategy.size,
                    strategy.fair,
                    rate(replay.hits(moment, strategy.name), replay.sessions),
                    mean(tokens),
                    percentile(tokens, 0.9),
                    mean(calls),
                    replay.fixed.get(strategy.name, 0),
                )
            )
    return found


def routing(replay: Replay) -> dict[str, dict[str, Rate]]:
    """For each moment how often the note is suggested first, among four, among ten, and its reciprocal rank."""
    found: dict[str, dict[str, Rate]] = {}
    for moment in replay.moments:
        ranks = replay.ranks[moment]
        found[moment] = {
            f"R@{k}": rate([float(0 < rank <= k) for rank in ranks], replay.sessions) for k in (1, 4, DEPTH)
        }
        found[moment]["MRR"] = rate([1 / rank if rank else 0.0 for rank in ranks], replay.sessions)
    return found


def by_zone(replay: Replay, strategy: str, moment: str) -> dict[str, Rate]:
    """Hits of one strategy, for the questions whose evidence stands in the head, the body, the history."""
    hits = replay.hits(moment, strategy)
    found = {}
    for zone in ZONES:
        at = [i for i, question in enumerate(replay.questions) if question.zone == zone]
        found[zone] = rate([hits[i] for i in at], [replay.sessions[i] for i in at])
    return found


def by_client(replay: Replay, budget: int) -> list[tuple[str, Rate, Rate]]:
    """For each client whose logs hold pairs what ladder and fragments hit at the last moment; [] of one client alone.

    Also [] where the replay lacks one of the two at this budget.
    """
    clients = [question.client for question in replay.questions]
    names = (f"ladder@{budget}", f"fragments@{budget}, same query")
    if len(set(clients)) < 2 or not {strategy.name for strategy in replay.strategies}.issuperset(names):
        return []
    hits = [replay.hits(replay.moments[-1], name) for name in names]
    found = []
    for client in sorted(set(clients)):
        at = [i for i, its in enumerate(clients) if its == client]
        ours, theirs = (rate([each[i] for i in at], [replay.sessions[i] for i in at]) for each in hits)
        found.append((client, ours, theirs))
    return found


def of_clients(replay: Replay, budget: int) -> str:
    """The table of `by_client`, "" where there is none."""
    body = [(client, percent(ours), percent(theirs), str(ours.n)) for client, ours, theirs in by_client(replay, budget)]
    head = ("pairs from", f"ladder@{budget}", f"fragments@{budget}, same query", "n")
    return f"\n{grid(head, body)}\n" if body else ""


def against_fragments(replay: Replay, moment: str) -> list[tuple[str, str, Difference]]:
    """Ladder@N minus fragments@N with the same query, paired, at each budget that both were asked for."""
    names = {strategy.name for strategy in replay.strategies}
    found = []
    for strategy in replay.strategies:
        rival = f"fragments@{strategy.size}, same query"
        if strategy.family in ("ladder@N", "ladder@N, learned") and rival in names:
            change = difference(replay.hits(moment, strategy.name), replay.hits(moment, rival), replay.sessions)
            found.append((strategy.name, rival, change))
    return found


def percent(value: Rate) -> str:
    """`17.3 % (11.0 - 24.1)`, or a dash when there was no question."""
    return f"{100 * value.value:5.1f} % ({100 * value.low:.1f} - {100 * value.high:.1f})" if value.n else "-"


def points(change: Difference) -> str:
    """`+4.1 (+1.0 to +7.3), p 0.012`: a difference in percentage points."""
    low, high = 100 * change.low, 100 * change.high
    chance = f"p {change.p:.3f}" if change.p >= 0.001 else "p < 0.001"
    return f"{100 * change.value:+.1f} ({low:+.1f} to {high:+.1f}), {chance}"


def short(tokens: float) -> str:
    """Tokens as people say them: 740, 2.7k, 977k."""
    if tokens < 1000:
        return f"{tokens:.0f}"
    return f"{tokens / 1000:.1f}k" if tokens < 100_000 else f"{tokens / 1000:.0f}k"


def grid(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose columns line up; the first column to the left, the others to the right."""
    lines = [list(head), *(list(row) for row in body)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    out = []
    for number, line in enumerate(lines):
        cells = [
            cell.ljust(width) if not at else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        out.append("| " + " | ".join(cells) + " |")
        if not number:
            out.append(
                "|" + "|".join("-" * (width + 1) + ("-" if not at else ":") for at, width in enumerate(widths)) + "|"
            )
    return "\n".join(out)


#: The rows of the short table: what a reader compares first, at the budgets that an agent has.
SHORT = (
    *(f"ladder@{n}" for n in (500, 1000, 2000, 4000)),
    *(f"fragments@{n}, same query" for n in (500, 1000, 2000, 4000)),
    "routing, 2 notes",
    "grep with the question's words",
    "ladder@2000, note given",
    "everything",
)


def brief(replay: Replay) -> str:
    """At most twelve rows: the strategies that a reader compares first, at the last moment."""
    last = replay.moments[-1]
    table = {row.strategy: row for row in rows(replay) if row.moment == last}
    body = []
    for name in SHORT:
        if name in table:
            row = table[name]
            bound = "" if row.fair == "yes" else " (a bound)"
            body.append((name + bound, percent(row.hit), short(row.tokens), str(row.hit.n)))
    head = ("way of reading", "answers in view (95 %)", "tokens a question", "n")
    asked = f"Asked with {MOMENT_WORDS[last]}. Every row, moment and zone: --all.\n"
    return f"{grid(head, body)}\n{of_clients(replay, BUDGET)}{asked}"


def text(replay: Replay, *, zones_for: Sequence[str] = ()) -> str:
    """Everything the bench prints about one replay."""
    out = []
    table = {(row.moment, row.strategy): row for row in rows(replay)}
    count = len(replay.questions)
    counted = f"{number_of(count, 'pair')}, {number_of(len(set(replay.sessions)), 'session')}"
    out.append(f"n = {counted}; asked with: {spoken(replay.moments)}\n")
    last = replay.moments[-1]
    body = []
    for strategy in replay.strategies:
        row = table[last, strategy.name]
        shares = (percent(table[moment, strategy.name].hit) for moment in replay.moments)
        costs = (short(row.tokens), short(row.p90), f"{row.calls:.1f}", short(row.fixed))
        body.append((strategy.name + ("" if strategy.fair == "yes" else " *"), *shares, *costs, str(row.hit.n)))
    head = ("strategy", *(f"{moment} (95 %)" for moment in replay.moments), "tokens", "p90", "calls", "fixed", "n")
    out.extend((grid(head, body), ""))
    compared = {moment: against_fragments(replay, moment) for moment in replay.moments}
    if compared[last]:
        body = [
            (name, *(points(compared[moment][at][2]) for moment in replay.moments))
            for at, (name, _, _) in enumerate(compared[last])
        ]
        out.extend((grid(("ladder minus fragments, same query", *replay.moments), body), ""))
    found = routing(replay)
    head = ("right note suggested", *next(iter(found.values()), {}))
    out.append(grid(head, [(moment, *(percent(value) for value in line.values())) for moment, line in found.items()]))
    for name in zones_for:
        out.append("")
        body = [
            (moment, *(_zone(value) for value in by_zone(replay, name, moment).values())) for moment in replay.moments
        ]
        out.append(grid((f"hits by zone, {name}", *ZONES), body))
    out.append("")
    out.append(
        "* told the right note. tokens, p90, calls: at the last moment; fixed: once a session, whatever is asked.\n"
        "Intervals: 95 %, bootstrap over sessions; differences in points, paired, p by sign flips of sessions."
    )
    if count < 100:
        out.append(f"n = {count} is below 100: undecided.")
    if clients := of_clients(replay, BUDGET):
        out.append(clients.rstrip())
    for name, times in replay.errors().items():
        out.append(f"the product raised {name} {times} times; those questions count as missed.")
    return "\n".join(out) + "\n"


MOMENT_WORDS = {
    "message": "the message alone",
    "turn": "the message and all before it",
    "read": "all before the note was opened",
}


def spoken(moments: Sequence[str]) -> str:
    """What each moment means."""
    return "; ".join(f"{moment} = {MOMENT_WORDS[moment]}" for moment in moments)


def _zone(value: Rate) -> str:
    hits = round(value.value * value.n)
    return f"{hits}/{value.n}" + (f" ({100 * value.low:.0f} - {100 * value.high:.0f} %)" if value.n else "")


def as_json(replay: Replay) -> dict[str, Any]:
    """The same figures as a JSON value."""
    return {
        "n": len(replay.questions),
        "sessions": len(set(replay.sessions)),
        "rows": [asdict(row) for row in rows(replay)],
        "routing": {
            moment: {name: asdict(value) for name, value in line.items()} for moment, line in routing(replay).items()
        },
        "zones": {
            moment: {
                strategy.name: {zone: asdict(value) for zone, value in by_zone(replay, strategy.name, moment).items()}
                for strategy in replay.strategies
                if strategy.fair != "yes"
            }
            for moment in replay.moments
        },
        "ladder_minus_fragments": {
            moment: [
                {"ladder": name, "fragments": rival, **asdict(change)}
                for name, rival, change in against_fragments(replay, moment)
            ]
            for moment in replay.moments
        },
        "clients": [
            {"client": client, "ladder": asdict(ours), "fragments": asdict(theirs)}
            for client, ours, theirs in by_client(replay, BUDGET)
        ],
        "errors": dict(replay.errors()),
    }
