"""Lays out the forward blocks of many notes (see format.FORWARD): each column is made once and cut by note."""

import datetime as dt
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ladder.index.format import FORWARD, NO_ENTRY, ZONES, pack_values
from ladder.indexing.hash_table import U32, U64, Places
from ladder.indexing.term_counts import Counted, ranges, sums
from ladder.indexing.vocabulary import short_hashes
from notes import Note, Zone

#: Columns by name, each with where each note's part of it begins, and the last one's end.
Columns = dict[str, tuple[npt.NDArray[Any], Places]]
_GROUP_BITS = 22
_ZONE_NUMBERS = {id(Zone(zone)): number for number, zone in enumerate(ZONES)}


class Layout(NamedTuple):
    """Where the paragraphs and sections of several notes lie when they are laid one after the other."""

    paragraphs_at: Places
    """Where each note's begin, and the last one's end."""
    sections_at: Places
    starts: U32
    """Each paragraph's first byte."""
    ends: U32
    sections: Places
    """Each paragraph's section, from 1 in its note."""


class Measures(NamedTuple):
    """What was counted of the parts of several notes."""

    lengths: Places
    """Terms in each paragraph."""
    costs: Places
    """Tokens of each paragraph."""
    section_costs: Places
    """Tokens of each section."""


def lay_out(notes: Sequence[Note]) -> Layout:
    """Lay the notes' paragraphs and sections one after the other."""
    paragraphs = list(chain.from_iterable(note.paragraphs for note in notes))
    spans = np.fromiter(chain.from_iterable([p.span for p in paragraphs]), np.uint32, 2 * len(paragraphs))
    return Layout(
        sums([len(note.paragraphs) for note in notes]),
        sums([len(note.sections) for note in notes]),
        spans[::2],
        spans[1::2],
        np.array([p.section for p in paragraphs], np.int64),
    )


def forward_blocks(
    notes: Sequence[Note], layout: Layout, counted: Counted, measures: Measures, all_hashes: U64
) -> list[bytes]:
    """The forward block's payload of each note. `all_hashes`: Vocabulary.hashes()."""
    groups_at, labels_at = counted.groups_at, counted.labels_at
    hashes = short_hashes(all_hashes[counted.terms])
    order = _by_hash(hashes, groups_at)
    sizes = np.diff(counted.group_borders)[order]
    pick = ranges(counted.group_borders[order], sizes)
    pairs_at = counted.group_borders[groups_at]
    # `at` of each note: 0, then where each group's pairs end; so a note has one more than it has groups.
    ats_at = groups_at + np.arange(len(groups_at))
    at = np.zeros(len(order) + len(notes), np.int64)
    own = np.diff(groups_at)
    at[np.arange(len(order)) + np.repeat(np.arange(1, len(notes) + 1), own)] = np.cumsum(sizes) - np.repeat(
        pairs_at[:-1], own
    )
    pairs = counted.places[pick]
    columns: Columns = {
        "terms": (hashes[order], groups_at),
        "tf": (np.minimum(counted.counts[pick], 255).astype(np.uint8), pairs_at),
        "label_terms": (short_hashes(all_hashes[counted.label_terms]), labels_at),
        "label_tf": (np.minimum(counted.label_tfs, 0xFFFF).astype(np.uint16), labels_at),
        **_paragraph_columns(notes, layout, measures),
        **_section_columns(notes, layout, measures),
    }
    widths: dict[bool, Columns] = {}
    blocks = []
    for i, note in enumerate(notes):
        n, s = len(note.paragraphs), len(note.sections)
        groups, held, labels = (int(borders[i + 1] - borders[i]) for borders in (groups_at, pairs_at, labels_at))
        wide = max(n + s, held) > 0xFFFF
        if wide not in widths:
            kind = np.uint32 if wide else np.uint16
            widths[wide] = {**columns, "at": (at.astype(kind), ats_at), "pairs": (pairs.astype(kind), pairs_at)}
        texts = pack_values(
            (
                tuple([section.title for section in note.sections]),
                tuple([section.slug for section in note.sections]),
                tuple([section.path for section in note.sections]),
                tuple([entry.slug for entry in note.entries]),
            )
        )
        parts = [array("I", [n, s, groups, held, labels, len(texts), int(wide), 0]).tobytes()]
        for name, _, _ in FORWARD:
            column, borders = widths[wide][name]
            parts.append(column[borders[i] : borders[i + 1]].tobytes())
        blocks.append(b"".join([*parts, texts]))
    return blocks


def _by_hash(hashes: U32, groups_at: Places) -> Places:
    """The order of groups by note, then hash, then as they were."""
    note = np.repeat(np.arange(len(groups_at) - 1, dtype=np.uint64), np.diff(groups_at))
    if len(hashes) >= 1 << _GROUP_BITS:
        return np.lexsort((hashes, note))
    keys = (note << np.uint64(32) | hashes) << np.uint64(_GROUP_BITS) | np.arange(len(hashes), dtype=np.uint64)
    keys.sort()
    return (keys & np.uint64((1 << _GROUP_BITS) - 1)).astype(np.int64)


def _days(dates: Sequence[dt.date | None]) -> U32:
    """Dates as numbers YYYYMMDD; 0 for none."""
    return np.array([date.year * 10000 + date.month * 100 + date.day if date else 0 for date in dates], np.uint32)


def _zones(zones: Sequence[Zone]) -> npt.NDArray[np.uint8]:
    return np.array([_ZONE_NUMBERS[id(zone)] for zone in zones], np.uint8)  # by id: an enum's hash is slow


def _paragraph_columns(notes: Sequence[Note], layout: Layout, measures: Measures) -> Columns:
    paragraphs = list(chain.from_iterable(note.paragraphs for note in notes))
    entries = [NO_ENTRY if p.entry is None else min(p.entry - 1, NO_ENTRY) for p in paragraphs]
    columns: dict[str, npt.NDArray[Any]] = {
        "p_length": measures.lengths.astype(np.uint32),
        "p_section": np.minimum(layout.sections, 0xFFFF).astype(np.uint16),
        "p_cost": measures.costs.astype(np.uint32),
        "p_date": _days([p.date for p in paragraphs]),
        "p_start": layout.starts,
        "p_end": layout.ends,
        "p_entry": np.array(entries, np.uint16),
        "p_zone": _zones([p.zone for p in paragraphs]),
    }
    return {name: (column, layout.paragraphs_at) for name, column in columns.items()}


def _section_columns(notes: Sequence[Note], layout: Layout, measures: Measures) -> Columns:
    sections = list(chain.from_iterable(note.sections for note in notes))
    columns: dict[str, npt.NDArray[Any]] = {
        "s_start": np.array([section.span.start for section in sections], np.uint32),
        "s_end": np.array([section.span.end for section in sections], np.uint32),
        "s_cost": measures.section_costs.astype(np.uint32),
        "s_date": _days([section.date for section in sections]),
        "s_zone": _zones([section.zone for section in sections]),
        "s_level": np.array([section.level for section in sections], np.uint8),
    }
    return {name: (column, layout.sections_at) for name, column in columns.items()}
