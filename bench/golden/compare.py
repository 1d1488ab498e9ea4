"""Which cases differ, in which part, with the old and the new ranking."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from bench.golden.lines import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.golden.lines import Parts

#: Cases of a group whose values are shown, and lines of one part; the rest is named, or counted.
CASES_SHOWN = 20
LINES_SHOWN = 24


def differing(old: Parts, new: Parts) -> list[str]:
    """The parts of two lines, or of two full records, that are not equal."""
    keys = [key for key in dict.fromkeys((*old, *new)) if key != "digests" and old.get(key) != new.get(key)]
    before, now = old.get("digests", {}), new.get("digests", {})
    return [
        *keys,
        *[key for key in dict.fromkeys((*before, *now)) if before.get(key) != now.get(key) and key not in keys],
    ]


def report(group: str, old: Sequence[Parts], new: Sequence[Parts]) -> tuple[list[str], int]:
    """What differs between the records of a group, as lines to be printed, and how many cases do.

    Every case that differs is named, the first CASES_SHOWN with what differs in them.
    """
    before: Mapping[str, Parts] = {each["id"]: each for each in old}
    now: Mapping[str, Parts] = {each["id"]: each for each in new}
    found: list[str] = []
    further: list[str] = []
    count = 0
    for case in dict.fromkeys((*before, *now)):
        if case not in now or case not in before:
            count += 1
            found.append(f"{group}: {case}: {'is new' if case in now else 'is gone'}")
            continue
        parts = differing(before[case], now[case])
        if parts:
            count += 1
            if count <= CASES_SHOWN:
                found.append(f"{group}: {case}: {', '.join(parts)}")
                for part in parts:
                    found += [f"    {line}" for line in _shown(part, before[case].get(part), now[case].get(part))]
            else:
                further.append(f"{group}: {case}: {', '.join(parts)}")
    found += further
    if not count and [each["id"] for each in old] != [each["id"] for each in new]:
        found.append(f"{group}: the cases stand in another order")
    return found, count


def _shown(part: str, old: Any, new: Any) -> Iterator[str]:  # noqa: ANN401 (any value of JSON)
    """Both values of a part, a ranking row by row; nothing of what stands there as a digest."""
    if old is None and new is None:
        return
    lines = list(difflib.unified_diff(_rows(old), _rows(new), "old", "new", lineterm="", n=1))[2:]
    for line in lines[:LINES_SHOWN]:
        yield f"{part}: {line}"
    if len(lines) > LINES_SHOWN:
        yield f"{part}: … {len(lines) - LINES_SHOWN} more lines"


def _rows(value: Any) -> list[str]:  # noqa: ANN401 (any value of JSON)
    if isinstance(value, list):
        return [
            row
            for each in value
            for row in (_rows(each) if isinstance(each, str) and "\n" in each else [written(each)])
        ]
    if isinstance(value, dict):
        return [f"{key}: {written(each)}" for key, each in value.items()]
    return value.split("\n") if isinstance(value, str) else [] if value is None else [written(value)]
