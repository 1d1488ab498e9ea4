"""The three rungs as functions: suggest notes, map a note's sections with their costs, read one section."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ladder.index.name_table import fold_name
from ladder.ranking.dates import of_that_time
from ladder.ranking.explain import Suggestion, suggestions
from ladder.ranking.granularity import Weighed
from ladder.ranking.passages import rank_passages
from ladder.ranking.survey import DEPTH, survey
from ladder.reading.answer import note_bytes
from notes import parse, resolve
from notes.private import without_private
from notes.secrets import masked_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ladder.index.reader import Index, NoteRow
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.ranking.search import Search
    from notes import Note, Section, Span

#: Notes that a suggestion names at most, and what share of the best one's score the others must have.
SUGGESTED = 5
SUGGESTED_SHARE = 0.5
_NEAR = 3
_DIGITS = 9  # of a section's number, fewer than this


class NoSuchNote(LookupError):  # noqa: N818 (it is what happened, said in one word)
    """No note of that `name`; `near` are names like it."""

    def __init__(self, name: str, near: list[str]) -> None:
        """Keep both."""
        super().__init__(f"no note called {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
        self.name = name
        self.near = near


class NoSuchSection(LookupError):  # noqa: N818 (as above)
    """No section of that address; `near` are addresses like it."""

    def __init__(self, note: str, address: str, near: list[str]) -> None:
        """Keep them."""
        super().__init__(f"{note} has no section {address!r}" + (f"; near: {', '.join(near)}" if near else ""))
        self.near = near


class Ambiguous(LookupError):  # noqa: N818 (as above)
    """Several notes or sections answer to that name; `found` are the addresses that tell them apart."""

    def __init__(self, name: str, found: list[str]) -> None:
        """Keep both."""
        super().__init__(f"{name!r} may be any of: {', '.join(found)}")
        self.found = found


@dataclass(frozen=True, slots=True)
class MapRow:
    """A section or a dated entry in a note's map."""

    number: int
    """The section's number; 0 for an entry that is no section."""
    title: str
    slug: str
    path: tuple[str, ...]
    level: int
    zone: str
    cost: int
    """Tokens that reading it by its number takes: of the first section the head alone, as everywhere."""
    start: int
    """Bytes of the section; front matter and title are the first one's."""
    end: int
    hits: tuple[str, ...]
    """Terms of the question that stand in it."""


@dataclass(frozen=True, slots=True)
class Part:
    """What the third rung prints: the bytes of a section, an entry or a head, and its address."""

    note: str
    address: str
    title: str
    start: int
    end: int
    text: str


def suggest(index: Index, query: Query, *, learned: Learned | None = None, most: int = SUGGESTED) -> list[Suggestion]:
    """Return the notes worth a look, best first: those that reach half of the best one's score.

    Of a message that names a time and nothing else, those with something of that time.
    """
    search = survey(index, query, learned=learned, depth=max(most, DEPTH))
    dated = of_that_time(search, most)
    if dated is not None:
        return suggestions(search, most, dated)
    found = suggestions(search, most)
    worth = [each for each in found if each.score >= found[0].score * SUGGESTED_SHARE]
    return _with_the_leader(search, worth, most)


def _with_the_leader(search: Search, found: list[Suggestion], most: int) -> list[Suggestion]:
    """Return the suggestions with the note whose passage leads an answer among them, in the last place."""
    leading = rank_passages(search)[:1] if found else []
    if not leading or any(each.note == leading[0].note for each in found):
        return found
    return [*found[: most - 1], *suggestions(search, 1, [leading[0].note])] if most > 1 else found


