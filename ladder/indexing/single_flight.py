"""Lets one update of a project's index run at a time, however many sessions ask for one (see background.py)."""

import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from ladder.index.background import asked_file
from ladder.lean.paths import make_folder


def alone(root: str, work: Callable[[], None]) -> bool:
    """Run `work` unless another process does so for the same project; again when somebody asked meanwhile.

    Returns whether it ran here. The lock goes with the process that holds it, however that ends.
    """
    asked = Path(asked_file(root))
    make_folder(asked.parent)
    try:
        with FileLock(asked.with_name("index.lock"), timeout=0, mode=0o600):
            while True:
                begun = time.time()
                work()
                if not asked.exists() or asked.stat().st_mtime <= begun:
                    return True
    except Timeout:
        return False
