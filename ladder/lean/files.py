"""Files as the hook reads and writes them, without pathlib: private ones, and a note's bytes.

Twin of `notes.atomic`, whose imports cost the hook too much; tests/lean/test_files.py holds that both write the same.
"""
# pathlib costs more to import than the whole answer:
# ruff: noqa: PTH102, PTH105, PTH108, PTH116

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.note_view import NoteRow


def replace_private(path: str, data: bytes) -> bool:
    """Put new content in a private file's place in one step; False where that cannot be done, and nothing changed."""
    temporary = f"{path}.{os.getpid()}.new"
    try:
        if not append_private(temporary, data):
            return False
        os.replace(temporary, path)
    except OSError:  # read-only, or in use on Windows: the next hook tries again
        try:  # noqa: SIM105 (contextlib is one import more)
            os.unlink(temporary)
        except OSError:  # read-only
            pass
        return False
    return True


def read_private(path: str, limit: int, end: int | None = None) -> bytes:
    """Return the last `limit` bytes of a plain file (before byte `end`), or nothing; never waits, also for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return b""
    try:
        status = os.fstat(descriptor)
        if status.st_mode & 0o170000 != 0o100000:
            return b""
        last = status.st_size if end is None else min(end, status.st_size)
        first = max(0, last - limit)
        if first:
            os.lseek(descriptor, first, 0)
        parts: list[bytes] = []
        left = limit if end is None else last - first
        while left > 0:
            part = os.read(descriptor, left)
            if not part:
                break
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def append_private(path: str, data: bytes) -> bool:
    """Append to a file that only its owner can read, in one write; make it and its folder if missing. True if done."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_BINARY", 0)
    for _attempt in (1, 2):
        try:
            descriptor = os.open(path, flags, 0o600)
        except FileNotFoundError:
            if not make_private_folder(path.rpartition("/")[0]):
                return False
            continue
        except (OSError, ValueError):
            return False
        try:
            return os.write(descriptor, data) == len(data)
        except OSError:
            return False
        finally:
            os.close(descriptor)
    return False


def make_private_folder(path: str) -> bool:
    """Make a folder and those above it; what is made can be entered by its owner only. True when it is there."""
    missing: list[str] = []
    while path and not _is_folder(path):
        missing.append(path)
        path = path.rpartition("/")[0]
    try:
        for folder in reversed(missing):
            os.mkdir(folder, 0o700)
    except FileExistsError:  # another hook was faster
        return _is_folder(missing[0])
    except (OSError, ValueError):
        return False
    return True


def _is_folder(path: str) -> bool:
    try:
        return os.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False


def note_bytes(row: NoteRow, start: int, end: int) -> bytes:
    """Return bytes of a note's file; nothing when it is gone, or when something else stands in its place."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(row.path, flags)
    except (OSError, ValueError):
        return b""
    try:
        if os.fstat(descriptor).st_mode & 0o170000 != 0o100000:
            return b""
        os.lseek(descriptor, start, 0)
        return os.read(descriptor, end - start)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
