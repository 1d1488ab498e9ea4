"""The fit of the ranking's weights, on the sample."""

import numpy as np
import pytest

from bench.corpus.cache import Keep
from bench.fit.asked import SETS
from bench.fit.delivered import BUDGETS, delivered, objective, tokens_to_answer
from bench.fit.kept import Kept, kept
from bench.fit.search import fit
from bench.fit.tables import WEIGHTS, vectors, weights_of_tables, with_weight, written


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fit")
    asked = list(SETS["sample"](None, Keep(folder / "kept"), folder / "mined"))[::4]
    return [row for row in (kept(world, each) for world, each in asked) if row is not None]


def test_fitting_never_delivers_less_on_what_it_is_fitted_to(rows):
    before = vectors()
    told: list[str] = []
    after = fit({"sample": rows}, before, weights_of_tables(), told.append)
    gain = objective({"sample": rows}, after) - objective({"sample": rows}, before)
    assert gain >= 0.001 * len(told)
    assert all(0.0 <= share <= 1.0 for share in delivered(rows, *before))


def test_tokens_are_those_of_all_that_is_shown_up_to_the_answer():
    def one(answer):
        return Kept(
            group="g", held=False, notes=np.ones((1, len(vectors()[0]))), right=np.array([True]),
            of_passages=np.eye(3, len(vectors()[1])) * [[1.0], [5.0], [0.1]], owner=np.zeros(3, np.int64),
            sections=np.array([0, 1, 1]), costs=np.array([10, 20, 40]), labels=np.array([[3, 1], [3, 2], [3, 2]]),
            price=np.ones(3), answer=np.array(answer),
        )  # fmt: skip

    of_notes, _ = vectors()
    ones = np.ones(len(vectors()[1]))
    assert tokens_to_answer(one([False, True, False]), of_notes, ones) == 20 + 3 + 2
    assert tokens_to_answer(one([True, False, False]), of_notes, ones) == 30 + 3 + 1 + 2
    assert tokens_to_answer(one([False, False, True]), of_notes, ones) == 70 + 3 + 1 + 2
    assert delivered([one([False] * 3), one([True] * 3)], of_notes, ones) == [0.0, 1.0]
    assert min(BUDGETS) > 76


def test_the_file_of_weights_takes_new_values_and_nothing_else():
    text = WEIGHTS.read_text(encoding="utf-8")
    weights = weights_of_tables()
    assert written(text, weights, vectors()) == text
    named = next(each for each in weights if each.name == "NAMED")
    new = written(text, weights, with_weight(vectors(), named, 9.25))
    assert new == text.replace(f"NAMED = {named.value!r} ", "NAMED = 9.25 ")
