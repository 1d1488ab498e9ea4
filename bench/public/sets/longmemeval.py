"""LongMemEval (Wu et al.): 500 questions, each over a haystack of dated chat sessions of its own."""

import hashlib
import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import moment, one_of

#: Published SHA-256 of known files -> what they are.
KNOWN = {"08d8dad4be43ee2049a22ff5674eb86725d0ce5ff434cde2627e5e8e7e117894": "S, original, as the FTS5 study had it"}
#: Questions whose id ends so ask for what was never said: no session answers them.
ABSTAIN = "_abs"
#: What a copy may be called, in the order in which it is looked for.
FILES = ("longmemeval*.json", "longmemeval_[smo]*", "*.json", "*.jsonl")
#: The first field of each question, as the published files have it: no text within a string looks so, its quotation
#: marks are escaped.
BEGINS = re.compile(rb'\{\s*"question_id"\s*:')


def load(place: Path, *, abstention: bool = True) -> QuestionSet:
    """Read one file of the original schema (S, M, oracle; original or cleaned); each question has its own pool.

    Studies differ on the 30 questions of 500 that ask for what was never said: they are the kind `abstention`, and
    left out without `abstention`. A question whose cited sessions are not in its haystack, or that cites none, counts
    as a miss. Haystacks draw from one store of sessions: of each turn one copy is kept. Raises `ValueError` naming the
    file when it does not hold the schema.
    """
    path = one_of(place, FILES)
    with path.open("rb") as file:
        known = KNOWN.get(hashlib.file_digest(file, "sha256").hexdigest(), "no published SHA-256 matches")
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"abstention": 0}
    kept: dict[tuple[str, str], Turn] = {}
    try:
        for asked in _rows(path):
            name = str(asked["question_id"])
            if name in pools:
                raise ValueError(f"question {name} stands twice")  # noqa: TRY301 (said with the file's name, below)
            if name.endswith(ABSTAIN) and not abstention:
                left_out["abstention"] += 1
                continue
            pools[name] = _sessions(asked, kept)
            questions.append(
                Question(
                    id=name,
                    text=str(asked["question"]),
                    kind="abstention" if name.endswith(ABSTAIN) else str(asked.get("question_type") or "question"),
                    pool=name,
                    gold=frozenset(map(str, asked.get("answer_session_ids") or ())),
                    asked=moment(asked.get("question_date")),
                    group=name,
                    held=True,
                )
            )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a LongMemEval file ({type(error).__name__}: {error})") from error
    if not questions:
        raise ValueError(f"{path}: not a LongMemEval file (no questions)")
    return QuestionSet("longmemeval", pools, tuple(questions), left_out, f"{path.name}: {known}")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the file's questions, one at a time where they begin as published: M is 2.7 GB and as one value 10."""
    if not path.stat().st_size:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        starts = [match.start() for match in BEGINS.finditer(data)]
        if starts and data[: starts[0]].strip() in (b"", b"["):
            for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
                yield orjson.loads(data[start:end].rstrip(b" \t\r\n,]"))
            return
        whole = orjson.loads(data[:])
    if isinstance(whole, dict):
        whole = next((rows for rows in whole.values() if isinstance(rows, list)), [])
    yield from whole


def _sessions(asked: dict[str, Any], kept: dict[tuple[str, str], Turn]) -> tuple[Document, ...]:
    found: dict[str, Document] = {}
    sessions = asked["haystack_sessions"]
    names = asked.get("haystack_session_ids") or [f"session {place}" for place in range(1, len(sessions) + 1)]
    dates = asked.get("haystack_dates") or [""] * len(sessions)
    for name, day, session in zip(names, dates, sessions, strict=True):
        said = [(str(turn.get("role") or ""), str(turn.get("content") or "")) for turn in session]
        turns = tuple(kept.get(one) or kept.setdefault(one, Turn(*one)) for one in said)
        # A session id that stands twice in a haystack is one document: the first one.
        found.setdefault(str(name), Document(str(name), turns, time=moment(day)))
    return tuple(found.values())
