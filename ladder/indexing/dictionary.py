"""Writes the look-up parts of the index: the vocabulary, the pages of notes, the table of names."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from math import log1p
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from ladder.index.format import DENSE, ENTRY_FIELDS, INLINE, PAGE_NOTES, SEAL, UNIT, checksum, seal, term_hash
from ladder.indexing.hash_table import U64, Places
from ladder.indexing.term_counts import ranges, sums
from ladder.text.tokenizer import name_terms

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

    def write(self, data: bytes | memoryview) -> int:
        """Write what is already sealed; returns where it begins."""
        begin = self.at
        self.file.write(data)
        self.at += len(data)
        return begin

    def block(self, payload: bytes) -> tuple[int, int]:
        """Seal and write; returns offset and length as a reader wants them (checksum included)."""
        return self.write(seal(payload, self.at)), len(payload) + SEAL


class Postings(NamedTuple):
    """All postings, by term; a term's notes come before its labels."""

    begins: npt.NDArray[np.int64]
    """Where each term's postings begin, and at last the end."""
    numbers: Numbers
    """Note numbers."""
    values: npt.NDArray[np.uint16]
    """Impacts."""
    spots: npt.NDArray[np.uint16]
    """See format.SPOTS; 0 of labels."""


def write_lists(out: Out, entries: U32, postings: Postings, count: int) -> None:
    """Write the posting lists that are too long to lie in a bucket, and note in `entries` where each is.

    `count` is how many notes there are. A list is two blocks. The first has two runs, its notes and its labels: each
    either note numbers and then impacts, or, where it is long, one impact a note. The second has its notes' spots, in
    the order of the first run.
    """
    chosen = np.flatnonzero(np.diff(postings.begins) > INLINE)
    middles = postings.begins[chosen] + entries[chosen, 1]
    begins = np.stack((postings.begins[chosen], middles), 1).ravel()
    sizes = np.stack((middles, postings.begins[chosen + 1]), 1).ravel() - begins
    dense = sizes * DENSE > count
    wide = postings.numbers.dtype.itemsize // 2
    run_sizes = np.where(dense, count, sizes * (wide + 1))
    list_sizes = run_sizes[::2] + run_sizes[1::2]
    spot_sizes = np.where(dense, count, sizes)[::2]
    for mine in _portions(list_sizes + spot_sizes):
        runs = slice(2 * mine.start, 2 * mine.stop)
        row = _Row([np.stack((list_sizes[mine], spot_sizes[mine]), 1).ravel()])
        of_lists, of_spots = row.places[::2], row.places[1::2]
        places = np.stack((of_lists, of_lists + run_sizes[runs][::2]), 1).ravel()
        is_dense = dense[runs]
        first, size, place = begins[runs][~is_dense], sizes[runs][~is_dense], places[~is_dense]
        row.put(place, _units(postings.numbers), first * wide, size * wide)
        row.put(place + size * wide, postings.values, first, size)
        row.put_by_note(places[is_dense], postings, postings.values, begins[runs][is_dense], sizes[runs][is_dense])
        first, size, is_dense = begins[runs][::2], sizes[runs][::2], is_dense[::2]
        row.put(of_spots[~is_dense], postings.spots, first[~is_dense], size[~is_dense])
        row.put_by_note(of_spots[is_dense], postings, postings.spots, first[is_dense], size[is_dense])
        entries[chosen[mine], 0] = (out.at + row.seal_after(out.at)[::2]) // UNIT
        out.write(row.data)


def write_buckets(
    out: Out, entries: U32, postings: Postings, sizes: npt.NDArray[np.int64], hashes: U64
) -> npt.NDArray[np.uint32]:
    """Write the vocabulary; returns where each bucket begins, and where the last one ends, in UNITs.

    `sizes` are the terms of each bucket; `entries` and `hashes` (64 bits, as they lie in the file) are the terms', one
    after the other.
    """
    own = np.diff(postings.begins)
    inline = own <= INLINE
    kept = np.repeat(inline, own)
    numbers, values, spots = _units(postings.numbers[kept]), postings.values[kept], postings.spots[kept]
    wide = postings.numbers.dtype.itemsize // 2
    of_terms = sums(sizes)  # where each bucket's terms begin
    of_postings = sums(np.where(inline, own, 0))  # where each term's postings begin among the inline ones
    first = of_postings[of_terms[:-1]]
    entries[inline, 0] = (of_postings[:-1] - np.repeat(first, sizes))[inline]
    held = np.diff(of_postings[of_terms])
    heads = np.stack((sizes, held), 1).astype(np.uint32)
    row = _Row([np.full(len(sizes), 4), 4 * sizes, 2 * ENTRY_FIELDS * sizes, wide * held, held, held], before=True)
    place = row.places
    for source, begin, size in (
        (_units(heads), 4 * np.arange(len(sizes)), np.full(len(sizes), 4)),
        (_units(hashes), 4 * of_terms[:-1], 4 * sizes),
        (_units(entries), 2 * ENTRY_FIELDS * of_terms[:-1], 2 * ENTRY_FIELDS * sizes),
        (numbers, wide * first, wide * held),
        (values, first, held),
        (spots, first, held),
    ):
        row.put(place, source, begin, size)
        place = place + size
    begins = row.seal_before(out.at)
    places = (out.at + np.append(begins, len(row.data))) // UNIT
    out.write(row.data)
    return places.astype(np.uint32)


