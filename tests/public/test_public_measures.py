"""What a ranking is worth: values worked out by hand."""

import math

import pytest

from bench.public.measures import score
from bench.public.model import Question


def asked(*gold, checklist=()):
    return Question("q", "text", "kind", "pool", frozenset(gold), checklist=checklist)


def test_gold_at_places_two_and_four():
    values = score(asked("a", "b"), ["x", "a", "y", "b"])
    assert values["R@1 any"] == 0
    assert values["R@5 any"] == 1
    assert values["R@5 all"] == 1
    assert values["MRR"] == pytest.approx(1 / 2)
    ideal = 1 + 1 / math.log2(3)
    assert values["nDCG@5"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)


def test_ideal_counts_all_gold_also_beyond_what_was_found():
    # Three are gold, one is found at the top: the ideal has all three.
    values = score(asked("a", "b", "c"), ["a"])
    assert values["nDCG@10"] == pytest.approx(1 / (1 + 1 / math.log2(3) + 1 / 2))
    assert values["R@50 all"] == 0
    assert values["R@50"] == pytest.approx(1 / 3)


def test_r67_a_system_that_returns_nothing_scores_0():
    assert set(score(asked("a"), []).values()) == {0.0}


def test_an_id_twice_counts_once():
    assert score(asked("b"), ["a", "a", "b"])["MRR"] == pytest.approx(1 / 2)


def test_the_systems_order_is_kept_however_ids_sort():
    assert score(asked("z"), ["z", "a"])["R@1 any"] == 1
    assert score(asked("a"), ["z", "a"])["R@1 any"] == 0


def test_checklist_counts_points_with_a_source_in_the_first_twenty():
    question = asked("a", "b", checklist=(frozenset("a"), frozenset("b")))
    assert score(question, ["a"])["checklist@20"] == pytest.approx(0.5)
    late = [str(place) for place in range(20)]
    assert score(question, [*late, "a", "b"])["checklist@20"] == 0


def test_text_counts_the_documents_that_it_is_of_or_the_first_five():
    places = [str(place) for place in range(5)]
    assert score(asked("a"), [*places, "a"])["text any"] == 0
    assert score(asked("a"), [*places[:4], "a"])["text any"] == 1
    assert score(asked("a"), ["a"], shown=frozenset("b"))["text any"] == 0
    assert score(asked("a"), ["b"], shown=frozenset("ab"))["text any"] == 1


def test_a_question_without_gold_is_a_miss():
    assert set(score(asked(), ["a"]).values()) == {0.0}


def test_distractors_are_a_share_of_the_first_twenty():
    values = score(asked("a"), ["n", "a", "m", "x"], frozenset({"n", "m"}))
    assert values["distractors@20"] == pytest.approx(0.5)
