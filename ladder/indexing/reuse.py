"""Takes prepared notes out of an existing index, so that a new one costs only what changed.

A forward block names its terms by hash; the old vocabulary gives the words back. A note with a word whose hash two
words share, or that stands there more often than a byte can say, is prepared anew.
"""

import os
import time

import numpy as np

from ladder.index.checked import TICK
from ladder.index.format import ITEM_SIZE, IndexBroken
from ladder.index.reader import Index
from ladder.indexing.hash_table import U32
from ladder.indexing.pipeline import PreparedNotes
from ladder.indexing.prepare import Prepared
from ladder.indexing.proximity import spots_of
from ladder.indexing.sources import Signature, Source, read_source, read_status
from ladder.indexing.token_counts import Costs
from ladder.indexing.vocabulary import short_hashes
from notes import NoteFile

_COUNT_IS_FULL = 255


class Reusable:
    """An old index as a source of prepared notes; anything odd in it is left for the builder to make anew."""

    def __init__(self, index: Index, prepared: PreparedNotes, since: float, root: str = "") -> None:
        """Read the old vocabulary; `since`: when the contents were last seen to be as indexed (s since 1970).

        `root`: the folder whose notes are asked for, where the index is of another work tree.
        """
        self._index = index
        self._prepared = prepared
        self._since = since
        files = index.files()
        self._number_of = {path: n for n, path in enumerate(files["paths"])}
        if root:  # it also has notes of the other tree, which git does not hold
            there = [path for path in self._number_of if _below(path, index.root)]
            self._number_of |= {root + path[len(index.root) :]: self._number_of[path] for path in there}
        self._size = np.frombuffer(files["size"], np.int64)
        self._mtime = np.frombuffer(files["mtime"], np.uint64)
        self._inode = np.frombuffer(files["inode"], np.uint64)
        self._hash: bytes = files["hash"]
        self._not_utf8 = frozenset(index.not_utf8)
        vocabulary = prepared.vocabulary
        numbers = np.array([vocabulary.number(word) for word in index.words()], np.uint32)
        hashes = short_hashes(vocabulary.hashes()[numbers])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._numbers = hashes[order], numbers[order]
        self._shared = np.unique(self._hashes[1:][np.diff(self._hashes) == 0])
        #: How many notes were taken over.
        self.taken = 0
        self.open = True

    def close(self) -> None:
        """Close the old index: on Windows nothing can be put in its place while it is open."""
        self._index.close()
        self.open = False

    def get(self, file: NoteFile, costs: Costs | None, head_budget: int) -> tuple[Prepared, Source] | None:
        """The note in `file`, taken over when nothing changed, prepared anew otherwise; None when it cannot be read."""
        n = self._number_of.get(file.path)
        if n is not None:
            status = read_status(file.path)
            seen = Signature(int(self._size[n]), int(self._mtime[n]), int(self._inode[n]))
            if status is not None and status[0] == seen and status[1] + TICK < self._since:
                note = self._take(n, file)
                if note is not None:
                    return note, Source(file.name, file.path, b"", seen, file.path not in self._not_utf8)
        source = read_source(file)
        if source is None:
            return None
        if n is not None and self._prepared.hash(source.data) == self._hash[n * 16 : n * 16 + 16]:
            note = self._take(n, file)
            if note is not None:
                return note, source
        return self._prepared.get([source], costs, head_budget)[0], source

    def _take(self, n: int, file: NoteFile) -> Prepared | None:
        row = self._index.note(n)
        if row.name != file.name or row.estimated:
            return None
        try:
            passages = self._index.passages(n)
        except IndexBroken:
            return None
        terms = self._known(np.frombuffer(passages.terms, np.uint32))
        labels = self._known(np.frombuffer(passages.label_terms, np.uint32))
        counts = np.frombuffer(passages.tf, np.uint8)
        if terms is None or labels is None or (counts == _COUNT_IS_FULL).any():
            return None
        wide = passages.pairs.itemsize == ITEM_SIZE["I"]
        begins = np.frombuffer(passages.at, np.uint32 if wide else np.uint16)[:-1].astype(np.int64)
        pieces = np.frombuffer(passages.pairs, np.uint32 if wide else np.uint16).astype(np.uint32)
        none = np.zeros(0, np.uint32)
        tfs = np.add.reduceat(counts.astype(np.uint32), begins) if len(begins) else none
        in_paragraph = (pieces < passages.count).astype(np.uint8)
        held = np.add.reduceat(in_paragraph.astype(np.uint32), begins) if len(begins) else none
        label_tfs = np.frombuffer(passages.label_tf, np.uint16).astype(np.uint32)
        self.taken += 1
        return Prepared(
            row=(
                "", row.name, row.title, row.cost, row.head_cost, 0, row.sections, row.description, row.aliases, False,
            ),
            forward=bytes(passages.payload), terms=terms, tfs=tfs, paragraphs_with=held,
            spots=spots_of(pieces, in_paragraph, begins), label_terms=labels, label_tfs=label_tfs,
            length=int(tfs.sum()), label_length=int(label_tfs.sum()), paragraphs=passages.count,
            paragraph_length=sum(passages.p_length), hash=self._hash[n * 16 : n * 16 + 16],
        )  # fmt: skip

    def _known(self, hashes: U32) -> U32 | None:
        """The numbers of the terms with these hashes; None when one is unknown or shared by two words."""
        at = np.searchsorted(self._hashes, hashes)
        if len(hashes) and (at.max() >= len(self._hashes) or (self._hashes[at] != hashes).any()):
            return None
        if len(self._shared) and np.isin(hashes, self._shared).any():
            return None
        return self._numbers[at] if len(hashes) else np.zeros(0, np.uint32)


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder) and path[len(folder) : len(folder) + 1] in ("/", os.sep)


def reusable(
    index: Index | None, prepared: PreparedNotes, verified: float | None = None, root: str = ""
) -> Reusable | None:
    """The old index as a source, for the work tree `root` where it is of another; None for none or a damaged one."""
    if index is None:
        return None
    try:
        return Reusable(index, prepared, index.begun if verified is None else min(verified, time.time()), root)
    except (IndexBroken, KeyError, TypeError, ValueError, UnicodeDecodeError):
        return None
