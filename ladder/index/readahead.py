"""Tells the system which parts of a file are about to be read: from a disk they then come together, not in turn.

A message reads the index in 79 places (220 notes) or 138 (10,000); where its pages have been evicted, each read would
wait for the one before. Where the pages are in memory, or the system takes no such advice, nothing changes.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_advise = getattr(os, "posix_fadvise", None)  # Linux and BSD
_NEEDED: int = getattr(os, "POSIX_FADV_WILLNEED", 3)


def expect(descriptor: int, places: Iterable[tuple[int, int]]) -> None:
    """Say that the bytes of each (offset, length) will be read."""
    if _advise is None:
        return
    try:
        for offset, length in places:
            if length > 0:  # 0 would be all the rest of the file
                _advise(descriptor, offset, length, _NEEDED)
    except OSError:  # a file system that knows no advice; reading tells what is wrong with the file
        return
