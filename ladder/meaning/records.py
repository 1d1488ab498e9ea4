"""Vectors by the hash of the text that they stand for, in one file of a cache folder: added to, never changed in place.

A text that stands in many notes has one. The table of an index (table.py) says which file its numbers are of. What was
being added when a process ended is there up to its last whole record, so the next one goes on. Layout: records one
behind another, as `dtype` says: 16 bytes hash, a factor, and the vector's numbers divided by it, rounded to 8 bits.
"""

from __future__ import annotations

import os
from glob import escape as glob_escape
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ladder.lean.paths import make_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

#: Rows that are turned to floats at once, so that they stay in the processor's cache.
_AT_ONCE = 1024
_LARGEST = 127


def records_files(index: str, model: str = "") -> list[Path]:
    """Return the files of vectors beside the index in the file `index`, of one model or of all; the newest last."""
    folder, name = Path(index).parent, Path(index).name
    found = folder.glob(f"{glob_escape(name)}.vectors-{model or '*'}-[0-9]*")
    return sorted((path for path in found if path.name.rpartition("-")[2].isdigit()), key=_generation)


def _generation(path: Path) -> int:
    return int(path.name.rpartition("-")[2])


def first_file(index: str, model: str) -> Path:
    """Return the name of the first file of a model's vectors."""
    return Path(f"{index}.vectors-{model}-0")


def text_hash(text: str) -> bytes:
    """Return 16 bytes that stand for a text."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def dtype(width: int) -> np.dtype[np.void]:
    """Return how a record of a vector of `width` numbers lies in the file."""
    return np.dtype([("key", "V16"), ("factor", "<f4"), ("numbers", "i1", (width,))])


def packed(keys: list[bytes], vectors: Floats) -> bytes:
    """Return vectors, given as rows of length 1, as records."""
    found = np.zeros(len(keys), dtype(vectors.shape[1]))
    found["key"] = np.frombuffer(b"".join(keys), "V16")
    largest = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / _LARGEST
    found["factor"] = largest
    found["numbers"] = np.rint(vectors / largest[:, None])
    return found.tobytes()


class Records:
    """The file, open for reading: as many records as it held when it was opened."""

    def __init__(self, path: Path, width: int) -> None:
        """Map the file; one that is not there holds no records."""
        kind = dtype(width)
        try:
            count = path.stat().st_size // kind.itemsize
        except OSError:
            count = 0
        self.count = count
        self._rows = np.memmap(path, kind, mode="r", shape=(count,)) if count else np.zeros(0, kind)

    def numbers(self) -> dict[bytes, int]:
        """Return hash -> number of its record, the last one where it was added twice."""
        keys = self._rows["key"].tobytes()
        return {keys[at * 16 : at * 16 + 16]: at for at in range(self.count)}

    def cosines(self, vector: Floats, wanted: npt.NDArray[np.uint32]) -> Floats:
        """Return the cosine of `vector`, of length 1, with each of the `wanted` records; IndexError beyond the last."""
        found = np.empty(len(wanted), np.float32)
        for begin in range(0, len(wanted), _AT_ONCE):
            rows = self._rows[wanted[begin : begin + _AT_ONCE]]
            found[begin : begin + _AT_ONCE] = (rows["numbers"].astype(np.float32) @ vector) * rows["factor"]
        return found


def add(path: Path, records: bytes) -> None:
    """Append whole records to the file, readable for its owner only."""
    make_folder(path.parent)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o600)
    with os.fdopen(descriptor, "ab") as file:
        file.write(records)


def mend(path: Path, width: int) -> None:
    """Cut off the part of a record that a process left when it ended."""
    size = dtype(width).itemsize
    if path.is_file() and path.stat().st_size % size:
        os.truncate(path, path.stat().st_size // size * size)


def kept(path: Path, width: int, keys: Iterable[bytes]) -> Path:
    """Write the records of these hashes alone into a new file and return it; the old one may still be read."""
    records = Records(path, width)
    numbers = records.numbers()
    rows = records._rows[sorted(numbers[key] for key in set(keys) if key in numbers)]  # noqa: SLF001 (of this module)
    stem, _, generation = path.name.rpartition("-")
    new = path.with_name(f"{stem}-{int(generation) + 1}")
    new.unlink(missing_ok=True)
    add(new, rows.tobytes())
    return new
