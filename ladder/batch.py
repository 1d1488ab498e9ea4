"""Scores many questions at once, for the bench: the index's postings in numpy, the same numbers as the cold reader.

    Batch(index).top(questions, k)  ->  note numbers, best first, and their scores

Small stores become one matrix (terms by notes), whose rows are added up question by question with `np.add.reduceat`.
In large ones the rows of frequent terms are added as rows, and the postings of all others at once with `np.bincount`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ladder.index.format import BUCKET_HEAD, DENSE, ENTRY_FIELDS, INLINE, ITEM_SIZE, SCALE, SEAL, UNIT, IndexBroken
from ladder.index.reader import Index

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

#: Bytes that the matrix of a small store may take.
MATRIX_BYTES = 1 << 28
#: Questions that are scored at a time.
BATCH = 64


class Batch:
    """An index's note postings, with idf worked in: about 8 bytes a posting, the matrix 4 bytes a term and note."""

    def __init__(self, index: Index) -> None:
        """Read all postings; IndexBroken when a list is damaged."""
        self.count = index.count
        words, entries, begins, notes, values = _postings(index)
        self._number = {word: i for i, word in enumerate(words)}
        df = entries[:, 1].astype(np.float64)
        idf = np.log1p((self.count - df + 0.5) / (df + 0.5)) / SCALE
        self._begin = begins
        self._notes = notes
        self._impacts = (values * np.repeat(idf, np.diff(begins))).astype(np.float32)
        self._matrix: Floats | None = None
        self._rows: dict[int, Floats] = {}
        if len(words) * self.count * 4 <= MATRIX_BYTES:
            matrix = np.zeros((len(words), self.count), np.float32)
            matrix[np.repeat(np.arange(len(words)), np.diff(begins)), notes] = self._impacts
            self._matrix = matrix
        else:
            for i in np.flatnonzero(df * DENSE > self.count).tolist():
                row = np.zeros(self.count, np.float32)
                row[notes[begins[i] : begins[i + 1]]] = self._impacts[begins[i] : begins[i + 1]]
                self._rows[i] = row

    def scores(self, questions: Sequence[Mapping[str, float]]) -> Floats:
        """Scores of all notes, shape (questions, notes): for each the sum of weight * idf * saturated frequency."""
        known = [[(self._number[t], w) for t, w in question.items() if t in self._number] for question in questions]
        if self._matrix is not None:
            return self._by_matrix(known, self._matrix)
        return self._by_postings(known)

    def _by_matrix(self, known: Sequence[Sequence[tuple[int, float]]], matrix: Floats) -> Floats:
        out = np.zeros((len(known), self.count), np.float32)
        asked = [i for i, terms in enumerate(known) if terms]
        if not asked or not self.count:
            return out
        flat = np.array([t for i in asked for t, _ in known[i]])
        rows = matrix[flat]
        weights = np.array([w for i in asked for _, w in known[i]], np.float32)
        if (weights != 1).any():
            rows *= weights[:, None]
        begins = np.cumsum([0, *[len(known[i]) for i in asked]])[:-1]
        out[asked] = np.add.reduceat(rows, begins, axis=0)
        return out

    def _by_postings(self, known: Sequence[Sequence[tuple[int, float]]]) -> Floats:
        out = np.zeros((len(known), self.count), np.float32)
        for i, terms in enumerate(known):
            places, impacts = [], []
            for t, weight in terms:
                row = self._rows.get(t)
                if row is not None:
                    out[i] += row if weight == 1 else row * np.float32(weight)
                    continue
                part = slice(self._begin[t], self._begin[t + 1])
                places.append(self._notes[part])
                impacts.append(self._impacts[part] if weight == 1 else self._impacts[part] * np.float32(weight))
            if places:
                out[i] += np.bincount(np.concatenate(places), np.concatenate(impacts), self.count)
        return out

    def top(self, questions: Sequence[Mapping[str, float]], k: int) -> tuple[Ints, Floats]:
        """Note numbers and scores of the best `k`, best first, shape (questions, min(k, notes)).

        Equal scores come in the order of the notes; where fewer notes score above 0, the number is -1 and the score 0.
        """
        k = min(k, self.count)
        ids = np.full((len(questions), k), -1, np.int64)
        best = np.zeros((len(questions), k), np.float32)
        if not k:
            return ids, best
        for first in range(0, len(questions), BATCH):
            scores = self.scores(questions[first : first + BATCH])
            kept = np.argpartition(-scores, k - 1, axis=1)[:, :k] if k < self.count else None
            if kept is None:
                order = np.argsort(-scores, axis=1, kind="stable")
            else:
                kept.sort(axis=1)
                order = np.take_along_axis(
                    kept, np.argsort(-np.take_along_axis(scores, kept, 1), axis=1, kind="stable"), 1
                )
            found = np.take_along_axis(scores, order, 1)
            part = slice(first, first + len(scores))
            ids[part] = np.where(found > 0, order, -1)
            best[part] = np.maximum(found, 0)
        return ids, best


def _postings(
    index: Index,
) -> tuple[list[str], npt.NDArray[np.uint32], Ints, npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
    """Words, vocabulary entries, where each word's postings begin (and the last end), note numbers, impacts."""
    code = np.uint16 if index.code == "H" else np.uint32
    wide = ITEM_SIZE[index.code]
    words = index.words()
    all_entries = []
    notes: list[npt.NDArray[np.int32]] = []
    values: list[npt.NDArray[np.uint16]] = []
    for bucket in index.buckets():
        terms, small = np.frombuffer(bucket, np.uint32, 2, SEAL).tolist()
        at = BUCKET_HEAD + terms * 8
        notes_at = at + terms * ENTRY_FIELDS * 4
        values_at = notes_at + small * wide
        entries = np.frombuffer(bucket, np.uint32, terms * ENTRY_FIELDS, at).reshape(terms, ENTRY_FIELDS)
        all_entries.append(entries)
        numbers = np.frombuffer(bucket, code, small, notes_at).astype(np.int32)
        impacts = np.frombuffer(bucket, np.uint16, small, values_at)
        for where, df, labels, _ in entries.tolist():
            if df + labels <= INLINE:
                notes.append(numbers[where : where + df])
                values.append(impacts[where : where + df])
            else:
                dense = df * DENSE > index.count
                size = index.count * 2 if dense else df * (wide + 2)
                label_size = index.count * 2 if labels * DENSE > index.count else labels * (wide + 2)
                block = index.block(where * UNIT, size + label_size + SEAL)
                if dense:
                    row = np.frombuffer(block, np.uint16, index.count)
                    held = np.flatnonzero(row).astype(np.int32)
                    notes.append(held)
                    values.append(row[held])
                else:
                    notes.append(np.frombuffer(block, code, df).astype(np.int32))
                    values.append(np.frombuffer(block, np.uint16, df, df * wide))
    if len(words) != sum(map(len, all_entries)):
        raise IndexBroken("the vocabulary is damaged")
    begins = np.concatenate(([0], np.cumsum([len(part) for part in notes], dtype=np.int64)))
    return (
        words,
        np.concatenate(all_entries) if all_entries else np.zeros((0, ENTRY_FIELDS), np.uint32),
        begins,
        np.concatenate(notes) if notes else np.zeros(0, np.int32),
        np.concatenate(values) if values else np.zeros(0, np.uint16),
    )
