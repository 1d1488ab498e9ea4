"""Adds up a query's impacts over all notes and selects the best, with as few Python loops over notes as possible.

Only C modules of the standard library: this runs in the hook.
"""

from __future__ import annotations

import sys
from itertools import compress

from ladder.index.format import SPOTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: `best` first samples one score in this many.
_SCORES_SAMPLE = 16


def best(scores: list[float], k: int) -> list[int]:
    """Return the numbers of the `k` notes with the highest scores above 0 (or fewer), best first, equal ones by number.

    Sorting ten thousand scores takes longer than computing them, so a sample gives a bound above which about 2 k lie.
    """
    if k < 1:
        return []
    sample = sorted(scores[::_SCORES_SAMPLE])
    at = len(sample) - 2 * k // _SCORES_SAMPLE - 2
    guess = sample[at] if at >= 0 else 0.0
    found = [n for n, score in enumerate(scores) if score > guess] if guess > 0 else []
    if len(found) < k:
        found = [n for n in compress(range(len(scores)), scores) if scores[n] > 0]
    return sorted(found, key=scores.__getitem__, reverse=True)[:k]


def dense_sums(count: int, rows: list[tuple[bytes, float]]) -> list[float]:
    """Return the sum of factor * impact for each of `count` notes, one row of 16-bit impacts a term.

    A row is read as one big number of 16-bit lanes. Even and odd lanes, moved apart to 32 bits, are multiplied by the
    term's factor as an integer and added as whole numbers: a few machine operations a note and term, without a loop.
    The factors are scaled so that no lane can overflow: their sum times 65535 stays below 2 ** 32.
    """
    lanes = (count + 1) // 2
    mask = int.from_bytes(b"\xff\xff\0\0" * lanes, "little")
    unit = sum([factor for _, factor in rows]) / (65536 - len(rows))
    even = odd = 0
    for row, factor in rows:
        lane_sum = int.from_bytes(row, "little")
        whole = round(factor / unit)
        even += (lane_sum & mask) * whole
        odd += (lane_sum >> 16 & mask) * whole
    scores = [0.0] * count
    for first, total in ((0, even), (1, odd)):
        values = memoryview(total.to_bytes(lanes * 4, "little")).cast("I")
        scores[first::2] = [value * unit for value in values[: (count + 1 - first) // 2]]
    return scores


#: What the weights in `most_together` may add up to, so that no sum takes the highest bit of its 16.
LANE_SUM = (1 << 15) - 1


def most_together(rows: Sequence[tuple[memoryview, int]], count: int) -> list[int]:
    """Return, of each of `count` notes, the most that terms weigh which share one spot.

    A row is a term's spots (see format.SPOTS), 16 bits a note, and its weight. All notes are added up at once, spot
    by spot: a row is one big number, of which each lane of 16 bits keeps the one bit that tells of the spot.
    """
    first = int.from_bytes(b"\1\0" * count, "little")
    lanes = [(int.from_bytes(row, sys.byteorder), weight) for row, weight in rows]
    highest = first << 15
    best = 0
    for spot in range(SPOTS):
        sums = 0
        for spots, weight in lanes:
            sums += (spots >> spot & first) * weight
        # The greater of two lanes: where a difference leaves the highest bit alone, all bits below it choose.
        greater = ((sums | highest) - best & highest) >> 15
        best ^= (best ^ sums) & (greater << 15) - greater
    return memoryview(best.to_bytes(count * 2, sys.byteorder)).cast("H").tolist()
