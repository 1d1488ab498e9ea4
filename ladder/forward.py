"""What the index keeps of one note: its row, its forward block, and how often it holds which term.

A note is cut into *pieces* that are the file byte for byte: what stands in a section before its first paragraph (the
heading, front matter), then one piece a paragraph, which reaches to the next. Costs are counted a piece, so sections
and note add up exactly; words are counted a piece, so paragraphs and note agree.
"""

import datetime as dt
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from ladder.coldformat import FORWARD, NO_ENTRY, ZONES, pack_values, term_hash
from ladder.costs import Costs, content_hash, count_many, estimated
from ladder.tokenise import SPACES, cut, raw_words
from notes import Note, parse

#: How often a word of a label counts in the label score.
LABEL_WEIGHTS = {"title": 3, "aliases": 3, "name": 2, "tags": 2, "read_when": 2, "description": 1, "headings": 1}
_PIECE_BITS = 24
#: Stands between pieces while a note is cut: no raw word, since SPACES turns it into a space.
_BORDER = b"\x01"
_BORDER_NUMBER = 0xFFFFFFFF

U32 = npt.NDArray[np.uint32]


class Vocabulary:
    """Terms by number, in the order in which they were met; lives as long as notes are prepared with it."""

    def __init__(self) -> None:
        """Begin without terms."""
        self.words: list[str] = []
        self.hashes = array("I")
        self._ids: dict[str, int] = {}
        self._known: dict[bytes, tuple[int, ...]] = {_BORDER: (_BORDER_NUMBER,)}

    def number(self, word: str) -> int:
        """The number of a term; a new one when it was not met before."""
        found = self._ids.get(word)
        if found is None:
            found = self._ids[word] = len(self.words)
            self.words.append(word)
            self.hashes.append(term_hash(word))
        return found

    def numbers(self, raw: list[bytes]) -> list[int]:
        """The terms of raw words (see tokenise.raw_words), as numbers, in their order."""
        try:
            return list(chain.from_iterable(map(self._known.__getitem__, raw)))
        except KeyError:
            for word in set(raw).difference(self._known):
                self._known[word] = tuple([self.number(term) for term in cut(word)])
            return list(chain.from_iterable(map(self._known.__getitem__, raw)))


@dataclass(frozen=True, slots=True)
class Prepared:
    """One note, ready to be put into an index whose terms have the numbers of the same Vocabulary."""

    row: tuple[object, ...]
    """See coldformat.NOTE_FIELDS; path and changed are filled in when the index is written."""
    forward: bytes
    """The forward block's payload."""
    terms: U32
    """Distinct terms, ascending."""
    tfs: U32
    """How often each stands in the note."""
    paragraphs_with: U32
    """In how many of its paragraphs each stands."""
    label_terms: U32
    label_tfs: U32
    length: int
    """Terms in the note."""
    label_length: int
    paragraphs: int
    paragraph_length: int
    """Terms in all its paragraphs."""
    hash: bytes
    """content_hash of the file."""


