"""Writes what a reader of the index looks things up in: the vocabulary, the pages of notes, the table of names."""

import sys
from _imp import source_hash
from array import array
from collections.abc import Sequence
from math import log1p
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from ladder.coldformat import HASH_KEY, INLINE, PAGE_NOTES, SEAL, UNIT, checksum, seal, term_hash
from ladder.named import name_terms

U32 = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]

#: Terms of a name that are kept: those of a page are counted in 16 bits.
_NAME_TERMS = 1000


class Out:
    """The file while it is written: blocks one after the other, each at a multiple of UNIT."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin at the file's beginning."""
        self.file = file
        self.at = 0

    def write(self, data: bytes) -> int:
        """Write what is already sealed; returns where it begins."""
        begin = self.at
        self.file.write(data)
        self.at += len(data)
        return begin

    def block(self, payload: bytes) -> tuple[int, int]:
        """Seal and write; returns offset and length as a reader wants them (checksum included)."""
        return self.write(seal(payload)), len(payload) + SEAL


class Postings(NamedTuple):
    """All postings, by term; a term's notes come before its labels."""

    begins: npt.NDArray[np.int64]
    """Where each term's postings begin, and at last the end."""
    numbers: Numbers
    """Note numbers."""
    values: npt.NDArray[np.uint16]
    """Impacts."""


def write_buckets(
    out: Out, entries: U32, postings: Postings, sizes: npt.NDArray[np.int64], words: list[str]
) -> "array[int]":
    """Write the vocabulary; returns where each bucket begins, and where the last one ends, in UNITs.

    `sizes` are the terms of each bucket, `entries` and `words` theirs, one after the other.
    """
    own = np.diff(postings.begins)
    inline = own <= INLINE
    kept = np.repeat(inline, own)
    small_numbers, small_values = postings.numbers[kept], postings.values[kept]
    ends = np.cumsum(np.where(inline, own, 0))  # of each term's postings among the inline ones
    begins = np.concatenate(([0], ends))
    places = array("I")
    term = 0
    for end in np.cumsum(sizes).tolist():
        first, last = int(begins[term]), int(begins[end])
        mine = entries[term:end]
        mine[inline[term:end], 0] = (begins[term:end] - first)[inline[term:end]]
        body = b"".join((
            (end - term).to_bytes(4, sys.byteorder), (last - first).to_bytes(4, sys.byteorder),
            b"".join([source_hash(HASH_KEY, word.encode("utf-8", "replace")) for word in words[term:end]]),
            mine.tobytes(), small_numbers[first:last].tobytes(), small_values[first:last].tobytes(),
        ))  # fmt: skip
        body += bytes(-len(body) % UNIT)
        places.append(out.write(checksum(body) + body) // UNIT)
        term = end
    places.append(out.at // UNIT)
    return places


def write_pages(
    out: Out, places: "array[int]", changed: Sequence[int], names: Sequence[str], words: list[str], held: U32
) -> list[tuple[int, int]]:
    """Write the pages of notes (see coldformat); returns where each is, and its length with the checksum.

    `places` holds three numbers a note; `held` says how many notes hold each of `words`.
    """
    count = len(names)
    cut = [name_terms(name)[:_NAME_TERMS] for name in names]
    wanted = {term for terms in cut for term in terms}
    known = {word: int(df) for word, df in zip(words, held.tolist(), strict=True) if word in wanted}
    idf = {term: log1p((count - df + 0.5) / (df + 0.5)) if df else 0.0 for term, df in known.items()}
    pages = []
    for first in range(0, count, PAGE_NOTES):
        here = cut[first : first + PAGE_NOTES]
        begins = array("H", [0])
        for terms in here:
            begins.append(begins[-1] + len(terms))
        all_terms = [term for terms in here for term in terms]
        pages.append(
            out.block(
                places[first * 3 : (first + PAGE_NOTES) * 3].tobytes()
                + array("d", [idf.get(term, 0.0) for term in all_terms]).tobytes()
                + array("I", map(term_hash, all_terms)).tobytes()
                + array("I", [min(max(s, 0), 0xFFFFFFFF) for s in changed[first : first + PAGE_NOTES]]).tobytes()
                + begins.tobytes()
            )
        )
    return pages


def write_names(names: list[str]) -> bytes:
    """The table that `Index.find` looks into: lines of NUL, folded key, NUL, number; a key may stand there twice."""
    from ladder.cold import fold_name  # noqa: PLC0415 (the reader's fold; nothing else of the reader is needed here)

    lines = []
    for number, line in enumerate(names):
        lines.extend([f"\0{key}\0{number}\n" for key in dict.fromkeys(map(fold_name, line.split("\x01")))])
    return "".join(lines).encode("utf-8", "replace")
