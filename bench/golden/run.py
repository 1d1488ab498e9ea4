"""Makes the records of groups, several side by side, each in a home and a process of its own."""

from __future__ import annotations

import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from bench.golden import product
from bench.golden.cases import GROUPS
from bench.golden.data_cases import DATA_GROUPS
from bench.golden.lines import full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.golden.lines import Parts


def records_of(group: str, data: Path | None = None) -> list[Parts]:
    """The full records of a group, made now; `data` is the folder of data for a group that needs it."""
    with tempfile.TemporaryDirectory(prefix="ladder-golden-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        with product.pinned(folder / "home"):
            cases = GROUPS[group](folder) if data is None else DATA_GROUPS[group](folder, data)
            return [full(case, parts) for case, parts in cases]


def all_records(
    groups: Sequence[str], data_groups: Sequence[str], data: Path | None, processes: int
) -> dict[str, list[Parts]]:
    """The full records of each group."""
    names = [*groups, *data_groups]
    places = [None] * len(groups) + [data] * len(data_groups)
    if processes < 2:
        return dict(zip(names, map(records_of, names, places), strict=True))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return dict(zip(names, pool.map(records_of, names, places), strict=True))