def one_note(index: Index, name: str) -> int:
    """Return the number of the one note that `name` means.

    Raises:
        NoSuchNote: there is none.
        Ambiguous: there are several.
    """
    found = index.find(name)
    # Its own name goes before another note's title or alias, and as it is spelled before another spelling of it:
    # otherwise nothing would lead to it.
    own = [n for n in found if fold_name(index.note(n).name) == fold_name(name)]
    spelled = [n for n in found if _ends_as_spelled(index.note(n), name)]
    for one in (found, [n for n in own if n in spelled], own, spelled):
        if len(one) == 1:
            return one[0]
    if found:
        raise Ambiguous(name, sorted(index.note(n).name for n in found))
    raise NoSuchNote(name, names_near(name, [index.note(n).name for n in range(index.count) if index.alive(n)]))


def _ends_as_spelled(row: NoteRow, name: str) -> bool:
    """Whether a name or path ends so, case and all."""
    wanted = "/" + unicodedata.normalize("NFC", name.replace("\\", "/").strip()).removeprefix("./").removesuffix(".md")
    return any(f"/{own.replace(chr(92), '/').removesuffix('.md')}".endswith(wanted) for own in (row.name, row.path))


def names_near(name: str, names: list[str]) -> list[str]:
    """Up to three of `names` that are like a name, or whose last part begins with it."""
    last = {each.rpartition("/")[2].casefold(): each for each in names}
    wanted = name.rpartition("/")[2].casefold()
    near = [last[each] for each in last if wanted and each.startswith(wanted)]
    near += get_close_matches(name, names, _NEAR, 0.5)
    near += [last[each] for each in get_close_matches(wanted, last, _NEAR)]
    return list(dict.fromkeys(near))[:_NEAR]


def map_note(index: Index, n: int, weights: Mapping[str, float] | None = None) -> list[MapRow]:
    """Return the sections of note `n` and the dated entries in them that have no heading, in file order.

    `hits` are the terms of `weights` that stand there, the weightiest first.
    """
    passages = index.passages(n)
    terms = [term for _, term in Weighed(index, weights or {}).terms]
    in_paragraphs = {term: {p for p, _ in passages.counts(term)} for term in terms}
    in_headings = {term: {s for s, _ in passages.heading_counts(term)} for term in terms}
    rows = []
    paragraphs = passages.paragraphs
    headings = {section.slug for section in passages.sections}  # an entry with a heading goes on below its own headings
    inside: dict[int, list[int]] = {}
    for p, row in enumerate(paragraphs):
        inside.setdefault(row.section, []).append(p)
    for s, section in enumerate(passages.sections):
        own = inside.get(s + 1, [])
        hits = tuple(t for t in terms if s in in_headings[t] or not in_paragraphs[t].isdisjoint(own))
        head = index.note(n).head_cost if section.zone == "head" and section.number == 1 else 0
        rows.append(
            MapRow(
                section.number, "(head)" if head else section.title, section.slug, section.path, section.level,
                section.zone, head or section.cost, section.start, section.end, hits,
            )
        )  # fmt: skip
        entries: dict[str, list[int]] = {}
        for p in own:
            slug = paragraphs[p].entry_slug
            if slug and slug not in headings:
                entries.setdefault(slug, []).append(p)
        for slug, parts in entries.items():
            hits = tuple(t for t in terms if not in_paragraphs[t].isdisjoint(parts))
            cost = sum(paragraphs[p].cost for p in parts)
            rows.append(
                MapRow(
                    0, slug, slug, (*section.path, slug), section.level + 1, "history", cost,
                    paragraphs[parts[0]].start, paragraphs[parts[-1]].end, hits,
                )
            )  # fmt: skip
    return rows


