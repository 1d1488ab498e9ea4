"""Rankings made into one."""

from collections.abc import Sequence

#: The usual constant of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009).
RRF = 60


def reciprocal(rankings: Sequence[Sequence[str]], weights: Sequence[float] | None = None) -> dict[str, float]:
    """Return id -> sum over the rankings of weight / (60 + rank), ranks from 1."""
    scores: dict[str, float] = {}
    for weight, ranking in zip(weights or [1.0] * len(rankings), rankings, strict=True):
        for rank, name in enumerate(ranking, start=1):
            scores[name] = scores.get(name, 0.0) + weight / (RRF + rank)
    return scores
