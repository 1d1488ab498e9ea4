"""LifeBench, record level: a pool a person, each record of the phone (message, call, note, photo, …) a document."""

from pathlib import Path
from typing import Any

from bench.asnotes.lifebench import KINDS, MONTHS, record
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.sets.files import found, moment, read_json

#: Each person's questions, in the folder QA of the person's own.
FILES = ("QA_clean.json", "QA*.json")
#: Length of a month that is asked in, `2025-03`.
MONTH = 7


def load(place: Path) -> QuestionSet:
    """Read every person's folder of `place`, or below it; the records that a question cites are its gold."""
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"no evidence": 0, "records not found": 0}
    people = [
        (path.parent.parent, path) for path in found(place, FILES) if (path.parent.parent / "phone_data").is_dir()
    ]
    for person, path in people:
        if person.name in pools:
            raise ValueError(f"{place}: holds {person.name} twice; name one folder of people with --data")
        pools[person.name] = tuple(_records(person))
        known = {document.id for document in pools[person.name]}
        for number, asked in enumerate(read_json(path)):
            cited = asked.get("evidence")
            if not cited:
                left_out["no evidence"] += 1
                continue
            gold = frozenset(f"{one['type']}/{int(one['id'])}" for one in cited) & known
            if not gold:
                left_out["records not found"] += 1
                continue
            month = str(asked.get("ask_time") or "")
            questions.append(
                Question(
                    id=f"{person.name}/{number}",
                    text=str(asked["question"]),
                    kind=str(asked.get("question_type") or asked.get("type") or "question"),
                    pool=person.name,
                    gold=gold,
                    asked=f"{month}-28" if len(month) == MONTH else moment(month),
                    group=f"{person.name}/{month}",
                    held=month[5:7].isdigit() and int(month[5:7]) % MONTHS == 1,
                )
            )
    if not pools:
        raise FileNotFoundError(f"{place}: holds no person's folder with phone_data and QA/QA_clean.json")
    return QuestionSet("lifebench", pools, tuple(questions), left_out, f"{len(pools)} people")


def _records(person: Path) -> list[Document]:
    """Return the records of all kinds; a person need not have all of them."""
    paths = {kind: person / "phone_data" / f"{kind}.json" for kind in KINDS}
    return [_document(kind, row, path) for kind, path in paths.items() if path.is_file() for row in read_json(path)]


def _document(kind: str, row: dict[str, Any], path: Path) -> Document:
    try:
        shelf, day, title, body = record(kind, row)
        name = f"{kind}/{int(row['phone_id'])}"
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: a record lacks what it is read by ({type(error).__name__}: {error})") from error
    said = " ".join(part for part in (title, body) if part)
    return Document(
        name, (Turn("", said),), title=shelf.split("/", 1)[1], time=day[:16].replace(" ", "T"), tags={"source": kind}
    )
