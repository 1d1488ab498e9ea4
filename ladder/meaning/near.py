"""How near the notes lie to what a message means: one cosine a piece of a note, by the vectors that were made before.

`near` is the one way in. Whatever is missing or broken, it returns None, and words alone decide.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ladder.meaning.encoder import Encoder
from ladder.meaning.model import NoModel, find_model, mark_of
from ladder.meaning.records import Records
from ladder.meaning.table import NoTable, Table, read_table, table_file

if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.meaning.records import Floats

#: Characters of a message that are read.
LONGEST = 2000
#: Notes that a message's meaning leads to.
NEAREST = 16


class Near:
    """The cosines of one message: `best` of each note's nearest piece, by the note's number in the index."""

    def __init__(self, index: Index, table: Table, cosines: Floats) -> None:
        """Take the cosine of each piece of `table`, whose notes have these numbers where the index is its own."""
        self._table = table
        self._cosines = cosines
        begins = table.begins.astype(np.int64)
        filled = np.flatnonzero(begins[1:] > begins[:-1])
        best = np.maximum.reduceat(cosines, begins[:-1][filled]) if len(filled) else np.zeros(0, np.float32)
        self.usual = float(cosines.mean()) if len(cosines) else 0.0
        self.spread = float(cosines.std()) if len(cosines) else 1.0
        order = np.argsort(-best, kind="stable")
        #: note -> its number in the table, and the cosine of its nearest piece; the nearest note first
        self._rows: dict[int, int] = {}
        self.best: dict[int, float] = {}
        #: Whether the vectors are of the notes as this index has them.
        self.current = same = table.begun == index.begun
        for at in order.tolist():
            row = int(filled[at])
            number = row if same and index.alive(row) else self._number(index, table.names[row], len(self.best))
            if number is not None and number not in self.best:
                self.best[number] = float(best[at])
                self._rows[number] = row

    @staticmethod
    def _number(index: Index, name: str, before: int) -> int | None:
        """The note that bears a name now; looked for only for the nearest: it takes a look through all names."""
        found = index.find(name) if before < NEAREST else []
        return found[0] if len(found) == 1 else None

    def nearest(self, k: int = NEAREST) -> list[int]:
        """Return the `k` notes that lie nearest, the nearest first."""
        return list(self.best)[:k]

    def passages(self, index: Index, note: int) -> list[tuple[int, int, float]]:
        """Return (first paragraph, last, cosine) of each piece of a note; nothing when it was cut otherwise since."""
        row = self._rows.get(note)
        if row is None:
            return []
        begin, end = int(self._table.begins[row]), int(self._table.begins[row + 1])
        if int(self._table.last[end - 1]) >= index.passages(note).count:
            return []
        return list(
            zip(
                self._table.first[begin:end].tolist(), self._table.last[begin:end].tolist(),
                self._cosines[begin:end].tolist(), strict=True,
            )
        )  # fmt: skip


def near(index: Index, message: str, named: str = "") -> Near | None:
    """Return how near the notes of an index lie to a message; None where there is no model or are no vectors.

    `named` is the folder of the model that the person names, or empty.
    """
    text = message.strip()[:LONGEST]
    if not text:
        return None
    try:
        folder = find_model(named)
        table = read_table(Path(table_file(index.path)))
        if table.model != _mark(folder):
            return None
        vector = _encoder(folder).question(text)
        records = Records(Path(index.path).with_name(table.file), table.width)
        return Near(index, table, records.cosines(vector, table.record))
    except (NoModel, NoTable, OSError, ValueError, IndexError):
        return None


@lru_cache(maxsize=1)
def _encoder(folder: Path) -> Encoder:
    """The model stays in memory where a process answers more than one message."""
    return Encoder(folder)


@lru_cache(maxsize=1)
def _mark(folder: Path) -> str:
    return mark_of(folder)
