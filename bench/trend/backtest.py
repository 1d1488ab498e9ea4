"""Cuts logs and notes to a past day, so that a run can be made as if on that day (a backtest)."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.corpus.corpus import Corpus
from bench.corpus.gather import from_logs
from bench.corpus.versions import when
from bench.trend.weekly import TREND, make
from notes import folder_settings, git
from transcripts import sessions
from transcripts.logs.records import records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.corpus.versions import Version
    from bench.trend.runs import Run
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
    """Copy the logs up to a moment: of each file the lines before its first record that is later. Bytes in all.

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
            size = source.stat().st_size if end is None else end
            written += size
            if copy.exists() and copy.stat().st_size == size:
                continue
            with source.open("rb") as file:
                copy.write_bytes(file.read(size))
    return written


def cut_notes(folder: Path, version: Version, target: Path) -> None:
    """Clone the repository that holds the notes, once, and go to a version; later ones are then not in its history.

    Raises:
        RuntimeError: git could not do it; the message is git's.
    """
    steps: list[tuple[str, ...]] = [("-C", str(target), "reset", "--quiet", "--hard", version.commit)]
    if not target.exists():
        steps.insert(0, ("clone", "--quiet", "--shared", str(folder), str(target)))
    for words in steps:
        done = git.run(*words, patience=git.WORK_PATIENCE)
        if done is None or done.code:
            said = done.err.decode("utf-8", "replace").strip() if done else ""
            raise RuntimeError(said or "git is missing, or takes too long")


def past_runs(corpus: Corpus, ends: Iterable[dt.datetime], *, budget: int, share: float) -> Iterator[Run]:
    """The runs that would have been made at these times, oldest first, from logs and notes as they were then.

    The logs grow in one folder, as they did: each step reads only what is new. Only the strategies that a trend shows
    are replayed.
    """
    made: list[Run] = []
    with TemporaryDirectory(prefix="ladder-past-") as place:
        for end in ends:
            version = corpus.versions.at(end)
            if version is None:
                return
            cut_logs(corpus.sessions, end, Path(place) / "logs")
            cut_notes(corpus.found.root, version, Path(place) / "notes")
            past = sessions(Path(place) / "logs")
            settings = folder_settings(Path(place) / "notes")
            gathered = from_logs(past, settings, share, mined=Path(place) / "mined")
            cut = Corpus(gathered, past, corpus.keep, corpus.level)
            run = make(cut, made, title="", command="", now=end, budget=budget, families=TREND).run
            made.append(run)
            yield run
