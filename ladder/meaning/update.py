"""Makes the vectors of an index's notes: only of texts that have none yet, a batch at a time, so it can be cut off."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from filelock import FileLock, Timeout

from ladder.meaning.encoder import Encoder
from ladder.meaning.model import find_model, mark_of
from ladder.meaning.pieces import pieces
from ladder.meaning.records import Records, add, first_file, kept, mend, packed, records_files, text_hash
from ladder.meaning.table import NoTable, Table, read_table, table_file, write_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ladder.index.reader import Index

    #: Is handed the batches of texts, and how many texts there are; yields the batches.
    Watch = Callable[[Sequence[list[tuple[bytes, str]]], int], Iterable[list[tuple[bytes, str]]]]

#: Texts whose vectors are written together: some seconds of work, which is what a process that ends loses.
TOGETHER = 32
#: The file of vectors is written anew when it holds _WASTE times what is used, and _WASTE_LEAST records more.
_WASTE, _WASTE_LEAST = 2, 1000


class Updated(NamedTuple):
    """What an update found and did, in texts."""

    pieces: int
    encoded: int
    """Texts that had no vector before."""


def up_to_date(index: Index, model: str) -> bool:
    """Say whether the table of vectors is of this very index and model."""
    try:
        table = read_table(Path(table_file(index.path)))
    except NoTable:
        return False
    return table.begun == index.begun and table.model == model


def update_vectors(
    index: Index, named: str, read: Callable[[int], bytes | None], watch: Watch | None = None
) -> Updated | None:
    """Bring the vectors of an index up to date; None when another process is at it, or nothing had to be done.

    `named` is the folder of the model that the person names, or empty; `read` gives a note's bytes. `index` is one as
    it lies in its file: without changes on top.

    Raises:
        NoModel: there is no model.
        OSError: the cache folder cannot be written to.
    """
    folder = find_model(named)
    model = mark_of(folder)
    if up_to_date(index, model):
        return None
    try:
        with FileLock(table_file(index.path) + ".lock", timeout=0, mode=0o600):
            return _update(index, Encoder(folder), model, read, watch)
    except Timeout:
        return None


def _update(
    index: Index, encoder: Encoder, model: str, read: Callable[[int], bytes | None], watch: Watch | None
) -> Updated:
    path = (records_files(index.path, model) or [first_file(index.path, model)])[-1]
    width = encoder.shape.width
    mend(path, width)
    numbers = Records(path, width).numbers()
    begins, first, last, keys = [0], [], [], []
    missing: dict[bytes, str] = {}
    names: list[str] = []
    for n in range(index.count):
        row = index.note(n)
        names.append(row.name)
        data = read(n)
        for piece in pieces(row, index.passages(n), data) if data else ():
            key = text_hash(piece.text)
            first.append(piece.first)
            last.append(piece.last)
            keys.append(key)
            if key not in numbers:
                missing[key] = piece.text
        begins.append(len(keys))
    todo = sorted(missing.items(), key=lambda pair: len(pair[1]))
    batches = [todo[at : at + TOGETHER] for at in range(0, len(todo), TOGETHER)]
    for batch in watch(batches, len(todo)) if watch else batches:
        add(path, packed([key for key, _ in batch], encoder.passages([text for _, text in batch])))
    if len(numbers) + len(missing) > _WASTE * len(set(keys)) + _WASTE_LEAST:
        path = kept(path, width, keys)
    numbers = Records(path, width).numbers()
    columns = (np.asarray(each, np.uint32) for each in (begins, first, last, [numbers[key] for key in keys]))
    write_table(Path(table_file(index.path)), Table(index.begun, model, width, path.name, names, *columns))
    for other in records_files(index.path):
        if other != path:
            with suppress(OSError):  # on Windows while somebody reads it: next time
                other.unlink()
    return Updated(len(set(keys)), len(missing))
