"""LifeBench, record level: a pool a person, each record of the phone (message, call, note, photo, …) a document."""

from pathlib import Path
from typing import Any

import orjson

from bench.asnotes.lifebench import KINDS, MONTHS, record
from bench.public.model import Document, Question, QuestionSet, Turn


def load(folder: Path) -> QuestionSet:
    """Read every person's folder of `folder`; points of the answer become the checklist where records carry them."""
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"no evidence": 0, "records not found": 0}
    for person in sorted(path for path in folder.iterdir() if (path / "QA" / "QA_clean.json").is_file()):
        pools[person.name] = tuple(_records(person))
        known = {document.id for document in pools[person.name]}
        for place, asked in enumerate(orjson.loads((person / "QA" / "QA_clean.json").read_bytes())):
            if not asked.get("evidence"):
                left_out["no evidence"] += 1
                continue
            gold = frozenset(f"{one['type']}/{int(one['id'])}" for one in asked["evidence"]) & known
            if not gold:
                left_out["records not found"] += 1
                continue
            questions.append(
                Question(
                    id=f"{person.name}/{place}",
                    text=asked["question"],
                    kind=str(asked.get("question_type") or asked.get("type") or "question"),
                    pool=person.name,
                    gold=gold,
                    asked=f"{asked['ask_time']}-28",
                    group=f"{person.name}/{asked['ask_time']}",
                    held=int(asked["ask_time"][5:7]) % MONTHS == 1,
                )
            )
    if not pools:
        raise FileNotFoundError(f"{folder}: holds no person's folder with QA/QA_clean.json")
    return QuestionSet("lifebench", pools, tuple(questions), left_out, f"{len(pools)} people")


def _records(person: Path) -> list[Document]:
    return [
        _document(kind, row)
        for kind in KINDS
        for row in orjson.loads((person / "phone_data" / f"{kind}.json").read_bytes())
    ]


def _document(kind: str, row: dict[str, Any]) -> Document:
    shelf, moment, title, body = record(kind, row)
    said = " ".join(part for part in (title, body) if part)
    return Document(
        f"{kind}/{int(row['phone_id'])}",
        (Turn("", said),),
        title=shelf.split("/", 1)[1],
        time=moment[:16].replace(" ", "T"),
        tags={"source": kind},
    )