#: Units (of 16 bits) of lists that are laid out at a time.
_AT_A_TIME = 1 << 21


def _portions(sizes: Places) -> Iterator[slice]:
    """Neighbours whose sizes add up to about _AT_A_TIME."""
    ends = np.flatnonzero(np.diff(sums(sizes)[1:] // _AT_A_TIME)) + 1
    borders = [0, *ends.tolist(), len(sizes)]
    return (slice(first, last) for first, last in pairwise(borders) if first < last)


def _units(column: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
    """A column as the row of 16-bit units that it is in memory."""
    return np.ascontiguousarray(column).reshape(-1).view(np.uint16)


class _Row:
    """Many blocks, one after the other, filled in by columns; a block is a whole number of 16-bit units."""

    def __init__(self, sizes: Sequence[Places], *, before: bool = False) -> None:
        """Lay out blocks whose columns are of `sizes` units; with `before` the checksum precedes what it is of."""
        self._sizes = sum(sizes[1:], start=sizes[0])
        whole = self._sizes * 2 + SEAL
        whole += -whole % UNIT
        self._begins = sums(whole)
        self._before = before
        self.units = np.zeros(int(self._begins[-1]) // 2, np.uint16)
        #: Where each block's payload begins, in units.
        self.places = (self._begins[:-1] + (SEAL if before else 0)) // 2

    def put(self, places: Places, source: npt.NDArray[np.uint16], begins: Places, sizes: Places) -> None:
        """Copy a run of `source` for each place (in units)."""
        self.units[ranges(places, sizes)] = source[ranges(begins, sizes)]

    def put_by_note(
        self, places: Places, postings: Postings, source: npt.NDArray[np.uint16], begins: Places, sizes: Places
    ) -> None:
        """Put what `source` has of a run of postings for each place, each at its note's number."""
        run = ranges(begins, sizes)
        self.units[np.repeat(places, sizes) + postings.numbers[run]] = source[run]

    def seal_after(self, at: int) -> Places:
        """Put each block's checksum behind its payload, before the zeros; returns where blocks begin, in bytes.

        The row is to be written at byte `at`.
        """
        data, begins = self.data, self._begins[:-1]
        for begin, end in zip(begins.tolist(), (begins + 2 * self._sizes).tolist(), strict=True):
            data[end : end + SEAL] = checksum(data[begin:end], at + begin)
        return begins

    def seal_before(self, at: int) -> Places:
        """Put each block's checksum, which is of the zeros too, before its payload; the rest as in `seal_after`."""
        data = self.data
        for begin, end in pairwise(self._begins.tolist()):
            data[begin : begin + SEAL] = checksum(data[begin + SEAL : end], at + begin)
        return self._begins[:-1]

    @property
    def data(self) -> memoryview:
        """The blocks as bytes."""
        return memoryview(self.units.data.cast("B"))


def write_pages(
    out: Out, places: "array[int]", changed: Sequence[int], names: Sequence[str], notes_with: Callable[[str], int]
) -> list[tuple[int, int]]:
    """Write the pages of notes (see format.py); returns where each is, and its length with the checksum.

    `places` holds three numbers a note; `notes_with` says how many notes hold a term.
    """
    count = len(names)
    cut = [name_terms(name)[:_NAME_TERMS] for name in names]
    # A word that no text holds, not even the note's own, still tells one note from others: it counts as held by one.
    known = {term: max(notes_with(term), 1) for term in set(chain.from_iterable(cut))}
    idf = {term: log1p((count - df + 0.5) / (df + 0.5)) for term, df in known.items()}
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
                + array("d", [idf[term] for term in all_terms]).tobytes()
                + array("I", map(term_hash, all_terms)).tobytes()
                + array("I", [min(max(s, 0), 0xFFFFFFFF) for s in changed[first : first + PAGE_NOTES]]).tobytes()
                + begins.tobytes()
            )
        )
    return pages


def write_names(names: list[str]) -> bytes:
    """The table that `Index.find` looks into: lines of NUL, folded key, NUL, number; a key may stand there twice."""
    from ladder.index.name_table import fold_name  # noqa: PLC0415 (the reader's fold; nothing else of the reader is needed here)

    lines = []
    for number, line in enumerate(names):
        lines.extend([f"\0{key}\0{number}\n" for key in dict.fromkeys(map(fold_name, line.split("\x01")))])
    return "".join(lines).encode("utf-8", "replace")
