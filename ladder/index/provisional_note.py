"""A note cut into words from its raw text, without a Markdown parser, for use until the next index."""

from __future__ import annotations

from _collections import _count_elements  # type: ignore[import-not-found]

from ladder.index.format import SPOT_PARAGRAPHS, SPOTS, ZONES, term_hash
from ladder.index.reader import ParagraphRow, SectionRow
from ladder.text.tokenizer import byte_terms, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ladder.index.reader import NoteRow, Passages

#: Bytes of a paragraph after which it is cut at a line end.
_LONGEST = 1200
_WIDE = bytes(range(128, 256))


class CutNote:
    """A note cut from its raw text: the same questions can be put to it as to note_view.Passages."""

    __slots__ = (
        "_counts", "_heading_counts", "count", "label_length", "labels", "length", "p_cost", "p_date", "p_end",
        "p_length", "p_section", "p_start", "p_zone", "paragraphs", "row", "s_cost", "s_date", "s_end", "s_level",
        "s_start", "s_zone", "section_count", "sections", "whole",
    )  # fmt: skip

    def __init__(self, row: NoteRow, data: bytes, before: Passages | None) -> None:
        """Cut `data`; zones, dates and slugs of sections are those that sections of the same title had `before`."""
        known: dict[str, SectionRow] = {}
        if before is not None:
            for section in before.sections:
                known.setdefault(section.title, section)
        self.sections: list[SectionRow] = []
        self.paragraphs: list[ParagraphRow] = []
        #: How often each term stands in each paragraph, and in each section before its first paragraph.
        self._counts: list[dict[str, int]] = []
        self._heading_counts: list[dict[str, int]] = []
        self.whole: dict[str, int] = {}
        slugs: dict[str, int] = {}
        for start, end, level, title, pieces in cut_sections(data):
            number = len(self.sections) + 1
            old = known.get(title)
            zone = (
                old.zone
                if old
                else self.sections[-1].zone
                if self.sections and self.sections[-1].zone != "head"
                else ""
            )
            zone = zone or ("head" if number == 1 else "body")
            slug = old.slug if old else _slug(title)
            if slug in slugs:
                slugs[slug] += 1
                slug = f"{slug}-{slugs[slug]}"
            slugs[slug] = 0
            path = old.path if old else (title,)
            section = SectionRow(number, level, title, slug, path, zone, old.date if old else "", start, end, 0)
            self.sections.append(section)
            edge = pieces[0][0] if pieces else end
            section.cost = self._count(data[start:edge], self._heading_counts)[0]
            for i, (first, last) in enumerate(pieces):
                until = pieces[i + 1][0] if i + 1 < len(pieces) else end
                cost, length = self._count(data[first:until], self._counts)
                section.cost += cost
                self.paragraphs.append(ParagraphRow(number, zone, section.date, first, last, cost, length, ""))
        self.length = sum(self.whole.values())
        label_text = "\n".join((row.title, row.name, row.description, *row.aliases, *[s.title for s in self.sections]))
        self.labels: dict[str, int] = {}
        _count_elements(self.labels, terms(label_text))
        self.label_length = sum(self.labels.values())
        self.count = len(self.paragraphs)
        self.section_count = len(self.sections)
        self._columns()
        row.cost = sum([section.cost for section in self.sections])
        row.head_cost = sum([p.cost for p in self.paragraphs if p.zone == "head"])
        row.sections = self.section_count
        row.estimated = True
        self.row = row

    def _columns(self) -> None:
        """The same columns that note_view.Passages has."""
        zones = {zone: i for i, zone in enumerate(ZONES)}
        p, s = self.paragraphs, self.sections
        self.p_start, self.p_end = [x.start for x in p], [x.end for x in p]
        self.p_cost, self.p_length = [x.cost for x in p], [x.length for x in p]
        self.p_section, self.p_zone = [x.section for x in p], [zones[x.zone] for x in p]
        self.p_date = [int(x.date.replace("-", "") or 0) for x in p]
        self.s_start, self.s_end, self.s_cost = [x.start for x in s], [x.end for x in s], [x.cost for x in s]
        self.s_zone, self.s_level = [zones[x.zone] for x in s], [x.level for x in s]
        self.s_date = [int(x.date.replace("-", "") or 0) for x in s]

    def _count(self, text: bytes, counts: list[dict[str, int]]) -> tuple[int, int]:
        """Count the terms of a piece; returns its estimated cost and its length in terms."""
        here: dict[str, int] = {}
        found = byte_terms(text)
        _count_elements(here, found)  # what collections.Counter counts with, without the package
        _count_elements(self.whole, found)
        counts.append(here)
        wide = 0 if text.isascii() else len(text) - len(text.translate(None, _WIDE))
        return (len(text) - wide + 3) // 4 + (wide + 1) // 2, len(found)

    def paragraph(self, i: int) -> ParagraphRow:
        """Paragraph `i`, from 0."""
        return self.paragraphs[i]

    def counts(self, term: str) -> list[tuple[int, int]]:
        """(paragraph from 0, how often) for each paragraph that holds the term, ascending."""
        return [(i, here[term]) for i, here in enumerate(self._counts) if term in here]

    def counts_by_hash(self, key: int) -> list[tuple[int, int]]:
        """The same for the term's hash."""
        return next((self.counts(term) for term in self.whole if term_hash(term) == key), [])

    def places(self, term: str) -> list[tuple[int, int]]:
        """(place, how often), paragraphs and headings in one: a place is a paragraph, or `count` + section from 0."""
        if term not in self.whole:
            return []
        return [*self.counts(term), *[(self.count + section, tf) for section, tf in self.heading_counts(term)]]

    def all_places(
        self,
        terms: list[tuple[float, str]],
        keys: list[bytes],  # noqa: ARG002 (see Passages)
    ) -> list[tuple[int, list[int], list[int]]]:
        """As Passages.all_places."""
        found = [(i, self.places(term)) for i, (_, term) in enumerate(terms)]
        return [(i, [place for place, _ in held], [tf for _, tf in held]) for i, held in found if held]

    def together(self, terms: Sequence[tuple[float, str]]) -> float:
        """The most that the (weight, term)s in one spot weigh (see Index.together); 0 when the note holds none."""
        sums = [0.0] * SPOTS
        for weight, term in terms:
            if term in self.whole:
                for spot in {p // SPOT_PARAGRAPHS % SPOTS for p, _ in self.counts(term)}:
                    sums[spot] += weight
        return max(sums)

    def heading_counts(self, term: str) -> list[tuple[int, int]]:
        """(section from 0, how often) for each section whose heading (or front matter) holds the term, ascending."""
        return [(i, here[term]) for i, here in enumerate(self._heading_counts) if term in here]


def _lines(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each line, the line's end included."""
    at = 0
    n = len(data)
    while at < n:
        end = data.find(b"\n", at) + 1 or n
        yield at, end
        at = end


def cut_sections(data: bytes) -> list[tuple[int, int, int, str, list[tuple[int, int]]]]:
    """(start, end, level, title, paragraphs' bounds) of each section: ATX headings and `===` lines outside fences."""
    found: list[tuple[int, int, int, str, list[tuple[int, int]]]] = []
    pieces: list[tuple[int, int]] = []
    begin, level, title = 0, 0, "(head)"
    fence = b""
    settled = 0  # before it, both sides of a merge's conflict stand, of which neither is a fact
    front = data.startswith((b"---", b"\xef\xbb\xbf---"))
    open_piece = before = -1  # where the current paragraph begins, and where its last line does
    first = True
    for start, end in _lines(data):
        line = data[start:end].strip(b" \t\r\n\xef\xbb\xbf")
        if front:  # up to the line that closes it, front matter belongs to the first section's heading
            front = first or line not in (b"---", b"...")
            first = False
            continue
        first = False
        if start < settled:
            continue
        if not fence and line.startswith(b"<<<<<<< ") and (last := data.find(b"\n>>>>>>> ", end)) >= 0:
            if open_piece >= 0:
                pieces.append((open_piece, start))
            open_piece = -1
            settled = data.find(b"\n", last + 1) + 1 or len(data)
            continue
        if fence:
            fence = b"" if line.startswith(fence) and not line.strip(fence[:1]) else fence
        elif line[:3] in (b"```", b"~~~"):
            fence = line[:3]
            open_piece = start if open_piece < 0 else open_piece
        elif (
            line[:1] == b"#"
            and line[: (marks := len(line) - len(line.lstrip(b"#")))]
            and (marks <= 6 and line[marks : marks + 1] in (b" ", b"\t", b""))
        ):
            if open_piece >= 0:
                pieces.append((open_piece, start))
            open_piece = -1
            if begin < start and (pieces or level or data[begin:start].strip()):
                found.append((begin, start, level, title, pieces))
                pieces = []
                begin = start
            level, title = marks, _title(line[marks:])
            continue
        elif line and not line.strip(b"=") and open_piece >= 0 and before == open_piece:
            if begin < open_piece and (pieces or level or data[begin:open_piece].strip()):
                found.append((begin, open_piece, level, title, pieces))
                pieces = []
                begin = open_piece
            level, title = 1, _title(data[before:start])
            open_piece = -1
            continue
        elif not line:
            if open_piece >= 0:
                pieces.append((open_piece, start))
            open_piece = -1
            continue
        if open_piece >= 0 and end - open_piece > _LONGEST and start > open_piece:
            pieces.append((open_piece, start))
            open_piece = start
        elif open_piece < 0:
            open_piece = start
        before = start
    if open_piece >= 0:
        pieces.append((open_piece, len(data)))
    found.append((begin, len(data), level, title, pieces))
    return found


def _title(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().rstrip("#").strip().replace("`", "").replace("**", "")


def _slug(title: str) -> str:
    kept = "".join([c if c.isalnum() else "-" for c in title.casefold()])
    return "-".join([part for part in kept.split("-") if part]) or "section"
