"""Which rows of a long map are shown: a note of five thousand sections would fill the view that a map is to spare."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ladder.rungs import MapRow

#: Rows that are shown at most. Of 1,724 real notes the longest has 195 sections and entries, 99 in 100 have 59 at most.
MAP_MOST = 200


def rows_shown(rows: Sequence[MapRow], most: int = MAP_MOST) -> list[MapRow]:
    """All rows, or of more than `most` the first and those that hold words of the question, else the first ones."""
    if len(rows) <= most:
        return list(rows)
    hit = [row for row in rows[1:] if row.hits]
    return [rows[0], *hit][:most] if hit else list(rows[:most])
