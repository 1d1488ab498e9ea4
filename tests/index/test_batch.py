import numpy as np
import pytest
from test_reader import built, invented, oracle, questions

from ladder import batch
from ladder.batch import Batch
from ladder.text.tokenizer import terms


@pytest.mark.parametrize("matrix", [True, False])
def test_the_same_scores_as_the_cold_reader_and_the_same_ids_as_bm25s(tmp_path, monkeypatch, matrix):
    if not matrix:
        monkeypatch.setattr(batch, "MATRIX_BYTES", 0)
    notes = invented(150)
    index = built(tmp_path, notes)
    model, numbers = oracle(notes)
    scorer = Batch(index)
    asked = [dict.fromkeys((t for w in q for t in terms(w)), 1.0) for q in questions(5, 200)]
    scores = scorer.scores(asked)
    ids, best = scorer.top(asked, 5)
    for i, question in enumerate(asked):
        cold = index.score_notes(question)
        assert scores[i] == pytest.approx(cold, abs=2e-4 * max(cold))
        known = [numbers[t] for t in question if t in numbers]
        expected = model.get_scores_from_ids(known) if known else np.zeros(len(notes))
        ranked = sorted(range(len(notes)), key=lambda n: -expected[n])[:5]
        for rank, n in enumerate(ranked):
            if expected[n] > 0:
                # The same note, or one that bm25s scores the same up to quantisation.
                assert expected[ids[i, rank]] == pytest.approx(expected[n], rel=2e-4)
            else:
                assert ids[i, rank] == -1
                assert best[i, rank] == 0


def test_weights_count(tmp_path):
    index = built(tmp_path, invented(40))
    word = terms("kalox")[0]
    one, three = Batch(index).scores([{word: 1.0}, {word: 3.0}])
    assert three == pytest.approx(3 * one)


def test_r33_k_larger_than_the_corpus_and_r34_no_notes(tmp_path):
    index = built(tmp_path, {"a": b"# A\n\nalpha\n", "b": b"# B\n\nbeta\n"})
    ids, _ = Batch(index).top([{"alpha": 1.0}, {"nothing": 1.0}, {}], 10)
    assert ids.tolist() == [[0, -1], [-1, -1], [-1, -1]]
    (tmp_path / "empty").mkdir()
    ids, _ = Batch(built(tmp_path / "empty", {})).top([{"alpha": 1.0}], 10)
    assert ids.shape == (1, 0)
