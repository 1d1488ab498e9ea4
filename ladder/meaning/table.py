"""Which records are the vectors of which note: one small file beside an index, written when all are there.

Layout: MAGIC, 4 bytes length, JSON (what it was made from, and the notes' names), then as 32-bit numbers: of each note
where its pieces begin, and of each piece its first and last paragraph and its record.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ladder.meaning.use import TABLE
from notes.atomic import replacing

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    Numbers = npt.NDArray[np.uint32]

#: The number changes when what gets a vector does: those of before are made anew.
MAGIC = b"ladder-meaning-2"
_COLUMNS = ("begins", "first", "last", "record")


class NoTable(Exception):  # noqa: N818 (a state that is told, not a fault)
    """There is no table, or it cannot be used."""


class Table(NamedTuple):
    """The pieces of an index's notes; those of note `n` are `begins[n]` to `begins[n + 1]`."""

    begun: float
    """When the index that it was made from was begun: its notes have these numbers."""
    model: str
    """What stands for the model (see `mark_of`)."""
    width: int
    file: str
    """The name of the file of vectors that the records are of, beside the table."""
    names: list[str]
    begins: Numbers
    first: Numbers
    last: Numbers
    record: Numbers


def table_file(index: str) -> str:
    """Return where the table of the index in the file `index` lies."""
    return index + TABLE


def write_table(path: Path, table: Table) -> None:
    """Write a table, replacing the former one at once; readable for its owner only."""
    head = json.dumps(
        {"begun": table.begun, "model": table.model, "width": table.width, "file": table.file, "names": table.names,
         "pieces": len(table.record)}
    ).encode("ascii")  # fmt: skip
    head += b" " * (-(len(MAGIC) + 4 + len(head)) % 4)
    columns = [np.asarray(getattr(table, name), "<u4").tobytes() for name in _COLUMNS]
    with replacing(path, durable=False) as file:
        file.write(b"".join((MAGIC, len(head).to_bytes(4, "little"), head, *columns)))


def read_table(path: Path) -> Table:
    """Return the table in a file.

    Raises:
        NoTable: there is none, it is of another version, or damaged.
    """
    try:
        data = path.read_bytes()
        start = len(MAGIC) + 4
        if data[: len(MAGIC)] != MAGIC:
            raise NoTable("of another version")
        end = start + int.from_bytes(data[len(MAGIC) : start], "little")
        head = json.loads(data[start:end])
        notes, pieces = len(head["names"]), int(head["pieces"])
        lengths = (notes + 1, pieces, pieces, pieces)
        if len(data) != end + 4 * sum(lengths):
            raise NoTable("of another length")
        columns = []
        for length in lengths:
            columns.append(np.frombuffer(data, "<u4", length, end))
            end += 4 * length
        return Table(
            float(head["begun"]),
            str(head["model"]),
            int(head["width"]),
            str(head["file"]),
            list(head["names"]),
            *columns,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoTable(f"{type(error).__name__} {error}") from error
