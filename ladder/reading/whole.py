"""A note that is read without a section: a small one whole, of a larger one its head, its map, and how to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ladder.reading.rungs import MapRow, as_told, map_note, read_section

if TYPE_CHECKING:
    from ladder.index.reader import Index

#: Tokens up to which a note comes whole: its map and a second call would cost about as much.
SMALL = 600
#: Rows of the map below a head.
ROWS = 40


class Read(NamedTuple):
    """What is shown of a note."""

    text: str
    """The whole note, or its head; empty when it has none."""
    start: int
    end: int
    """Bytes of `text` in the file."""
    rows: tuple[MapRow, ...]
    """The note's sections; empty when it came whole."""
    more: int
    """Sections and entries that `rows` leaves out."""


def read_note(index: Index, n: int, data: bytes) -> Read:
    """Return what is shown of note `n`, whose file holds `data`."""
    row = index.note(n)
    if row.cost <= SMALL:
        return Read(as_told(data).replace(b"\0", b"").decode("utf-8", "replace"), 0, len(data), (), 0)
    rows = map_note(index, n)
    head = read_section(index, n, data=data) if row.head_cost and rows[0].title == "(head)" else None
    shown = [each for each in rows if each.title != "(head)"]
    if len(shown) > ROWS:
        shown = [each for each in shown if each.number and each.level <= 2] or shown
    kept = tuple(shown[:ROWS])
    more = len([each for each in rows if each.title != "(head)"]) - len(kept)
    if head is None:
        return Read("", 0, 0, kept, more)
    return Read(head.text, head.start, head.end, kept, more)
