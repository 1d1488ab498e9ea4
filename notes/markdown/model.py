"""What a note is made of. All spans are bytes of the file as it stands on disk, half open."""

import datetime as dt
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from notes.markdown.blocks import Block


class Zone(StrEnum):
    """Which part of a note something stands in."""

    HEAD = "head"
    BODY = "body"
    HISTORY = "history"


class Span(NamedTuple):
    """A range of bytes, half open."""

    start: int
    end: int


class Section(NamedTuple):
    """A heading and what stands under it up to the next; the first also holds front matter, title and lead."""

    number: int
    """1, 2, 3 … in file order."""
    level: int
    """1..6; 0 for a first section without a title; one more than its owner's for what was split off."""
    title: str
    """The heading's text without markup; `(lead)` or `(history)` for what was split off; `(head)` without a title."""
    path: tuple[str, ...]
    """The titles from the top to this one."""
    slug: str
    """Unique in the note."""
    span: Span
    zone: Zone
    date: dt.date | None
    """The date of its heading, or of the nearest dated heading above it, else of the note: a daily note's name."""


class Entry(NamedTuple):
    """One dated item of the history: a heading with all under it, a list item, a paragraph or a table row."""

    number: int
    """1, 2, 3 … in file order."""
    date: dt.date | None
    """None where an item of the history bears no date."""
    title: str
    """What follows the date on its first line; at most 120 characters."""
    slug: str
    """Unique in the note; the section's own where the entry is a section."""
    span: Span
    section: int
    """The number of the section in which it begins."""


class Paragraph(NamedTuple):
    """A paragraph-sized piece: a paragraph, a list item, a short list, rows of a table, part of a long block."""

    span: Span
    section: int
    """The number of its section."""
    zone: Zone
    date: dt.date | None
    """The entry's date, else the section's."""
    entry: int | None
    """The number of the entry it belongs to."""


@dataclass(frozen=True)
class Note:
    """A parsed note. Pure: made from bytes by `notes.markdown.parse`, knows nothing of the disk."""

    path: str
    """As given to `parse`; only its stem is used, as the title of a note that has none."""
    data: bytes = field(repr=False)
    """The whole file."""
    bom: bool
    """The file begins with a UTF-8 byte order mark."""
    newline: str
    """The line ending that most lines have: LF, CRLF or CR; LF when there is none."""
    encoding_ok: bool
    """False when the file is not UTF-8: it can be read, never written."""
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    description: str
    read_when: tuple[str, ...]
    links: tuple[str, ...]
    """Distinct targets of links and wiki links, in order, addresses of other hosts left out."""
    front: Span
    """The front matter with its fences; empty when there is none."""
    head: Span
    """The head without the blank lines round it; empty where a head would stand when there is none."""
    sections: tuple[Section, ...]
    """At least one; together they are the file, byte for byte."""
    entries: tuple[Entry, ...]
    history: tuple[Span, ...]
    """The history: spans in order that neither touch nor overlap."""
    newest_first: bool
    """The history's first dated entry is younger than its last."""
    blocks: "tuple[Block, ...]" = field(repr=False, compare=False)
    """The top-level blocks, for paragraphs and for the writer."""

    def text(self, span: Span) -> str:
        """The text of `span`; bytes that are not UTF-8 come as U+FFFD."""
        return self.data[span.start : span.end].decode("utf-8", "replace")

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Its paragraphs in file order; they do not overlap and hold no heading and no front matter."""
        from notes.markdown.paragraphs import paragraphs  # noqa: PLC0415 (paragraphs imports this module)

        return paragraphs(self)
