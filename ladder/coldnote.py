"""What the index holds of one note, as its readers see it: row, sections, paragraphs, and which of them hold a term."""

from __future__ import annotations

from _bisect import bisect_left

from ladder.coldformat import (
    FORWARD,
    FORWARD_BYTES,
    FORWARD_COUNTS,
    FORWARD_HEAD,
    ITEM_SIZE,
    NO_ENTRY,
    ZONES,
    IndexBroken,
    term_hash,
    unpack_values,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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


def _coldnote_date(day: int) -> str:
    """20260902 -> 2026-09-02; 0 -> nothing."""
    return f"{day // 10000:04}-{day // 100 % 100:02}-{day % 100:02}" if day else ""


_coldnote_hashes: dict[str, int] = {}


def _coldnote_hash(term: str) -> int:
    """The term's hash, remembered: a question's terms are looked up in forty notes."""
    if len(_coldnote_hashes) > 10_000:
        _coldnote_hashes.clear()
    found = _coldnote_hashes[term] = term_hash(term)
    return found


class Passages:
    """One note's sections and paragraphs, and which of them hold a term.

    The columns are there as they lie in the file (memory views of numbers), for who scores many: `p_start`, `p_end`,
    `p_cost`, `p_length` (terms), `p_date` (YYYYMMDD), `p_section` (numbers from 1), `p_zone` (index into ZONES), and
    the same of sections (`s_start`, `s_end`, `s_cost`, `s_date`, `s_zone`, `s_level`).
    """

    __slots__ = (
        "_counts", "_paragraphs", "_sections", "_texts", "_view", "_wide", "at", "count", "label_terms", "label_tf",
        "p_cost", "p_date", "p_end", "p_entry", "p_length", "p_section", "p_start", "p_zone", "pairs", "payload",
        "s_cost", "s_date", "s_end", "s_level", "s_start", "s_zone", "section_count", "terms", "tf",
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

    def __init__(self, payload: memoryview) -> None:
        """Take a forward block's payload."""
        if len(payload) < FORWARD_HEAD * 4:
            raise IndexBroken("a forward block is too short")
        view = payload
        paragraphs, sections, terms, pairs, labels, text, wide, _ = view[: FORWARD_HEAD * 4].cast("I").tolist()
        self._wide: int = wide
        self._counts = (paragraphs, sections, terms, terms + 1, pairs, labels)
        size = FORWARD_HEAD * 4 + text + (terms + 1 + pairs) * (4 if wide else 2)
        for count, each in zip(self._counts, FORWARD_BYTES):  # noqa: B905 (both have six)
            size += count * each
        if size != len(payload):
            raise IndexBroken("a forward block is of another length")
        first = FORWARD_HEAD * 4 + terms * 4
        second = first + (terms + 1) * (4 if wide else 2)
        third = second + pairs * (4 if wide else 2)
        self.terms = view[FORWARD_HEAD * 4 : first].cast("I")
        self.at = view[first:second].cast("I" if wide else "H")
        self.pairs = view[second:third].cast("I" if wide else "H")
        self.tf = view[third : third + pairs]
        self.count: int = paragraphs
        self.section_count: int = sections
        self._view: memoryview = view[len(payload) - text :]
        #: The block as it lies in the file.
        self.payload = payload
        self._texts: tuple[tuple[Any, ...], ...] | None = None
        self._sections: list[SectionRow] | None = None
        self._paragraphs: list[ParagraphRow] | None = None

    def __getattr__(self, name: str) -> memoryview:
        """A column, when it is first asked for: most questions need five of the twenty."""
        at = FORWARD_HEAD * 4
        for column, kind, counted in FORWARD:
            code = ("I" if self._wide else "H") if kind == "?" else kind
            end = at + self._counts[FORWARD_COUNTS.index(counted)] * ITEM_SIZE[code]
            if column == name:
                view = self.payload[at:end]
                found = view if code == "B" else view.cast(code)  # type: ignore[call-overload]
                setattr(self, name, found)
                return found
            at = end
        raise AttributeError(name)

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
                    _coldnote_date(self.s_date[i]), self.s_start[i], self.s_end[i], self.s_cost[i],
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
            self.p_section[i], ZONES[self.p_zone[i]], _coldnote_date(self.p_date[i]), self.p_start[i], self.p_end[i],
            self.p_cost[i], self.p_length[i], "" if entry == NO_ENTRY else self._text()[3][entry],
        )  # fmt: skip

    def counts(self, term: str) -> list[tuple[int, int]]:
        """(paragraph from 0, how often) for each paragraph that holds the term, ascending."""
        return self.counts_by_hash(_coldnote_hashes.get(term) or _coldnote_hash(term))

    def counts_by_hash(self, key: int) -> list[tuple[int, int]]:
        """The same for the term's hash, for who asks many notes. Two terms of one hash are taken for one."""
        terms = self.terms
        i = bisect_left(terms, key)
        if i == len(terms) or terms[i] != key:
            return []
        begin, end = self.at[i], self.at[i + 1]
        found = list(zip(self.pairs[begin:end].tolist(), self.tf[begin:end].tolist()))  # noqa: B905 (both of one slice)
        while found and found[-1][0] >= self.count:
            found.pop()
        return found

    def places(self, term: str) -> list[tuple[int, int]]:
        """(place, how often), paragraphs and headings in one: a place is a paragraph, or `count` + section from 0."""
        terms = self.terms
        key = _coldnote_hashes.get(term) or _coldnote_hash(term)
        i = bisect_left(terms, key)
        if i == len(terms) or terms[i] != key:
            return []
        begin, end = self.at[i], self.at[i + 1]
        return list(zip(self.pairs[begin:end].tolist(), self.tf[begin:end].tolist()))  # noqa: B905 (both of one slice)

    def holds(self, key: int) -> bool:
        """Whether the note holds a term of that hash anywhere."""
        i = bisect_left(self.terms, key)
        return i < len(self.terms) and self.terms[i] == key

    def holds_label(self, key: int) -> bool:
        """Whether its labels do."""
        return key in self.label_terms

    def heading_counts(self, term: str) -> list[tuple[int, int]]:
        """(section from 0, how often) for each section whose heading (or front matter) holds the term, ascending."""
        terms = self.terms
        key = term_hash(term)
        i = bisect_left(terms, key)
        if i == len(terms) or terms[i] != key:
            return []
        n = self.count
        return [(self.pairs[k] - n, self.tf[k]) for k in range(self.at[i], self.at[i + 1]) if self.pairs[k] >= n]
