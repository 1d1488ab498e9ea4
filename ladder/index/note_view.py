"""What the index holds of one note, as its readers see it: row, sections, paragraphs, and which of them hold a term."""

from __future__ import annotations

import sys

from ladder.index.format import (
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
        """Take the fields in the order of format.NOTE_FIELDS; costs in tokens, changed in seconds since 1970."""
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


def iso_day(day: int) -> str:
    """20260902 -> 2026-09-02; 0 -> nothing."""
    return f"{day // 10000:04}-{day // 100 % 100:02}-{day % 100:02}" if day else ""


_coldnote_keys: dict[str, bytes] = {}


def term_key(term: str) -> bytes:
    """The term's hash as it lies in the file, remembered: a question's terms are looked up in many notes."""
    if len(_coldnote_keys) > 10_000:
        _coldnote_keys.clear()
    found = _coldnote_keys[term] = term_hash(term).to_bytes(4, sys.byteorder)
    return found


class Passages:
    """One note's sections and paragraphs, and which of them hold a term.

    The columns are there as they lie in the file (memory views of numbers), for who scores many: `p_start`, `p_end`,
    `p_cost`, `p_length` (terms), `p_date` (YYYYMMDD), `p_section` (numbers from 1), `p_zone` (index into ZONES), and
    the same of sections (`s_start`, `s_end`, `s_cost`, `s_date`, `s_zone`, `s_level`).
    """

    __slots__ = (
        "_block", "_counts", "_paragraphs", "_sections", "_terms_end", "_texts", "_view", "_wide", "at", "count",
        "label_terms", "label_tf", "p_cost", "p_date", "p_end", "p_entry", "p_length", "p_section", "p_start", "p_zone",
        "pairs", "payload", "s_cost", "s_date", "s_end", "s_level", "s_start", "s_zone", "section_count", "terms", "tf",
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

    def __init__(self, block: bytes, size: int) -> None:
        """Take a forward block, whose payload are the first `size` bytes."""
        if size < FORWARD_HEAD * 4:
            raise IndexBroken("a forward block is too short")
        payload = view = memoryview(block)[:size]
        paragraphs, sections, terms, pairs, labels, text, wide, _ = view[: FORWARD_HEAD * 4].cast("I").tolist()
        self._wide: int = wide
        self._counts = (paragraphs, sections, terms, terms + 1, pairs, labels)
        whole = FORWARD_HEAD * 4 + text + (terms + 1 + pairs) * (4 if wide else 2)
        for count, each in zip(self._counts, FORWARD_BYTES):  # noqa: B905 (both have six)
            whole += count * each
        if whole != size:
            raise IndexBroken("a forward block is of another length")
        first = FORWARD_HEAD * 4 + terms * 4
        second = first + (terms + 1) * (4 if wide else 2)
        third = second + pairs * (4 if wide else 2)
        self.terms = view[FORWARD_HEAD * 4 : first].cast("I")
        self.at = view[first:second].cast("I" if wide else "H")
        self.pairs = view[second:third].cast("I" if wide else "H")
        self.tf = view[third : third + pairs]
        fourth = third + pairs
        fifth = fourth + paragraphs * 4
        self.p_length = view[fourth:fifth].cast("I")
        self.p_section = view[fifth : fifth + paragraphs * 2].cast("H")
        self._block = block
        self._terms_end = first
        self.count: int = paragraphs
        self.section_count: int = sections
        self._view: memoryview = view[size - text :]
        #: The block as it lies in the file.
        self.payload = payload
        self._texts: tuple[tuple[Any, ...], ...] | None = None
        self._sections: list[SectionRow] | None = None
        self._paragraphs: list[ParagraphRow] | None = None

    def __getattr__(self, name: str) -> memoryview:
        """A column, read when it is first asked for: most questions need five of the twenty."""
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
                    iso_day(self.s_date[i]), self.s_start[i], self.s_end[i], self.s_cost[i],
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
            self.p_section[i], ZONES[self.p_zone[i]], iso_day(self.p_date[i]), self.p_start[i], self.p_end[i],
            self.p_cost[i], self.p_length[i], "" if entry == NO_ENTRY else self._text()[3][entry],
        )  # fmt: skip

    def _find(self, key: bytes) -> int:
        """The number of the term with that hash; -1 when the note does not hold it."""
        find, end = self._block.find, self._terms_end
        at = find(key, FORWARD_HEAD * 4, end)
        while at & 3 and at > 0:  # the end of one hash and the beginning of another
            at = find(key, at + 1, end)
        return -1 if at < 0 else at // 4 - FORWARD_HEAD

    def counts(self, term: str) -> list[tuple[int, int]]:
        """(paragraph from 0, how often) for each paragraph that holds the term, ascending."""
        return self._in_paragraphs(_coldnote_keys.get(term) or term_key(term))

    def counts_by_hash(self, key: int) -> list[tuple[int, int]]:
        """The same by the term's hash, for callers that ask many notes. Two terms of one hash are taken for one."""
        return self._in_paragraphs(key.to_bytes(4, sys.byteorder))

    def _in_paragraphs(self, key: bytes) -> list[tuple[int, int]]:
        found = self._at(key)
        while found and found[-1][0] >= self.count:
            found.pop()
        return found

    def places(self, term: str) -> list[tuple[int, int]]:
        """(place, how often), paragraphs and headings in one: a place is a paragraph, or `count` + section from 0."""
        return self._at(_coldnote_keys.get(term) or term_key(term))

    def all_places(self, terms: list[tuple[float, str]], keys: list[bytes]) -> list[tuple[int, list[int], memoryview]]:  # noqa: ARG002 (see CutNote)
        """Of each of the terms that the note holds: its number in `terms`, places as in `places`, how often at each.

        `keys` are the `term_key` of each term.
        """
        find, end = self._block.find, self._terms_end
        begins, pairs, tf = self.at, self.pairs, self.tf
        out = []
        for i, key in enumerate(keys):
            at = find(key, FORWARD_HEAD * 4, end)
            while at & 3 and at > 0:
                at = find(key, at + 1, end)
            if at >= 0:
                at = at // 4 - FORWARD_HEAD
                first, last = begins[at], begins[at + 1]
                out.append((i, pairs[first:last].tolist(), tf[first:last]))
        return out

    def _at(self, key: bytes) -> list[tuple[int, int]]:
        i = self._find(key)
        if i < 0:
            return []
        begin, end = self.at[i], self.at[i + 1]
        return list(zip(self.pairs[begin:end], self.tf[begin:end]))  # noqa: B905 (both of one slice)

    def holds(self, key: int) -> bool:
        """Whether the note holds a term of that hash anywhere."""
        return self._find(key.to_bytes(4, sys.byteorder)) >= 0

    def holds_label(self, key: int) -> bool:
        """Whether its labels do."""
        return key in self.label_terms

    def heading_counts(self, term: str) -> list[tuple[int, int]]:
        """(section from 0, how often) for each section whose heading (or front matter) holds the term, ascending."""
        return [(place - self.count, tf) for place, tf in self.places(term) if place >= self.count]
