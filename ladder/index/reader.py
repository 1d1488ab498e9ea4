"""The cold reader: answers from the index file with a few small reads; the same in hook, command line and bench.

Only C modules of the standard library. Nothing is mapped into memory: a page that the system dropped costs one read.
"""

from __future__ import annotations

import os
import sys
from _imp import source_hash
from time import perf_counter

from ladder.index.format import (
    BUCKET_HEAD,
    DENSE,
    ENTRY_FIELDS,
    HASH_KEY,
    HEADER_SIZE,
    INLINE,
    ITEM_SIZE,
    PAGE_NOTES,
    SCALE,
    SEAL,
    UNIT,
    IndexBroken,
    checksum,
    unpack_header,
    unpack_values,
    unseal,
)
from ladder.index.name_table import bearers, first_and_last, fold_name, holders, names_ending
from ladder.index.note_view import NoteRow, ParagraphRow, Passages, SectionRow
from ladder.index.readahead import expect
from ladder.index.scoring import LANE_SUM, dense_sums, most_together
from ladder.lean.math import log1p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    #: A dense row, or None and note numbers with their impacts.
    _ColdList = tuple[bytes | None, memoryview | None, memoryview | None]

__all__ = ["Index", "NoteRow", "ParagraphRow", "Passages", "SectionRow", "open_index"]

#: Decoded posting lists, vocabulary entries and forward blocks kept in memory, each.
_KEPT = 4096
#: Seconds that no read of a page in memory takes; one from a disk takes more.
_READ = 25e-6
#: Pages of notes that are asked for at once: a quarter of a megabyte. Of more, most are not looked at.
_PAGES = 128
#: When more than 1 in this many notes is asked for, all are read: picking them out takes longer.
_WHOLE = 4
#: Names that are looked for one by one; for more, all names are cut up.
_FEW = 12


def _seek(descriptor: int, length: int, offset: int) -> bytes:
    os.lseek(descriptor, offset, 0)
    return os.read(descriptor, length)


_cold_pread = getattr(os, "pread", _seek)  # Windows has none


class _ColdEntry:
    """A vocabulary entry: how many notes, labels, paragraphs hold the term, and its postings once they were read."""

    __slots__ = ("bucket", "labels", "lists", "notes", "paragraphs", "spots", "where")

    def __init__(self, bucket: bytes, where: int, notes: int, labels: int, paragraphs: int) -> None:
        self.bucket = bucket  # inline postings lie in there
        self.where = where
        self.notes = notes
        self.labels = labels
        self.paragraphs = paragraphs
        self.lists: tuple[_ColdList, _ColdList] | None = None
        self.spots: memoryview | None = None


class _ColdPage:
    """A page of notes: where each lies, when it changed, and the terms of their names; see format.PAGE_NOTES."""

    __slots__ = ("begins", "changed", "hashes", "idf", "places")

    def __init__(self, payload: bytes, notes: int) -> None:
        terms, odd = divmod(len(payload) - notes * 30 - 2, 12)
        if odd or terms < 0:
            raise IndexBroken("a page of notes is of another length")
        view = memoryview(payload)
        at = notes * 24 + terms * 8
        self.places = view[: notes * 24].cast("Q")
        self.idf = view[notes * 24 : at].cast("d")
        self.hashes = view[at : at + terms * 4].cast("I")
        self.changed = view[at + terms * 4 : at + terms * 4 + notes * 4].cast("I")
        self.begins = view[at + terms * 4 + notes * 4 :].cast("H")


