"""Counts the terms of many notes at once: which stands in which piece of which note how often.

Every occurrence becomes one sortable number (label, note, term, place); the sorted row gives all counts.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ladder.indexing.hash_table import PADDING, U32, U64, Places
from ladder.indexing.vocabulary import Vocabulary
from ladder.text.tokenizer import spelt

#: Notes that can be counted at a time, terms of a vocabulary, places in a note.
MOST_AT_ONCE = 1 << 10
_TERM_BITS, _PLACE_BITS = 24, 24
_NOTE_AT = _TERM_BITS + _PLACE_BITS
_LABEL = 1 << 63
_PLACE = np.uint64((1 << _PLACE_BITS) - 1)
_TERM = np.uint64((1 << _TERM_BITS) - 1)


def tags(notes: Places, places: Places) -> U64:
    """What `count` wants to know of each piece: its note, from 0 and ascending, and its place in the note."""
    return notes.astype(np.uint64) << np.uint64(_NOTE_AT) | places.astype(np.uint64)


def label_tags(notes: Places, weights: Places) -> U64:
    """The same of labels: `weights` says how often each word counts."""
    return tags(notes, weights) | np.uint64(_LABEL)


class Counted(NamedTuple):
    """What was counted. A *group* is a term of a note, a *pair* a group and a place; both lie note by note."""

    terms: U32
    """Of each group; ascending within a note."""
    tfs: U32
    """How often each group's term stands in the note."""
    group_borders: Places
    """Where each group's pairs begin, and the last one's end."""
    groups_at: Places
    """Where each note's groups begin, and the last one's end."""
    places: U32
    """Of each pair; ascending within a group."""
    counts: U32
    """How often the group's term stands in the pair's place."""
    lengths: Places
    """Terms in each piece, in the order in which pieces were given."""
    label_terms: U32
    """Terms of each note's labels, ascending within a note."""
    label_tfs: U32
    labels_at: Places


def count(pieces: Sequence[bytes], tagged: U64, notes: int, vocabulary: Vocabulary) -> Counted:
    """Count the words of the pieces of `notes` notes, at most MOST_AT_ONCE; a word does not reach over two pieces."""
    text, at = _joined(pieces)
    languages = _language_names(text)
    if len(languages):
        pieces = list(pieces)
        for i in np.unique(np.searchsorted(at, languages, "right") - 1).tolist():
            pieces[i] = spelt(pieces[i])
        text, at = _joined(pieces)
    words = vocabulary.read(text)
    borders = np.searchsorted(words.starts, at)
    terms, begins, sizes = vocabulary.terms()
    tag_of = np.repeat(tagged, np.diff(borders))
    size = sizes[words.words]
    lengths = np.diff(np.concatenate(([0], np.cumsum(size, dtype=np.int64)))[borders])
    one, more = np.flatnonzero(size == 1), np.flatnonzero(size > 1)
    many, size = words.words[more], size[more]
    keys = np.empty(len(one) + int(size.sum(dtype=np.int64)), np.uint64)
    single, several = keys[: len(one)], keys[len(one) :]
    single[:] = terms[begins[words.words[one]]]
    several[:] = terms[ranges(begins[many], size)]
    keys <<= np.uint64(_PLACE_BITS)
    single |= tag_of[one]
    several |= np.repeat(tag_of[more], size)
    keys.sort()
    labels_from = int(np.searchsorted(keys, np.uint64(_LABEL)))
    labels = keys[labels_from:] & np.uint64(_LABEL - 1)
    keys = keys[:labels_from]
    first = borders_of(keys)
    pairs = keys[first[:-1]]
    group = borders_of(pairs >> np.uint64(_PLACE_BITS))
    heads = pairs[group[:-1]]
    every = np.arange(notes + 1, dtype=np.uint64) << np.uint64(_NOTE_AT)
    label_group = borders_of(labels >> np.uint64(_PLACE_BITS))
    label_heads = labels[label_group[:-1]]
    return Counted(
        terms=_term(heads),
        tfs=np.diff(first[group]).astype(np.uint32),
        group_borders=group,
        groups_at=np.searchsorted(heads, every),
        places=(pairs & _PLACE).astype(np.uint32),
        counts=np.diff(first).astype(np.uint32),
        lengths=lengths,
        label_terms=_term(label_heads),
        label_tfs=np.diff(np.concatenate(([0], np.cumsum(labels & _PLACE, dtype=np.uint64)))[label_group]).astype(
            np.uint32
        ),
        labels_at=np.searchsorted(label_heads, every),
    )


def _joined(pieces: Sequence[bytes]) -> tuple[bytes, Places]:
    """The text that Vocabulary.read wants; where each piece begins, and where the next one would."""
    text = b" ".join((b"", *pieces, PADDING))
    return text, sums(np.fromiter(map(len, pieces), np.int64, len(pieces)) + 1) + 1


def _language_names(text: bytes) -> Places:
    """Where `spelt` may have something to do; looking for each name takes as long as cutting the text."""
    codes = np.frombuffer(text, np.uint8)
    plus = codes == ord("+")
    sharp = np.flatnonzero(codes == ord("#"))
    sharp = sharp[np.isin(codes[sharp - 1], np.frombuffer(b"cCfF", np.uint8))]
    return np.concatenate((sharp, np.flatnonzero(plus[1:] & plus[:-1])))


def _term(keys: U64) -> U32:
    return (keys >> np.uint64(_PLACE_BITS) & _TERM).astype(np.uint32)


def borders_of(keys: U64) -> Places:
    """Where runs of equal keys begin, and where the last one ends."""
    if not len(keys):
        return np.zeros(1, np.int64)
    return np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1, [len(keys)]))


def ranges(begins: npt.NDArray[np.integer], sizes: npt.NDArray[np.integer]) -> Places:
    """begin, begin + 1, … of each range of `sizes` items, one range after the other."""
    ends = np.cumsum(sizes, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(begins.astype(np.int64) - (ends - sizes), sizes) + np.arange(total)


def sums(values: Sequence[int] | npt.NDArray[np.integer]) -> Places:
    """0 and the running sums of `values`."""
    found = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=found[1:])
    return found
