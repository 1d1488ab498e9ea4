"""LongMemEval (Wu et al.): 500 questions, each over a haystack of dated chat sessions of its own."""

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

import orjson

from bench.public.model import Document, Question, QuestionSet, Turn

#: Published SHA-256 of known files -> what they are.
KNOWN = {"08d8dad4be43ee2049a22ff5674eb86725d0ce5ff434cde2627e5e8e7e117894": "S, original, as the FTS5 study had it"}
#: Questions whose id ends so ask for what was never said: no session answers them.
ABSTAIN = "_abs"


def load(path: Path, *, abstention: bool = True) -> QuestionSet:
    """Read one file of the original schema (S, M, oracle; original or cleaned); each question has its own pool.

    Studies differ on the 30 questions of 500 that ask for what was never said: they are the kind `abstention`, and
    left out without `abstention`. A question whose cited sessions are not in its haystack, or that cites none, counts
    as a miss. Raises `ValueError` naming the file when it does not hold the schema.
    """
    data = path.read_bytes()
    known = KNOWN.get(hashlib.sha256(data).hexdigest(), "no published SHA-256 matches")
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"abstention": 0}
    try:
        for asked in orjson.loads(data):
            name = str(asked["question_id"])
            if name.endswith(ABSTAIN) and not abstention:
                left_out["abstention"] += 1
                continue
            pools[name] = _sessions(asked)
            questions.append(
                Question(
                    id=name,
                    text=str(asked["question"]),
                    kind="abstention" if name.endswith(ABSTAIN) else str(asked["question_type"]),
                    pool=name,
                    gold=frozenset(map(str, asked.get("answer_session_ids") or ())),
                    asked=moment(str(asked.get("question_date", ""))),
                    group=name,
                    held=True,
                )
            )
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: not a LongMemEval file ({error})") from error
    return QuestionSet("longmemeval", pools, tuple(questions), left_out, f"{path.name}: {known}")


def _sessions(asked: dict[str, Any]) -> tuple[Document, ...]:
    found: dict[str, Document] = {}
    dates = asked.get("haystack_dates") or [""] * len(asked["haystack_sessions"])
    for name, day, session in zip(asked["haystack_session_ids"], dates, asked["haystack_sessions"], strict=True):
        turns = tuple(Turn(str(turn.get("role", "")), str(turn.get("content", ""))) for turn in session)
        # A session id that stands twice in a haystack is one document: the first one.
        found.setdefault(str(name), Document(str(name), turns, time=moment(str(day))))
    return tuple(found.values())


def moment(text: str) -> str:
    """Return `2023/05/30 (Tue) 23:40`, or an ISO time, as `2023-05-30T23:40`, anything else as an empty string."""
    parts = text.split()
    try:
        if "(" in text:
            return dt.datetime.strptime(f"{parts[0]} {parts[-1]}", "%Y/%m/%d %H:%M").isoformat(timespec="minutes")  # noqa: DTZ007 (the set gives no zone)
        return dt.datetime.fromisoformat(text).replace(tzinfo=None).isoformat(timespec="minutes")
    except (IndexError, ValueError):
        return ""
