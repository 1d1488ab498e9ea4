"""Results question by question, as JSON lines: written, read back as rows, and two runs set beside each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bench.public.measures import Answered
from bench.public.model import Question
from bench.public.run import Outcome
from notes.atomic import replacing


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
                "tokens": answer.tokens,
                "seconds": round(outcome.seconds, 3),
            }
        )
        for outcome in outcomes
        for answer in outcome.answers
    ]
    with replacing(path, mode=None) as file:
        file.write(b"".join(line + b"\n" for line in lines))
    return len(lines)


def read(path: Path, set_name: str, asked: Sequence[Question]) -> list[Outcome]:
    """Return what an earlier run wrote as outcomes over those of `asked` that it had; its times are that run's.

    Raises:
        OSError: the file can't be read.
        ValueError: a line is no result of this set, or a system has none of the questions; the message says which.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for number, row in _lines(path):
        if row.get("set") != set_name or not {"system", "question", "values", "ranked", "ms", "tokens"} <= row.keys():
            raise ValueError(f"{path}:{number}: no result of {set_name} as `ladder bench public --out` writes it")
        found.setdefault(str(row["system"]), {})[str(row["question"])] = row
    outcomes = []
    for system, held in found.items():
        answers = tuple(_answered(question, held[question.id]) for question in asked if question.id in held)
        if not answers:
            raise ValueError(f"{path}: {system} was asked none of these questions")
        outcomes.append(Outcome(system, answers, float(next(iter(held.values())).get("seconds", 0.0))))
    return outcomes


def _answered(question: Question, row: dict[str, Any]) -> Answered:
    return Answered(
        question=question.id,
        kind=question.kind,
        group=question.group,
        held=question.held,
        ranked=tuple(row["ranked"]),
        values=row["values"],
        milliseconds=float(row["ms"]),
        tokens=int(row["tokens"]),
    )


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
    old, new = _measured(before, measure), _measured(after, measure)
    shared = [key for key in old if key in new]
    return [Change(*key, old[key], new[key]) for key in shared if old[key] != new[key]], len(shared)


def _measured(path: Path, measure: str) -> dict[tuple[str, str], float]:
    found = {}
    for number, row in _lines(path):
        try:
            found[str(row["system"]), str(row["question"])] = float(row["values"][measure])
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path}:{number}: no result with the measure {measure!r} ({error})") from error
    return found


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        if raw.strip():
            try:
                row = orjson.loads(raw)
            except orjson.JSONDecodeError as error:
                raise ValueError(f"{path}:{number}: not JSON ({error})") from error
            if not isinstance(row, dict):
                raise ValueError(f"{path}:{number}: no JSON object")
            yield number, row
