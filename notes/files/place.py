"""Where a note lies, what may not be written there, the lock on it, and how a refusal is told."""

import contextlib
import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import filelock

#: The folder beside the notes that holds the ledger; its locks are never committed.
FOLDER = ".ladder"
_PATIENCE = 20.0  # seconds that a writer waits for the one before it
_POLL = 0.01  # seconds between two looks at a lock that another writer holds


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


def no_links(place: Place) -> None:
    """Refuse a note that is a link, or lies behind one that leads out of the notes (R25).

    Raises:
        StoreError: names the link and where it leads.
    """
    if place.path.is_symlink():
        raise StoreError(f"{place.path} is a link to {place.path.readlink()}; ladder writes no note through a link")
    real_root, real = os.path.realpath(place.root), os.path.realpath(place.path.parent)
    if real != real_root and not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise StoreError(f"{place.path.parent} leads out of {place.root} to {real}; ladder writes no note there")


def no_links_to_ledger(place: Place) -> None:
    """Refuse a ledger that lies behind a link.

    Raises:
        StoreError: names the folder.
    """
    if not os.path.realpath(place.ledger.parent).startswith(os.path.realpath(place.root / FOLDER)):
        message = f"{place.ledger.parent} leads out of {place.root / FOLDER}; ladder keeps no ledger behind a link"
        raise StoreError(message)


@contextlib.contextmanager
def locked(place: Place) -> Iterator[None]:
    """Hold the note's lock."""
    no_links(place)
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
def told(place: Place) -> Iterator[None]:
    """One clear line for what the disk refuses."""
    try:
        yield
    except FileExistsError as error:
        raise StoreError(f"{error.filename2 or error.filename} exists already; nothing was written") from error
    except FileNotFoundError as error:
        raise StoreError(f"{place.relative}: no such note; `ladder note new` makes one") from error
    except OSError as error:
        raise StoreError(f"{place.relative}: not written, the note is as it was: {reason(error)}") from error


def reason(error: OSError) -> str:
    """What went wrong, in words that a person uses, and where."""
    known = {errno.ENOSPC: "the disk is full", errno.EROFS: "the disk is read-only", errno.EACCES: "permission denied"}
    reason = known.get(error.errno or 0, error.strerror or str(error))
    return f"{reason} ({error.filename})" if error.filename else reason
