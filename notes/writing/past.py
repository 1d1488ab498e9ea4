"""A note as it stood on a day: from git or, where the ledger knows something later, from ledger and dated entries."""

import datetime as dt
from pathlib import Path
from typing import NamedTuple

from notes import git
from notes.markdown.model import Note
from notes.writing.edit import EditError, parse_whole, with_head
from notes.writing.ledger import Ledger, Record
from notes.writing.store import Place, read_notes_ledger


class Past(NamedTuple):
    """What a note was on a day."""

    data: bytes
    source: str
    """One line: where it is from, and what in it is a guess."""


class Head(NamedTuple):
    """A head that a note had."""

    time: str
    """When it was first seen, UTC; the head stood until the next one's time."""
    text: str
    number: int
    """The ledger's record."""


def heads(ledger: Ledger) -> list[Head]:
    """The heads of a note, oldest first; the last is the newest that the ledger knows."""
    found: list[Head] = []
    of: dict[str, str] = {}
    for record in ledger.records:
        before = [of[parent] for parent in record.parents if parent in of]
        of[record.key] = record.head
        if record.head not in before and (before or not found or found[-1].text != record.head):
            found.append(Head(record.time, record.head, record.number))
    return found


def as_of(place: Place, data: bytes, day: dt.date) -> Past | None:
    """The whole note as it stood at the end of `day`, local time; None when it did not exist then."""
    end = _utc(dt.datetime.combine(day, dt.time.max).astimezone())
    ledger = read_notes_ledger(place)
    old = _from_git(place.path, day)
    if old is not None and not any(old.time < r.time <= end for r in ledger.records):
        return Past(old.data, old.source)
    if old is None and not any(r.time <= end for r in ledger.records) and _begun_in_git(place.path):
        return None  # git knows the file, and its first commit is younger
    note = parse_whole(data, str(place.path))
    if ledger.records and ledger.records[0].why == "new" and ledger.records[0].time > end:
        return None
    record = next((r for r in reversed(ledger.records) if r.time <= end), None)
    return Past(*_assembled(note, ledger, record, day))


def _assembled(note: Note, ledger: Ledger, record: Record | None, day: dt.date) -> tuple[bytes, str]:
    """Today's note with the head of then and without later entries."""
    said = []
    if record is not None:
        said.append(f"head as of {record.time[:10]} from the ledger")
        head = record.head
    elif ledger.records:
        said.append(f"head as first seen on {ledger.records[0].time[:10]}, older ones are not known")
        head = ledger.records[0].head
    else:
        said.append("head of today, older ones are not known")
        head = note.text(note.head)
    later = [e for e in note.entries if e.date and e.date > day]
    data = note.data
    for entry in reversed(later):
        data = data[: entry.span.start] + data[entry.span.end :]
    try:
        data = with_head(parse_whole(data, note.path), head).data
    except EditError:
        said[-1] = "head of today (the former one cannot stand in the note as it is)"
    said.append(f"{len(later)} later {'entry' if len(later) == 1 else 'entries'} left out")
    said.append("body of today")
    return data, "; ".join(said)


class _Committed(NamedTuple):
    data: bytes
    source: str
    time: str


def _utc(time: dt.datetime) -> str:
    return time.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_git(path: Path, day: dt.date) -> _Committed | None:
    """The file at the last commit of that day or before; None where git, the repository or the commit is missing."""
    before = dt.datetime.combine(day, dt.time.max).astimezone().isoformat(timespec="seconds")
    log = git.output("log", "-1", f"--before={before}", "--format=%h %cI", "--", path.name, folder=path.parent)
    if log is None or not log.strip():
        return None
    commit, _, time = log.decode("utf-8", "replace").strip().partition(" ")
    text = git.output("show", f"{commit}:./{path.name}", folder=path.parent)
    if text is None:
        return None
    return _Committed(text, f"git commit {commit} of {time[:10]}", _utc(dt.datetime.fromisoformat(time)))


def _begun_in_git(path: Path) -> bool:
    """Whether any commit holds the file: then what was before its first is known, too."""
    log = git.output("log", "-1", "--format=%h", "--", path.name, folder=path.parent)
    return log is not None and bool(log.strip())


def committed(root: Path, names: list[str]) -> dict[str, bytes]:
    """What git's last commit holds of the files `names`, relative to `root`; empty without git."""
    if not names:
        return {}
    asked = "".join(f"HEAD:./{name}\n" for name in names if "\n" not in name).encode("utf-8", "surrogateescape")
    done = git.run("cat-file", "--batch", folder=root, given=asked, patience=git.HISTORY_PATIENCE)
    if done is None:
        return {}
    found: dict[str, bytes] = {}
    at = 0
    for name in (n for n in names if "\n" not in n):
        end = done.out.find(b"\n", at)
        if end < 0:
            break
        header = done.out[at:end].split(b" ")
        at = end + 1
        if len(header) == 3 and header[1] == b"blob":
            size = int(header[2])
            found[name] = done.out[at : at + size]
            at += size + 1
    return found
