"""A note's file as it is read for the index: its bytes, and what tells that it changed since."""

import os
from typing import NamedTuple

from notes import NoteFile


class Signature(NamedTuple):
    """What a file looked like when it was read."""

    size: int
    mtime_ns: int
    inode: int


class Source(NamedTuple):
    """One note to be indexed."""

    name: str
    path: str
    data: bytes
    signature: Signature
    """Zeros when there is no file."""
    utf8: bool = True
    """False when the bytes are not UTF-8: it is indexed as far as it can be read, and the person is told (R20)."""


def read_source(file: NoteFile) -> Source | None:
    """The note in `file`; None when it is gone or cannot be read. The signature is of what was read."""
    try:
        descriptor = os.open(file.path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        parts = []
        while part := os.read(descriptor, max(status.st_size + 1, 65536)):
            parts.append(part)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    data = b"".join(parts)
    # A file that grew while it was read gets a signature that fits nothing: it is looked at again next time.
    size = status.st_size if len(data) == status.st_size else -1
    inode = status.st_ino & 0xFFFFFFFFFFFFFFFF
    return Source(file.name, file.path, data, Signature(size, status.st_mtime_ns, inode), is_utf8(data))


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def read_status(path: str) -> tuple[Signature, float] | None:
    """What the file looks like, and when it was last changed in any way (s since 1970); None when it is gone."""
    try:
        status = os.stat(path)  # noqa: PTH116 (ten thousand of them)
    except OSError:
        return None
    signature = Signature(status.st_size, status.st_mtime_ns, status.st_ino & 0xFFFFFFFFFFFFFFFF)
    # A time that was put back after an edit shows in the other one.
    return signature, max(status.st_mtime, status.st_ctime)
