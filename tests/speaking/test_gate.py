import math

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.explain import suggestions
from ladder.ranking.survey import survey
from ladder.speaking.gate import FEATURES, gate, likelihood
from ladder.speaking.weights import OPENED, OPENED_BASE

NOTES = {
    "ops/rollback": b"# Rollback\n\nHow the canary is rolled back.\n",
    "ops/alerts": b"# Alerts\n\nWho is paged.\n",
}


@pytest.fixture
def index(tmp_path):
    build_from_bytes(NOTES, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as found:
        yield found


def _likelihood(index, context):
    return likelihood(survey(index, query(context)))


def test_the_likelihood_is_the_logistic_of_the_features(index):
    scene = survey(index, query(Context("zzz unheard", said=[["user", "a"], ["agent", "b"]])))
    odds = OPENED_BASE + OPENED["needed before"] * -1.5
    assert list(OPENED) == list(FEATURES)
    assert likelihood(scene) == pytest.approx(1 / (1 + math.exp(-odds)))


def test_a_message_that_names_a_note_is_worth_an_answer(index):
    assert _likelihood(index, Context("see ops/rollback")) > 0.8


def test_a_first_message_and_a_command_are_likelier_than_small_talk(index):
    later = [["user", "alpha"], ["agent", "beta"]]
    assert _likelihood(index, Context("canary")) > _likelihood(index, Context("canary", said=later))
    assert _likelihood(index, Context("/deploy canary")) > _likelihood(index, Context("canary"))


def test_the_gate_gives_all_or_nothing(index):
    scene = survey(index, query(Context("see ops/rollback")))
    chosen = suggestions(scene, 3)
    assert gate(scene, chosen) == chosen
    assert gate(scene, chosen, 1.1) == []
    assert gate(scene, []) == []
