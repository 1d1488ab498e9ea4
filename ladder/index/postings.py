"""The terms of an index: which notes hold each, how often, where about; and the scores that come of it."""

from __future__ import annotations

import sys
from _imp import source_hash

from ladder.index.file import IndexFile, pread
from ladder.index.format import (
    BUCKET_HEAD,
    DENSE,
    ENTRY_FIELDS,
    HASH_KEY,
    INLINE,
    ITEM_SIZE,
    SCALE,
    SEAL,
    UNIT,
    IndexBroken,
    checksum,
)
from ladder.index.scoring import LANE_SUM, dense_sums, most_together
from ladder.lean.math import log1p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    #: A dense row, or None and note numbers with their impacts.
    _ColdList = tuple[bytes | None, memoryview | None, memoryview | None]

#: Vocabulary entries kept in memory, each with its decoded posting lists.
_KEPT = 4096
#: When more than 1 in this many notes is asked for, all are read: picking them out takes longer.
_WHOLE = 4


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


class Postings(IndexFile):
    """The terms of an index file, looked up when they are first asked for."""

    def __init__(self, path: str) -> None:
        """Open the file; IndexBroken when it cannot be used."""
        super().__init__(path)
        self._bucket_at: memoryview | None = None
        self._entries: dict[str, _ColdEntry | None] = {}

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
        entries, buckets, size, fd = self._entries, self._buckets, self._size, self._fd
        places = self._bucket_at or self._bucket_places()
        wanted = []
        for term in terms:
            key = source_hash(HASH_KEY, term.encode("utf-8", "replace"))
            number = int.from_bytes(key[:4], "little") % buckets
            wanted.append((term, key, places[number] * UNIT, places[number + 1] * UNIT))
        if self._from_disk and len(wanted) > 1:
            self._announce([(begin, end - begin) for _, _, begin, end in wanted])
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
        self._announce(
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
