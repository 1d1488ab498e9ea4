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
    """Return the query with how near the notes lie to its message, where vectors of them are there; else as it is.

    Where they are missing or behind, the background is asked to make them; nobody waits for it.
    """
    named = named_model(index)
    if named == OFF:
        return query
    if not os.path.isfile(index.path + TABLE):  # noqa: PTH113 (most have no vectors)
        _ask(index, named)
        return query
    try:
        from ladder.meaning.near import near  # noqa: PLC0415 (loads numpy and the tokenizer)
    except ImportError:
        return query
    query.near = near(index, query.message, named)
    if query.near is None or not query.near.current:
        _ask(index, named)
    return query


def _ask(index: Index, named: str) -> None:
    """Have `ladder index` run apart, for a project's own index and where there is a model."""
    from ladder.index.background import ask_update  # noqa: PLC0415 (mostly all vectors are there)
    from ladder.lean.paths import index_file  # noqa: PLC0415 (as above)
    from ladder.meaning.model import NoModel, find_model  # noqa: PLC0415 (as above)

    if missing() or index.path != index_file(index.root):
        return
    try:
        find_model(named)
    except NoModel:
        return
    command = (index.files().get("surroundings") or {}).get("command")
    if isinstance(command, list):
        ask_update(index.root, command)


def named_model(index: Index) -> str:
    """Return what the setting `meaning` says: a folder, `off`, or nothing."""
    found = index.settings.get("meaning")
    return found if isinstance(found, str) else ""


def missing() -> tuple[str, ...]:
    """Return the packages of the extra that are not installed."""
    return tuple(name for name in NEEDED if find_spec(name) is None)
