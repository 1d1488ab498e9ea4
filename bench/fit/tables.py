"""The weights of the ranking's two tables as vectors, and back into the text of `ranking/weights.py`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ladder.ranking import features, passages, weights
from ladder.ranking.features import FEATURES
from ladder.ranking.passages import PASSAGE_FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from bench.fit.kept import Floats

WEIGHTS = Path(weights.__file__)


@dataclass(frozen=True, slots=True)
class Weight:
    """One weight: its name in weights.py, and where it stands in the vectors of the two tables."""

    name: str
    value: float
    of_notes: bool
    at: int


def weights_of_tables() -> list[Weight]:
    """Every weight of the two tables, in their order."""
    of_notes, of_passages = _names(features), _names(passages)
    return [
        *[Weight(of_notes[row.name], row.weight, of_notes=True, at=at) for at, row in enumerate(FEATURES)],
        *[Weight(of_passages[row.name], row.weight, of_notes=False, at=at) for at, row in enumerate(PASSAGE_FEATURES)],
    ]


def _names(module: ModuleType) -> dict[str, str]:
    """Row -> the constant of weights.py that it is weighed by, read from the table's source."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    return {
        str(node.args[0].value): node.args[1].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[0], ast.Constant)
        if isinstance(node.args[1], ast.Name)
    }


Vectors = tuple["Floats", "Floats"]


def vectors() -> Vectors:
    """The weights of both tables as they are."""
    return np.array([row.weight for row in FEATURES]), np.array([row.weight for row in PASSAGE_FEATURES])


def with_weight(both: Vectors, weight: Weight, value: float) -> Vectors:
    """The vectors with another value of one weight."""
    new = (both[0].copy(), both[1].copy())
    new[0 if weight.of_notes else 1][weight.at] = value
    return new


def written(text: str, weights: Sequence[Weight], both: Vectors) -> str:
    """The text of weights.py with these values."""
    for weight in weights:
        value = float(both[0 if weight.of_notes else 1][weight.at])
        text, count = re.subn(rf"(?m)^{weight.name} = \S+", f"{weight.name} = {value!r}", text)
        if count != 1:
            raise LookupError(f"{weight.name} stands {count} times in weights.py")
    return text
