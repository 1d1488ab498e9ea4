"""The rival: paragraph-sized pieces of the same notes, ranked alone by BM25, with the product's tokenizer.

Scores are bm25s' to the last bit: 32-bit floats, a query's terms added in its order.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from bench.rivals.pieces import joined, order_of
from ladder.indexing.term_counts import ranges, sums
from ladder.text.tokenizer import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.rivals.pieces import Pieces
    from ladder.indexing.hash_table import Places
    from ladder.indexing.vocabulary import Vocabulary

Floats = npt.NDArray[np.float32]

#: BM25's constants, as Lucene has them.
K1, B = 1.5, 0.75
#: `best` first samples one score in this many.
SAMPLE = 64


class Piece(NamedTuple):
    """A span of a note that is ranked on its own."""

    note: str
    start: int
    """First byte in the note's file."""
    text: str


class _Lists(NamedTuple):
    """Posting lists: for each term the pieces that hold it, ascending, and its BM25 impact there."""

    begins: Places
    """Where each term's begins, and the last one's ends."""
    pieces: Places
    """As wide as numpy wants them: anything else is copied at each look."""
    impacts: Floats


class Ranking:
    """BM25 (Lucene's form) over pieces of notes; weights scale what a query's term adds."""

    def __init__(self, files: Mapping[str, bytes], cut: Sequence[Pieces], vocabulary: Vocabulary) -> None:
        """Take notes by name, and the pieces of each in the same order, counted with `vocabulary`."""
        self._files = files
        self._names = list(files)
        self._vocabulary = vocabulary
        #: Where each note's pieces begin, and the last one's end.
        self._at = sums([len(pieces.starts) for pieces in cut])
        self._range = {name: range(*self._at[i : i + 2].tolist()) for i, name in enumerate(self._names)}
        whole = joined(cut)
        self.count = len(whole.starts)
        self._starts, self._ends = whole.starts, whole.ends
        self._rows, self._terms = whole.rows, whole.terms
        self._frequency = np.bincount(whole.terms, minlength=len(vocabulary.words))
        self._impacts = _impacts(whole, self._frequency)

    def ready(self) -> None:
        """Make what `best` needs."""
        _ = self._lists

    def pieces(self, numbers: Sequence[int]) -> list[Piece]:
        """The pieces of these numbers; they are numbered from 0, note by note, in file order."""
        notes = (np.searchsorted(self._at, numbers, "right") - 1).tolist()
        starts, ends = self._starts[numbers].tolist(), self._ends[numbers].tolist()
        return [
            Piece(name := self._names[note], start, self._files[name][start:end].decode("utf-8", "replace"))
            for note, start, end in zip(notes, starts, ends, strict=True)
        ]

    def of_note(self, name: str) -> range:
        """The numbers of a note's pieces; none for a note that is not there."""
        return self._range.get(name, range(0))

    def frequency(self, term: str) -> int:
        """In how many pieces the term occurs."""
        at = self._number(term)
        return 0 if at is None else int(self._frequency[at])

    def scores(self, weights: Mapping[str, float], numbers: Sequence[int] | Places) -> Floats:
        """One score for each of these pieces: sum over the query's terms of weight times BM25 impact."""
        known, factors = self._known(weights)
        at = np.asarray(numbers, np.int64)
        total = np.zeros(len(at), np.float32)
        if not len(known) or not len(at):
            return total
        place = np.full(len(self._frequency), -1, np.int32)
        place[known] = np.arange(len(known))
        begins = self._rows[at]
        sizes = self._rows[at + 1] - begins
        held = ranges(begins, sizes)
        of_query = place[self._terms[held]]
        picked = np.flatnonzero(of_query >= 0)
        picked = picked[np.argsort(of_query[picked], kind="stable")]
        piece = np.repeat(np.arange(len(at)), sizes)[picked]
        np.add.at(total, piece, factors[of_query[picked]] * self._impacts[held[picked]])
        return total

    def best(self, weights: Mapping[str, float], k: int) -> list[int]:
        """The k best pieces, best first; ties by place in the notes; pieces that share no term are never among them."""
        lists = self._lists
        total = np.zeros(self.count, np.float32)
        for at, factor in zip(*self._known(weights), strict=True):
            part = slice(*lists.begins[at : at + 2].tolist())
            np.add.at(total, lists.pieces[part], lists.impacts[part] * factor)
        # Sorting a million takes ten times as long as adding them up; a sample tells above what more than k lie.
        sample = np.sort(total[::SAMPLE])
        at = len(sample) - 2 * k // SAMPLE - 2
        found = np.flatnonzero(total > max(sample[at], 0.0)) if at >= 0 else ()
        if len(found) < k:
            found = np.flatnonzero(total > 0)
        return [int(number) for number in found[np.argsort(-total[found], kind="stable")[:k]]]

    def _known(self, weights: Mapping[str, float]) -> tuple[Places, Floats]:
        """The numbers of a query's terms that some piece holds, in its order, and their weights."""
        found = [(at, weight) for term, weight in weights.items() if (at := self._number(term)) is not None]
        return np.array([at for at, _ in found], np.int64), np.array([weight for _, weight in found], np.float32)

    def _number(self, term: str) -> int | None:
        at = self._vocabulary.known(term)
        # The vocabulary also numbers what only other notes hold.
        return at if at is not None and at < len(self._frequency) and self._frequency[at] else None

    @cached_property
    def _lists(self) -> _Lists:
        order = order_of(self._terms)
        pieces = np.repeat(np.arange(self.count), np.diff(self._rows))
        return _Lists(sums(self._frequency), pieces[order], self._impacts[order])


def _impacts(whole: Pieces, frequency: Places) -> Floats:
    """What each row's terms add: idf times saturated frequency, worked out in 64 bits and kept in 32, as bm25s does."""
    if not len(whole.terms):
        return np.zeros(0, np.float32)
    n = len(whole.starts)
    counts, which = np.unique(frequency, return_inverse=True)
    idf = np.array([math.log(1 + (n - df + 0.5) / (df + 0.5)) for df in counts.tolist()], np.float32)[which]
    tfs = whole.tfs.astype(np.float64)
    rest = K1 * ((1 - B) + B * whole.lengths / whole.lengths.mean())
    tfs /= np.repeat(rest, np.diff(whole.rows)) + tfs
    tfs *= idf[whole.terms]
    return tfs.astype(np.float32)


def weights_of(text: str) -> dict[str, float]:
    """A plain query: each term of the text counts as often as it stands there."""
    found: dict[str, float] = {}
    for term in terms(text):
        found[term] = found.get(term, 0.0) + 1.0
    return found


def rarest(found: Iterable[str], ranking: Ranking, k: int) -> list[str]:
    """The k rarest of the terms among those that occur at all, rarest first; ties alphabetically."""
    known = [(ranking.frequency(term), term) for term in set(found)]
    return [term for count, term in sorted(known) if count][:k]
