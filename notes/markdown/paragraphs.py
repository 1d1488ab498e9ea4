"""A note's text in paragraph-sized pieces: what is ranked, and what a fragment is."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator

from notes.markdown.blocks import Block
from notes.markdown.model import Entry, Note, Paragraph, Span, Zone

_SHORT_LIST = 400  # bytes; a shorter list is one piece, in a longer one each item is
_LONGEST = 1200  # bytes; a longer block is cut at a blank line, else at a line end
_ROWS = 800  # bytes of table rows in a piece


def paragraphs(note: Note) -> tuple[Paragraph, ...]:
    """The pieces of `note`, in order; each lies in one section, one zone and at most one entry."""
    data = note.data
    starts = [s.span.start for s in note.sections]
    ends = [x for e in note.entries for x in e.span] + [x for h in note.history for x in h]
    borders = sorted({*starts, *ends, len(data) + 1})
    turns = sorted({*borders, *note.head})  # what a paragraph belongs to is the same from one of these to the next
    turn = 0
    found: list[Paragraph] = []
    n = last = 0
    for piece_start, end in _pieces(data, note.blocks):
        start = max(piece_start, last)  # blocks do not overlap; a parser's surprise must not make pieces do so
        while borders[n] <= start:
            n += 1
        while start < end:
            stop = min(borders[n], end)
            text = data[start:stop].rstrip(b" \t\r\n")
            if text:
                at = start
                if text[0] in b"\r\n":
                    at += len(text) - len(text.lstrip(b"\r\n"))
                if at >= turn:
                    section, zone, date, entry = _whose(note, starts, at)
                    turn = turns[bisect_right(turns, at)]
                found.append(Paragraph(Span(at, start + len(text)), section, zone, date, entry))
            start = stop
            n += start < end
        last = max(last, end)
    return tuple(found)


def _whose(note: Note, starts: list[int], at: int) -> tuple[int, Zone, dt.date | None, int | None]:
    """Section's number, zone, date and entry's number of what begins at `at`; `starts` are the sections'."""
    section = note.sections[bisect_right(starts, at) - 1]
    entries, history = note.entries, note.history
    e = bisect_right(entries, at, key=_start_of_entry) - 1
    entry = entries[e] if e >= 0 and at < entries[e].span.end else None
    h = bisect_right(history, at, key=_start) - 1
    if h >= 0 and at < history[h].end:
        zone = Zone.HISTORY
    elif note.head.start <= at < note.head.end:
        zone = Zone.HEAD
    else:
        zone = Zone.BODY
    date = entry.date if entry and entry.date else section.date
    return section.number, zone, date, entry.number if entry else None


def _start(span: Span) -> int:
    return span.start


def _start_of_entry(entry: Entry) -> int:
    return entry.span.start


def _pieces(data: bytes, blocks: tuple[Block, ...]) -> Iterator[tuple[int, int]]:
    for block in blocks:
        if block.kind in ("heading", "rule", "conflict"):  # one side of a conflict is no fact to hand over
            continue
        if block.kind == "list" and block.end - block.start > _SHORT_LIST:
            for item in block.parts:
                if item.end - item.start > _LONGEST:
                    yield from _split(data, item.start, item.end)
                else:
                    yield item.start, item.end
        elif block.kind == "table" and block.end - block.start > _ROWS:
            begin = block.start
            for row in block.parts:
                if row.end - begin > _ROWS and row.start > begin:
                    yield from _split(data, begin, row.start)
                    begin = row.start
            yield from _split(data, begin, block.end)
        elif block.end - block.start > _LONGEST:
            yield from _split(data, block.start, block.end)
        else:
            yield block.start, block.end


def _split(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """`start..end` in pieces of about `_LONGEST` bytes at most, cut behind a blank line, else a line end."""
    while end - start > _LONGEST:
        window = data[start : start + _LONGEST]
        at = max(window.rfind(b"\n\n"), window.rfind(b"\r\n\r\n"), window.rfind(b"\r\r"))
        if at < _LONGEST // 3:
            at = max(window.rfind(b"\n"), window.rfind(b"\r", 0, _LONGEST - 1))
        if at <= 0:  # one very long line: it stays whole, since a line is what evidence is
            ends = [x for x in (data.find(b"\n", start, end), data.find(b"\r", start, end)) if x >= 0]
            if not ends:
                break
            at = min(ends) - start
        yield start, start + at + 1
        start += at + 1
    yield start, end
