"""Any program as a system: it reads documents and questions as JSON lines and writes ranked ids; docs/public.md."""

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from typing import IO, NamedTuple

import orjson

from bench.public.model import Document, Question, Reader, Shown, Unanswered

#: Seconds that a program may take for one pool before it is stopped.
LIMIT = 600.0
#: Bytes that one line of its output may have: whoever writes more without a line end writes no answers.
LONGEST = 1 << 24
#: Seconds between two looks at whether the program still lives, while it writes nothing.
LOOK = 0.5
POSIX = os.name != "nt"


class Answer(NamedTuple):
    """What a program wrote for one question."""

    ids: list[str]
    text: str | None
    """What it shows; None when it wrote no text."""
    milliseconds: float = 0.0
    """Since its line before, or since it was started."""


class ProgramError(RuntimeError):
    """The program could not be run to its end, or wrote what is no answer; the message names it and says why."""


class Program:
    """A system that runs a command once a pool, with all of that pool's questions on its stdin.

    A program that is stopped at the limit keeps the answers that it wrote in time; asked for any other question of
    that pool, its search raises `Unanswered`.
    """

    def __init__(self, command: Sequence[str], questions: Sequence[Question], limit: float = LIMIT) -> None:
        """Keep the command and all the questions of the set; `limit` is in seconds, for each pool."""
        self.command = command
        self.questions = questions
        self.limit = limit
        self.unknown = 0
        """Ids it wrote that no document of the pool has; they were dropped."""
        self.silent = 0
        """Questions that it ended without a line for; they are misses."""

    def __call__(self, documents: Sequence[Document]) -> Reader:
        """Return the search over one pool; the program is started by the first question."""
        known = {document.id for document in documents}
        answers: dict[int, dict[str, Answer | None]] = {}

        def search(question: Question, k: int) -> list[str]:
            if k not in answers:
                pool = [one for one in self.questions if one.pool == question.pool]
                answers[k] = self._run(documents, pool, k)
            answer = answers[k][question.id]
            if answer is None:
                raise Unanswered
            kept = [one for one in answer.ids if one in known]
            self.unknown += len(answer.ids) - len(kept)
            return list(dict.fromkeys(kept))[:k]

        def answered(question: Question) -> Answer:
            return next((one for held in answers.values() if (one := held[question.id])), Answer([], None))

        def show(question: Question) -> Shown | None:
            text = answered(question).text
            return None if text is None else Shown(text, None)

        return Reader(search, show, lambda question: answered(question).milliseconds)

    def remarks(self, answered: int, asked: int) -> Iterator[str]:
        """Yield a line on whatever makes its row less than that of a program that answered all with known ids."""
        if answered < asked:
            yield f"stopped after {self.limit:g} s (--limit), its row is of {answered} of {asked} questions"
        if self.silent:
            yield f"{self.silent} questions without a line, which count as misses"
        if self.unknown:
            yield f"{self.unknown} ids that are of no document, which were dropped"

    def _run(self, documents: Sequence[Document], questions: Sequence[Question], k: int) -> dict[str, Answer | None]:
        """Return question -> answer; None for those that the program was stopped before."""
        lines: list[dict[str, object]] = [
            {"document": one.id, "title": one.title, "time": one.time, "text": one.said} for one in documents
        ]
        lines += [{"question": one.id, "text": one.text, "asked": one.asked, "k": k} for one in questions]
        with tempfile.TemporaryDirectory(prefix="ladder-program-", ignore_cleanup_errors=True) as folder:
            found, ended = self._talk(b"".join(orjson.dumps(line) + b"\n" for line in lines), folder)
        if ended:
            self.silent += sum(one.id not in found for one in questions)
        nothing = Answer([], None) if ended else None
        return {one.id: found.get(one.id, nothing) for one in questions}

    def _talk(self, sent: bytes, folder: str) -> tuple[dict[str, Answer], bool]:
        """Start the program, send everything, return what it answers and whether it came to its own end."""
        pipe = subprocess.PIPE
        try:
            # A group of its own, so that what the program starts is stopped with it.
            process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, start_new_session=POSIX
            )
        except OSError as error:
            raise ProgramError(f"{self.command[0]}: {error.strerror or error}") from error
        assert process.stdin
        assert process.stdout
        assert process.stderr
        written: queue.Queue[bytes] = queue.Queue(maxsize=1000)
        said: list[bytes] = []
        stopped = threading.Event()
        threads = [
            threading.Thread(target=work, args=told, daemon=True)
            for work, told in (
                (_send, (process.stdin, sent)),
                (_receive, (process.stdout, written, stopped)),
                (_keep_last, (process.stderr, said)),
            )
        ]
        try:
            for thread in threads:
                thread.start()
            found = self._answers(process, written, time.monotonic() + self.limit)
        finally:
            ended = process.poll() is not None
            stopped.set()
            _stop(process)
            for thread, stream in zip(threads, (process.stdin, process.stdout, process.stderr), strict=True):
                thread.join(LOOK)
                if not thread.is_alive():  # on Windows what the program started may hold it open still
                    stream.close()
        if ended and process.returncode:
            last = said[-1].decode("utf-8", "replace").strip() if said else "it says nothing on stderr"
            raise ProgramError(f"{self.command[0]}: ended with {process.returncode}: {last}")
        return found, ended

    def _answers(
        self, process: subprocess.Popen[bytes], written: queue.Queue[bytes], until: float
    ) -> dict[str, Answer]:
        found: dict[str, Answer] = {}
        number = 0
        before = time.monotonic()
        while (left := until - time.monotonic()) > 0:
            try:
                raw = written.get(timeout=min(LOOK, left))
            except queue.Empty:
                # What it started may hold its output open after it: nothing more is waited for then.
                if process.poll() is not None:
                    break
                continue
            if not raw:
                # It may close its output and go on; then it is stopped as at any other limit.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(until - time.monotonic(), LOOK))
                break
            number += 1
            if raw.strip():
                name, answer = self._answer(raw, number)
                now = time.monotonic()
                found[name] = answer._replace(milliseconds=1000 * (now - before))
                before = now
        return found

    def _answer(self, raw: bytes, number: int) -> tuple[str, Answer]:
        try:
            row = orjson.loads(raw)
            name, ids, text = row["question"], row["ids"], row.get("text")
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
            ids = None
        if not isinstance(ids, list):
            raise ProgramError(
                f"{self.command[0]}: line {number} of its output is no object with `question` and a list `ids`: "
                f"{raw[:80].decode('utf-8', 'replace').strip()}"
            )
        return str(name), Answer([str(one) for one in ids], None if text is None else str(text))


def _send(stream: IO[bytes], sent: bytes) -> None:
    # A program may read no further: whether it ended well is told by its exit code.
    with contextlib.suppress(OSError), stream:
        stream.write(sent)


def _receive(stream: IO[bytes], written: "queue.Queue[bytes]", stopped: threading.Event) -> None:
    """Pass on each line, then an empty one at the end of the output."""
    while not stopped.is_set():
        line = stream.readline(LONGEST)
        while not stopped.is_set():
            try:
                written.put(line, timeout=LOOK)
                break
            except queue.Full:
                continue
        if not line:
            return


def _keep_last(stream: IO[bytes], said: list[bytes]) -> None:
    """Keep the last line that says something: a program may write any number of them."""
    while line := stream.readline(LONGEST):
        if line.strip():
            said[:] = [line]


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Stop the program and, where there are process groups, all that it started."""
    if POSIX:
        # No such group: nothing of it is left.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