def read_section(index: Index, n: int, address: str = "", *, data: bytes | None = None) -> Part:
    """Return a part of note `n` as its file stands now (or of `data`), its text as it is handed over.

    `address` is `#` and a slug, a section's number (1 is the head, where there is one), a title, a path `A > B` (its
    end is enough), an entry's day, a line (`L120`), `(head)`, or empty: the head, else the first section. A slug behind
    `#` is unique; a title that several sections bear, or a day of several entries, is read of none.

    Raises:
        OSError: the file cannot be read.
        NoSuchSection, Ambiguous: see there.
    """
    row = index.note(n)
    if data is None:
        data = note_bytes(index, n)
    if data is None:
        raise FileNotFoundError(row.path)
    note = parse(without_private(data), row.path, head_budget=int(index.settings.get("head_budget", 400)))
    found = _find(note, row.name, address.strip())
    return replace(found, text=as_told(data)[found.start : found.end].replace(b"\0", b"").decode("utf-8", "replace"))


def as_told(data: bytes) -> bytes:
    """Return a note's bytes as they are handed over: what is private and what of a secret is left out is NUL."""
    return masked_bytes(without_private(data, b"\0"))


def _find(note: Note, name: str, address: str) -> Part:
    if address.casefold().removeprefix("#") in ("", "(head)", "head") and note.head.start < note.head.end:
        return _part(note, name, "head", "(head)", note.head)
    if not address:
        return _section_part(note, name, note.sections[0])
    found = resolve(note.sections, address)
    bare = address.removeprefix("#")
    number = int(bare) if bare.isascii() and bare.isdigit() and len(bare) < _DIGITS else 0
    if number == 1 and not found and note.head.start < note.head.end:
        return _part(note, name, "head", "(head)", note.head)
    if 1 <= number <= len(note.sections) and note.sections[number - 1] not in found:
        found = [*found, note.sections[number - 1]]
    if len(found) > 1:
        raise Ambiguous(address, [_told(note, name, section, by_line=number > 0) for section in found])
    if found:
        return _section_part(note, name, found[0])
    for entry in note.entries:
        if entry.slug == bare:
            return _part(note, name, entry.slug, entry.title, entry.span)
    of_day = [entry for entry in note.entries if entry.date and entry.date.isoformat() == bare]
    if len(of_day) > 1:
        raise Ambiguous(address, [f"{name}#{entry.slug}" for entry in of_day])
    if of_day:
        return _part(note, name, of_day[0].slug, of_day[0].title, of_day[0].span)
    address = bare
    line = address[1:] if address[:1] in ("L", "l") else ""
    if line.isascii() and line.isdigit():
        at = _line_start(note, int(line))
        for section in note.sections:
            if section.span.start <= at < section.span.end:
                return _section_part(note, name, section)
    slugs = list(dict.fromkeys([*(section.slug for section in note.sections), *(e.slug for e in note.entries)]))
    wanted = address.rpartition(">")[2].strip().casefold()
    near = [slug for slug in slugs if slug.startswith(wanted)] + get_close_matches(wanted, slugs, _NEAR, 0.4)
    raise NoSuchSection(name, address, [f"#{slug}" for slug in dict.fromkeys(near)][:_NEAR])


def _told(note: Note, name: str, section: Section, *, by_line: bool) -> str:
    """An address that leads to this section and no other: its slug, or its line where a slug looks like a number."""
    line = note.data.count(b"\n", 0, section.span.start) + 1
    return f"{name}#{f'L{line}' if by_line else section.slug} ({' > '.join(section.path)})"


def _part(note: Note, name: str, slug: str, title: str, span: Span) -> Part:
    return Part(name, f"{name}#{slug}", title, span.start, span.end, note.text(span))


def _section_part(note: Note, name: str, section: Section) -> Part:
    return _part(note, name, section.slug, section.title, section.span)


def _line_start(note: Note, line: int) -> int:
    """The byte at which line `line` begins, counted from 1; -1 when there are fewer.

    Counted as `grep -n` and editors do: LF ends a line, with or without a CR before it; CR where there is no LF at all.
    """
    ending = b"\n" if b"\n" in note.data else b"\r"
    at = 0
    for _ in range(line - 1):
        end = note.data.find(ending, at)
        if end < 0:
            return -1
        at = end + len(ending)
    return at if line > 0 else -1
