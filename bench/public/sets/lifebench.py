"""LifeBench, record level: a pool a person, each record of the phone (message, call, note, photo, …) a document."""

from pathlib import Path
from typing import Any

from bench.public.as_notes.lifebench import asked_at, people, record, records
from bench.public.model import Document, Question, QuestionSet, Turn


def load(place: Path) -> QuestionSet:
    """Read every person's folder of `place`, or below it; the records that a question cites are its gold."""
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"no evidence": 0, "records not found": 0}
    for person, rows in people(place):
        pools[person.name] = tuple(_document(*one) for one in records(person))
        known = {document.id for document in pools[person.name]}
        for number, asked in enumerate(rows):
            cited = asked.get("evidence")
            if not cited:
                left_out["no evidence"] += 1
                continue
            gold = frozenset(f"{one['type']}/{int(one['id'])}" for one in cited) & known
            if not gold:
                left_out["records not found"] += 1
                continue
            day, held = asked_at(asked)
            questions.append(
                Question(
                    id=f"{person.name}/{number}",
                    text=str(asked["question"]),
                    kind=str(asked.get("question_type") or asked.get("type") or "question"),
                    pool=person.name,
                    gold=gold,
                    asked=day,
                    group=f"{person.name}/{asked.get('ask_time') or ''}",
                    held=held,
                )
            )
    return QuestionSet("lifebench", pools, tuple(questions), left_out, f"{len(pools)} people")


def _document(kind: str, row: dict[str, Any], path: Path) -> Document:
    try:
        shelf, when, title, body = record(kind, row)
        name = f"{kind}/{int(row['phone_id'])}"
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: a record lacks what it is read by ({type(error).__name__}: {error})") from error
    said = " ".join(part for part in (title, body) if part)
    return Document(
        name, (Turn("", said),), title=shelf.split("/", 1)[1], time=when[:16].replace(" ", "T"), tags={"source": kind}
    )
