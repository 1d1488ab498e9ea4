"""Figures with their uncertainty: rates, intervals by bootstrap over sessions, paired comparisons, ranks.

Questions of one session depend on each other (same task, same notes), so the bootstrap redraws sessions and not
questions. The draws are seeded and the same for every strategy, which makes differences between strategies paired.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

DRAWS = 2000
SEED = 20260901
#: Least number of questions that decides anything; below it a figure is printed with its interval and called undecided.
DECIDED = 100

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share in [0, 1] with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int

    @property
    def undecided(self) -> bool:
        """Whether n is too small to decide anything."""
        return self.n < DECIDED


@dataclass(frozen=True, slots=True)
class Difference:
    """Paired difference of two rates (first minus second), in [-1, 1]."""

    value: float
    low: float
    high: float
    p: float
    """Two-sided, from random sign flips of whole sessions."""
    n: int
    sessions: int

    @property
    def clear(self) -> bool:
        """Whether the 95 % interval leaves out zero."""
        return self.low > 0 or self.high < 0


def _by_session(
    values: Sequence[float] | Floats, sessions: Sequence[str], weights: Sequence[float] | None
) -> tuple[Floats, Floats]:
    """Sum of the values and number of questions for each session, in order of first appearance; both weighted."""
    number: dict[str, int] = {}
    where = np.fromiter(
        (number.setdefault(name, len(number)) for name in sessions), dtype=np.int64, count=len(sessions)
    )
    each = np.ones(len(sessions)) if weights is None else np.asarray(weights, dtype=np.float64)
    shares = each * np.asarray(values, dtype=np.float64)
    sums = np.bincount(where, weights=shares, minlength=len(number)).astype(np.float64)
    counts = np.bincount(where, weights=each, minlength=len(number)).astype(np.float64)
    return sums, counts


@lru_cache(maxsize=8)
def _draws(sessions: int) -> Floats:
    """How often each session is drawn: DRAWS rows, one column a session. The same array each time: read it only."""
    rng = np.random.default_rng(SEED)
    return rng.multinomial(sessions, np.full(sessions, 1 / sessions), size=DRAWS).astype(np.float64)


@lru_cache(maxsize=8)
def _flips(sessions: int) -> Floats:
    """Signs of whole sessions, -1 or 1: DRAWS rows, one column a session. Not to be written either."""
    return np.random.default_rng(SEED).integers(0, 2, size=(DRAWS, sessions)).astype(np.float64) * 2 - 1


def rate(values: Sequence[float], sessions: Sequence[str], weights: Sequence[float] | None = None) -> Rate:
    """Mean of `values` (0 or 1, or any share) with a 95 % percentile interval over redrawn sessions.

    With `weights` (above 0) the weighted mean; n is the number of questions all the same.
    With no question all is zero; with one session, or all values alike, the interval is Wilson's.
    """
    n = len(values)
    if n == 0:
        return Rate(0.0, 0.0, 1.0, 0)
    sums, counts = _by_session(values, sessions, weights)
    mean = float(sums.sum() / counts.sum())
    if len(sums) < 2 or float(np.ptp(np.asarray(values, dtype=np.float64))) == 0.0:
        low, high = wilson(mean, n if len(sums) < 2 else len(sums))
        return Rate(mean, min(low, mean), max(high, mean), n)
    drawn = _draws(len(sums))
    means = (drawn @ sums) / (drawn @ counts)
    low, high = np.percentile(means, [2.5, 97.5])
    return Rate(mean, float(low), float(high), n)


def wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a share seen in n independent trials (Wilson 1927)."""
    z = 1.959964
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def difference(
    first: Sequence[float], second: Sequence[float], sessions: Sequence[str], weights: Sequence[float] | None = None
) -> Difference:
    """Compare two strategies on the same questions: `first` minus `second`, paired; with `weights` as in `rate`.

    Raises:
        ValueError: the two do not hold the same number of questions.
    """
    if len(first) != len(second):
        raise ValueError("a paired comparison needs both results for every question")
    n = len(first)
    if n == 0:
        return Difference(0.0, 0.0, 0.0, 1.0, 0, 0)
    change = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    sums, counts = _by_session(change, sessions, weights)
    value = float(sums.sum() / counts.sum())
    if len(sums) < 2 or not sums.any():
        return Difference(value, min(value, 0.0), max(value, 0.0), 1.0, n, len(sums))
    drawn = _draws(len(sums))
    means = (drawn @ sums) / (drawn @ counts)
    low, high = np.percentile(means, [2.5, 97.5])
    extreme = int(np.count_nonzero(np.abs(_flips(len(sums)) @ sums) >= abs(sums.sum()) - 1e-9))
    return Difference(value, float(low), float(high), (extreme + 1) / (DRAWS + 1), n, len(sums))


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed (nearest rank); 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0
