"""What the product says to a question: the value of every feature, of every candidate and passage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ladder.query.query import Context, query
from ladder.ranking.features import FEATURES
from ladder.ranking.passages import PASSAGE_FEATURES, worth
from ladder.ranking.search import Search
from ladder.ranking.survey import survey
from ladder.reading.answer import label_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.snapshot import World
    from bench.fit.asked import Asked
    from ladder.index.reader import Index
    from ladder.ranking.features import Feature
    from ladder.ranking.passages import PassageFeature

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Kept:
    """What the product said to one question: everything that weights could change the order of."""

    group: str
    held: bool
    notes: Floats
    """Candidates by features of notes, values as they are weighed."""
    right: npt.NDArray[np.bool_]
    """Which candidates hold the answer."""
    of_passages: Floats
    """Passages by features of passages; where a note's score is the value, 1 stands for it."""
    owner: npt.NDArray[np.int64]
    """The candidate that a passage is of."""
    costs: npt.NDArray[np.int64]
    labels: npt.NDArray[np.int64]
    """Tokens of its note's name, and of its section's."""
    sections: npt.NDArray[np.int64]
    price: Floats
    answer: npt.NDArray[np.bool_]


@dataclass
class Sets:
    """Questions by the name of their set."""

    kept: dict[str, list[Kept]] = field(default_factory=dict)

    def half(self, *, held: bool) -> dict[str, list[Kept]]:
        """The questions of one half."""
        found = {name: [each for each in rows if each.held == held] for name, rows in self.kept.items()}
        return {name: rows for name, rows in found.items() if rows}


def kept(world: World, asked: Asked) -> Kept | None:
    """Put a question to the product and keep the value of every feature; None where no candidate is found."""
    index = world.index
    search = survey(index, query(Context(**asked.context)))
    if not search.candidates:
        return None
    names = [index.note(n).name for n in search.candidates]
    blocks: list[Floats] = []
    rows: list[tuple[int, int, int, int, int, bool]] = []
    for at, n in enumerate(search.candidates):
        view = search.scales(n).passages
        said = [p for p in range(view.count) if view.p_length[p]]
        blocks.append(np.array([_values(search, n, feature) for feature in PASSAGE_FEATURES]).T[said])
        answering = _answering(world, index, n, asked.answers.get(names[at], ()))
        name = label_cost(f"{names[at]} (1000 tokens)")
        slugs = [label_cost("#" + each.slug) for each in view.sections]
        for p in said:
            s = view.p_section[p] - 1
            rows.append((at, at * 10_000 + s, view.p_cost[p], name, slugs[s] if s > 0 else 0, p in answering))
    table = np.array(rows, dtype=np.int64).reshape(-1, 6)
    return Kept(
        group=asked.group,
        held=asked.held,
        notes=np.array([[_unweighed(search, n, feature) for feature in FEATURES] for n in search.candidates]),
        right=np.array([name in asked.answers for name in names]),
        of_passages=np.concatenate(blocks),
        owner=table[:, 0],
        sections=table[:, 1],
        costs=table[:, 2],
        labels=table[:, 3:5],
        price=np.array([worth(cost) for cost in table[:, 2].tolist()]),
        answer=table[:, 5].astype(bool),
    )


def _unweighed(search: Search, n: int, feature: Feature) -> float:
    """What a feature says of a candidate, before it is weighed."""
    return search.totals[n].get(feature.name, 0.0) / (feature.weight or 1.0)


def _values(search: Search, n: int, feature: PassageFeature) -> Floats:
    """What a feature says of each paragraph of a note, before it is weighed; 1 where that is the note's score."""
    values = feature.values(search, n)
    if values is None:
        return np.zeros(search.scales(n).passages.count)
    found = np.array(values, dtype=np.float64)
    if feature.best is Search.score:
        return (found > 0).astype(np.float64)
    best = feature.best
    return found if best is None else found / (max(best(search, each) for each in search.candidates) or 1.0)


def _answering(world: World, index: Index, n: int, lines: Sequence[str]) -> set[int]:
    """The paragraphs of a note that hold a line which answers."""
    if not lines:
        return set()
    data = world.files[index.note(n).name]
    view = index.passages(n)
    found = set()
    for p in range(view.count):
        text = data[view.p_start[p] : view.p_end[p]].decode("utf-8", "replace")
        if any(line.strip() in lines for line in text.split("\n")):
            found.add(p)
    return found