def prepare(
    name: str, data: bytes, vocabulary: Vocabulary, costs: Costs | None = None, head_budget: int = 400
) -> Prepared:
    """Parse, cut and count one note."""
    note = parse(data, name, head_budget=head_budget)
    key = content_hash(data)
    paragraphs, sections = note.paragraphs, note.sections
    starts, owner = _pieces(note)
    bounds = list(pairwise((*starts, len(data))))
    n, s = len(paragraphs), len(sections)
    plain = data.translate(SPACES)
    cut_up = (b" " + _BORDER + b" ").join([plain[start:end] for start, end in bounds])
    ids = np.array(vocabulary.numbers(cut_up.split()), np.uint32)
    border = ids == _BORDER_NUMBER
    words_of = np.array(owner, np.uint64)[np.cumsum(border)[~border]]
    ids = ids[~border]
    length_of = np.bincount(words_of.astype(np.int64), minlength=n + s).tolist()

    def texts() -> list[str]:
        return [data[start:end].decode("utf-8", "replace") for start, end in bounds]

    piece_costs = count_many(texts()) if costs is None else costs.pieces(key, texts, len(bounds))
    cost_of = [0] * (n + s)
    section_cost = [0] * s
    for piece, cost in zip(owner, piece_costs, strict=True):
        cost_of[piece] = cost
        section_cost[paragraphs[piece].section - 1 if piece < n else piece - n] += cost
    head_cost = sum(
        cost_of[i] for i, p in enumerate(paragraphs) if note.head.start <= p.span.start and p.span.end <= note.head.end
    )
    pairs = _pairs(ids, words_of, n)
    label_terms, label_tfs = _labels(note, name, vocabulary)
    forward = _forward(note, pairs, (label_terms, label_tfs), vocabulary, cost_of, length_of, section_cost)
    return Prepared(
        row=(
            "", name, note.title, sum(piece_costs), head_cost, 0, s, note.description, note.aliases, estimated(),
        ),
        forward=forward, terms=pairs.terms, tfs=pairs.tfs, paragraphs_with=pairs.paragraphs_with,
        label_terms=label_terms, label_tfs=label_tfs, length=len(ids), label_length=int(label_tfs.sum()),
        paragraphs=n, paragraph_length=sum(length_of[:n]), hash=key,
    )  # fmt: skip


