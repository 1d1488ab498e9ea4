"""Builds the index file from notes: prepares each (forward.py), inverts the counts, writes the parts (coldformat.py).

The file is written beside its place and moved there at once, so a reader sees the old index or the new one.
"""

import math
import os
import time
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

import notes
from ladder.coldformat import (
    BUCKET_TERMS,
    DENSE,
    HEADER_SIZE,
    INLINE,
    K1,
    PAGE_NOTES,
    SCALE,
    UNIT,
    B,
    pack_header,
    pack_values,
    seal,
)
from ladder.costs import Costs, content_hash
from ladder.forward import Prepared, Vocabulary, prepare
from ladder.paths import make_folder
from notes import NoteFile

if TYPE_CHECKING:
    from ladder.reuse import Reusable

U32 = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]

#: A posting while it is sorted: term's place (24 bits), kind (1 bit: 0 note, 1 label), note (23), frequency (16).
_KIND = np.uint64(1 << 39)
_MOST_NOTES = 1 << 23
_MOST_TERMS = 1 << 24


class Signature(NamedTuple):
    """What a file looked like when it was read."""

    size: int
    mtime_ns: int
    inode: int


@cache
def made_by() -> str:
    """What tells whether an index was made by the same code: a hash of all that decides what is in it."""
    package = Path(__file__).parent
    names = ("tokenise.py", "stem.py", "forward.py", "costs.py", "build.py", "coldformat.py")
    files = [*(package / name for name in names), *sorted(Path(notes.__file__).parent.glob("*.py"))]
    return content_hash(b"\0".join(file.read_bytes() for file in files)).hex()


class PreparedNotes:
    """Prepared notes by name and content, so that building again costs nothing for what did not change."""

    def __init__(self, *, keep: bool = True) -> None:
        """Begin empty; with `keep` false nothing is remembered (ten thousand notes that are read once)."""
        self.vocabulary = Vocabulary()
        self._keep = keep
        self._found: dict[tuple[str, bytes, int], Prepared] = {}

    @staticmethod
    def hash(data: bytes) -> bytes:
        """What tells one content from another."""
        return content_hash(data)

    def get(self, name: str, data: bytes, costs: Costs | None, head_budget: int) -> Prepared:
        """The prepared note."""
        key = (name, content_hash(data), head_budget)
        found = self._found.get(key)
        if found is None:
            found = prepare(name, data, self.vocabulary, costs, head_budget)
            if self._keep:
                self._found[key] = found
        return found


class Source(NamedTuple):
    """One note to be indexed."""

    name: str
    path: str
    data: bytes
    signature: Signature
    """Zeros when there is no file."""


