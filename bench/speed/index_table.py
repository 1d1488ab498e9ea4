"""The table of a run of `python -m bench.speed.index`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.speed.index import Speed

_UNITS = {"ask": "ms", "build": "cpu s", "replay": "q/s"}


def lines(found: Speed) -> Iterator[str]:
    """Return the lines of the table: a heading for each group and number of notes, then its rows."""
    group = ""
    for row in found.rows:
        if f"{row.group} {row.notes}" != group:
            group = f"{row.group} {row.notes}"
            yield f"\n{row.group}, {row.notes:,} notes {'':16} {_UNITS[row.group]:>9} {'ratio':>7} {'MiB':>6}"
        yield f"{row.name:34} {row.value:9,.1f} {row.ratio:7.2f} {row.mib:6.0f}  {row.remark}"
    yield f"\n{found.corpus}; " + ", ".join(f"{name} {value}" for name, value in found.versions.items())
    if found.missing:
        yield f"not installed, left out: {', '.join(found.missing)} (extra bench-peers; ripgrep from its own site)"
