"""`ladder merge`: what git runs for one file of a merge, with its three versions. It loads little."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from notes.merging.text import CannotMergeError, Marks, Merged, merge_texts

#: The name under which git knows the driver, and what it gives it: base, ours, theirs, size of a mark, path, labels.
NAME = "ladder"
ARGUMENTS = "%O %A %B %L %P %X %Y"
_LEDGERS = ".ladder/notes/"


class Job(NamedTuple):
    """What git asks for."""

    base: Path
    ours: Path
    """The result is written here."""
    theirs: Path
    size: int = 7
    path: str = ""
    """Where the file lies in the work tree, with `/`."""
    our_label: str = "HEAD"
    their_label: str = "theirs"


def job_of(arguments: Sequence[str]) -> Job | None:
    """The job that these arguments ask for; None when they are none.

    A git before 2.44 leaves `%X` and `%Y` as they are.
    """
    given = ["" if each in ("%L", "%P", "%X", "%Y") else each for each in arguments]
    if not 3 <= len(given) <= 7 or not all(given[:3]):  # three files, then what ARGUMENTS has
        return None
    size, path, our, their = (*given[3:], "", "", "", "")[:4]
    files = [Path(name) for name in given[:3]]
    marks = (int(size) if size.isdigit() else 7, path, our or "HEAD", their or "theirs")
    return Job(files[0], files[1], files[2], *marks)


def run(job: Job) -> int:
    """Merge and write the result to `job.ours`; returns 0, or 1 when a conflict is left in it, as git wants to know."""
    base, ours, theirs = (path.read_bytes() for path in (job.base, job.ours, job.theirs))
    try:
        done = _merged(job, base, ours, theirs)
    except CannotMergeError as error:
        _say(f"{job.path}: not merged, yours is left as it is: {error}")
        return 1
    if done.data != ours:
        job.ours.write_bytes(done.data)
    return 1 if done.conflicts else 0


def _merged(job: Job, base: bytes, ours: bytes, theirs: bytes) -> Merged:
    marks = Marks(job.our_label, "base", job.their_label, job.size)
    try:
        if f"/{job.path}".rfind("/" + _LEDGERS) >= 0 or ours.startswith(b'{"n":'):
            from notes.merging.ledgers import merge_ledgers  # noqa: PLC0415 (each loads what it needs)

            return Merged(merge_ledgers(base, ours, theirs), 0)
        from notes.merging.notes import merge_notes  # noqa: PLC0415 (as above)

        done = merge_notes(base, ours, theirs, marks)
        if not done.conflicts:
            return done
        from notes.merging.sides import told  # noqa: PLC0415 (only for a conflict)

        named = told(job.path, ours, theirs, marks)
        if named.newer:
            _say(f"{job.path}: both sides changed the same lines; {named.newer}")
        return merge_notes(base, ours, theirs, named.marks)
    except CannotMergeError:
        raise
    except Exception as error:  # noqa: BLE001 (whatever goes wrong here, git's own merge is better than one side lost)
        _say(f"{job.path}: merged as text only ({type(error).__name__}: {error})")
        return merge_texts(base, ours, theirs, marks)


def main(arguments: Sequence[str]) -> int:
    """Run the driver; what is no job of git's is told in one line, exit code 2."""
    job = job_of(arguments)
    if job is None:
        _say(f"git runs this, as `ladder merge {ARGUMENTS}`; `ladder init --team` tells git so")
        return 2
    try:
        return run(job)
    except OSError as error:
        _say(f"{job.path or job.ours}: {error.strerror}: {error.filename}")
        return 2


def _say(line: str) -> None:
    sys.stderr.write(f"ladder: {line}\n")