def read_source(file: NoteFile) -> Source | None:
    """The note in `file`; None when it is gone or cannot be read. The signature is of what was read."""
    try:
        descriptor = os.open(file.path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        parts = []
        while part := os.read(descriptor, max(status.st_size + 1, 65536)):
            parts.append(part)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    data = b"".join(parts)
    # A file that grew while it was read gets a signature that fits nothing: it is looked at again next time.
    size = status.st_size if len(data) == status.st_size else -1
    inode = status.st_ino & 0xFFFFFFFFFFFFFFFF
    return Source(file.name, file.path, data, Signature(size, status.st_mtime_ns, inode))


def read_status(path: str) -> Signature | None:
    """What the file looks like; None when it is gone."""
    try:
        status = os.stat(path)  # noqa: PTH116 (ten thousand of them)
    except OSError:
        return None
    return Signature(status.st_size, status.st_mtime_ns, status.st_ino & 0xFFFFFFFFFFFFFFFF)


def build_index(
    files: Iterable[NoteFile],
    target: Path,
    *,
    root: str = "",
    settings: Mapping[str, object] | None = None,
    costs: Costs | None = None,
    prepared: PreparedNotes | None = None,
    surroundings: Mapping[str, object] | None = None,
    old: "Reusable | None" = None,
) -> int:
    """Index the notes in `files` into the file `target`, replacing it at once; returns how many notes it holds.

    `surroundings` is what delta.py wants to find again: how the folders looked. `old` is an index to take over what did
    not change from; it was opened with the same `prepared`. Unreadable files are left out.
    """
    begun = time.time()
    store = prepared or PreparedNotes(keep=False)
    head_budget = _head_budget(settings)

    def made() -> Iterator[tuple[Prepared, Source]]:
        for file in files:
            if old is not None:
                found = old.get(file, costs, head_budget)
                if found is not None:
                    yield found
                continue
            source = read_source(file)
            if source is not None:
                yield store.get(source.name, source.data, costs, head_budget), source

    return _build(made(), target, root, settings, costs, store, surroundings, begun)


def build_from_bytes(
    notes: Mapping[str, bytes],
    target: Path,
    *,
    root: str = "",
    settings: Mapping[str, object] | None = None,
    costs: Costs | None = None,
    prepared: PreparedNotes | None = None,
    changed: Mapping[str, float] | None = None,
) -> int:
    """Index notes given as name -> content, as they stood at some time; `changed` says when each was last changed.

    Give the same `costs` and `prepared` to a series of builds: only what differs is parsed and counted.
    """
    when = changed or {}
    sources = (
        Source(name, name + ".md", notes[name], Signature(0, int(when.get(name, 0) * 1e9), 0)) for name in sorted(notes)
    )
    store = prepared or PreparedNotes(keep=False)
    head_budget = _head_budget(settings)
    made = ((store.get(source.name, source.data, costs, head_budget), source) for source in sources)
    return _build(made, target, root, settings, costs, store, None, time.time())


def _head_budget(settings: Mapping[str, object] | None) -> int:
    budget = (settings or {}).get("head_budget", 400)
    return budget if isinstance(budget, int) else 400


class Totals:
    """What is gathered note by note while their blocks are written."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.terms: list[U32] = []
        self.tfs: list[U32] = []
        self.label_terms: list[U32] = []
        self.label_tfs: list[U32] = []
        self.lengths = array("I")
        self.label_lengths = array("I")
        self.places = array("Q")
        self.paragraphs_with = np.zeros(1 << 12, np.uint32)
        self.paragraphs = 0
        self.paragraph_length = 0
        self.sections = 0
        self.names: list[str] = []
        self.estimated = False
        self.signatures: list[Signature] = []
        self.hashes: list[bytes] = []
        self.paths: list[str] = []

    def add(self, note: Prepared) -> None:
        """Count one note in."""
        self.terms.append(note.terms)
        self.tfs.append(note.tfs)
        self.label_terms.append(note.label_terms)
        self.label_tfs.append(note.label_tfs)
        self.lengths.append(note.length)
        self.label_lengths.append(note.label_length)
        if len(note.terms):
            most = int(note.terms.max())
            if most >= len(self.paragraphs_with):
                grown = np.zeros(max(most + 1, 2 * len(self.paragraphs_with)), np.uint32)
                grown[: len(self.paragraphs_with)] = self.paragraphs_with
                self.paragraphs_with = grown
            self.paragraphs_with[note.terms] += note.paragraphs_with
        self.paragraphs += note.paragraphs
        self.paragraph_length += note.paragraph_length


def _build(
    made: Iterable[tuple[Prepared, Source]],
    target: Path,
    root: str,
    settings: Mapping[str, object] | None,
    costs: Costs | None,
    prepared: PreparedNotes,
    surroundings: Mapping[str, object] | None,
    begun: float,
) -> int:
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    make_folder(target.parent)
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o600), "wb", buffering=1 << 20) as file:  # noqa: PTH123 (opened privately)
            out = Out(file)
            out.write(bytes(HEADER_SIZE))
            totals = Totals()
            for note, source in made:
                add_note(out, totals, note, source)
            if len(totals.names) >= _MOST_NOTES or len(prepared.vocabulary.words) >= _MOST_TERMS:
                raise ValueError(f"too many notes or words for one index: {len(totals.names)} notes")
            finish(out, totals, prepared.vocabulary, root, dict(settings or {}), begun, surroundings)
        replace_file(temporary, target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    if costs is not None:
        costs.save()
    return len(totals.names)


def replace_file(temporary: Path, target: Path) -> None:
    """Move a finished file to its place; on Windows a reader may hold the old one for some milliseconds."""
    for patience in (0.01, 0.05, 0.2, 0.5):
        try:
            temporary.replace(target)
        except PermissionError:
            time.sleep(patience)
        else:
            return
    temporary.replace(target)


class Out:
    """The file while it is written: blocks one after the other, each at a multiple of UNIT."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin at the file's beginning."""
        self.file = file
        self.at = 0

    def write(self, data: bytes) -> int:
        """Write what is already sealed; returns where it begins."""
        begin = self.at
        self.file.write(data)
        self.at += len(data)
        return begin

    def block(self, payload: bytes) -> tuple[int, int]:
        """Seal and write; returns offset and length as a reader wants them (checksum included)."""
        return self.write(seal(payload)), len(payload) + 4


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
    used = np.zeros(len(vocabulary.words), bool)
    for terms in (*totals.terms, *totals.label_terms):
        used[terms] = True
    mine = np.flatnonzero(used)
    words = len(mine)
    buckets = max(1, math.ceil(words / BUCKET_TERMS))
    # A term's place: by bucket, then in order of first sight.
    bucket_of = np.array(vocabulary.hashes, np.uint32)[mine] % np.uint32(buckets)
    order = mine[np.argsort(bucket_of, kind="stable")]
    place = np.zeros(len(used), np.uint64)
    place[order] = np.arange(words, dtype=np.uint64)
    lengths = np.array(totals.lengths, np.float64)
    label_lengths = np.array(totals.label_lengths, np.float64)
    mean = float(lengths.mean()) if count else 0.0
    label_mean = float(label_lengths.mean()) if count else 0.0
    keys = np.concatenate((
        _keys(totals.terms, totals.tfs, place), _keys(totals.label_terms, totals.label_tfs, place) | _KIND,
    ))  # fmt: skip
    totals.terms.clear()
    totals.tfs.clear()
    keys.sort()
    tfs = keys & np.uint64(0xFFFF)
    notes = ((keys >> np.uint64(16)) & np.uint64(_MOST_NOTES - 1)).astype(np.int64)
    label = (keys & _KIND) != 0
    at = (keys >> np.uint64(40)).astype(np.int64)
    del keys
    values = np.empty(len(tfs), np.uint16)
    values[~label] = impacts(tfs[~label], lengths[notes[~label]], mean)
    values[label] = impacts(tfs[label], label_lengths[notes[label]], label_mean)
    df_both = np.bincount(at, minlength=words)
    df_labels = np.bincount(at[label], minlength=words)
    del tfs, label
    code = "H" if count <= 0xFFFF else "I"
    paragraphs_with = np.zeros(len(used), np.uint32)
    known = min(len(used), len(totals.paragraphs_with))
    paragraphs_with[:known] = totals.paragraphs_with[:known]
    entries = np.zeros((words, 4), np.uint32)
    entries[:, 1] = df_both - df_labels
    entries[:, 2] = df_labels
    entries[:, 3] = paragraphs_with[order]
    numbers: Numbers = notes.astype(np.uint16) if code == "H" else notes.astype(np.uint32)
    _lists(out, entries, df_both, numbers, values, count)
    bucket_at = _buckets(out, entries, df_both, at, numbers, values, np.bincount(bucket_of, minlength=buckets),
                         [vocabulary.words[i] for i in order.tolist()])  # fmt: skip
    pages = [
        out.block(totals.places[first * 3 : (first + PAGE_NOTES) * 3].tobytes())[0]
        for first in range(0, count, PAGE_NOTES)
    ]
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
        "begun": begun, "estimated": totals.estimated, "code": code,
        "buckets": buckets, "pages": pages,
        "bucket_at": out.block(bucket_at.tobytes()),
        "names": out.block(_names(totals.names)),
        "files": out.block(pack_values(files)),
        "lengths": out.block(totals.lengths.tobytes()),
    }  # fmt: skip
    offset, length = out.block(pack_values(meta))
    out.file.seek(0)
    out.file.write(pack_header(out.at, offset, length))


