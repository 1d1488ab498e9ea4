"""Sessions read by other machines, which share the logs but not the store: state goes there and comes back as lines.

What a machine does depends on its job alone and writes nothing, so it may be done twice or anew on another machine.
"""

import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from transcripts.clients.table import stamp
from transcripts.logs.redact import Cleaner
from transcripts.logs.sessions import Session
from transcripts.mining.advance import Watcher, advanced
from transcripts.mining.log_state_file import dumped, loaded
from transcripts.turns.tombstones import Forgotten

_AHEAD = 4
"""Jobs a worker that are asked for at a time: the answers of no more wait anywhere, and no worker waits for a job."""


class MachinesError(Exception):
    """The machines cannot do the work; one line says why."""


class Machines(NamedTuple):
    """Workers on this machine or on others."""

    executor: Executor
    workers: int
    hold: Callable[[bytes], Any]
    """Gives the machines bytes that come with every job; returns what stands for them in `executor.submit`."""
    mark: Callable[[], str]
    """Tells by which code a process works (a function of a module: it goes to the workers by name)."""


class FarJob(NamedTuple):
    """One session to be read on."""

    session: Session
    known: list[bytes] | None
    """The lines of its state, None when there is none."""
    clean: Cleaner
    forgotten: Forgotten
    files: tuple[tuple[Path, int], ...]
    """Its logs as the asker sees them, with at least how many bytes each."""


class Answer(NamedTuple):
    """What reading a session on gave."""

    lines: list[bytes] | None
    """Of its state; None when what was known stays."""
    found: list[Any] | None
    """What its watcher found."""
    trouble: str = ""
    """Why this worker cannot do the job."""


def sight(session: Session) -> tuple[tuple[Path, int], ...]:
    """Return the session's logs that this process can read, each with its bytes."""
    seen = []
    for path in (session.file, *session.agents):
        try:
            size = stamp(session, path).size
        except OSError:
            continue
        if os.access(path, os.R_OK):
            seen.append((path, size))
    return tuple(seen)


def answers(
    jobs: Iterable[FarJob], machines: Machines, watch: Callable[[Session], Watcher | None] | None
) -> Iterator[Answer]:
    """Yield the answer to each job, in the order of the jobs, whoever is done first.

    Raises:
        MachinesError: a worker sees a log not at all or shorter than it is here, or works by other code.
    """
    held = machines.hold(pickle.dumps((machines.mark, machines.mark(), watch)))
    rest = iter(jobs)
    waiting: deque[Future[Answer]] = deque()
    try:
        while True:
            while len(waiting) < _AHEAD * machines.workers and (job := next(rest, None)) is not None:
                waiting.append(machines.executor.submit(read_far, job, held))
            if not waiting:
                return
            answer = waiting.popleft().result()
            if answer.trouble:
                raise MachinesError(answer.trouble)
            yield answer
    finally:
        for future in waiting:
            future.cancel()


_ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads; parsing is bound to one processor, and what is kept between jobs to one thread."""


def read_far(job: FarJob, held: bytes) -> Answer:
    """Read a session on, in whichever process; `held` is what `answers` made."""
    with _ONE_AT_A_TIME:
        try:
            mark, code, watch = _unpacked(held)
            same = mark() == code
        except (ImportError, AttributeError):
            same = False
        if not same:
            return Answer(None, None, "a worker has another version of ladder: install the same one everywhere")
        for path, size in job.files:
            try:
                there = stamp(job.session, path).size
            except OSError:
                there = -1
            if there < size or not os.access(path, os.R_OK):
                how = "cannot read" if there < 0 or there >= size else f"sees only {there:,} of {size:,} bytes of"
                return Answer(None, None, f"a worker {how} {path}: logs must lie at one path on all machines")
        known = loaded(job.known) if job.known is not None else None
        state, found = advanced(job.session, known, job.clean, job.forgotten, watch)
        return Answer(list(dumped(state)) if state else None, found)


@lru_cache(maxsize=1)
def _unpacked(held: bytes) -> Any:  # noqa: ANN401 (a function, what it returned, and a function or None)
    return pickle.loads(held)  # noqa: S301 (of the process that has the worker run this very code)