def _pieces(note: Note) -> tuple[list[int], list[int]]:
    """Where pieces begin, in file order, and whose each is: a paragraph's index, or paragraphs + a section's index."""
    starts: list[int] = []
    owner: list[int] = []
    begins = [(paragraph.section, paragraph.span[0]) for paragraph in note.paragraphs]
    n = len(begins)
    begins.append((0, 0))
    at = 0
    for section in note.sections:
        number, start = section.number, section.span[0]
        starts.append(start)
        owner.append(n + number - 1)
        while begins[at][0] == number:
            starts.append(max(begins[at][1], start))
            owner.append(at)
            at += 1
    return starts, owner


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Which term stands in which piece how often; pieces and counts grouped by term."""

    terms: U32
    tfs: U32
    paragraphs_with: U32
    groups: U32
    """Pairs a term."""
    pieces: U32
    counts: U32


def _pairs(ids: U32, owner: npt.NDArray[np.uint64], paragraphs: int) -> _Pairs:
    if not len(ids):
        none = np.zeros(0, np.uint32)
        return _Pairs(none, none, none, none, none, none)
    keys = (ids.astype(np.uint64) << np.uint64(_PIECE_BITS)) | owner
    keys.sort()
    first = np.flatnonzero(np.diff(keys, prepend=keys[0] + np.uint64(1)))
    counts = np.diff(first, append=len(keys)).astype(np.uint32)
    keys = keys[first]
    words = (keys >> np.uint64(_PIECE_BITS)).astype(np.uint32)
    pieces = (keys & np.uint64((1 << _PIECE_BITS) - 1)).astype(np.uint32)
    begin = np.flatnonzero(np.diff(words, prepend=words[0] + np.uint32(1)))
    return _Pairs(
        words[begin],
        np.add.reduceat(counts, begin),
        np.add.reduceat((pieces < paragraphs).astype(np.uint32), begin),
        np.diff(begin, append=len(words)).astype(np.uint32),
        pieces,
        counts,
    )


def _labels(note: Note, name: str, vocabulary: Vocabulary) -> tuple[U32, U32]:
    """Terms of the label fields, ascending, and how often each counts."""
    counts: dict[int, int] = {}
    fields = {
        "title": note.title,
        "aliases": "\n".join(note.aliases),
        "name": name,
        "tags": "\n".join(note.tags),
        "read_when": "\n".join(note.read_when),
        "description": note.description,
        "headings": "\n".join([section.title for section in note.sections if section.level]),
    }
    for field, text in fields.items():
        for number in vocabulary.numbers(raw_words(text.encode("utf-8", "replace"))):
            counts[number] = counts.get(number, 0) + LABEL_WEIGHTS[field]
    numbers = sorted(counts)
    return np.array(numbers, np.uint32), np.array([counts[i] for i in numbers], np.uint32)


def _day(date: dt.date | None) -> int:
    """A date as the number YYYYMMDD; 0 for none."""
    return date.year * 10000 + date.month * 100 + date.day if date else 0


def _forward(
    note: Note,
    pairs: _Pairs,
    labels: tuple[U32, U32],
    vocabulary: Vocabulary,
    cost_of: Sequence[int],
    length_of: Sequence[int],
    section_cost: Sequence[int],
) -> bytes:
    """The forward block's payload: see coldformat.FORWARD."""
    paragraphs, sections = note.paragraphs, note.sections
    n, s, terms = len(paragraphs), len(sections), len(pairs.terms)
    # This view lives no longer than this function: while it does, the vocabulary cannot grow.
    all_hashes = np.frombuffer(vocabulary.hashes, np.uint32) if vocabulary.hashes else np.zeros(0, np.uint32)
    hashes = all_hashes[pairs.terms]
    order = np.argsort(hashes, kind="stable")
    groups = pairs.groups[order]
    ends = np.cumsum(groups, dtype=np.int64)
    starts = np.cumsum(pairs.groups, dtype=np.int64) - pairs.groups
    pick = np.repeat(starts[order] - (ends - groups), groups) + np.arange(len(pairs.pieces))
    wide = max(n + s, len(pairs.pieces)) > 0xFFFF
    texts = pack_values(
        (
            tuple([section.title for section in sections]),
            tuple([section.slug for section in sections]),
            tuple([section.path for section in sections]),
            tuple([entry.slug for entry in note.entries]),
        )
    )
    zones = {zone: number for number, zone in enumerate(ZONES)}
    head = array("I", [n, s, terms, len(pairs.pieces), len(labels[0]), len(texts), int(wide), 0])
    narrow = np.uint32 if wide else np.uint16
    columns: dict[str, bytes] = {
        "terms": hashes[order].tobytes(),
        "at": np.concatenate(([0], ends)).astype(narrow).tobytes(),
        "pairs": pairs.pieces[pick].astype(narrow).tobytes(),
        "tf": np.minimum(pairs.counts[pick], 255).astype(np.uint8).tobytes(),
        "p_length": array("I", length_of[:n]).tobytes(),
        "p_section": array("H", [min(p.section, 0xFFFF) for p in paragraphs]).tobytes(),
        "p_cost": array("I", cost_of[:n]).tobytes(),
        "p_date": array("I", [_day(p.date) for p in paragraphs]).tobytes(),
        "p_start": array("I", [p.span.start for p in paragraphs]).tobytes(),
        "p_end": array("I", [p.span.end for p in paragraphs]).tobytes(),
        "p_entry": array(
            "H", [NO_ENTRY if p.entry is None else min(p.entry - 1, NO_ENTRY) for p in paragraphs]
        ).tobytes(),
        "p_zone": bytes([zones[p.zone] for p in paragraphs]),
        "s_start": array("I", [section.span.start for section in sections]).tobytes(),
        "s_end": array("I", [section.span.end for section in sections]).tobytes(),
        "s_cost": array("I", section_cost).tobytes(),
        "s_date": array("I", [_day(section.date) for section in sections]).tobytes(),
        "s_zone": bytes([zones[section.zone] for section in sections]),
        "s_level": bytes([section.level for section in sections]),
        "label_terms": all_hashes[labels[0]].tobytes(),
        "label_tf": np.minimum(labels[1], 0xFFFF).astype(np.uint16).tobytes(),
    }
    return b"".join((head.tobytes(), *[columns[name] for name, _, _ in FORWARD], texts))
