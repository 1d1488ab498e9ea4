"""The rival: paragraph-sized pieces of the same notes, ranked alone by BM25, with the product's tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import bm25s
import numpy as np
import numpy.typing as npt

from ladder.tokenise import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.keep import Keep

Scores = npt.NDArray[np.float32]


class Piece(NamedTuple):
    """A span of a note that is ranked on its own."""

    note: str
    start: int
    """First byte in the note's file."""
    text: str


class Ranking:
    """BM25 (Lucene's form, k1 1.5, b 0.75) over pieces of text; weights scale what a query's term adds."""

    def __init__(self, pieces: Sequence[Piece], keep: Keep) -> None:
        self.pieces = pieces
        self._vocabulary = keep.vocabulary
        ids = [keep.terms(piece.text) for piece in pieces]
        # bm25s wants the terms numbered without gaps; what replays share numbers those of all versions.
        own = {number: place for place, number in enumerate(sorted({number for each in ids for number in each}))}
        self._own = own
        self._scores: dict[str, npt.NDArray[np.int64]] = {}
        if own:
            engine = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
            words = {str(number): place for number, place in own.items()}
            engine.index(
                ([[own[number] for number in each] for each in ids], words),
                create_empty_token=False,
                show_progress=False,
            )
            self._scores = engine.scores
        self._frequency = np.diff(self._scores["indptr"]) if own else np.zeros(0, dtype=np.int64)

    def _place(self, term: str) -> int | None:
        number = self._vocabulary.get(term)
        return None if number is None else self._own.get(number)

    def scores(self, weights: Mapping[str, float]) -> Scores:
        """One score a piece: sum over the query's terms of weight times BM25 impact; 0 where no term occurs."""
        total = np.zeros(len(self.pieces), dtype=np.float32)
        for term, weight in weights.items():
            at = self._place(term)
            if at is not None:
                start, end = self._scores["indptr"][at : at + 2]
                total[self._scores["indices"][start:end]] += weight * self._scores["data"][start:end]
        return total

    def best(self, weights: Mapping[str, float], k: int) -> list[int]:
        """The k best pieces, best first; ties by place in the notes; pieces that share no term are never among them."""
        total = self.scores(weights)
        order = np.argsort(-total, kind="stable")[:k]
        return [int(at) for at in order if total[at] > 0]

    def frequency(self, term: str) -> int:
        """In how many pieces the term occurs."""
        at = self._place(term)
        return 0 if at is None else int(self._frequency[at])


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
