"""The only module that writes: note files and the ledger beside them. Everything here holds the note's lock.

A note is replaced, never written in place: the new bytes go to a hidden file in the same folder, which is flushed to
the disk and then renamed over the note, so that a reader, a crash or a power cut finds the old note or the new one.
The lock is the operating system's (flock, LockFileEx): a killed process does not hold it.
"""

import contextlib
import datetime as dt
import errno
import hashlib
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import filelock

from notes.edit import EditError, parse_whole, with_entry, with_head
from notes.ledger import Ledger, differs, extended, next_line, read_ledger
from notes.model import Entry, Note
from notes.naming import BadNameError, file_name, folder_parts, twin

#: The folder beside the notes that holds the ledger; its locks are never committed.
FOLDER = ".ladder"
#: What the hidden file begins and ends with that a note's new bytes are first written to. It is never taken for a note.
TEMPORARY = (".ladder-", ".tmp")
_PATIENCE = 20.0  # seconds that a writer waits for the one before it
_POLL = 0.01  # seconds between two looks at a lock that another writer holds
_TRIES = 100  # how often an append starts again because somebody else wrote the note without the lock


class StoreError(Exception):
    """A write that was not done; one line that says why and what to do. The note is as it was."""


class ChangedError(StoreError):
    """The note changed since it was read."""


class Place(NamedTuple):
    """A note's file and the folder that holds it with its ledger."""

    root: Path
    """The folder of notes, beside whose notes `.ladder/` lies."""
    path: Path
    """The note's file, inside `root`."""

    @property
    def relative(self) -> str:
        """The path in the root, with `/`."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def ledger(self) -> Path:
        """The note's ledger file."""
        return self.root / FOLDER / "notes" / (self.relative + ".jsonl")

    @property
    def lock(self) -> Path:
        """The note's lock file; it may lie there for ever, the lock is not its existence."""
        name = hashlib.sha256(self.relative.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self.root / FOLDER / "locks" / (name + ".lock")


def create(root: Path, title: str, *, folder: str = "", head: str = "", now: dt.datetime | None = None) -> Place:
    """Make a new note with `title` and, when given, a head; never over another file.

    Raises:
        StoreError: the title makes no name, a file of that name exists (also in other case or composition), or the
            folder leads out of the root.
    """
    title = " ".join(title.replace("\0", " ").split()) if "\0" not in title else title
    try:
        where = root.joinpath(*folder_parts(folder))
        name = file_name(title)
    except BadNameError as error:
        raise StoreError(str(error)) from error
    place = Place(root, where / name)
    _no_links(place)
    with _told(place), _locked(Place(root, where / name.casefold())):
        where.mkdir(parents=True, exist_ok=True)
        if other := twin(name, [entry.name for entry in where.iterdir()]):
            raise StoreError(f"{where / other} exists already; choose another title, or append to it")
        empty = parse_whole(f"# {title}\n".encode())
        try:
            note = with_head(empty, head) if head.strip() else empty
        except EditError as error:
            raise StoreError(str(error)) from error
        _replace(place.path, note.data, new=True)
        _record(place, note, "new", now, read_notes_ledger(place))
    return place


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
    with _told(place), _locked(place):
        return _changed(place, change, "head", now, tries=1).data


def append_entry(
    place: Place, text: str, *, title: str = "", date: dt.date | None = None, now: dt.datetime | None = None
) -> Entry:
    """Append a dated entry (of today, when no date is given) and return it as it is read back.

    An append has nothing to lose by what others wrote: when the note changed meanwhile it is read again.

    Raises:
        StoreError: nothing to append, the note is a link or not UTF-8, or the disk refuses.
    """
    made: list[Entry] = []
    day = date or (now or dt.datetime.now().astimezone()).date()

    def change(note: Note) -> Note:
        appended = with_entry(note, text, day, title)
        made.append(appended.entry)
        return appended.note

    _existing(place)
    with _told(place), _locked(place):
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

    with _told(place), _locked(place):
        _changed(place, change, why, None, tries=1)


def observe(place: Place, note: Note, why: str = "seen", now: dt.datetime | None = None) -> bool:
    """Write the state of `note`, parsed whole, into the ledger; False when the ledger says it already."""
    with _told(place), _locked(place):
        ledger = read_notes_ledger(place)
        if not differs(ledger, note):
            return False
        _record(place, note, why, now, ledger)
        return True


def remove_temporaries(root: Path, older_than: float, now: float) -> list[Path]:
    """Remove the hidden files that killed writers left in `root`, if they are older than `older_than` seconds."""
    gone = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f != ".git"]
        for name in files:
            path = Path(folder) / name
            if name.startswith(TEMPORARY[0]) and name.endswith(TEMPORARY[1]):
                with contextlib.suppress(OSError):
                    if now - path.stat().st_mtime > older_than:
                        path.unlink()
                        gone.append(path)
    return gone