def _keys(terms: list[U32], tfs: list[U32], place: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Postings as sortable numbers; see _KIND."""
    if not terms:
        return np.zeros(0, np.uint64)
    notes = np.repeat(np.arange(len(terms), dtype=np.uint64), [len(t) for t in terms])
    keys = place[np.concatenate(terms)] << np.uint64(40)
    keys |= notes << np.uint64(16)
    keys |= np.minimum(np.concatenate(tfs), 0xFFFF).astype(np.uint64)
    return keys


def _lists(
    out: Out, entries: U32, df_both: npt.NDArray[np.int64], numbers: Numbers, values: npt.NDArray[np.uint16], count: int
) -> None:  # fmt: skip
    """Write the posting lists that are too long to lie in a bucket, and note in `entries` where each is."""
    begins = np.cumsum(df_both) - df_both
    note_bytes, value_bytes = memoryview(numbers.tobytes()), memoryview(values.tobytes())
    wide = numbers.dtype.itemsize
    for i in np.flatnonzero(df_both > INLINE).tolist():
        begin = int(begins[i])
        middle = begin + int(entries[i, 1])
        end = begin + int(df_both[i])
        if (middle - begin) * DENSE > count:
            row = np.zeros(count, np.uint16)
            row[numbers[begin:middle]] = values[begin:middle]
            first = row.tobytes()
        else:
            first = bytes(note_bytes[begin * wide : middle * wide]) + bytes(value_bytes[begin * 2 : middle * 2])
        offset, _ = out.block(first + note_bytes[middle * wide : end * wide] + value_bytes[middle * 2 : end * 2])
        entries[i, 0] = offset // UNIT


def _buckets(
    out: Out,
    entries: U32,
    df_both: npt.NDArray[np.int64],
    at: npt.NDArray[np.int64],
    numbers: Numbers,
    values: npt.NDArray[np.uint16],
    sizes: npt.NDArray[np.int64],
    words: list[str],
) -> "array[int]":
    """Write the vocabulary; returns where each bucket begins, and where the last one ends."""
    inline = (df_both <= INLINE)[at] if len(at) else np.zeros(0, bool)
    small_numbers, small_values = numbers[inline], values[inline]
    small = np.where(df_both <= INLINE, df_both, 0)
    begins = np.cumsum(small) - small  # of each term's postings among the inline ones
    ends = np.cumsum(sizes)
    places = array("Q")
    term = 0
    for end in ends.tolist():
        first = int(begins[term]) if term < len(begins) else 0
        last = int(begins[end - 1] + small[end - 1]) if end > term else first
        mine = entries[term:end]
        own = df_both[term:end] <= INLINE
        mine[own, 0] = (begins[term:end] - first)[own]
        keys = b"\0" + "".join([word + "\0" for word in words[term:end]]).encode("utf-8")
        places.append(out.at)
        out.block(
            array("I", [len(keys), end - term, last - first]).tobytes()
            + keys
            + mine.tobytes()
            + small_numbers[first:last].tobytes()
            + small_values[first:last].tobytes()
        )
        term = end
    places.append(out.at)
    return places


def _names(names: list[str]) -> bytes:
    """The table that `Index.find` looks into: lines of NUL, folded key, NUL, number; a key may stand there twice."""
    from ladder.cold import fold_name  # noqa: PLC0415 (the reader's fold; nothing else of the reader is needed here)

    lines = []
    for number, line in enumerate(names):
        lines.extend([f"\0{key}\0{number}\n" for key in dict.fromkeys(map(fold_name, line.split("\x01")))])
    return "".join(lines).encode("utf-8", "replace")
