"""The only module that opens note files and ledgers for writing. Its callers hold the note's lock.

A note is replaced, never written in place: the new bytes go to a hidden file in the same folder, which is flushed to
the disk and then renamed over the note, so that a reader, a crash or a power cut finds the old note or the new one.
"""

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

from notes.atomic import rename_over
from notes.files.place import Place, no_links_to_ledger
from notes.writing.ledger import Ledger

#: What the hidden file begins and ends with that new bytes are first written to. It is never taken for a note.
TEMPORARY = (".ladder-", ".tmp")


def read_note(path: Path) -> bytes:
    """The note's bytes; a link is not followed."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(fd, "rb") as file:
        return file.read()


def replace_note(path: Path, data: bytes, *, expect: bytes | None = None, new: bool = False) -> bool:
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
        if expect is not None and read_note(path) != expect:
            return False
        if new:
            _link_new(temporary, path)
        else:
            rename_over(temporary, path)
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


def append_line(place: Place, ledger: Ledger, line: bytes) -> None:
    """Append a line to the note's ledger, which is `ledger` so far, and flush it."""
    folder = place.ledger.parent
    folder.mkdir(parents=True, exist_ok=True)
    no_links_to_ledger(place)
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


def _after_half_line(fd: int, size: int, ledger: Ledger) -> bytes:
    """What must come before the next line. Half a line, which a killed writer left, is cut off: it says nothing."""
    os.lseek(fd, max(0, size - (1 << 20)), os.SEEK_SET)
    tail = os.read(fd, 1 << 20)
    half = tail[tail.rfind(b"\n") + 1 :]
    if not half:
        return b""
    if any(record.line.endswith(half) for record in ledger.records):
        return b"\n"
    os.ftruncate(fd, size - len(half))
    return b""
