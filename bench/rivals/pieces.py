"""Cuts notes into the pieces that rivals rank (paragraphs, sections) and counts the terms of each.

Many notes are cut and counted at a time, as the index does it: ten thousand notes are a million pieces, and versions of
a note share nothing that would make them cheaper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ladder.indexing.term_counts import MOST_AT_ONCE, count, sums, tags
from notes import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ladder.indexing.hash_table import U32, Places
    from ladder.indexing.vocabulary import Vocabulary
    from notes import Note, Span

T = TypeVar("T", bound=np.generic)

#: Notes that are cut before their terms are counted.
PORTION = 64


class Pieces(NamedTuple):
    """Pieces of one note, or of many one after the other, in file order."""

    starts: U32
    """Each piece's first byte in its file."""
    ends: U32
    lengths: Places
    """Terms of each piece, each occurrence counted."""
    rows: Places
    """Where the terms of each piece begin, and the last one's end."""
    terms: U32
    """Distinct terms of each piece, ascending, numbered by the vocabulary that they were counted with."""
    tfs: U32
    """How often each stands there."""


class Cut(NamedTuple):
    """One note, cut."""

    head: tuple[int, int]
    """First byte, and the one behind the last; equal when there is no head."""
    paragraphs: Pieces
    """Front matter too: it is text of the note, and its descriptions are often the answer."""
    sections: Pieces


def cut_notes(notes: Iterable[tuple[str, bytes]], vocabulary: Vocabulary) -> list[Cut]:
    """Cut notes given as (name, content); their terms get numbers of `vocabulary`."""
    found: list[Cut] = []
    parsed: list[Note] = []
    for name, data in notes:
        parsed.append(parse(data, name + ".md"))
        if len(parsed) >= PORTION:
            found += _cut(parsed, vocabulary)
            parsed = []
    return found + _cut(parsed, vocabulary)


def _cut(notes: Sequence[Note], vocabulary: Vocabulary) -> list[Cut]:
    paragraphs = [[note.front, *(paragraph.span for paragraph in note.paragraphs)] for note in notes]
    sections = [[section.span for section in note.sections] for note in notes]
    heads = [(note.head.start, note.head.end) for note in notes]
    both = (_pieces(notes, spans, vocabulary) for spans in (paragraphs, sections))
    return [Cut(*each) for each in zip(heads, *both, strict=True)]


def _pieces(notes: Sequence[Note], spans: Sequence[Sequence[Span]], vocabulary: Vocabulary) -> list[Pieces]:
    """Each note's spans as pieces, those without a printable character left out."""
    texts: list[bytes] = []
    places: list[Span] = []
    sizes: list[int] = []
    for note, own in zip(notes, spans, strict=True):
        before = len(places)
        for span in own:
            text = note.text(span)
            if text.strip():
                texts.append(text.encode("utf-8", "surrogatepass"))
                places.append(span)
        sizes.append(len(places) - before)
    lengths, rows, terms, tfs = _counted(texts, vocabulary)
    starts, ends = np.array([tuple(span) for span in places], np.uint32).reshape(-1, 2).T
    found = []
    at = 0
    for size in sizes:
        part = slice(at, at + size)
        begin, end = int(rows[at]), int(rows[at + size])
        own_rows = rows[at : at + size + 1] - begin
        found.append(Pieces(starts[part], ends[part], lengths[part], own_rows, terms[begin:end], tfs[begin:end]))
        at += size
    return found


def _counted(texts: Sequence[bytes], vocabulary: Vocabulary) -> tuple[Places, Places, U32, U32]:
    """Lengths, rows, terms and tfs of texts."""
    found = []
    for at in range(0, len(texts), MOST_AT_ONCE):
        some = texts[at : at + MOST_AT_ONCE]
        many = np.arange(len(some))
        found.append(count(some, tags(many, np.zeros_like(many)), len(some), vocabulary))
    return (
        _together([each.lengths for each in found], np.int64),
        sums(_together([np.diff(each.groups_at) for each in found], np.int64)),
        _together([each.terms for each in found], np.uint32),
        _together([each.tfs for each in found], np.uint32),
    )


def joined(many: Sequence[Pieces]) -> Pieces:
    """The pieces of several notes one after the other."""
    return Pieces(
        starts=_together([pieces.starts for pieces in many], np.uint32),
        ends=_together([pieces.ends for pieces in many], np.uint32),
        lengths=_together([pieces.lengths for pieces in many], np.int64),
        rows=sums(_together([np.diff(pieces.rows) for pieces in many], np.int64)),
        terms=_together([pieces.terms for pieces in many], np.uint32),
        tfs=_together([pieces.tfs for pieces in many], np.uint32),
    )


def _together(parts: Sequence[npt.NDArray[T]], kind: type[T]) -> npt.NDArray[T]:
    return np.concatenate(parts) if parts else np.zeros(0, kind)


def order_of(numbers: U32) -> Places:
    """The order that sorts 32-bit numbers, equal ones as they lie; numpy sorts 16 bits by counting, in linear time."""
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    if len(numbers) and int(numbers.max()) > 0xFFFF:
        order = order[np.argsort((numbers >> 16).astype(np.uint16)[order], kind="stable")]
    return order
