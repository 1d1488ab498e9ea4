"""Golden cases of data that is not in the repository: published sets as notes, and pairs mined from real sessions.

They hold other people's text, so what is kept of them stays outside of the repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.golden import product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Cases = Iterator[tuple[str, dict[str, Any]]]

#: One in this many of a set's questions is asked, and of real pairs.
EVERY = 5
EVERY_PAIR = 10
#: Real corpora that are small enough: each has logs and notes.
CORPORA = ("wakil", "oh-my-posh")


def published(name: str) -> Callable[[Path, Path], Cases]:
    """The cases of a published set: a function of an empty folder and the folder of data."""

    def cases(folder: Path, data: Path) -> Cases:
        notes, questions = product.published_questions(name, data)
        with product.index_of(notes, folder / "index") as index:
            for case, context in questions[::EVERY]:
                yield case, product.asked(index, notes, context)

    return cases


def real_pairs(folder: Path, data: Path) -> Cases:
    """Pairs of real sessions, asked of the notes of today."""
    for corpus in CORPORA:
        notes, questions = product.mined_questions(
            data / "sessions" / corpus / "notes", data / "sessions" / corpus / "logs", folder / corpus / "mined"
        )
        with product.index_of(notes, folder / corpus / "index") as index:
            for case, context in questions[::EVERY_PAIR]:
                yield f"{corpus} {case}", product.asked(index, notes, context)


#: As `cases.GROUPS`, of data that LADDER_DATA names.
DATA_GROUPS: dict[str, Callable[[Path, Path], Cases]] = {
    "locomo": published("locomo"),
    "qmsum": published("qmsum"),
    "lifebench": published("lifebench"),
    "real-pairs": real_pairs,
}
