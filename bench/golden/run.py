"""Makes the records of groups, several side by side, each in a home and a process of its own."""

from __future__ import annotations

import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from bench.golden import product
from bench.golden.cases import GROUPS
from bench.golden.lines import full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.golden.lines import Parts


def records_of(group: str) -> list[Parts]:
    """The full records of a group, made now."""
    with tempfile.TemporaryDirectory(prefix="ladder-golden-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        with product.pinned(folder / "home"):
            return [full(case, parts) for case, parts in GROUPS[group](folder)]


def all_records(groups: Sequence[str], processes: int) -> dict[str, list[Parts]]:
    """The full records of each group."""
    if processes < 2:
        return {group: records_of(group) for group in groups}
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return dict(zip(groups, pool.map(records_of, groups), strict=True))
