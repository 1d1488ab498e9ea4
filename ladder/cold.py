"""The cold reader: answers from the index file with a few small reads; the same in hook, command line and bench.

Only C modules of the standard library. Nothing is mapped into memory: a page that the system dropped costs one read.
"""

from __future__ import annotations

import os
from _bisect import bisect_left
from math import log1p
from zlib import crc32

from ladder.coldformat import (
    BUCKET_HEAD,
    DENSE,
    ENTRY_FIELDS,
    FORWARD,
    FORWARD_HEAD,
    HEADER_SIZE,
    INLINE,
    ITEM_SIZE,
    NO_ENTRY,
    PAGE_NOTES,
    SCALE,
    UNIT,
    ZONES,
    IndexBroken,
    unpack_header,
    unpack_values,
    unseal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

#: Decoded posting lists, vocabulary entries and forward blocks kept in memory, each.
_COLD_KEPT = 4096


def fold_name(name: str) -> str:
    """A name as it is looked up: case-folded, in Unicode's composed form, `/` between folders, without `.md`."""
    if not name.isascii():
        import unicodedata  # noqa: PLC0415 (a C module that few names need)

        name = unicodedata.normalize("NFC", name)
    name = name.replace("\\", "/").casefold().replace("\0", "").replace("\n", " ").strip().removeprefix("./")
    return name.removesuffix(".md")


class NoteRow:
    """What a suggestion says of a note."""

    __slots__ = (
        "aliases", "changed", "cost", "description", "estimated", "head_cost", "name", "path", "sections", "title",
    )  # fmt: skip

    def __init__(self, values: tuple[Any, ...]) -> None:
        """Take the fields in the order of coldformat.NOTE_FIELDS; costs in tokens, changed in seconds since 1970."""
        if len(values) != 10:
            raise IndexBroken("a note's row is of another shape")
        self.path: str = values[0]
        self.name: str = values[1]
        self.title: str = values[2]
        self.cost: int = values[3]
        self.head_cost: int = values[4]
        self.changed: int = values[5]
        self.sections: int = values[6]
        self.description: str = values[7]
        self.aliases: tuple[str, ...] = values[8]
        self.estimated: bool = values[9]


class SectionRow:
    """A section of a note; `start` and `end` in bytes, `cost` in tokens, `date` as 2026-09-02 or empty."""

    __slots__ = ("cost", "date", "end", "level", "number", "path", "slug", "start", "title", "zone")

    def __init__(
        self, number: int, level: int, title: str, slug: str, path: tuple[str, ...], zone: str, date: str, start: int,
        end: int, cost: int,
    ) -> None:  # fmt: skip
        """Take the fields."""
        self.number = number
        self.level = level
        self.title = title
        self.slug = slug
        self.path = path
        self.zone = zone
        self.date = date
        self.start = start
        self.end = end
        self.cost = cost


class ParagraphRow:
    """A paragraph of a note.

    `section` is its section's number, `length` in terms, `entry_slug` that of its dated entry or empty.
    """

    __slots__ = ("cost", "date", "end", "entry_slug", "length", "section", "start", "zone")

    def __init__(
        self, section: int, zone: str, date: str, start: int, end: int, cost: int, length: int, entry_slug: str
    ) -> None:
        """Take the fields."""
        self.section = section
        self.zone = zone
        self.date = date
        self.start = start
        self.end = end
        self.cost = cost
        self.length = length
        self.entry_slug = entry_slug


def _cold_date(day: int) -> str:
    """20260902 -> 2026-09-02; 0 -> nothing."""
    return f"{day // 10000:04}-{day // 100 % 100:02}-{day % 100:02}" if day else ""


class Passages:
    """One note's sections and paragraphs, and which of them hold a term.

    The columns are there as they lie in the file (memory views of numbers), for who scores many: `p_start`, `p_end`,
    `p_cost`, `p_length` (terms), `p_date` (YYYYMMDD), `p_section` (numbers from 1), `p_zone` (index into ZONES), and
    the same of sections (`s_start`, `s_end`, `s_cost`, `s_date`, `s_zone`, `s_level`).
    """

    __slots__ = (
        "_paragraphs", "_sections", "_texts", "_view", "at", "count", "label_terms", "label_tf", "p_cost", "p_date",
        "p_end", "p_entry", "p_length", "p_section", "p_start", "p_zone", "pairs", "payload", "s_cost", "s_date",
        "s_end", "s_level", "s_start", "s_zone", "section_count", "terms", "tf",
    )  # fmt: skip

    p_start: memoryview
    p_end: memoryview
    p_cost: memoryview
    p_length: memoryview
    p_date: memoryview
    p_section: memoryview
    p_entry: memoryview
    p_zone: memoryview
    s_start: memoryview
    s_end: memoryview
    s_cost: memoryview
    s_date: memoryview
    s_zone: memoryview
    s_level: memoryview
    terms: memoryview
    at: memoryview
    label_terms: memoryview
    label_tf: memoryview
    pairs: memoryview
    tf: memoryview

    def __init__(self, payload: bytes) -> None:
        """Take a forward block's payload."""
        view = memoryview(payload)
        if len(payload) < FORWARD_HEAD * 4:
            raise IndexBroken("a forward block is too short")
        paragraphs, sections, terms, pairs, labels, text, wide, _ = view[: FORWARD_HEAD * 4].cast("I").tolist()
        counts = {"p": paragraphs, "s": sections, "t": terms, "t1": terms + 1, "n": pairs, "l": labels}
        at = FORWARD_HEAD * 4
        for name, kind, counted in FORWARD:
            code = ("I" if wide else "H") if kind == "?" else kind
            end = at + counts[counted] * ITEM_SIZE[code]
            if end > len(payload):
                raise IndexBroken("a forward block is too short")
            setattr(self, name, view[at:end] if code == "B" else view[at:end].cast(code))  # type: ignore[call-overload]
            at = end
        if at + text != len(payload):
            raise IndexBroken("a forward block is of another length")
        self.count: int = paragraphs
        self.section_count: int = sections
        self._view: memoryview = view[at:]
        #: The block as it lies in the file.
        self.payload = payload
        self._texts: tuple[tuple[Any, ...], ...] | None = None
        self._sections: list[SectionRow] | None = None
        self._paragraphs: list[ParagraphRow] | None = None

    def _text(self) -> tuple[tuple[Any, ...], ...]:
        if self._texts is None:
            self._texts = unpack_values(bytes(self._view))  # type: ignore[assignment]
        assert self._texts is not None
        return self._texts

    @property
    def sections(self) -> list[SectionRow]:
        """All sections, in file order."""
        if self._sections is None:
            titles, slugs, paths, _ = self._text()
            self._sections = [
                SectionRow(
                    i + 1, self.s_level[i], titles[i], slugs[i], paths[i], ZONES[self.s_zone[i]],
                    _cold_date(self.s_date[i]), self.s_start[i], self.s_end[i], self.s_cost[i],
                )
                for i in range(self.section_count)
            ]  # fmt: skip
        return self._sections

    @property
    def paragraphs(self) -> list[ParagraphRow]:
        """All paragraphs, in file order."""
        if self._paragraphs is None:
            self._paragraphs = [self.paragraph(i) for i in range(self.count)]
        return self._paragraphs

    def paragraph(self, i: int) -> ParagraphRow:
        """Paragraph `i`, from 0."""
        entry = self.p_entry[i]
        return ParagraphRow(
            self.p_section[i], ZONES[self.p_zone[i]], _cold_date(self.p_date[i]), self.p_start[i], self.p_end[i],
            self.p_cost[i], self.p_length[i], "" if entry == NO_ENTRY else self._text()[3][entry],
        )  # fmt: skip

    def counts(self, term: str) -> list[tuple[int, int]]:
        """(paragraph from 0, how often) for each paragraph that holds the term, ascending."""
        return self.counts_by_hash(crc32(term.encode("utf-8", "replace")))

    def counts_by_hash(self, term_hash: int) -> list[tuple[int, int]]:
        """The same for crc32 of the term in UTF-8, for who asks many notes. Two terms of one hash are taken for one."""
        terms = self.terms
        i = bisect_left(terms, term_hash)
        if i == len(terms) or terms[i] != term_hash:
            return []
        begin, end = self.at[i], self.at[i + 1]
        found = list(zip(self.pairs[begin:end].tolist(), self.tf[begin:end].tolist()))  # noqa: B905 (both of one slice)
        while found and found[-1][0] >= self.count:
            found.pop()
        return found

    def holds(self, term_hash: int) -> bool:
        """Whether the note holds a term of that hash anywhere."""
        i = bisect_left(self.terms, term_hash)
        return i < len(self.terms) and self.terms[i] == term_hash

    def holds_label(self, term_hash: int) -> bool:
        """Whether its labels do."""
        return term_hash in self.label_terms

    def heading_counts(self, term: str) -> list[tuple[int, int]]:
        """(section from 0, how often) for each section whose heading (or front matter) holds the term, ascending."""
        terms = self.terms
        term_hash = crc32(term.encode("utf-8", "replace"))
        i = bisect_left(terms, term_hash)
        if i == len(terms) or terms[i] != term_hash:
            return []
        n = self.count
        return [(self.pairs[k] - n, self.tf[k]) for k in range(self.at[i], self.at[i + 1]) if self.pairs[k] >= n]


class _ColdEntry:
    """A vocabulary entry: how many notes, labels, paragraphs hold the term, and its postings once they were read."""

    __slots__ = ("labels", "lists", "notes", "paragraphs", "small", "where")

    def __init__(self, where: int, notes: int, labels: int, paragraphs: int) -> None:
        self.where = where
        self.notes = notes
        self.labels = labels
        self.paragraphs = paragraphs
        self.small: tuple[memoryview, memoryview] | None = None  # the inline postings: note numbers, impacts
        self.lists: tuple[Any, ...] | None = None


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
            offset, length = unpack_header(self._pread(0, HEADER_SIZE), self._size)
            meta = unpack_values(self._block(offset, length))
            if not isinstance(meta, dict):
                raise IndexBroken("the meta block is of another kind")  # noqa: TRY301 (the file is closed below)
            self._meta: dict[str, Any] = meta
            self._base: int = meta["count"]  # notes in the file; `count` may be more (see delta.py)
            self.count: int = self._base
            self.root: str = meta["root"]
            self.settings: dict[str, Any] = meta["settings"]
            self.paragraph_count: int = meta["paragraphs"]
            self.section_count: int = meta["sections"]
            self.mean_note: float = meta["mean_note"]
            self.mean_label: float = meta["mean_label"]
            self.mean_paragraph: float = meta["mean_paragraph"]
            self.estimated: bool = meta["estimated"]
            self._code: str = meta["code"]
            self._buckets: int = meta["buckets"]
        except KeyError as error:
            self.close()
            raise IndexBroken("the meta block lacks a field") from error
        except BaseException:
            self.close()
            raise
        self._bucket_at: memoryview | None = None
        self._pages: dict[int, memoryview] = {}
        self._entries: dict[str, _ColdEntry | None] = {}
        self._passages: dict[int, Passages] = {}
        self._rows: dict[int, NoteRow] = {}
        self._names: bytes | None = None

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
            if hasattr(os, "pread"):
                data = os.pread(self._fd, length, offset)
            else:  # Windows
                os.lseek(self._fd, offset, 0)
                data = os.read(self._fd, length)
        except OSError as error:
            raise IndexBroken(f"the index cannot be read: {error.strerror}") from error
        if len(data) != length:
            raise IndexBroken("the index ends too early")
        return data

    def _block(self, offset: int, length: int) -> bytes:
        return unseal(self._pread(offset, length))

    def _table(self, name: str) -> bytes:
        try:
            offset, length = self._meta[name]
        except (KeyError, TypeError, ValueError) as error:
            raise IndexBroken(f"no table {name}") from error
        return self._block(offset, length)

    # --- notes -----------------------------------------------------------------------------------------------------

    def _place(self, n: int) -> tuple[int, int, int]:
        """Where note `n` lies: offset, length of its row, length of its forward block."""
        if not 0 <= n < self._base:
            raise IndexError(n)
        number, at = divmod(n, PAGE_NOTES)
        page = self._pages.get(number)
        if page is None:
            notes = min(PAGE_NOTES, self._base - number * PAGE_NOTES)
            page = memoryview(self._block(self._meta["pages"][number], notes * 24 + 4)).cast("Q")
            self._pages[number] = page
        return page[at * 3], page[at * 3 + 1], page[at * 3 + 2]

    def note(self, n: int) -> NoteRow:
        """What is known of note `n`; IndexError when there is none."""
        row = self._rows.get(n)
        if row is None:
            offset, length, _ = self._place(n)
            values = unpack_values(self._block(offset, length))
            if not isinstance(values, tuple):
                raise IndexBroken("a note's row is of another kind")
            row = self._rows[n] = NoteRow(values)
        return row

    def passages(self, n: int) -> Passages:
        """The sections and paragraphs of note `n`."""
        found = self._passages.get(n)
        if found is None:
            offset, row_length, length = self._place(n)
            found = Passages(self._block(offset + row_length + -row_length % UNIT, length))
            if len(self._passages) >= _COLD_KEPT:
                self._passages.clear()
            self._passages[n] = found
        return found

    def alive(self, n: int) -> bool:
        """Whether note `n` may be shown: false once its file is gone (see delta.py)."""
        return 0 <= n < self.count

    def find(self, name: str) -> list[int]:
        """The notes of that name, path, title or alias (case and Unicode form do not matter, `.md` may be left out).

        When there is none: those whose name or path ends in `/name`. Several when it is ambiguous.
        """
        key = fold_name(name)
        if not key or "\0" in key:
            return []
        if self._names is None:
            self._names = self._table("names")
        wanted = key.encode("utf-8", "replace") + b"\0"
        return self._find(b"\0" + wanted) or self._find(b"/" + wanted.lstrip(b"/"))

    def _find(self, wanted: bytes) -> list[int]:
        names = self._names or b""
        found: dict[int, None] = {}
        at = names.find(wanted)
        while at >= 0:
            begin = at + len(wanted)
            end = names.find(b"\n", begin)
            if end < 0 or not names[begin:end].isdigit():
                raise IndexBroken("the table of names is damaged")
            found[int(names[begin:end])] = None
            at = names.find(wanted, end)
        return [n for n in found if self.alive(n)]

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
            pass
        if len(self._entries) >= _COLD_KEPT:
            self._entries.clear()
        entry = self._entries[term] = self._look_up(term)
        return entry

    def _look_up(self, term: str) -> _ColdEntry | None:
        key = term.encode("utf-8", "replace")
        if self._bucket_at is None:
            table = self._table("bucket_at")
            if len(table) != (self._buckets + 1) * 8:
                raise IndexBroken("the table of buckets is of another length")
            self._bucket_at = memoryview(table).cast("Q")
        number = crc32(key) % self._buckets
        begin = self._bucket_at[number]
        sealed = self._pread(begin, self._bucket_at[number + 1] - begin)
        if len(sealed) < BUCKET_HEAD * 4:
            raise IndexBroken("a bucket is too short")
        view = memoryview(sealed)
        key_bytes, terms, small = view[: BUCKET_HEAD * 4].cast("I").tolist()
        wide = ITEM_SIZE[self._code]
        at = BUCKET_HEAD * 4 + key_bytes
        notes_at = at + terms * ENTRY_FIELDS * 4
        values_at = notes_at + small * wide
        end = values_at + small * 2
        bucket = unseal(sealed[: end + 4])
        keys = bucket[BUCKET_HEAD * 4 : at]
        found = keys.find(b"\0" + key + b"\0")
        if found < 0 or b"\0" in key:
            return None
        ordinal = keys.count(b"\0", 0, found)
        fields = view[at + ordinal * ENTRY_FIELDS * 4 :][: ENTRY_FIELDS * 4].cast("I").tolist()
        entry = _ColdEntry(*fields)
        both = entry.notes + entry.labels
        if both <= INLINE:
            a, b = notes_at + entry.where * wide, values_at + entry.where * 2
            numbers = view[a : a + both * wide].cast(self._code)  # type: ignore[call-overload]
            entry.small = (numbers, view[b : b + both * 2].cast("H"))
        return entry

    def buckets(self) -> list[bytes]:
        """Every bucket of the vocabulary, for who wants all words."""
        self._look_up("")
        places = self._bucket_at
        assert places is not None
        return [self._pread(places[i], places[i + 1] - places[i]) for i in range(self._buckets)]

    def _lists(self, entry: _ColdEntry) -> tuple[Any, ...]:
        """A term's postings: (dense row or None, note numbers, impacts, label numbers, label impacts)."""
        if entry.lists is None:
            entry.lists = self._read_lists(entry)
        return entry.lists

    def _read_lists(self, entry: _ColdEntry) -> tuple[Any, ...]:
        notes, labels = entry.notes, entry.labels
        if entry.small is not None:
            numbers, values = entry.small
            return None, numbers[:notes], values[:notes], numbers[notes:], values[notes:]
        wide = ITEM_SIZE[self._code]
        dense = notes * DENSE > self._base
        first = self._base * 2 if dense else notes * (wide + 2)
        block = self._block(entry.where * UNIT, first + labels * (wide + 2) + 4)
        view = memoryview(block)
        at = first + labels * wide
        label_numbers = view[first:at].cast(self._code)  # type: ignore[call-overload]
        label_values = view[at:].cast("H")
        if dense:
            return block[:first], None, None, label_numbers, label_values
        return (
            None,
            view[: notes * wide].cast(self._code),  # type: ignore[call-overload]
            view[notes * wide : first].cast("H"),
            label_numbers,
            label_values,
        )

    def df(self, term: str) -> tuple[int, int]:
        """How many notes and how many paragraphs hold the term; (0, 0) when it is unknown."""
        entry = self._entry(term)
        return (entry.notes, entry.paragraphs) if entry else (0, 0)

    def idf(self, term: str) -> float:
        """log(1 + (N - df + 0.5) / (df + 0.5)) over notes, as Lucene has it; 0 for an unknown term."""
        return self._idf(term, self.df(term)[0])

    def _idf(self, term: str, df: int, *, labels: bool = False) -> float:  # noqa: ARG002 (see FreshIndex)
        return log1p((self._base - df + 0.5) / (df + 0.5)) if df else 0.0

    # --- scores ----------------------------------------------------------------------------------------------------

    def score_notes(self, weights: Mapping[str, float]) -> list[float]:
        """BM25 of each whole note (Lucene's form, K1, B): the sum over terms of weight * idf * saturated frequency."""
        scores = [0.0] * self._base
        dense: list[tuple[bytes, float]] = []
        for term, weight in weights.items():
            entry = self._entry(term)
            if entry is None or not weight or not entry.notes:
                continue
            row, numbers, values, _, _ = self._lists(entry)
            factor = weight * self._idf(term, entry.notes) / SCALE
            if row is None:
                for n, value in zip(numbers, values):  # noqa: B905 (checked when they were read)
                    scores[n] += factor * value
            elif factor > 0:
                dense.append((row, factor))
            else:
                for n, value in enumerate(memoryview(row).cast("H")):
                    scores[n] += factor * value
        if dense:
            _cold_add_dense(scores, dense)
        return scores

    def score_labels(self, weights: Mapping[str, float]) -> list[float]:
        """The same over what notes say of themselves: title, aliases, name, tags, read_when, description, headings."""
        scores = [0.0] * self._base
        for term, weight in weights.items():
            entry = self._entry(term)
            if entry is None or not weight or not entry.labels:
                continue
            lists = self._lists(entry)
            factor = weight * self._idf(term, entry.labels, labels=True) / SCALE
            for n, value in zip(lists[3], lists[4]):  # noqa: B905 (checked when they were read)
                scores[n] += factor * value
        return scores


def _cold_add_dense(scores: list[float], rows: Iterable[tuple[bytes, float]]) -> None:
    """Add factor * impact for each note to `scores`, one row a term.

    A row is read as one big number of 16-bit lanes. Even and odd lanes, moved apart to 32 bits, are multiplied by the
    term's factor as an integer and added as whole numbers: a few machine operations a note and term, without a loop.
    The factors are scaled so that no lane can overflow: their sum times 65535 stays below 2 ** 32.
    """
    rows = list(rows)
    count = len(scores)
    lanes = (count + 1) // 2
    mask = int.from_bytes(b"\xff\xff\0\0" * lanes, "little")
    unit = sum([factor for _, factor in rows]) / (65536 - len(rows))
    even = odd = 0
    for row, factor in rows:
        lane_sum = int.from_bytes(row, "little")
        whole = round(factor / unit)
        even += (lane_sum & mask) * whole
        odd += (lane_sum >> 16 & mask) * whole
    for first, total in ((0, even), (1, odd)):
        values = memoryview(total.to_bytes(lanes * 4, "little")).cast("I")
        for n, value in zip(range(first, count, 2), values):  # noqa: B905 (an odd count leaves one lane over)
            if value:
                scores[n] += value * unit


def open_index(path: str) -> Index:
    """Open an index file; IndexBroken when it is missing, damaged or of another version."""
    return Index(path)
