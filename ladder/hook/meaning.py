"""Asks the sentence model in the hook's own process, where words had nothing to say.

The hook runs a bare interpreter. The record of the installation says where numpy, the tokenizer and ladder's own
`meaning` lie for it, tried out then (`ladder.install.meaning_places`). Whatever fails here ends in None: words alone.
"""

from __future__ import annotations

import os
import sys
import time

from ladder.lean.files import read_private
from ladder.lean.json import from_json
from ladder.lean.paths import data_folder
from ladder.speaking.by_meaning import nearness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.hook.event import Moment
    from ladder.index.reader import Index
    from ladder.meaning.near import Near

#: Seconds from the hook's start after which the model is not begun with: it takes some tenths more.
TOO_LATE = 0.25


def near_in_hook(moment: Moment, index: Index, message: str) -> Near | None:
    """Return how near the notes lie to a message, None where it cannot be told; the log says what was done."""
    if index.settings.get("meaning") == "off":
        return None
    try:
        os.stat(index.path + ".meaning")  # noqa: PTH116 (pathlib is too slow for the hook)
    except OSError:
        return None  # no vectors
    if time.perf_counter() - moment.started > TOO_LATE:
        moment.record["m"] = "too late"
        return None
    try:
        named = index.settings.get("meaning")
        found = _function()(index, message, named if isinstance(named, str) else "")
    except Exception as error:  # noqa: BLE001 (another numpy, another Python, a damaged file: nothing of it may hurt)
        moment.record["m"] = type(error).__name__
        return None
    moment.record["m"] = "no vectors" if found is None else round(nearness(found), 2)
    return found


def _function() -> Callable[[Index, str, str], Near | None]:
    """Return `ladder.meaning.near.near`, after making the places known where it and its packages lie."""
    package = sys.modules["ladder"]
    if not package.__path__:  # the bundle, which holds the hook alone
        record = from_json(read_private(data_folder() + "/hook/installed.json", 1 << 20).decode("utf-8", "replace"))
        places = record.get("meaning") if isinstance(record, dict) else None
        if (
            not isinstance(places, dict)
            or places.get("trouble")
            or places.get("python") != sys.implementation.cache_tag
        ):
            raise ImportError("nothing installed for this Python")
        sys.path += [place for place in places["paths"] if place not in sys.path]
        package.__path__ = [places["package"]]
        sys.modules.pop("os", None)  # the bundle's has not all that numpy wants
        __import__("os").environ["OPENBLAS_NUM_THREADS"] = "1"
    name = "ladder.meaning.near"  # not as an import: the bundle would take it in
    __import__(name)
    found: Callable[[Index, str, str], Near | None] = sys.modules[name].near
    return found
