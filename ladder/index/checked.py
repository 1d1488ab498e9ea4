"""An index that can tell of each note whether its file is still what was indexed."""
# pathlib costs more to import than all that is done here:
# ruff: noqa: PTH116

from __future__ import annotations

import os

from ladder.index.freshness import read_file
from ladder.index.reader import Index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Seconds within which two edits of a file may have the same time (FAT keeps times of two seconds).
TICK = 2.0
#: Whether a file's `st_ctime` is its last change of any kind; on Windows it is the time of creation.
CHANGE_TIMES = os.name != "nt"


class CheckedIndex(Index):
    """An index with a look at the files that it was made of."""

    def __init__(self, path: str) -> None:
        """Open the file; nothing is looked at yet."""
        super().__init__(path)
        #: True when `ladder index` should run: something changed, here or more than could be taken in.
        self.stale = False
        self._files: dict[str, Any] | None = None
        self._columns: tuple[memoryview, memoryview, memoryview] | None = None
        self._racy_before: float | None = None

    def _look(self) -> dict[str, Any]:
        if self._files is None:
            self._files = files = self.files()
            self._columns = (
                memoryview(files["size"]).cast("q"), memoryview(files["mtime"]).cast("Q"),
                memoryview(files["inode"]).cast("Q"),
            )  # fmt: skip
        return self._files

    def _verified(self) -> float:
        """Until when an edit would show in the file's time: the index's beginning, or a later check of contents."""
        if self._racy_before is None:
            self._racy_before = self.begun
            try:
                descriptor = os.open(self.path + ".seen", os.O_RDONLY)
                try:
                    index, _, when = os.read(descriptor, 64).partition(b" ")
                finally:
                    os.close(descriptor)
                if index == repr(self.begun).encode():
                    self._racy_before = float(when)
            except (OSError, ValueError):
                pass  # no check was noted
        return self._racy_before

    def _note_check(self, when: float) -> None:
        """Remember that all contents were as indexed at `when`, so that they need not be read again."""
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
            descriptor = os.open(self.path + ".seen", flags, 0o600)
        except OSError:
            return  # a folder that cannot be written to: contents are read again next time
        try:
            os.write(descriptor, f"{self.begun!r} {when!r}".encode())
        finally:
            os.close(descriptor)

    def _same(self, n: int) -> tuple[bool, bool]:
        """Whether note `n`'s file is as it was indexed, and whether its content had to be read to know."""
        files = self._look()
        assert self._columns is not None
        sizes, mtimes, inodes = self._columns
        try:
            status = os.stat(files["paths"][n])
        except OSError:
            return False, False
        seen = (status.st_size, status.st_mtime_ns, status.st_ino & 0xFFFFFFFFFFFFFFFF)
        if seen != (sizes[n], mtimes[n], inodes[n]):
            # Touched, moved or copied back: the content may still be the same, but `ladder index` should see to it.
            self.stale = True
            return status.st_size == sizes[n] and self._same_content(n), False
        # Times that were put back after an edit show in when the file was last changed in any way.
        if max(status.st_mtime, status.st_ctime) + TICK < self._verified():
            return True, False
        return self._same_content(n), True

    def _same_content(self, n: int) -> bool:
        from _blake2 import blake2b  # noqa: PLC0415 (only for files of the last seconds; hashlib would load OpenSSL)

        files = self._look()
        data = read_file(files["paths"][n])
        return data is not None and blake2b(data, digest_size=16).digest() == files["hash"][n * 16 : n * 16 + 16]

    def _untouched(self, n: int) -> bool:
        """Whether the file's times and size alone tell that it is as it was: without the table of all files."""
        if not CHANGE_TIMES:
            return False
        row = super().note(n)
        try:
            status = os.stat(row.path)
        except (OSError, ValueError):
            return False
        ends = super().passages(n).s_end
        last = max(status.st_mtime, status.st_ctime)  # a time that was set back shows in the other one
        return (
            last + TICK < self.begun
            and status.st_mtime_ns // 1_000_000_000 == row.changed
            and bool(ends)
            and status.st_size == ends[-1]
        )
