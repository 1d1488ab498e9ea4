"""What can be done to a note: make it, rewrite its head, append an entry. Each holds the note's lock while it writes.

The lock is the operating system's (flock, LockFileEx): a killed process does not hold it. `notes.writing.disk` writes
the bytes.
"""

import datetime as dt
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from notes.files.naming import BadNameError, file_name, folder_parts, twin
from notes.files.place import FOLDER, ChangedError, Place, StoreError, locked, no_links, reason, told
from notes.markdown.model import Entry, Note
from notes.writing.disk import append_line, read_note, remove_temporaries, replace_note
from notes.writing.edit import EditError, parse_whole, with_entry, with_head
from notes.writing.ledger import Ledger, differs, extended, next_line, read_ledger

__all__ = [
    "FOLDER",
    "ChangedError",
    "Place",
    "StoreError",
    "append_entry",
    "create",
    "give_back",
    "make_again",
    "observe",
    "read_notes_ledger",
    "remove_temporaries",
    "replace_head",
    "rewrite",
]

_TRIES = 100  # how often an append starts again because somebody else wrote the note without the lock


def create(root: Path, title: str, *, folder: str = "", head: str = "", now: dt.datetime | None = None) -> Place:
    """Make a new note with `title` and, when given, a head; never over another file.

    Raises:
        StoreError: the title makes no name, a file of that name exists (also in other case or composition), or the
            folder leads out of the root.
    """
    title = " ".join(title.replace("\0", " ").split()) if "\0" not in title else title
    try:
        where = _spelled_as_there(root, folder_parts(folder))
        name = file_name(title)
    except BadNameError as error:
        raise StoreError(str(error)) from error
    place = Place(root, where / name)
    no_links(place)
    with told(place), locked(Place(root, where / name.casefold())):
        where.mkdir(parents=True, exist_ok=True)
        if other := twin(name, [entry.name for entry in where.iterdir()]):
            raise StoreError(f"{where / other} exists already; choose another title, or append to it")
        empty = parse_whole(f"# {title}\n".encode())
        try:
            note = with_head(empty, head) if head.strip() else empty
        except EditError as error:
            raise StoreError(str(error)) from error
        replace_note(place.path, note.data, new=True)
        _record(place, note, "new", now, read_notes_ledger(place))
    return place


def _spelled_as_there(root: Path, parts: tuple[str, ...]) -> Path:
    """The folder of these parts, each as an existing one is spelled that other file systems take for the same."""
    where = root
    for part in parts:
        there = [entry.name for entry in where.iterdir() if entry.is_dir()] if where.is_dir() else []
        where /= part if part in there else twin(part, there) or part
    return where


def replace_head(place: Place, text: str, *, seen: bytes | None = None, now: dt.datetime | None = None) -> bytes:
    """Replace the note's head with `text` and return the note's new bytes; the old head is kept in the ledger.

    Raises:
        ChangedError: the note is not `seen` any more, or changed while this ran.
        StoreError: the text cannot be a head, the note is a link or not UTF-8, or the disk refuses.
    """

    def change(note: Note) -> Note:
        if seen is not None and note.data != seen:
            raise ChangedError(f"{place.relative} changed since read; read it again and repeat the change")
        return with_head(note, text)

    _existing(place)
    with told(place), locked(place):
        return _changed(place, change, "head", now, tries=1).data


def append_entry(
    place: Place, text: str, *, title: str = "", date: dt.date | None = None, now: dt.datetime | None = None
) -> Entry:
    """Append a dated entry (of today, when no date is given) and return it as it is read back.

    One of a day that is named stands where that day belongs among the others, see `notes.writing.edit.with_entry`.
    An append has nothing to lose by what others wrote: when the note changed meanwhile it is read again.

    Raises:
        StoreError: nothing to append, the note is a link or not UTF-8, or the disk refuses.
    """
    made: list[Entry] = []
    day = date or (now or dt.datetime.now().astimezone()).date()

    def change(note: Note) -> Note:
        appended = with_entry(note, text, day, title, in_order=date is not None)
        made.append(appended.entry)
        return appended.note

    _existing(place)
    with told(place), locked(place):
        _changed(place, change, "append", now, tries=_TRIES)
    return made[-1]


def rewrite(place: Place, data: bytes, *, seen: bytes, why: str = "fixed") -> None:
    """Replace the whole note, for repairs that the person has seen as a diff.

    Raises:
        ChangedError: the note is not `seen` any more.
        StoreError: as for `replace_head`.
    """

    def change(note: Note) -> Note:
        if note.data != seen:
            raise ChangedError(f"{place.relative} changed since read; read it again and repeat the change")
        return parse_whole(data, note.path)

    with told(place), locked(place):
        _changed(place, change, why, None, tries=1)


def make_again(place: Place, data: bytes, *, now: dt.datetime | None = None) -> None:
    """Write a note that is gone anew, never over another file.

    Raises:
        StoreError: a file of that name exists, or the disk refuses.
    """
    no_links(place)
    with told(place), locked(place):
        place.path.parent.mkdir(parents=True, exist_ok=True)
        replace_note(place.path, data, new=True)
        _record(place, parse_whole(data, str(place.path)), "restored", now, read_notes_ledger(place))


def observe(
    place: Place, note: Note, why: str = "seen", now: dt.datetime | None = None, settled: Sequence[str] = ()
) -> bool:
    """Write the state of `note`, parsed whole, into the ledger; False when the ledger says it already.

    `settled` are the hashes of lines that are not there and that are taken as gone from now on.
    """
    with told(place), locked(place):
        ledger = read_notes_ledger(place)
        if not (settled or differs(ledger, note)):
            return False
        _record(place, note, why, now, ledger, settled)
        return True


def give_back(place: Place, lines: Sequence[bytes]) -> None:
    """Put lines back into the ledger that it once had."""
    with told(place), locked(place):
        for line in lines:
            ledger = read_notes_ledger(place)
            if all(record.line != line for record in ledger.records):
                append_line(place, ledger, line + b"\n")


def _existing(place: Place) -> None:
    if not os.path.lexists(place.path):
        raise StoreError(f"{place.relative}: no such note; `ladder note new` makes one")


def _changed(place: Place, change: Callable[[Note], Note], why: str, now: dt.datetime | None, *, tries: int) -> Note:
    """Read, change, and replace if nobody wrote meanwhile. The state before goes to the ledger first."""
    for _ in range(tries):
        old = parse_whole(read_note(place.path), str(place.path))
        try:
            new = change(old)
        except EditError as error:
            raise StoreError(f"{place.relative}: {error}") from error
        ledger = read_notes_ledger(place)
        if differs(ledger, old):
            ledger = _record(place, old, "seen", now, ledger)
        if replace_note(place.path, new.data, expect=old.data):
            try:
                _record(place, new, why, now, ledger)
            except OSError as error:
                raise StoreError(f"{place.relative}: written, but its ledger is not: {reason(error)}") from error
            return new
    raise ChangedError(f"{place.relative} changed since read; read it again and repeat the change")


def read_notes_ledger(place: Place) -> Ledger:
    """The note's ledger; empty when it has none."""
    try:
        return read_ledger(place.ledger.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return Ledger((), ())


def _record(
    place: Place, note: Note, why: str, now: dt.datetime | None, ledger: Ledger, settled: Sequence[str] = ()
) -> Ledger:
    """Write the state of `note` into its ledger, which is `ledger` so far; returns the ledger with it."""
    line = next_line(ledger, note, why, now or dt.datetime.now(dt.UTC), settled)
    append_line(place, ledger, line)
    return extended(ledger, line)
