"""What the index keeps of one note: its row, its forward block, and how often it holds which term.

A note is cut into *pieces* that are the file byte for byte: what stands in a section before its first paragraph (the
heading, front matter), then one piece a paragraph, which reaches to the next. Costs are counted a piece, so sections
and note add up exactly; words are counted a piece, so paragraphs and note agree. Notes are prepared many at a time:
numpy's fixed cost a call is more than what one note needs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

import numpy as np

from ladder.indexing.columns import Measures, forward_blocks, lay_out
from ladder.indexing.hash_table import U16, U32
from ladder.indexing.proximity import spots_of
from ladder.indexing.term_counts import MOST_AT_ONCE, count, label_tags, sums, tags
from ladder.indexing.token_counts import Costs, content_hash, count_many, estimate, estimated
from ladder.indexing.vocabulary import Vocabulary
from notes import Note, Paragraph, parse
from notes.markdown.parse import is_binary
from notes.private import without_private

#: Bytes of notes that are prepared at a time.
PORTION = 1 << 19


@dataclass(frozen=True, slots=True)
class Prepared:
    """One note, ready to be put into an index whose terms have the numbers of the same Vocabulary."""

    row: tuple[object, ...]
    """See format.NOTE_FIELDS; path and changed are filled in when the index is written."""
    forward: bytes
    """The forward block's payload."""
    terms: U32
    """Distinct terms, ascending."""
    tfs: U32
    """How often each stands in the note."""
    paragraphs_with: U32
    """In how many of its paragraphs each stands."""
    spots: U16
    """In which of the note's spots each stands (see format.SPOTS)."""
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


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A note as far as it can be worked out by itself."""

    name: str
    note: Note
    paragraphs: tuple[Paragraph, ...]
    pieces: list[bytes]
    """In file order."""
    places: list[int]
    """Whose each piece is: a paragraph's index, or paragraphs + a section's index."""
    hash: bytes
    costs_key: bytes
    """Of what is counted: the note without its private parts."""


def prepare(
    notes: Sequence[tuple[str, bytes]],
    vocabulary: Vocabulary,
    costs: Costs | None = None,
    head_budget: int = 400,
    *,
    rough: bool = False,
) -> list[Prepared]:
    """Parse, cut and count notes given as (name, content); with `rough` costs are estimates, made at once."""
    found: list[Prepared] = []
    portion: list[_Parsed] = []
    size = 0
    for name, data in notes:
        portion.append(_parsed(name, data, head_budget))
        size += len(data)
        if size >= PORTION or len(portion) >= MOST_AT_ONCE:
            found += _prepared(portion, vocabulary, costs, rough=rough)
            portion, size = [], 0
    return found + _prepared(portion, vocabulary, costs, rough=rough) if portion else found


def _parsed(name: str, data: bytes, head_budget: int) -> _Parsed:
    mark = content_hash(data)
    whole = data
    # No text under a note's name: nothing of it is a word, and reading it costs nothing.
    data = b"" if is_binary(data) else without_private(data)
    note = parse(data, name, head_budget=head_budget)
    starts, places = _pieces(note)
    pieces = [data[start:end] for start, end in pairwise((*starts, len(data)))]
    return _Parsed(name, note, note.paragraphs, pieces, places, mark, mark if whole is data else content_hash(data))


def _costs(portion: Sequence[_Parsed], costs: Costs | None) -> Iterator[tuple[Sequence[int], bool]]:
    """Tokens of each note's pieces, and whether they are estimates: those that are kept, the others counted together.

    Kept ones are never estimates; when all are kept no vocabulary is loaded.
    """
    kept = [costs.get(each.costs_key, len(each.pieces)) if costs else None for each in portion]
    missing = [each for each, counts in zip(portion, kept, strict=True) if counts is None]
    fresh = iter(count_many(list(chain.from_iterable([each.pieces for each in missing]))) if missing else ())
    rough = bool(missing) and estimated()
    for each, counts in zip(portion, kept, strict=True):
        if counts is None:
            counted = list(islice(fresh, len(each.pieces)))
            if costs is not None:
                costs.put(each.costs_key, counted)
        yield (counted, rough) if counts is None else (counts, False)


def _rough_costs(portion: Sequence[_Parsed]) -> Iterator[tuple[Sequence[int], bool]]:
    """The same as estimates: loading the vocabulary takes half a second."""
    for each in portion:
        yield [estimate(piece.decode("utf-8", "replace")) for piece in each.pieces], True


def _pieces(note: Note) -> tuple[list[int], list[int]]:
    """Where pieces begin, in file order, and whose each is: a paragraph's index, or paragraphs + a section's index."""
    starts: list[int] = []
    places: list[int] = []
    begins = [(paragraph.section, paragraph.span[0]) for paragraph in note.paragraphs]
    n = len(begins)
    begins.append((0, 0))
    at = 0
    for section in note.sections:
        number, start = section.number, section.span[0]
        starts.append(start)
        places.append(n + number - 1)
        while begins[at][0] == number:
            starts.append(max(begins[at][1], start))
            places.append(at)
            at += 1
    return starts, places


#: How often a word of the label fields that `_labels` gives counts in the label score.
LABEL_WEIGHTS = (3, 2, 1)


def _labels(parsed: _Parsed) -> Iterator[bytes]:
    note = parsed.note
    headings = [section.title for section in note.sections if section.level]
    fields = ((note.title, *note.aliases), (parsed.name, *note.tags, *note.read_when), (note.description, *headings))
    return ("\n".join(texts).encode("utf-8", "replace") for texts in fields)


def _prepared(portion: Sequence[_Parsed], vocabulary: Vocabulary, kept: Costs | None, *, rough: bool) -> list[Prepared]:
    notes = [each.note for each in portion]
    pieces = list(chain.from_iterable([each.pieces for each in portion]))
    layout = lay_out(notes)
    places_at = layout.paragraphs_at + layout.sections_at
    # What was counted in the order of the file, put in the order of places: a note's paragraphs, then its headings.
    where = np.fromiter(chain.from_iterable([each.places for each in portion]), np.int64, len(pieces))
    of_note = np.repeat(np.arange(len(portion)), np.diff(places_at))
    labels = list(chain.from_iterable(map(_labels, portion)))
    of_label = np.repeat(np.arange(len(portion)), len(LABEL_WEIGHTS))
    tagged = np.concatenate((tags(of_note, where), label_tags(of_label, np.tile(LABEL_WEIGHTS, len(portion)))))
    counted = count([*pieces, *labels], tagged, len(portion), vocabulary)
    where += places_at[of_note]
    lengths, costs = np.zeros(len(pieces), np.int64), np.zeros(len(pieces), np.int64)
    lengths[where] = counted.lengths[: len(pieces)]
    of_notes = list(_rough_costs(portion) if rough else _costs(portion, kept))
    costs[where] = np.fromiter(chain.from_iterable([found for found, _ in of_notes]), np.int64, len(pieces))
    n_of = np.diff(layout.paragraphs_at)
    paragraph = np.arange(len(pieces)) - places_at[of_note] < n_of[of_note]
    p_note = of_note[paragraph]
    p_costs = costs[paragraph]
    section_of = layout.sections_at[p_note] + layout.sections - 1
    section_costs = costs[~paragraph] + np.bincount(section_of, p_costs, minlength=int(layout.sections_at[-1])).astype(
        np.int64
    )
    measures = Measures(lengths[paragraph], p_costs, section_costs)
    heads = np.array([note.head for note in notes], np.int64)[p_note]
    in_head = (heads[:, 0] <= layout.starts) & (layout.ends <= heads[:, 1])
    head_costs = np.diff(sums(np.where(in_head, p_costs, 0))[layout.paragraphs_at]).tolist()
    note_costs = np.diff(sums(costs)[places_at]).tolist()
    note_lengths = np.diff(sums(lengths)[places_at]).tolist()
    paragraph_lengths = np.diff(sums(measures.lengths)[layout.paragraphs_at]).tolist()
    label_lengths = np.diff(sums(counted.label_tfs)[counted.labels_at]).tolist()
    pairs = counted.group_borders[counted.groups_at]
    in_paragraph = (counted.places < np.repeat(n_of, np.diff(pairs))).astype(np.uint8)
    held = np.diff(sums(in_paragraph)[counted.group_borders]).astype(np.uint32)
    spots = spots_of(counted.places, in_paragraph, counted.group_borders[:-1])
    forwards = forward_blocks(notes, layout, counted, measures, vocabulary.hashes())
    groups_at, labels_at = counted.groups_at.tolist(), counted.labels_at.tolist()
    found = []
    for i, (each, note) in enumerate(zip(portion, notes, strict=True)):
        own, own_labels = slice(*groups_at[i : i + 2]), slice(*labels_at[i : i + 2])
        row = (
            "", each.name, note.title, note_costs[i], head_costs[i], 0, len(note.sections), note.description,
            note.aliases, of_notes[i][1],
        )  # fmt: skip
        found.append(
            Prepared(
                row=row, forward=forwards[i], terms=counted.terms[own], tfs=counted.tfs[own],
                paragraphs_with=held[own], spots=spots[own], label_terms=counted.label_terms[own_labels],
                label_tfs=counted.label_tfs[own_labels], length=note_lengths[i], label_length=label_lengths[i],
                paragraphs=len(each.paragraphs), paragraph_length=paragraph_lengths[i], hash=each.hash,
            )
        )  # fmt: skip
    return found
