"""Messages whose meaning is asked: with made-up cosines, so that neither a model nor vectors are needed.

The cosine of a paragraph follows from the message and the paragraph's place; three notes lie nearer than all others.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bench.golden import product
from bench.golden.product import NOW_ISO
from bench.golden.stores import made_store, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ladder.index.reader import Index

#: What is asked, how near the nearest notes lie, and whether the session has said something before.
ASKED: tuple[tuple[str, tuple[float, ...], bool], ...] = (
    ("who gets woken up when things catch fire in the small hours?", (0.62, 0.56, 0.48), False),
    ("who gets woken up when things catch fire in the small hours?", (0.47, 0.30, 0.29), False),
    ("how do we take back what went out by mistake?", (0.58, 0.57, 0.41), True),
    ("how do we take back what went out by mistake?", (0.38, 0.31, 0.30), True),
    ("why did the {subject} stop, was it that {cause}?", (0.66, 0.41, 0.35), False),
    ("how often is the {word2} of the {subject} looked after", (0.55, 0.50, 0.49), True),
    ("lower the {word1} before anything melts", (0.31, 0.30, 0.29), False),
    ("is there a way to make the {subject} forget everything it was ever told", (0.52, 0.43, 0.34), False),
)
#: Cosines of all other paragraphs lie below this.
_FAR = 0.25


class MadeNear:
    """Stands for `ladder.meaning.near.Near`: the same look-ups over made-up cosines."""

    current = True

    def __init__(self, index: Index, message: str, nearest: tuple[float, ...]) -> None:
        """Put the first of a few notes nearest, the others far."""
        self._index = index
        chosen = [number("near", message, turn) % index.count for turn in range(len(nearest))]
        self._near = dict(zip(chosen, nearest, strict=True))
        self._message = message
        best = {n: max((c for _, _, c in self.passages(index, n)), default=0.0) for n in range(index.count)}
        self.best = dict(sorted(best.items(), key=lambda pair: (-pair[1], pair[0])))
        values = [c for n in range(index.count) for _, _, c in self.passages(index, n)]
        self.usual = sum(values) / len(values)
        self.spread = (sum((value - self.usual) ** 2 for value in values) / len(values)) ** 0.5

    def nearest(self, k: int = 16) -> list[int]:
        """Return the `k` notes that lie nearest."""
        return list(self.best)[:k]

    def passages(self, index: Index, note: int) -> list[tuple[int, int, float]]:
        """Return (first paragraph, last, cosine) of each paragraph."""
        count = index.passages(note).count
        return [
            (p, p, self._near[note] if note in self._near and p == count // 2 else _far(self._message, note, p))
            for p in range(count)
        ]


def _far(message: str, note: int, paragraph: int) -> float:
    return number("far", message, note * 1000 + paragraph) % 1000 / 1000 * _FAR


def asks(folder: Path) -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return, for each message to a small store, what asks it: of the rungs, and of the hook by meaning alone."""
    store = made_store(60)
    notes = {note.name: note.text for note in store}
    index = product.index_of(notes, folder / "index", {note.name: product.NOW - note.age for note in store})

    def ask(message: str, nearest: tuple[float, ...], said: list[list[str]]) -> dict[str, Any]:
        context = {"message": message, "now": NOW_ISO, "cwd": "/home/mara/works", "said": said}
        return product.asked(index, notes, context, near=MadeNear(index, message, nearest))

    found: list[tuple[str, Callable[[], dict[str, Any]]]] = []
    for case, (text, nearest, later) in enumerate(ASKED):
        note = store[number("asked", text, case) % len(store)]
        words = {f"word{i}": word for i, word in enumerate(note.words)}
        message = text.format(subject=note.subject, cause=note.cause, **words)
        said = [["user", f"restart the {note.subject}"], ["agent", f"The {note.subject} is up."]] if later else []
        found.append((f"{case:02} {message[:40]}", partial(ask, message, nearest, said)))
    return found


def meaning(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the cases of `asks`."""
    for case, ask in asks(folder):
        yield case, ask()
