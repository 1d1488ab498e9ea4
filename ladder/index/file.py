"""An index file that is open: its header, its meta block, and reading a block with its checksum checked.

Only C modules of the standard library. Nothing is mapped into memory: a page that the system dropped costs one read.
"""

from __future__ import annotations

import os
from time import perf_counter

from ladder.index.format import HEADER_SIZE, IndexBroken, unpack_header, unpack_values, unseal
from ladder.index.readahead import expect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

#: Seconds that no read of a page in memory takes; one from a disk takes more.
_READ = 25e-6


def _seek(descriptor: int, length: int, offset: int) -> bytes:
    os.lseek(descriptor, offset, 0)
    return os.read(descriptor, length)


pread = getattr(os, "pread", _seek)  # Windows has none


class IndexFile:
    """An index file, open for reading: what it says of itself, and its blocks.

    Any method may raise IndexBroken when the file turns out damaged.
    """

    def __init__(self, path: str) -> None:
        """Open the file and read what it says of itself; IndexBroken when it cannot be used."""
        try:
            self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise IndexBroken(f"no index: {error.strerror}") from error
        self.path = path
        try:
            self._size = os.fstat(self._fd).st_size
            begun = perf_counter()
            header = self._pread(0, HEADER_SIZE)
            #: Whether the first page had to come from the disk: then so will the others (see readahead.py).
            self._from_disk = perf_counter() - begun > _READ
            offset, length = unpack_header(header, self._size)
            meta = unpack_values(self.block(offset, length))
            if not isinstance(meta, dict):
                raise IndexBroken("the meta block is of another kind")  # noqa: TRY301 (the file is closed below)
            self._meta: dict[str, Any] = meta
            self._base: int = meta["count"]  # notes in the file; `count` may be more (see overlay.py)
            self.count: int = self._base
            self.root: str = meta["root"]
            self.settings: dict[str, Any] = meta["settings"]
            self.paragraph_count: int = meta["paragraphs"]
            self.section_count: int = meta["sections"]
            self.mean_note: float = meta["mean_note"]
            self.mean_label: float = meta["mean_label"]
            self.mean_paragraph: float = meta["mean_paragraph"]
            self.estimated: bool = meta["estimated"]
            self.code: str = meta["code"]  # of a note number: "H" (16 bits) or "I" (32)
            self._buckets: int = meta["buckets"]
            self.not_utf8: list[str] = meta.get("not_utf8", [])  # files that could be read only in part
        except KeyError as error:
            self.close()
            raise IndexBroken("the meta block lacks a field") from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; asking anything afterwards is an error."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_fd", -1) >= 0:
            self.close()

    def _pread(self, offset: int, length: int) -> bytes:
        if offset < 0 or length < 0 or offset + length > self._size:
            raise IndexBroken("a place outside the file")
        try:
            data = pread(self._fd, length, offset)
        except OSError as error:
            raise IndexBroken(f"the index cannot be read: {error.strerror}") from error
        if len(data) != length:
            raise IndexBroken("the index ends too early")
        return data

    def block(self, offset: int, length: int) -> bytes:
        """The payload of the block at `offset`; `length` is with its checksum."""
        return unseal(self._pread(offset, length), offset)

    def _table(self, name: str) -> bytes:
        try:
            offset, length = self._meta[name]
        except (KeyError, TypeError, ValueError) as error:
            raise IndexBroken(f"no table {name}") from error
        return self.block(offset, length)

    def _announce(self, places: list[tuple[int, int]]) -> None:
        """Say that these (offset, length) are about to be read; see readahead.py."""
        expect(self._fd, places)
