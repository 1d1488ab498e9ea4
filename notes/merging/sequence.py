"""In which order the entries of two versions stand in the merged one: one rule for notes and for ledgers. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Item(NamedTuple):
    """An entry as far as its place matters."""

    key: str
    """Its hash."""
    date: str
    """Its day, ISO 8601; empty for an item without one."""


def newest_first(before: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the newest stand first, by the days of the entries: as it was before, else as one of the sides has it."""
    ends = [(days[0], days[-1]) for each in (before, ours, theirs) if (days := [day for day in each if day])]
    if before and ends[0][0] != ends[0][1]:
        return ends[0][0] > ends[0][1]
    return any(first > last for first, last in ends)


def merged(
    ours: Sequence[Item], theirs: Sequence[Item], gone: frozenset[str] = frozenset(), *, falling: bool = False
) -> list[Item]:
    """Every item of both, once, without those of `gone`; each side's order stays.

    Between two items that both sides have, each side's own are merged by date; those of one day by hash, so that it
    does not matter which side is which. An item without a date stays behind the one before it. One that a side has
    twice is there twice. With `falling` the newest stand first. Where the sides contradict each other, that of `ours`
    stays.
    """
    a = [item for item in ours if item.key not in gone]
    left = Counter(item.key for item in a)
    b: list[tuple[Item, bool]] = []
    for item in theirs:
        if item.key in gone:
            continue
        b.append((item, left[item.key] > 0))
        left[item.key] -= 1
    own = Counter(item.key for item, both in b if both)
    result: list[Item] = []
    at = 0
    day_a, day_b = "", ""
    for item, both in b:
        day_b = item.date or day_b
        if both:
            where = next((n for n in range(at, len(a)) if a[n].key == item.key), None)
            if where is not None:
                result += a[at : where + 1]
                at = where + 1
                day_a = day_b
            continue
        while at < len(a) and not own[a[at].key]:
            day_a = a[at].date or day_a
            if not _before((day_a, a[at]), (day_b, item), falling=falling):
                break
            result.append(a[at])
            at += 1
        result.append(item)
    return result + a[at:]


def _before(one: tuple[str, Item], other: tuple[str, Item], *, falling: bool) -> bool:
    if not one[1].date and not other[1].date and one[0] == other[0]:
        return one[1].key < other[1].key
    if one[0] != other[0]:
        return (one[0] > other[0]) if falling else (one[0] < other[0])
    if not one[1].date:  # it belongs to what stands before it
        return True
    if not other[1].date:
        return False
    return one[1].key < other[1].key
