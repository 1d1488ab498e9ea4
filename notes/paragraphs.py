"""A note's text in paragraph-sized pieces: what is ranked, and what a fragment is."""

from bisect import bisect_right
from collections.abc import Iterator

from notes.blocks import Block
from notes.model import Note, Paragraph, Span, Zone

_SHORT_LIST = 400  # bytes; a shorter list is one piece, in a longer one each item is
_LONGEST = 1200  # bytes; a longer block is cut at a blank line, else at a line end
_ROWS = 800  # bytes of table rows in a piece


def paragraphs(note: Note) -> tuple[Paragraph, ...]:
    """The pieces of `note`, in order; each lies in one section, one zone and at most one entry."""
    starts = [s.span.start for s in note.sections]
    entry_starts = [e.span.start for e in note.entries]
    history = note.history
    history_starts = [h.start for h in history]
    borders = sorted({*starts, *(x for e in note.entries for x in e.span), *(x for h in history for x in h)})
    found: list[Paragraph] = []
    for start, end in _cut(_pieces(note.data, note.blocks), borders):
        span = _strip(note.data, start, end)
        if span is None:
            continue
        section = note.sections[bisect_right(starts, span[0]) - 1]
        e = bisect_right(entry_starts, span[0]) - 1
        entry = note.entries[e] if e >= 0 and span[0] < note.entries[e].span.end else None
        h = bisect_right(history_starts, span[0]) - 1
        if h >= 0 and span[0] < history[h].end:
            zone = Zone.HISTORY
        elif note.head.start <= span[0] < note.head.end:
            zone = Zone.HEAD
        else:
            zone = Zone.BODY
        date = entry.date if entry and entry.date else section.date
        found.append(Paragraph(span, section.number, zone, date, entry.number if entry else None))
    return tuple(found)


def _pieces(data: bytes, blocks: tuple[Block, ...]) -> Iterator[tuple[int, int]]:
    for block in blocks:
        if block.kind in ("heading", "rule"):
            continue
        if block.kind == "list" and block.end - block.start > _SHORT_LIST:
            for item in block.parts:
                yield from _split(data, item.start, item.end)
        elif block.kind == "table" and block.end - block.start > _ROWS:
            begin = block.start
            for row in block.parts:
                if row.end - begin > _ROWS and row.start > begin:
                    yield from _split(data, begin, row.start)
                    begin = row.start
            yield from _split(data, begin, block.end)
        else:
            yield from _split(data, block.start, block.end)


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


def _cut(pieces: Iterator[tuple[int, int]], borders: list[int]) -> Iterator[tuple[int, int]]:
    """The pieces, cut where a section, an entry or the history begins or ends."""
    n = 0
    last = 0
    for piece_start, end in pieces:
        start = max(piece_start, last)  # blocks do not overlap; a parser's surprise must not make pieces do so
        while n < len(borders) and borders[n] <= start:
            n += 1
        while n < len(borders) and borders[n] < end:
            yield start, borders[n]
            start = borders[n]
            n += 1
        if start < end:
            yield start, end
        last = max(last, end)


def _strip(data: bytes, start: int, end: int) -> Span | None:
    text = data[start:end]
    kept = text.rstrip(b" \t\r\n")
    if not kept:
        return None
    blank = len(kept) - len(kept.lstrip(b"\r\n"))
    return Span(start + blank, start + len(kept))
