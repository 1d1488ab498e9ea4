"""Any program as a system: it reads documents and questions as JSON lines and writes ranked ids; docs/public.md."""

import subprocess
import tempfile
from collections.abc import Sequence

import orjson

from bench.public.model import Document, Question, Reader, Shown

#: Seconds that a program may take for one pool before it is stopped.
LIMIT = 600.0


#: Ranked ids, and the text that is shown; None when the program wrote none.
Answer = tuple[list[str], str | None]


class ProgramError(RuntimeError):
    """The program could not be run to its end, or wrote what is no answer; the message names it and says why."""


def make(command: Sequence[str], questions: Sequence[Question], limit: float = LIMIT) -> "_Made":
    """Return a system that runs `command` once a pool with all of that pool's questions on stdin."""
    return _Made(command, questions, limit)


class _Made:
    def __init__(self, command: Sequence[str], questions: Sequence[Question], limit: float) -> None:
        self.command = command
        self.questions = questions
        self.limit = limit

    def __call__(self, documents: Sequence[Document]) -> Reader:
        known = {document.id for document in documents}
        answers: dict[tuple[str, int], list[str]] = {}
        texts: dict[str, str] = {}

        def search(question: Question, k: int) -> list[str]:
            if (question.id, k) not in answers:
                pool = [one for one in self.questions if one.pool == question.pool]
                for name, (ranked, text) in self._run(documents, pool, k).items():
                    answers[name, k] = [one for one in ranked if one in known][:k]
                    if text is not None:
                        texts[name] = text
            return answers.get((question.id, k), [])

        def show(question: Question) -> Shown | None:
            return Shown(texts[question.id], None) if question.id in texts else None

        return Reader(search, show)

    def _run(self, documents: Sequence[Document], questions: Sequence[Question], k: int) -> dict[str, Answer]:
        lines: list[dict[str, object]] = [
            {"document": one.id, "title": one.title, "time": one.time, "text": one.text} for one in documents
        ]
        lines += [{"question": one.id, "text": one.text, "asked": one.asked, "k": k} for one in questions]
        sent = b"".join(orjson.dumps(line) + b"\n" for line in lines)
        with tempfile.TemporaryDirectory(prefix="ladder-program-") as folder:
            try:
                done = subprocess.run(
                    self.command, input=sent, capture_output=True, timeout=self.limit, check=False, cwd=folder
                )
            except subprocess.TimeoutExpired as error:
                raise ProgramError(f"{self.command[0]}: not done after {self.limit:g} s") from error
            except OSError as error:
                raise ProgramError(f"{self.command[0]}: {error.strerror}") from error
        if done.returncode:
            last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise ProgramError(f"{self.command[0]}: ended with {done.returncode}: {last}")
        return self._answers(done.stdout)

    def _answers(self, written: bytes) -> dict[str, Answer]:
        found: dict[str, Answer] = {}
        for number, raw in enumerate(written.split(b"\n"), start=1):
            if not raw.strip():
                continue
            try:
                row = orjson.loads(raw)
                text = row.get("text")
                found[str(row["question"])] = [str(one) for one in row["ids"]], None if text is None else str(text)
            except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                raise ProgramError(
                    f"{self.command[0]}: line {number} of its output is no object with `question` and `ids`"
                ) from error
        return found
