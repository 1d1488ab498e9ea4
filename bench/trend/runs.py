"""Keeps a run of the bench as a small JSON file, and compares two runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from bench.scores import Difference, Rate, difference, rate
from bench.table import routing, rows
from ladder.lean.paths import data_folder
from notes.atomic import replacing, write_private

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping
    from pathlib import Path

    from bench.replay import Replay

FORMAT = 1


@dataclass(frozen=True, slots=True)
class NoteUse:
    """What one note cost and gave in a run."""

    cost: int
    """Tokens of the whole note."""
    read: int
    """Turns in which the agent read it."""
    evidence: int
    """Pairs whose answer it holds."""
    suggested: int
    """Questions for which it was the first suggestion."""
    shown: int
    """Questions for which the product put some of it into view, at the run's budget."""
    answered: int
    """Of those, questions that it answered."""
    changed: str = ""
    """Date of its last change, where known."""


@dataclass(frozen=True, slots=True)
class Run:
    """The figures of one run, and for each pair what hit, so that two runs can be compared on the pairs they share."""

    made: str
    """ISO time of the run."""
    until: str
    """ISO time of the newest turn in the logs: pairs come and go, this only grows."""
    budget: int
    moment: str
    names: tuple[str, ...]
    """`moment/strategy`, the order of the bits in `pairs`."""
    rates: dict[str, dict[str, float]]
    """For each name: value, low, high, n, tokens, p90."""
    routing: dict[str, dict[str, float]]
    zones: dict[str, dict[str, float]]
    """Hits given the right note, for each zone: value, low, high, n."""
    counts: dict[str, int]
    """turns, reads, pairs, alive, moved, gone … as the miner counts them."""
    pairs: dict[str, tuple[str, str]]
    """For each pair its session, and its hits as hexadecimal bits in the order of `names`."""
    notes: dict[str, NoteUse] = field(default_factory=dict)

    def hits(self, name: str) -> dict[str, float]:
        """For each pair 1 when the strategy hit, else 0; KeyError when the run does not hold it."""
        if name not in self.names:
            raise KeyError(name)
        bit = 1 << self.names.index(name)
        return {pair: float(bool(int(bits, 16) & bit)) for pair, (_, bits) in self.pairs.items()}


def headline(run: Run) -> str:
    """The name of the figure that the run is judged by."""
    return f"{run.moment}/ladder@{run.budget}"


def of(
    replay: Replay,
    *,
    budget: int,
    moment: str,
    counts: Mapping[str, int],
    notes: Mapping[str, NoteUse],
    now: dt.datetime,
    until: str,
) -> Run:
    """Make a run of a replay."""
    names = tuple(f"{when}/{strategy.name}" for when in replay.moments for strategy in replay.strategies)
    pairs: dict[str, tuple[str, str]] = {}
    for at, question in enumerate(replay.questions):
        bits = 0
        for bit, name in enumerate(names):
            when, _, strategy = name.partition("/")
            bits |= replay.outcomes[when, strategy][at].hit << bit
        pairs[question.id] = (question.session, f"{bits:x}")
    zones = {}
    for zone in ("head", "body", "history"):
        at_zone = [i for i, question in enumerate(replay.questions) if question.zone == zone]
        given = replay.hits(moment, f"ladder@{budget}, note given")
        zones[zone] = _plain(rate([given[i] for i in at_zone], [replay.sessions[i] for i in at_zone]))
    return Run(
        made=now.isoformat(timespec="seconds"),
        until=until,
        budget=budget,
        moment=moment,
        names=names,
        rates={
            f"{row.moment}/{row.strategy}": {**_plain(row.hit), "tokens": round(row.tokens, 1), "p90": row.p90}
            for row in rows(replay)
        },
        routing={
            when: {name: round(value.value, 4) for name, value in line.items()}
            for when, line in routing(replay).items()
        },
        zones=zones,
        counts=dict(counts),
        pairs=pairs,
        # A note that was neither read nor asked for nor shown says nothing; runs are to stay small.
        notes={name: use for name, use in notes.items() if use.read or use.evidence or use.suggested or use.shown},
    )


def _plain(value: Rate) -> dict[str, float]:
    return {"value": round(value.value, 4), "low": round(value.low, 4), "high": round(value.high, 4), "n": value.n}


def save(run: Run, folder: Path) -> Path:
    """Write a run into the folder, named by its time; the file appears whole or not at all.

    In ladder's own data it is for its owner only. Beside a project's notes it is to be committed and shared.
    """
    target = folder / f"{run.made[:19].replace(':', '')}.json"
    data = orjson.dumps({"format": FORMAT, **asdict(run)}, option=orjson.OPT_APPEND_NEWLINE)
    if folder.is_relative_to(data_folder()):
        write_private(target, data)
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(target, mode=None) as file:
        file.write(data)
    return target


def load(folder: Path) -> list[Run]:
    """All runs of a folder, oldest first; files that are no runs of this format are passed over."""
    found = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            run = _run(orjson.loads(path.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
        found.append(run)
    return sorted(found, key=lambda run: run.made)


def _run(value: Mapping[str, Any]) -> Run:
    """A run from its JSON value; ValueError when the format is another."""
    if value["format"] != FORMAT:
        raise ValueError("another format")
    return Run(
        made=value["made"],
        until=value["until"],
        budget=value["budget"],
        moment=value["moment"],
        names=tuple(value["names"]),
        rates=value["rates"],
        routing=value["routing"],
        zones=value["zones"],
        counts=value["counts"],
        pairs={pair: (session, bits) for pair, (session, bits) in value["pairs"].items()},
        notes={name: NoteUse(**use) for name, use in value["notes"].items()},
    )


def change(new: Run, old: Run, name: str) -> Difference | None:
    """New minus old on the pairs that both runs hold; None when they share none or one lacks the strategy."""
    if name not in new.names or name not in old.names:
        return None
    now, before = new.hits(name), old.hits(name)
    shared = [pair for pair in now if pair in before]
    if not shared:
        return None
    return difference(
        [now[pair] for pair in shared],
        [before[pair] for pair in shared],
        [new.pairs[pair][0] for pair in shared],
    )
