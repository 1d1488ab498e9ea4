"""Gives a finished file another's name, also on Windows, which refuses while somebody has the other one open."""

import os
import time
from pathlib import Path

#: Seconds between attempts: a reader holds a file for milliseconds. Elsewhere open files are in nobody's way.
WAITS = (0.01, 0.03, 0.1, 0.3, 0.6) if os.name == "nt" else ()


def rename_over(temporary: Path, target: Path) -> None:
    """Rename `temporary` to `target`, which may exist: who reads it meanwhile sees the old file or the new one.

    Raises:
        OSError: it cannot be done; `temporary` is where it was.
    """
    for wait in WAITS:
        try:
            temporary.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    temporary.replace(target)
