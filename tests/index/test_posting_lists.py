"""Posting lists as they lie in the file, also for more notes than 16 bits can number."""

import io

import numpy as np
import pytest

from ladder.index.format import SEAL, UNIT, unseal
from ladder.indexing.dictionary import Out, Postings, write_lists


@pytest.mark.parametrize(("count", "code"), [(600, np.uint16), (70_000, np.uint32)])
def test_a_list_is_its_notes_and_its_labels_each_sparse_or_one_impact_a_note(count, code):
    often = np.arange(0, count - 1, 3)  # more than one of twelve: a dense row
    runs = [
        ([5, 9], [7]),  # three postings: they lie in a bucket
        ([1, 2, 3, count - 1], [0, 4]),
        (often, [8]),
        ([6], often + 1),
    ]
    numbers = [np.array(run, code) for pair in runs for run in pair]
    values = [np.arange(1, len(run) + 1).astype(np.uint16) for run in numbers]
    spots = [value * 3 for value in values]
    begins = np.cumsum([0, *(len(notes) + len(labels) for notes, labels in runs)])
    entries = np.zeros((len(runs), 4), np.uint32)
    entries[:, 1:3] = [(len(notes), len(labels)) for notes, labels in runs]
    file = io.BytesIO()
    out = Out(file)
    out.write(bytes(64))
    write_lists(
        out, entries, Postings(begins, np.concatenate(numbers), np.concatenate(values), np.concatenate(spots)), count
    )

    def dense(k: int, of: list[np.ndarray]) -> bytes:
        row = [0] * count
        for note, value in zip(numbers[k].tolist(), of[k].tolist(), strict=True):
            row[note] = value
        return np.array(row, np.uint16).tobytes()

    def bytes_of(k: int) -> bytes:
        if len(numbers[k]) * 12 <= count:
            return numbers[k].tobytes() + values[k].tobytes()
        return dense(k, values)

    at = 64
    for i in range(1, len(runs)):
        k = 2 * i
        of_spots = spots[k].tobytes() if len(numbers[k]) * 12 <= count else dense(k, spots)
        assert entries[i, 0] * UNIT == at
        for payload in (bytes_of(k) + bytes_of(k + 1), of_spots):
            assert unseal(file.getvalue()[at : at + len(payload) + SEAL], at) == payload
            at += len(payload) + SEAL + -(len(payload) + SEAL) % UNIT
    assert len(file.getvalue()) == at
    assert entries[0, 0] == 0
