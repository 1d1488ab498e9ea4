"""What weights deliver: the share of questions whose answering line is shown within BUDGETS, from values kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.scores import mean
from ladder.ranking.passages import PASSAGE_FEATURES
from ladder.ranking.search import Search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.fit.kept import Floats, Kept
    from bench.fit.tables import Vectors

#: Tokens within which an answering line is looked for.
BUDGETS = (300, 600, 1000)
#: Passages that are looked at of one question, best first.
_DEEPEST = 80
#: Which rows of PASSAGE_FEATURES take the note's score.
_BY_NOTE = np.array([feature.best is Search.score for feature in PASSAGE_FEATURES])


def tokens_to_answer(one: Kept, of_notes: Floats, of_passages: Floats) -> float:
    """The tokens that are spent when the first passage that answers has been shown; infinite when none is."""
    scores = one.notes @ of_notes
    share = scores / (float(scores.max()) or 1.0)
    promise = one.of_passages @ np.where(_BY_NOTE, 0.0, of_passages)
    promise += share[one.owner] * (one.of_passages @ np.where(_BY_NOTE, of_passages, 0.0))
    promise *= one.price
    best = float(promise[one.answer].max())
    before = np.flatnonzero(promise > best)
    if len(before) > _DEEPEST:
        return np.inf
    at = [*before.tolist(), int(np.flatnonzero(one.answer & (promise == best))[0])]
    notes = {int(one.owner[i]): int(one.labels[i, 0]) for i in at}
    sections = {int(one.sections[i]): int(one.labels[i, 1]) for i in at}
    return float(one.costs[at].sum()) + sum(notes.values()) + sum(sections.values())


def delivered(rows: Sequence[Kept], of_notes: Floats, of_passages: Floats) -> list[float]:
    """Of each question the share of BUDGETS within which the answering line is shown, in [0, 1]."""
    found = []
    for one in rows:
        spent = tokens_to_answer(one, of_notes, of_passages) if one.answer.any() else np.inf
        found.append(sum(spent <= budget for budget in BUDGETS) / len(BUDGETS))
    return found


def first_right(rows: Sequence[Kept], of_notes: Floats) -> float:
    """The share of questions whose first candidate holds the answer."""
    return mean([float(one.right[int(np.argmax(one.notes @ of_notes))]) for one in rows])


def objective(sets: Mapping[str, Sequence[Kept]], both: Vectors) -> float:
    """Evidence delivered for the tokens: the mean over the sets of the share of questions and budgets, in [0, 1]."""
    return mean([mean(delivered(rows, *both)) for rows in sets.values()])
