"""Writes an index file: each note's blocks as it comes, then the inverted lists of postings."""

import math
from array import array
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ladder.index.format import BUCKET_TERMS, ENTRY_FIELDS, K1, SCALE, B, pack_header, pack_values
from ladder.indexing.dictionary import Numbers, Out, Postings, write_buckets, write_lists, write_names, write_pages
from ladder.indexing.hash_table import U16, U32
from ladder.indexing.made_by import made_by
from ladder.indexing.prepare import Prepared
from ladder.indexing.sources import Signature, Source
from ladder.indexing.term_counts import sums
from ladder.indexing.vocabulary import Vocabulary, short_hashes

MOST_NOTES = 1 << 23
MOST_TERMS = 1 << 24
_AT_A_TIME = 1 << 20


class Totals:
    """What is gathered note by note while their blocks are written."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.terms: list[U32] = []
        self.tfs: list[U32] = []
        self.spots: list[U16] = []
        self.label_terms: list[U32] = []
        self.label_tfs: list[U32] = []
        self.lengths = array("I")
        self.label_lengths = array("I")
        self.places = array("Q")
        #: In how many notes, labels and paragraphs each term stands.
        self.held = np.zeros((3, 1 << 12), np.uint32)
        self.paragraphs = 0
        self.paragraph_length = 0
        self.sections = 0
        self.names: list[str] = []
        self.estimated = False
        self.not_utf8: list[str] = []
        self.signatures: list[Signature] = []
        self.hashes: list[bytes] = []
        self.paths: list[str] = []

    def add(self, note: Prepared) -> None:
        """Count one note in."""
        self.terms.append(note.terms)
        self.tfs.append(note.tfs)
        self.spots.append(note.spots)
        self.label_terms.append(note.label_terms)
        self.label_tfs.append(note.label_tfs)
        self.lengths.append(note.length)
        self.label_lengths.append(note.label_length)
        for kind, terms in enumerate((note.terms, note.label_terms)):
            if len(terms):
                self._grow(int(terms.max()) + 1)
                self.held[kind][terms] += 1
        self.held[2][note.terms] += note.paragraphs_with
        self.paragraphs += note.paragraphs
        self.paragraph_length += note.paragraph_length

    def _grow(self, terms: int) -> None:
        known = self.held.shape[1]
        if terms > known:
            self.held = np.concatenate((self.held, np.zeros((3, max(terms - known, known)), np.uint32)), axis=1)


def add_note(out: Out, totals: Totals, note: Prepared, source: Source) -> None:
    """Write one note's row and forward block, and count it in."""
    row = (source.path, *note.row[1:5], source.signature.mtime_ns // 1_000_000_000, *note.row[6:])
    offset, row_length = out.block(pack_values(row))
    _, forward_length = out.block(note.forward)
    totals.add(note)
    totals.places.extend((offset, row_length, forward_length))
    sections = note.row[6]
    assert isinstance(sections, int)
    totals.sections += sections
    title, aliases = note.row[2], note.row[8]
    assert isinstance(title, str)
    assert isinstance(aliases, tuple)
    totals.names.append("\x01".join((source.name, source.path, title, *aliases)))
    totals.estimated = totals.estimated or bool(note.row[9])
    if not source.utf8:
        totals.not_utf8.append(source.path)
    totals.signatures.append(source.signature)
    totals.hashes.append(note.hash)
    totals.paths.append(source.path)


def impacts(tfs: npt.NDArray[np.uint64], lengths: npt.NDArray[np.float64], mean: float) -> npt.NDArray[np.uint16]:
    """The second BM25 factor in 16 bits: tf / (tf + K1 * (1 - B + B * length / mean)) * SCALE, at least 1."""
    factor = tfs / (tfs + K1 * (1 - B + B * lengths / max(mean, 1e-9)))
    return np.maximum(np.rint(factor * SCALE), 1).astype(np.uint16)


def finish(
    out: Out,
    totals: Totals,
    vocabulary: Vocabulary,
    root: str,
    settings: Mapping[str, object],
    begun: float,
    surroundings: Mapping[str, object] | None,
) -> None:
    """Write everything after the notes: posting lists, vocabulary, tables, meta, and at last the header."""
    count = len(totals.names)
    # The vocabulary may know words of notes that are not in this index.
    mine = np.flatnonzero(totals.held[0] + totals.held[1])
    words = len(mine)
    buckets = max(1, math.ceil(words / BUCKET_TERMS))
    # A term's place: by bucket, then in order of first sight.
    hashes = vocabulary.hashes()
    bucket_of = short_hashes(hashes[mine]) % np.uint32(buckets)
    order = mine[np.argsort(bucket_of, kind="stable")]
    held = totals.held[:, order]
    place = np.zeros(totals.held.shape[1], np.int64)
    place[order] = np.arange(words)
    lengths = np.array(totals.lengths, np.float64)
    label_lengths = np.array(totals.label_lengths, np.float64)
    mean = float(lengths.mean()) if count else 0.0
    label_mean = float(label_lengths.mean()) if count else 0.0
    code = "H" if count <= 0xFFFF else "I"
    postings = _postings(totals, place, held[:2], wide=code == "I")
    _weigh(postings, held[:2], (lengths, mean), (label_lengths, label_mean))
    entries = np.zeros((words, ENTRY_FIELDS), np.uint32)
    entries[:, 1:] = held.T
    write_lists(out, entries, postings, count)
    bucket_at = write_buckets(out, entries, postings, np.bincount(bucket_of, minlength=buckets), hashes[order])
    names = [line.partition("\x01")[0] for line in totals.names]
    changed = [signature.mtime_ns // 1_000_000_000 for signature in totals.signatures]

    def notes_with(term: str) -> int:
        number = vocabulary.known(term)
        return int(totals.held[0, number]) if number is not None and number < totals.held.shape[1] else 0

    pages = write_pages(out, totals.places, changed, names, notes_with)
    files = {
        "size": array("q", [s.size for s in totals.signatures]).tobytes(),
        "mtime": array("Q", [s.mtime_ns for s in totals.signatures]).tobytes(),
        "inode": array("Q", [s.inode & 0xFFFFFFFFFFFFFFFF for s in totals.signatures]).tobytes(),
        "hash": b"".join(totals.hashes),
        "paths": totals.paths,
        "surroundings": dict(surroundings or {}),
    }
    meta = {
        "count": count, "paragraphs": totals.paragraphs, "sections": totals.sections, "words": words,
        "mean_note": mean, "mean_label": label_mean,
        "mean_paragraph": totals.paragraph_length / max(totals.paragraphs, 1),
        "root": root, "settings": dict(settings), "made_by": made_by(),
        "begun": begun, "not_utf8": totals.not_utf8, "estimated": totals.estimated, "code": code,
        "buckets": buckets, "pages": pages,
        "bucket_at": out.block(bucket_at.tobytes()),
        "all_words": out.block("\0".join(map(vocabulary.words.__getitem__, order.tolist())).encode("utf-8")),
        "names": out.block(write_names(totals.names)),
        "files": out.block(pack_values(files)),
        "lengths": out.block(totals.lengths.tobytes()),
    }  # fmt: skip
    offset, length = out.block(pack_values(meta))
    out.file.seek(0)
    out.file.write(pack_header(out.at, offset, length))


def _postings(totals: Totals, place: npt.NDArray[np.int64], held: U32, *, wide: bool) -> Postings:
    """All postings by term, each term's notes before its labels, frequencies in place of impacts.

    How many notes and labels hold each term is known (`held`, two rows), so a posting has its place as it comes, and
    nothing is sorted. Takes the lists of `totals` apart, for there may be ten million.
    """
    begins = sums(held[0] + held[1])
    size = int(begins[-1])
    numbers: Numbers = np.empty(size, np.uint32) if wide else np.empty(size, np.uint16)
    found = Postings(begins, numbers, np.empty(size, np.uint16), np.zeros(size, np.uint16))
    following = begins[:-1].copy()  # where the term's next posting goes
    for number, (terms, tfs, spots) in enumerate(zip(totals.terms, totals.tfs, totals.spots, strict=True)):
        at = place[terms]
        to = following[at]
        following[at] = to + 1  # a note holds each term once
        found.numbers[to] = number
        found.values[to] = np.minimum(tfs, 0xFFFF)
        found.spots[to] = spots
    for number, (terms, tfs) in enumerate(zip(totals.label_terms, totals.label_tfs, strict=True)):
        at = place[terms]
        to = following[at]
        following[at] = to + 1
        found.numbers[to] = number
        found.values[to] = np.minimum(tfs, 0xFFFF)
    for each in (totals.terms, totals.tfs, totals.spots, totals.label_terms, totals.label_tfs):
        each.clear()
    return found


#: Lengths of all notes (or of their labels), and their mean.
_Lengths = tuple[npt.NDArray[np.float64], float]


def _weigh(postings: Postings, held: U32, of_notes: _Lengths, of_labels: _Lengths) -> None:
    """Put impacts in the place of frequencies, a million at a time."""
    is_label = np.repeat(np.tile((False, True), held.shape[1]), held.T.reshape(-1))
    for first in range(0, len(postings.numbers), _AT_A_TIME):
        part = slice(first, first + _AT_A_TIME)
        notes = postings.numbers[part].astype(np.int64)
        tfs = postings.values[part].astype(np.uint64)
        label = is_label[part]
        found = impacts(tfs, of_notes[0][notes], of_notes[1])
        found[label] = impacts(tfs[label], of_labels[0][notes[label]], of_labels[1])
        postings.values[part] = found
