"""Whether meaning can be asked, and the one call that has it asked: numpy and the model are loaded only then."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.index.reader import Index
    from ladder.query.query import Query

#: Stands behind the name of an index's file for the table of its vectors.
TABLE = ".meaning"
#: Packages of the extra that ladder itself does not need.
NEEDED = ("numpy", "tokenizers")
#: What the setting `meaning` says to have none.
OFF = "off"


def meant(index: Index, query: Query) -> Query:
    """Return the query with how near the notes lie to its message, where vectors of them are there; else as it is."""
    named = named_model(index)
    if named == OFF or not os.path.isfile(index.path + TABLE):  # noqa: PTH113 (most have no vectors)
        return query
    try:
        from ladder.meaning.near import near  # noqa: PLC0415 (loads numpy and the tokenizer)
    except ImportError:
        return query
    query.near = near(index, query.message, named)
    return query


def named_model(index: Index) -> str:
    """Return what the setting `meaning` says: a folder, `off`, or nothing."""
    found = index.settings.get("meaning")
    return found if isinstance(found, str) else ""


def missing() -> tuple[str, ...]:
    """Return the packages of the extra that are not installed."""
    return tuple(name for name in NEEDED if find_spec(name) is None)
