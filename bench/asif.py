"""Logs and notes as they were on a past day, so that a run can be made as if it had been made then."""

from __future__ import annotations

import datetime as dt
import subprocess
from typing import TYPE_CHECKING

from bench.versions import when
from transcripts.records import records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.versions import Version
    from transcripts import Session


def days(found: Sequence[Session], every: int) -> list[dt.datetime]:
    """The ends of the periods of `every` days that the logs span, midnight UTC; the last is after the newest record."""
    times = [when(time) for session in found for time in _ends(session) if time]
    if not times:
        return []
    first = min(times).replace(hour=0, minute=0, second=0, microsecond=0)
    step = dt.timedelta(days=every)
    ends = [first + step]
    while ends[-1] <= max(times):
        ends.append(ends[-1] + step)
    return ends


def _ends(session: Session) -> Iterable[str]:
    """The times of a log's first and last dated record."""
    stamps = [str(record.data["timestamp"]) for record in records(session.file) if record.data.get("timestamp")]
    return (min(stamps), max(stamps)) if stamps else ()


def cut_logs(found: Sequence[Session], until: dt.datetime, target: Path) -> int:
    """Copy the logs up to a moment: of each file the lines before its first record that is later. Bytes written.

    A log only grows at its end, so what it was then is a prefix of what it is now.
    """
    written = 0
    for session in found:
        for source in (session.file, *session.agents):
            end = None
            for record in records(source):
                stamp = record.data.get("timestamp")
                if isinstance(stamp, str) and when(stamp) > until:
                    end = record.offset
                    break
            if end == 0:
                continue
            inner = source.relative_to(session.file.parent)
            copy = target / session.file.parent.name / inner
            copy.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as file:
                written += copy.write_bytes(file.read() if end is None else file.read(end))
    return written


def cut_notes(folder: Path, version: Version, target: Path) -> None:
    """Clone the repository that holds the notes and go back to a version; later ones are then not in its history.

    Raises:
        RuntimeError: git could not do it; the message is git's.
    """
    for words in (
        ("clone", "--quiet", "--shared", str(folder), str(target)),
        ("-C", str(target), "reset", "--quiet", "--hard", version.commit),
    ):
        done = subprocess.run(["git", *words], capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.decode("utf-8", "replace").strip())
