"""Any folder of notes with a questions file: a JSON object a line, with `question` and `notes`."""

from pathlib import Path

import orjson

from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import text

QUESTIONS = "questions.jsonl"
POOL = "notes"


def load(folder: Path) -> QuestionSet:
    """Read every `*.md` below `folder` and its `questions.jsonl`; `notes` are paths relative to `folder`.

    Raises:
        ValueError: a line that is no JSON object with `question` and `notes`, or an id that stands twice, named by its
            number.
        FileNotFoundError: no questions file.
    """
    path = folder / QUESTIONS
    if not path.is_file():
        raise FileNotFoundError(f"{folder}: holds no {QUESTIONS}")
    documents = tuple(
        _document(note.relative_to(folder).as_posix(), note.read_bytes())
        for note in sorted(folder.rglob("*.md"))
        if note.is_file()
    )
    known = {document.id for document in documents}
    questions: list[Question] = []
    left_out = {"notes not found": 0}
    ids: set[str] = set()
    for number, raw in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            row = orjson.loads(raw)
            told, cited = text(row["question"]), row["notes"]
            notes = frozenset(_path(one) for one in ([cited] if isinstance(cited, str) else cited)) & known
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"{path}:{number}: needs an object with `question` and `notes` ({error})") from error
        name = str(row.get("id") or number)
        if name in ids:
            raise ValueError(f"{path}:{number}: the id {name} stands twice")
        ids.add(name)
        if not notes:
            left_out["notes not found"] += 1
            continue
        kind, asked = str(row.get("kind") or "question"), str(row.get("asked") or "")
        questions.append(Question(name, told, kind, POOL, notes, asked, name, held=True))
    return QuestionSet("folder", {POOL: documents}, tuple(questions), left_out, str(folder.name))


def _path(cited: object) -> str:
    """Return a note's path as the folder has it; somebody may write it as on Windows, or leave out the ending."""
    path = str(cited).replace("\\", "/").removeprefix("./")
    return path if path.endswith(".md") else f"{path}.md"


def _document(name: str, data: bytes) -> Document:
    whole = data.decode("utf-8", "replace").replace("\r\n", "\n")
    turns = tuple(Turn("", part) for part in whole.split("\n\n") if part.strip())
    return Document(name, turns, title=name.removesuffix(".md"), note=data)
