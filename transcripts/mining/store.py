"""The folder that holds what was mined: a file a session, kept when the client sweeps its logs away.

Every file is replaced whole or not at all, and is for its owner only; a run that is killed loses the session it was at
and nothing else.
"""

import gc
import hashlib
import multiprocessing
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from filelock import FileLock

from notes.atomic import private_folder, write_private_lines
from notes.gc_pause import no_circles
from transcripts.clients.table import stamp
from transcripts.logs.redact import Cleaner, as_it_is
from transcripts.logs.sessions import Session
from transcripts.mining.advance import Watcher, advanced
from transcripts.mining.log_state import unchanged
from transcripts.mining.log_state_file import dumped, head_of, lines_of, loaded
from transcripts.mining.machines import FarJob, Machines, answers, sight
from transcripts.turns.tombstones import FILE, Forgotten, read_stones

LAST = "last.json"
WORTH_TWO = 48_000_000
"""Bytes of new logs from which a second process pays for its start."""


class Job(NamedTuple):
    """One session to be read on, in whichever process."""

    session: Session
    state: Path
    clean: Cleaner
    forgotten: Forgotten


class Done(NamedTuple):
    """A session that has been read."""

    session: Session
    found: list[Any] | None
    """What its watcher found; None when nobody watched, or when the session was gone on with."""


class Store:
    """What was mined from one project's sessions."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made when something is written."""
        self.folder = folder

    def lock(self) -> FileLock:
        """Return the lock that a run holds; the system frees it when its process dies."""
        private_folder(self.folder)
        return FileLock(self.folder / "lock", mode=0o600)

    def path(self, session: Session) -> Path:
        """Return the file of a session's state. Two folders may hold logs of one name."""
        mark = hashlib.blake2b(str(session.file).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        return self.folder / f"{re.sub(r'[^A-Za-z0-9_-]', '-', session.id)[:60]}-{mark}.jsonl"

    def update(
        self,
        found: Sequence[Session],
        clean: Cleaner = as_it_is,
        processes: int | None = None,
        watch: Callable[[Session], Watcher | None] | None = None,
        machines: Machines | None = None,
    ) -> Iterator[Done]:
        """Read what is new in sessions; yield each that had something new, when it is done. Hold the lock.

        `watch` gives the watcher of a session. It goes to other processes, and so does what the watcher finds. With
        `machines` these read, wherever they are, and this process alone writes; see `machines.py` for what it raises.
        """
        for leftover in self.folder.glob(".*.jsonl.*"):
            leftover.unlink(missing_ok=True)  # of a run that was killed
        forgotten = read_stones(self.folder)
        jobs = [
            Job(session, path, clean, forgotten)
            for session in found
            if not forgotten.session(session.id) and not unchanged(self.head(path := self.path(session)), session)
        ]
        if machines:
            # The largest first, so that no machine is left with a long one at the end.
            jobs.sort(key=lambda job: _size(job.session), reverse=True)
            yield from _far(jobs, machines, watch)
            return
        size = sum(_size(job.session) for job in jobs)
        count = processes or min(os.cpu_count() or 1, 8, len(jobs))
        if count < 2 or (processes is None and size < WORTH_TWO):
            with no_circles():
                for job in jobs:
                    yield Done(job.session, read_on(job, watch))
            return
        # The largest first, so that no process is left with a long one at the end.
        jobs.sort(key=lambda job: _size(job.session), reverse=True)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(count, context, initializer=_watch_with, initargs=(watch,)) as pool:
            for job, seen in zip(jobs, pool.map(_read_on, jobs, chunksize=1), strict=True):
                yield Done(job.session, seen)

    def head(self, path: Path) -> dict[str, Any]:
        """Return the first line of a session's state, {} when there is none that this version can read."""
        try:
            with path.open("rb") as file:
                return head_of(file.readline())
        except FileNotFoundError:
            return {}

    def files(self) -> list[Path]:
        """Return the files of all sessions, by name."""
        return sorted(path for path in self.folder.glob("*.jsonl") if path.name != FILE)

    def fingerprint(self, *further: object) -> str:
        """Return a hash of the state of all sessions, by name, size and time, and of what else a result depends on."""
        hashed = hashlib.blake2b(repr(further).encode("utf-8", "surrogateescape"), digest_size=16)
        for path in self.files():
            stat = path.stat()
            hashed.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        return hashed.hexdigest()

    def remember(self, key: str, result: dict[str, Any], written: Path) -> None:
        """Keep a run's counts under the fingerprint of what they were counted from, with what the run has `written`."""
        kept = {"key": key, "result": result, "written": _hash(written)}
        write_private_lines(self.folder / LAST, [orjson.dumps(kept)])

    def remembered(self, key: str, written: Path) -> dict[str, Any] | None:
        """Return the counts of the last run if it had this fingerprint and what it has `written` stands there still.

        Another store may have written to the same file since.
        """
        try:
            last = orjson.loads((self.folder / LAST).read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        return last["result"] if last.get("key") == key and last.get("written") == _hash(written) != "" else None


def _far(jobs: Sequence[Job], machines: Machines, watch: Callable[[Session], Watcher | None] | None) -> Iterator[Done]:
    """Have machines read, and write what each answers."""
    asked = (FarJob(job.session, _kept(job.state), job.clean, job.forgotten, sight(job.session)) for job in jobs)
    for job, answer in zip(jobs, answers(asked, machines, watch), strict=True):
        if answer.lines is not None:
            write_private_lines(job.state, answer.lines, durable=False)
        yield Done(job.session, answer.found)


def _kept(path: Path) -> list[bytes] | None:
    try:
        return list(lines_of(path))
    except FileNotFoundError:
        return None


def _size(session: Session) -> int:
    """Return the bytes of a session's log, 0 for one that is gone."""
    try:
        return stamp(session).size
    except OSError:
        return 0


def _hash(path: Path) -> str:
    """Return the hash of a file's bytes, "" when there is none."""
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


_WATCH: list[Callable[[Session], Watcher | None] | None] = []
"""In a process of the pool: what was passed to `update`, sent once and not with every job."""


def _watch_with(watch: Callable[[Session], Watcher | None] | None) -> None:
    gc.disable()  # for good: see `notes.gc_pause`
    _WATCH.append(watch)


def _read_on(job: Job) -> list[Any] | None:
    return read_on(job, _WATCH[0])


def read_on(job: Job, watch: Callable[[Session], Watcher | None] | None = None) -> list[Any] | None:
    """Read what is new in a session and write its state; return what its watcher found."""
    try:
        known = loaded(lines_of(job.state))
    except FileNotFoundError:
        known = None
    state, seen = advanced(job.session, known, job.clean, job.forgotten, watch)
    if state:
        write_private_lines(job.state, dumped(state), durable=False)
    return seen
