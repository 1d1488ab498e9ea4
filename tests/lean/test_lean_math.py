"""Logarithms without `math` are `math`'s."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.lean.math import exp, log, log1p


@given(st.floats(1e-12, 1e12))
def test_logarithms_are_exact(x):
    assert log(x) == pytest.approx(math.log(x), rel=1e-14, abs=1e-15)
    assert log1p(x) == pytest.approx(math.log1p(x), rel=1e-14, abs=1e-15)


@given(st.floats(-50, 50))
def test_so_is_the_exponential(x):
    assert exp(x) == pytest.approx(math.exp(x), rel=1e-13)
