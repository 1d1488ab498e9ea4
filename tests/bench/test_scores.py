"""Rates, intervals and paired comparisons, against values worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scores import difference, mean, percentile, rate, wilson


def test_a_rate_is_the_mean_and_its_interval_holds_it():
    found = rate([1, 0, 0, 1], ["a", "a", "b", "c"])
    assert found.value == 0.5
    assert found.low <= 0.5 <= found.high
    assert found.n == 4
    assert found.undecided


def test_no_questions_say_nothing():
    found = rate([], [])
    assert (found.value, found.low, found.high, found.n) == (0, 0, 1, 0)


def test_a_hundred_questions_can_decide():
    assert not rate([1.0] * 100, [str(i) for i in range(100)]).undecided


def test_wilson_by_hand():
    # 8 of 10: centre (0.8 + 1.96²/20) / (1 + 1.96²/10) = 0.7167, half width 0.2265 (the textbook's 49 % to 94 %).
    low, high = wilson(0.8, 10)
    assert low == pytest.approx(0.4902, abs=1e-4)
    assert high == pytest.approx(0.9433, abs=1e-4)


def test_all_alike_still_leaves_doubt():
    found = rate([0.0] * 20, [str(i) for i in range(20)])
    assert found.value == 0
    assert found.high == pytest.approx(wilson(0.0, 20)[1])


def test_one_large_session_widens_the_interval():
    # Eight hits of sixteen: in two sessions they are two observations, in sixteen sessions sixteen.
    values = [1.0] * 8 + [0.0] * 8
    together = rate(values, ["a"] * 8 + ["b"] * 8)
    apart = rate(values, [str(i) for i in range(16)])
    assert together.high - together.low > apart.high - apart.low


def test_a_clear_difference_is_clear_and_none_is_none():
    sessions = [str(i) for i in range(40)]
    clear = difference([1.0] * 30 + [0.0] * 10, [0.0] * 40, sessions)
    assert clear.value == pytest.approx(0.75)
    assert clear.clear
    assert clear.p < 0.01
    none = difference([1.0, 0.0] * 20, [1.0, 0.0] * 20, sessions)
    assert none.value == 0
    assert not none.clear
    assert none.p == 1


def test_unpaired_results_are_refused():
    with pytest.raises(ValueError, match="both results"):
        difference([1.0], [], ["a"])


def test_percentile_by_nearest_rank():
    assert percentile([10, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0.9) == 9
    assert percentile([5], 0.9) == 5
    assert percentile([], 0.9) == 0
    assert mean([]) == 0


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcde")), min_size=1, max_size=30))
def test_interval_always_holds_the_rate(rows):
    found = rate([float(hit) for hit, _ in rows], [session for _, session in rows])
    assert 0 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1
