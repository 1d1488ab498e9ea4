"""Which rows of a long map are shown: a note of five thousand sections would fill the view that a map should save."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ladder.reading.rungs import MapRow

#: Rows that are shown at most. Of 1,724 real notes the longest has 195 sections and entries, 99 in 100 have 59 at most.
MAP_MOST = 200


def rows_shown(rows: Sequence[MapRow], most: int = MAP_MOST) -> list[MapRow]:
    """All rows, or of more than `most` the first and those that hold words of the question, else the first ones.

    A word counts the more, the fewer rows hold it; rows with less than half of what the best one holds are left out.
    """
    if len(rows) <= most:
        return list(rows)
    held = Counter(term for row in rows[1:] for term in row.hits)
    worth = {row.start: sum(log(1 + len(rows) / held[term]) for term in row.hits) for row in rows[1:] if row.hits}
    if not worth:
        return list(rows[:most])
    best = sorted(worth.values(), reverse=True)
    least = max(best[0] / 2, best[min(most, len(best)) - 1])
    return [rows[0], *[row for row in rows[1:] if worth.get(row.start, 0.0) >= least][: most - 1]]
