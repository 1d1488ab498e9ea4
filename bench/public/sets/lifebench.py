"""LifeBench, record level: a pool a person, each record of the phone (message, call, note, photo, …) a document."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

from bench.public.as_notes.lifebench import Record, asked_at, cited, people, records
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import LeftOut, each, text


def load(place: Path) -> QuestionSet:
    """Read every person's folder of `place`, or below it; the records that a question cites are its gold."""
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = LeftOut({"no evidence": 0, "records not found": 0})
    for person, rows in people(place):
        pools[person.name] = tuple(map(_document, records(person, left_out)))
        known = {document.id for document in pools[person.name]}
        questions += each(rows, partial(_question, person.name, known, left_out), left_out)
    return QuestionSet("lifebench", pools, tuple(questions), left_out, f"{len(pools)} people")


def _question(
    person: str, known: Collection[str], left_out: LeftOut, number: int, asked: dict[str, Any]
) -> Question | None:
    if not asked.get("evidence"):
        left_out["no evidence"] += 1
        return None
    gold = frozenset(name for kind, record in cited(asked) if (name := f"{kind}/{record}") in known)
    if not gold:
        left_out["records not found"] += 1
        return None
    day, held = asked_at(asked)
    return Question(
        id=f"{person}/{number}",
        text=text(asked["question"]),
        kind=str(asked.get("question_type") or asked.get("type") or "question"),
        pool=person,
        gold=gold,
        asked=day,
        group=f"{person}/{asked.get('ask_time') or ''}",
        held=held,
    )


def _document(row: Record) -> Document:
    said = " ".join(part for part in (row.title, row.text) if part)
    return Document(
        f"{row.kind}/{row.number}",
        (Turn("", said),),
        title=row.shelf.split("/", 1)[1],
        time=row.when[:16].replace(" ", "T"),
        tags={"source": row.kind},
    )
