"""The search for the weights that deliver most: one after the other, times each of FACTORS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.fit.delivered import objective
from bench.fit.tables import with_weight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.fit.kept import Kept
    from bench.fit.tables import Vectors, Weight

#: What a weight is multiplied by, one after the other; times that all weights are gone through.
FACTORS = (0.0, 0.5, 0.7, 1.4, 2.0)
ROUNDS = 2
#: Share of the questions that a change must gain on the tuned half: less is noise.
LEAST = 0.001


def fit(
    sets: Mapping[str, Sequence[Kept]], both: Vectors, weights: Sequence[Weight], tell: Callable[[str], None]
) -> Vectors:
    """Return the vectors that deliver most on these sets, found by going through the weights one by one."""
    best = objective(sets, both)
    for number in range(ROUNDS):
        before = best
        for weight in weights:
            now = float(both[0 if weight.of_notes else 1][weight.at])
            tries = [(objective(sets, new), new) for new in (with_weight(both, weight, now * f) for f in FACTORS)]
            gain, new = max(tries, key=lambda pair: pair[0])
            if gain >= best + LEAST:
                value = float(new[0 if weight.of_notes else 1][weight.at])
                tell(f"round {number + 1}: {weight.name} {now:g} -> {value:g}  {100 * (gain - best):+.2f} points")
                best, both = gain, new
        if best < before + LEAST:
            break
    return both