def read_notes_ledger(place: Place) -> Ledger:
    """The note's ledger; empty when it has none."""
    try:
        return read_ledger(place.ledger.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return Ledger((), ())


def _existing(place: Place) -> None:
    if not os.path.lexists(place.path):
        raise StoreError(f"{place.relative}: no such note; `ladder note new` makes one")


def _changed(place: Place, change: Callable[[Note], Note], why: str, now: dt.datetime | None, *, tries: int) -> Note:
    """Read, change, and replace if nobody wrote meanwhile. The state before goes to the ledger first."""
    for _ in range(tries):
        old = parse_whole(_read(place.path), str(place.path))
        try:
            new = change(old)
        except EditError as error:
            raise StoreError(f"{place.relative}: {error}") from error
        ledger = read_notes_ledger(place)
        if differs(ledger, old):
            ledger = _record(place, old, "seen", now, ledger)
        if _replace(place.path, new.data, expect=old.data):
            try:
                _record(place, new, why, now, ledger)
            except OSError as error:
                raise StoreError(f"{place.relative}: written, but its ledger is not: {_reason(error)}") from error
            return new
    raise ChangedError(f"{place.relative} changed since read; read it again and repeat the change")


def _read(path: Path) -> bytes:
    """The note's bytes; a link is not followed."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(fd, "rb") as file:
        return file.read()


def _replace(path: Path, data: bytes, *, expect: bytes | None = None, new: bool = False) -> bool:
    """Put `data` at `path` in one step; False, and nothing done, when the note is not `expect` any more."""
    temporary = path.parent / f"{TEMPORARY[0]}{os.getpid()}-{secrets.token_hex(6)}{TEMPORARY[1]}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        fd = os.open(temporary, flags, 0o666)
        try:
            _write_all(fd, data)
            if not new:
                _keep_owner(fd, temporary, path)
            os.fsync(fd)
        finally:
            os.close(fd)
        if expect is not None and _read(path) != expect:
            return False
        if new:
            _link_new(temporary, path)
        else:
            _rename(temporary, path)
        _sync_folder(path.parent)
        return True
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _keep_owner(fd: int, temporary: Path, path: Path) -> None:
    """Give the new file the old one's mode and, where that is allowed, its owner."""
    status = path.stat()
    if hasattr(os, "fchown"):
        if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(PermissionError):
                os.fchown(fd, status.st_uid, status.st_gid)
        os.fchmod(fd, stat.S_IMODE(status.st_mode))
    else:
        temporary.chmod(stat.S_IMODE(status.st_mode))


def _rename(temporary: Path, path: Path) -> None:
    """Rename over the note; Windows refuses while a reader has it open, so it is tried again for a second."""
    for wait in (0.01, 0.03, 0.1, 0.3, 0.6) if os.name == "nt" else ():
        try:
            temporary.replace(path)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    temporary.replace(path)


def _link_new(temporary: Path, path: Path) -> None:
    """Give the finished file its name, never over another: a hard link, or Windows' rename, which replaces nothing."""
    if os.name == "nt":
        temporary.rename(path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: the lock and the look before must do
        if path.exists():
            raise FileExistsError(errno.EEXIST, "exists", str(path)) from None
        temporary.replace(path)


def _sync_folder(folder: Path) -> None:
    """Flush the folder, so that the rename survives a power cut. Windows keeps the rename in its own journal."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.ENOTSUP):  # network folders that cannot
            raise
    finally:
        os.close(fd)


def _record(place: Place, note: Note, why: str, now: dt.datetime | None, ledger: Ledger) -> Ledger:
    """Append a line to the note's ledger, which is `ledger` so far, and flush it; returns the ledger with it."""
    line = next_line(ledger, note, why, now or dt.datetime.now(dt.UTC))
    folder = place.ledger.parent
    folder.mkdir(parents=True, exist_ok=True)
    if not os.path.realpath(folder).startswith(os.path.realpath(place.root / FOLDER)):
        raise StoreError(f"{folder} leads out of {place.root / FOLDER}; ladder keeps no ledger behind a link")
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(place.ledger, flags, 0o666)
    try:
        size = os.fstat(fd).st_size
        if size:
            _write_all(fd, _after_half_line(fd, size, ledger))
        _write_all(fd, line)
        os.fsync(fd)
    finally:
        os.close(fd)
    if not size:
        _sync_folder(folder)
    return extended(ledger, line)


def _after_half_line(fd: int, size: int, ledger: Ledger) -> bytes:
    """What must come before the next line. Half a line, which a killed writer left, is cut off: it says nothing."""
    os.lseek(fd, max(0, size - (1 << 20)), os.SEEK_SET)
    tail = os.read(fd, 1 << 20)
    half = tail[tail.rfind(b"\n") + 1 :]
    if not half:
        return b""
    if ledger.records and ledger.records[-1].line.endswith(half):
        return b"\n"
    os.ftruncate(fd, size - len(half))
    return b""


def _no_links(place: Place) -> None:
    """Refuse a note that is a link, or lies behind one that leads out of the notes (R25).

    Raises:
        StoreError: names the link and where it leads.
    """
    if place.path.is_symlink():
        raise StoreError(f"{place.path} is a link to {place.path.readlink()}; ladder writes no note through a link")
    real_root, real = os.path.realpath(place.root), os.path.realpath(place.path.parent)
    if real != real_root and not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise StoreError(f"{place.path.parent} leads out of {place.root} to {real}; ladder writes no note there")


@contextlib.contextmanager
def _locked(place: Place) -> Iterator[None]:
    """Hold the note's lock."""
    _no_links(place)
    folder = place.lock.parent
    if folder.parent.is_symlink() or folder.is_symlink():
        raise StoreError(f"{folder.parent} is a link; ladder keeps no ledger behind one")
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("locks/\n", encoding="utf-8")
    lock = filelock.FileLock(place.lock, timeout=_PATIENCE, poll_interval=_POLL)
    try:
        with lock:
            yield
    except filelock.Timeout:
        message = f"{place.relative}: another writer has held the note for {_PATIENCE:.0f} s; try again"
        raise StoreError(message) from None


@contextlib.contextmanager
def _told(place: Place) -> Iterator[None]:
    """One clear line for what the disk refuses."""
    try:
        yield
    except FileExistsError as error:
        raise StoreError(f"{error.filename2 or error.filename} exists already; nothing was written") from error
    except FileNotFoundError as error:
        raise StoreError(f"{place.relative}: no such note; `ladder note new` makes one") from error
    except OSError as error:
        raise StoreError(f"{place.relative}: not written, the note is as it was: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    known = {errno.ENOSPC: "the disk is full", errno.EROFS: "the disk is read-only", errno.EACCES: "permission denied"}
    reason = known.get(error.errno or 0, error.strerror or str(error))
    return f"{reason} ({error.filename})" if error.filename else reason
