"""Results question by question, as JSON lines, and two runs set beside each other."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

from bench.public.run import Outcome


def write(path: Path, set_name: str, outcomes: Iterable[Outcome]) -> int:
    """Write one line a system and question; return how many."""
    lines = [
        orjson.dumps(
            {
                "set": set_name,
                "system": outcome.system,
                "question": answer.question,
                "kind": answer.kind,
                "held": answer.held,
                "values": dict(answer.values),
                "ranked": answer.ranked,
                "ms": round(answer.milliseconds, 3),
            }
        )
        for outcome in outcomes
        for answer in outcome.answers
    ]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return len(lines)


@dataclass(frozen=True, slots=True)
class Change:
    """One question that two runs answered differently."""

    system: str
    question: str
    before: float
    after: float


def compare(before: Path, after: Path, measure: str) -> tuple[list[Change], int]:
    """Return the questions whose `measure` differs between two result files, and how many both files hold.

    Raises:
        ValueError: a line is no result; the message names file and line.
    """
    old, new = _read(before, measure), _read(after, measure)
    shared = [key for key in old if key in new]
    return [Change(*key, old[key], new[key]) for key in shared if old[key] != new[key]], len(shared)


def _read(path: Path, measure: str) -> dict[tuple[str, str], float]:
    found = {}
    for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        if raw.strip():
            try:
                row = orjson.loads(raw)
                found[str(row["system"]), str(row["question"])] = float(row["values"][measure])
            except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                raise ValueError(f"{path}:{number}: no result with the measure {measure!r} ({error})") from error
    return found
