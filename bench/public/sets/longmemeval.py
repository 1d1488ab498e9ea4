"""LongMemEval (Wu et al.): 500 questions, each over a haystack of dated chat sessions of its own."""

import hashlib
import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import LeftOut, each, moment, one_of, text

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
    left_out = LeftOut({"abstention": 0})
    kept: dict[tuple[str, str], Turn] = {}

    def question(_: int, asked: dict[str, Any]) -> Question | None:
        name = text(asked["question_id"])
        if name.endswith(ABSTAIN) and not abstention:
            left_out["abstention"] += 1
            return None
        made = Question(
            id=name,
            text=text(asked["question"]),
            kind="abstention" if name.endswith(ABSTAIN) else str(asked.get("question_type") or "question"),
            pool=name,
            gold=frozenset(map(str, asked.get("answer_session_ids") or ())),
            asked=moment(asked.get("question_date")),
            group=name,
            held=True,
        )
        if not (sessions := _sessions(asked, kept, left_out)):
            raise ValueError("no session can be read")
        pools[name] = sessions
        return made

    try:
        for asked in _rows(path):
            if isinstance(asked, dict) and str(asked.get("question_id")) in pools:
                raise ValueError(f"question {asked['question_id']} stands twice")  # noqa: TRY301 (said with the file's name, below)
            questions += each([asked], question, left_out)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: not a LongMemEval file ({type(error).__name__}: {error})") from error
    if not questions:
        raise ValueError(f"{path}: not a LongMemEval file ({left_out.hint or 'no questions'})")
    return QuestionSet("longmemeval", pools, tuple(questions), left_out, f"{path.name}: {known}")


def _rows(path: Path) -> Iterator[Any]:
    """Yield the file's questions, one at a time where they begin as published: M is 2.7 GB and as one value 10."""
    if not path.stat().st_size:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        starts = [match.start() for match in BEGINS.finditer(data)]
        if starts and data[: starts[0]].strip() in (b"", b"["):
            listed = data[: starts[0]].strip() == b"["
            for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
                raw = data[start:end].rstrip()
                yield from _question_and_rest((raw.removesuffix(b"]") if listed and end == len(data) else raw).rstrip())
            return
        whole = orjson.loads(data[:])
    if isinstance(whole, dict):
        whole = next((rows for rows in whole.values() if isinstance(rows, list)), [])
    yield from whole


def _question_and_rest(raw: bytes) -> list[Any]:
    """The question that `raw` begins with, and what stands between it and the next one, which is none."""
    raw = raw.removesuffix(b",")
    try:
        return [orjson.loads(raw)]
    except orjson.JSONDecodeError:
        return list(orjson.loads(b"[" + raw + b"]"))


def _sessions(asked: dict[str, Any], kept: dict[tuple[str, str], Turn], left_out: LeftOut) -> tuple[Document, ...]:
    found: dict[str, Document] = {}
    sessions = asked["haystack_sessions"]
    names = asked.get("haystack_session_ids") or [f"session {place}" for place in range(1, len(sessions) + 1)]
    dates = asked.get("haystack_dates") or [""] * len(sessions)
    for name, day, session in zip(names, dates, sessions, strict=True):
        if not isinstance(session, list):
            left_out.odd(TypeError(f"a session is no list but {type(session).__name__}"))
            continue
        said = each(session, _said, left_out)
        turns = tuple(kept.get(one) or kept.setdefault(one, Turn(*one)) for one in said)
        # A session id that stands twice in a haystack is one document: the first one.
        found.setdefault(str(name), Document(str(name), turns, time=moment(day)))
    return tuple(found.values())


def _said(_: int, turn: dict[str, Any]) -> tuple[str, str]:
    return str(turn.get("role") or ""), text(turn.get("content") or "")
