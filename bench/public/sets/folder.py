"""Any folder of notes with a questions file: a JSON object a line, with `question` and `notes`."""

from pathlib import Path

import orjson

from bench.public.model import Document, Question, QuestionSet, Turn

QUESTIONS = "questions.jsonl"
POOL = "notes"


def load(folder: Path) -> QuestionSet:
    """Read every `*.md` below `folder` and its `questions.jsonl`; `notes` are paths relative to `folder`.

    Raises:
        ValueError: a line that is no JSON object with `question` and `notes`, named by its number.
        FileNotFoundError: no questions file.
    """
    path = folder / QUESTIONS
    if not path.is_file():
        raise FileNotFoundError(f"{folder}: holds no {QUESTIONS}")
    documents = tuple(
        Document(
            note.relative_to(folder).as_posix(),
            tuple(Turn("", part) for part in note.read_text("utf-8", "replace").split("\n\n") if part.strip()),
        )
        for note in sorted(folder.rglob("*.md"))
    )
    known = {document.id for document in documents}
    questions: list[Question] = []
    left_out = {"notes not found": 0}
    for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            row = orjson.loads(raw)
            text, cited = str(row["question"]), frozenset(map(str, row["notes"]))
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"{path}:{number}: needs an object with `question` and `notes` ({error})") from error
        if not cited & known:
            left_out["notes not found"] += 1
            continue
        name = str(row.get("id") or number)
        kind, asked = str(row.get("kind") or "question"), str(row.get("asked") or "")
        questions.append(Question(name, text, kind, POOL, cited & known, asked, name, held=True))
    return QuestionSet("folder", {POOL: documents}, tuple(questions), left_out, str(folder.name))