class Index:
    """An index file, open for reading. Notes are numbered 0 to count - 1 in the order of their names.

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
        self._bucket_at: memoryview | None = None
        self._pages: dict[int, _ColdPage] = {}
        self._entries: dict[str, _ColdEntry | None] = {}
        self._passages: dict[int, Passages] = {}
        self._rows: dict[int, NoteRow] = {}
        self._names: bytes | None = None
        #: name -> number of the last note, and of the first, that bears it
        self._named: tuple[dict[bytes, bytes], dict[bytes, bytes]] | None = None

    def close(self) -> None:
        """Close the file; asking anything afterwards is an error."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Index:  # noqa: PYI034 (typing has no place in the hook)
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
            data = _cold_pread(self._fd, length, offset)
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

    # --- notes -----------------------------------------------------------------------------------------------------

    def _page(self, n: int) -> _ColdPage:
        """The page of note `n`."""
        number = n // PAGE_NOTES
        page = self._pages.get(number)
        if page is None:
            if not 0 <= n < self._base:
                raise IndexError(n)
            pages = self._meta["pages"]
            offset, length = pages[number]
            if self._from_disk and not self._pages and len(pages) <= _PAGES:  # most are needed, to compare names
                expect(self._fd, [(pages[0][0], pages[-1][0] + pages[-1][1] - pages[0][0])])
            notes = min(PAGE_NOTES, self._base - number * PAGE_NOTES)
            page = self._pages[number] = _ColdPage(self.block(offset, length), notes)
        return page

    def _place(self, n: int) -> tuple[int, int, int]:
        """Where note `n` lies: offset, length of its row, length of its forward block."""
        if not 0 <= n < self._base:
            raise IndexError(n)
        places = self._page(n).places
        at = n % PAGE_NOTES * 3
        return places[at], places[at + 1], places[at + 2]

    def named_among(self, notes: Sequence[int], keys: Mapping[int, float]) -> list[int]:
        """Those of `notes` whose names hold a term of one of these hashes."""
        pages = self._meta["pages"]
        if self._from_disk and len(pages) > _PAGES:
            expect(self._fd, [pages[n // PAGE_NOTES] for n in notes if n // PAGE_NOTES not in self._pages])
        found = []
        among = keys.keys()
        for n in notes:
            page = self._pages.get(n // PAGE_NOTES) or self._page(n)
            at = n % PAGE_NOTES
            if not among.isdisjoint(page.hashes[page.begins[at] : page.begins[at + 1]]):
                found.append(n)
        return found

    def name_terms(self, n: int) -> list[tuple[int, float]]:
        """(hash, idf) of each term of note `n`'s name; idf as of the whole index."""
        page = self._page(n)
        at = n % PAGE_NOTES
        begin, end = page.begins[at], page.begins[at + 1]
        return list(zip(page.hashes[begin:end], page.idf[begin:end]))  # noqa: B905 (both of one slice)

    def note(self, n: int) -> NoteRow:
        """What is known of note `n`; IndexError when there is none."""
        row = self._rows.get(n)
        if row is None:
            offset, length, _ = self._place(n)
            values = unpack_values(self.block(offset, length))
            if not isinstance(values, tuple):
                raise IndexBroken("a note's row is of another kind")
            row = self._rows[n] = NoteRow(values)
        return row

    def passages(self, n: int) -> Passages:
        """The sections and paragraphs of note `n`."""
        found = self._passages.get(n)
        if found is None:
            offset, row_length, length = self._place(n)
            # Checked and read in place: copying forty blocks is a tenth of the hook's work.
            begin = offset + row_length + -row_length % UNIT
            block = self._pread(begin, length)
            if checksum(memoryview(block)[:-SEAL], begin) != block[-SEAL:]:
                raise IndexBroken("a note's checksum is wrong")
            found = Passages(block, length - SEAL)
            if len(self._passages) >= _KEPT:
                self._passages.clear()
            self._passages[n] = found
        return found

    def expect(self, notes: Sequence[int]) -> None:
        """Say that the passages of these notes are about to be asked for."""
        if not self._from_disk:
            return
        places = [self._place(n) for n in notes if n < self._base and n not in self._passages]
        expect(self._fd, [(offset, row + length + UNIT) for offset, row, length in places])

    def changed(self, n: int) -> int:
        """When note `n`'s file was changed, in seconds since 1970."""
        return self._page(n).changed[n % PAGE_NOTES]

    def alive(self, n: int) -> bool:
        """Whether note `n` may be shown: false once its file is gone (see overlay.py)."""
        return 0 <= n < self.count

    def check(self, n: int) -> bool:
        """Whether note `n` may be named; where files are looked at, after a look at its own (see overlay.py)."""
        return self.alive(n)

    def _all_names(self) -> bytes:
        if self._names is None:
            self._names = self._table("names")
        return self._names

    def find(self, name: str) -> list[int]:
        """The notes of that name, path, title or alias (case and Unicode form do not matter, `.md` may be left out).

        When there is none: those whose name or path ends in `/name`. Several when it is ambiguous.
        """
        key = fold_name(name)
        if not key or "\0" in key:
            return []
        names = self._all_names()
        wanted = key.encode("utf-8", "replace") + b"\0"
        for border, end in ((b"\0", wanted), (b"/", wanted.lstrip(b"/"))):
            if found := [n for n in bearers(names, border + end) if self.alive(n)]:
                return found
        return []

    def names_ending(self, last: str) -> list[tuple[str, int]]:
        """(name, note) of each name, path, title and alias whose last part is `last` (folded as `fold_name` does).

        One look through the names for all that a path may mean: a session has read a hundred of ten thousand notes.
        """
        return [found for found in names_ending(self._all_names(), last) if self.alive(found[1])]

    def named(self, names: Sequence[str]) -> list[int]:
        """The note of each name, path, title or alias (folded as `fold_name` does); -1 where none has it, or several.

        Many names are looked up at once: cutting up all names takes as long as looking for a dozen.
        """
        if self._named is None and len(names) > _FEW:
            self._named = first_and_last(self._all_names())
        found = []
        for name in names:
            if self._named is not None:
                key = name.encode("utf-8", "replace")
                number, first = self._named[0].get(key), self._named[1].get(key)
                if number == first:  # notes lie in order: the first and the last that bear the name are one
                    n = int(number) if number is not None and self.alive(int(number)) else -1
                    found.append(n)
                    continue
            notes = self.named_like(f"\0{name}\0")
            found.append(notes[0] if len(notes) == 1 else -1)
        return found

    def named_like(self, part: str) -> list[int]:
        r"""The notes whose name holds `part` (folded as `fold_name` does), ascending; `\0` is a border of the name."""
        return sorted([n for n in holders(self._all_names(), part) if self.alive(n)])

    def files(self) -> dict[str, Any]:
        """What the files looked like when they were read: see build.finish."""
        found = unpack_values(self._table("files"))
        if not isinstance(found, dict):
            raise IndexBroken("the table of files is of another kind")
        return found

    @property
    def made_by(self) -> str:
        """What code made it: see build.made_by."""
        return str(self._meta.get("made_by"))

    @property
    def begun(self) -> float:
        """When the reading of the files began, in seconds since 1970."""
        return float(self._meta["begun"])

    # --- terms -----------------------------------------------------------------------------------------------------

    def _entry(self, term: str) -> _ColdEntry | None:
        """The vocabulary entry of a term; None when no note holds it."""
        try:
            return self._entries[term]
        except KeyError:
            if len(self._entries) >= _KEPT:
                self._entries.clear()
            self._look_up((term,))
            return self._entries[term]

    def _look_up(self, terms: Sequence[str]) -> None:
        """Find the entries of terms that were not asked for before. One loop: a conversation asks for hundreds."""
        entries, buckets, size, fd, pread = self._entries, self._buckets, self._size, self._fd, _cold_pread
        places = self._bucket_at or self._bucket_places()
        wanted = []
        for term in terms:
            key = source_hash(HASH_KEY, term.encode("utf-8", "replace"))
            number = int.from_bytes(key[:4], "little") % buckets
            wanted.append((term, key, places[number] * UNIT, places[number + 1] * UNIT))
        if self._from_disk and len(wanted) > 1:
            expect(fd, [(begin, end - begin) for _, _, begin, end in wanted])
        for term, key, begin, end in wanted:
            try:
                bucket = pread(fd, end - begin, begin) if begin < end <= size else b""
            except OSError as error:
                raise IndexBroken(f"the index cannot be read: {error.strerror}") from error
            if source_hash(HASH_KEY ^ begin, bucket[SEAL:]) != bucket[:SEAL]:
                raise IndexBroken("a bucket's checksum is wrong")
            keys_end = BUCKET_HEAD + int.from_bytes(bucket[SEAL : SEAL + 4], sys.byteorder) * 8
            at = bucket.find(key, BUCKET_HEAD, keys_end)
            while at & 7 and at > 0:  # the end of one hash and the beginning of another
                at = bucket.find(key, at + 1, keys_end)
            if at < 0:
                entries[term] = None
            else:
                at = keys_end + (at - BUCKET_HEAD) // 8 * ENTRY_FIELDS * 4
                entries[term] = _ColdEntry(bucket, *memoryview(bucket)[at : at + ENTRY_FIELDS * 4].cast("I").tolist())

    def _bucket_places(self) -> memoryview:
        table = self._table("bucket_at")
        if len(table) != (self._buckets + 1) * 4:
            raise IndexBroken("the table of buckets is of another length")
        self._bucket_at = places = memoryview(table).cast("I")
        return places

    def buckets(self) -> list[bytes]:
        """Every bucket of the vocabulary, whole and checked, for callers that need all entries."""
        places = self._bucket_places()
        found = []
        for i in range(self._buckets):
            begin = places[i] * UNIT
            bucket = self._pread(begin, places[i + 1] * UNIT - begin)
            if checksum(bucket[SEAL:], begin) != bucket[:SEAL]:
                raise IndexBroken("a bucket's checksum is wrong")
            found.append(bucket)
        return found

    @property
    def words_size(self) -> int:
        """Bytes that `word_bytes` reads."""
        return int(self._meta["all_words"][1])

    def word_bytes(self) -> bytes:
        r"""Every term, in the order of the entries in the buckets, `\0` between them."""
        return self._table("all_words")

    def words(self) -> list[str]:
        """Every term, in the order of the entries in the buckets."""
        words = self.word_bytes().decode("utf-8", "replace").split("\0") if self._meta["words"] else []
        if len(words) != self._meta["words"]:
            raise IndexBroken("the table of terms is damaged")
        return words

    def _lists(self, entry: _ColdEntry) -> tuple[_ColdList, _ColdList]:
        """A term's postings in notes and in labels, each (dense row or None, note numbers, impacts)."""
        if entry.lists is None:
            entry.lists = self._read_lists(entry)
        return entry.lists

    def _read_lists(self, entry: _ColdEntry) -> tuple[_ColdList, _ColdList]:
        notes, labels = entry.notes, entry.labels
        wide = ITEM_SIZE[self.code]
        if notes + labels <= INLINE:
            view = memoryview(entry.bucket)
            terms, small = view[SEAL:BUCKET_HEAD].cast("I")
            at = BUCKET_HEAD + terms * (8 + ENTRY_FIELDS * 4)
            numbers = view[at : at + small * wide].cast(self.code)[entry.where :]  # type: ignore[call-overload]
            values = view[at + small * wide : at + small * (wide + 2)].cast("H")[entry.where :]
            both = notes + labels
            return (None, numbers[:notes], values[:notes]), (None, numbers[notes:both], values[notes:both])
        sizes = self._list_sizes(entry)
        block = self.block(entry.where * UNIT, sum(sizes) + SEAL)
        view = memoryview(block)
        found: list[_ColdList] = []
        for n, begin, end in ((notes, 0, sizes[0]), (labels, sizes[0], len(block))):
            if n * DENSE > self._base:
                found.append((block[begin:end], None, None))
            else:
                middle = begin + n * wide
                numbers = view[begin:middle].cast(self.code)  # type: ignore[call-overload]
                found.append((None, numbers, view[middle:end].cast("H")))
        return found[0], found[1]

    def _list_sizes(self, entry: _ColdEntry) -> list[int]:
        """Bytes of a term's postings in notes and in labels; they lie one behind the other."""
        each = ITEM_SIZE[self.code] + 2
        return [self._base * 2 if n * DENSE > self._base else n * each for n in (entry.notes, entry.labels)]

    def _expect_lists(self, terms: Iterable[str]) -> None:
        entries = [entry for term in terms if (entry := self._entry(term)) is not None and entry.lists is None]
        expect(
            self._fd,
            [
                (entry.where * UNIT, sum(self._list_sizes(entry)) + self._spots_size(entry) + 2 * SEAL + UNIT)
                for entry in entries
                if entry.notes + entry.labels > INLINE
            ],
        )

    def _spots(self, entry: _ColdEntry) -> memoryview:
        """A term's spots, in the order of its postings in notes."""
        if entry.spots is None:
            notes, labels = entry.notes, entry.labels
            if notes + labels <= INLINE:
                view = memoryview(entry.bucket)
                terms, small = view[SEAL:BUCKET_HEAD].cast("I")
                at = BUCKET_HEAD + terms * (8 + ENTRY_FIELDS * 4) + small * (ITEM_SIZE[self.code] + 2)
                entry.spots = view[at : at + small * 2].cast("H")[entry.where : entry.where + notes]
            else:
                size = sum(self._list_sizes(entry)) + SEAL
                begin = entry.where * UNIT + size + -size % UNIT
                entry.spots = memoryview(self.block(begin, self._spots_size(entry) + SEAL)).cast("H")
        return entry.spots

    def _spots_size(self, entry: _ColdEntry) -> int:
        """Bytes of a term's spots; they lie behind its postings, as a block of their own."""
        return (self._base if entry.notes * DENSE > self._base else entry.notes) * 2

    def df(self, term: str) -> tuple[int, int]:
        """How many notes and how many paragraphs hold the term; (0, 0) when it is unknown."""
        entry = self._entry(term)
        return (entry.notes, entry.paragraphs) if entry else (0, 0)

    def paragraph_counts(self, terms: Sequence[str]) -> list[int]:
        """In how many paragraphs each term stands; 1 where only headings or labels hold it, 0 where nothing does."""
        return [entry.paragraphs or 1 if entry is not None else 0 for entry in self._entries_of(terms)]

    def _entries_of(self, terms: Sequence[str]) -> list[_ColdEntry | None]:
        """The entry of each term; those that were not asked for before are looked up at once."""
        entries = self._entries
        missing = [term for term in terms if term not in entries]
        if len(entries) + len(missing) > _KEPT:
            entries.clear()
            missing = list(terms)
        self._look_up(missing)
        return [entries[term] for term in terms]

    def idf(self, term: str) -> float:
        """log(1 + (N - df + 0.5) / (df + 0.5)) over notes, as Lucene has it; 0 for an unknown term."""
        return self._idf(term, self.df(term)[0])

    def idfs(self, terms: Sequence[str]) -> dict[str, float]:
        """`idf` of each of the terms that a note holds."""
        pairs = zip(terms, self._entries_of(terms))  # noqa: B905 (one for each)
        return {term: self._idf(term, entry.notes) for term, entry in pairs if entry is not None and entry.notes}

    def _idf(self, term: str, df: int, *, labels: bool = False) -> float:  # noqa: ARG002 (see FreshIndex)
        return log1p((self._base - df + 0.5) / (df + 0.5)) if df else 0.0

    # --- scores ----------------------------------------------------------------------------------------------------

    def score_notes(self, weights: Mapping[str, float]) -> list[float]:
        """BM25 of each whole note (Lucene's form, K1, B): the sum over terms of weight * idf * saturated frequency."""
        return self._score(weights, 0)

    def together(self, terms: Sequence[tuple[float, str]], notes: Iterable[int]) -> dict[int, float]:
        """The most that (weight, term)s which share one spot of a note weigh together; of those of `notes` with any.

        Spots are rough (see format.SPOTS): this tells where to look, not what is there.
        """
        unit = sum([weight for weight, _ in terms]) / (LANE_SUM - len(terms))  # less, since each is rounded
        wanted = list(notes)
        whole = self._base <= _WHOLE * len(wanted)  # then a row is taken as it lies in the file
        places = range(self._base) if whole else {n: place for place, n in enumerate(wanted)}
        rows = []
        for weight, term in terms:
            entry = self._entry(term)
            if entry is None or not entry.notes:
                continue
            numbers, spots = self._lists(entry)[0][1], self._spots(entry)
            row = memoryview(bytearray(len(places) * 2)).cast("H")
            if numbers is not None:
                for n, spot in zip(numbers, spots):  # noqa: B905 (both of one list)
                    if n in places:
                        row[places[n]] = spot
            elif whole:
                row = spots
            else:
                for place, n in enumerate(wanted):
                    row[place] = spots[n]
            rows.append((row, round(weight / unit)))
        most = most_together(rows, len(places))
        return {n: most[places[n]] * unit for n in wanted if most[places[n]]}

    def score_labels(self, weights: Mapping[str, float]) -> list[float]:
        """The same over what notes say of themselves: title, aliases, name, tags, read_when, description, headings."""
        return self._score(weights, 1)

    def _score(self, weights: Mapping[str, float], which: int) -> list[float]:
        dense: list[tuple[bytes, float]] = []
        sparse: list[tuple[_ColdList, float]] = []
        if self._from_disk and not which:  # the lists of labels lie behind those of notes
            self._expect_lists(weights)
        for term, weight in weights.items():
            entry = self._entry(term)
            if entry is None or not weight:
                continue
            df = entry.labels if which else entry.notes
            if df:
                found = self._lists(entry)[which]
                factor = weight * self._idf(term, df, labels=which == 1) / SCALE
                if found[0] is not None and factor > 0:
                    dense.append((found[0], factor))
                else:
                    sparse.append((found, factor))
        scores = dense_sums(self._base, dense) if dense else [0.0] * self._base
        for (row, numbers, values), factor in sparse:
            pairs = enumerate(memoryview(row).cast("H")) if row is not None else zip(numbers, values)  # type: ignore[arg-type]  # noqa: B905
            for n, value in pairs:
                scores[n] += factor * value
        return scores


def open_index(path: str) -> Index:
    """Open an index file; IndexBroken when it is missing, damaged or of another version."""
    return Index(path)
