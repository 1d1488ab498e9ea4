"""How git is asked: the one place that starts it. It never waits for a person; where it is missing nothing is known.

Names come as they are (`core.quotePath=false`), bytes as git wrote them.
"""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

#: Seconds that a question may take, one that goes through a repository's whole history, and work such as a clone.
PATIENCE = 10
HISTORY_PATIENCE = 60
WORK_PATIENCE = 3600


class Ran(NamedTuple):
    """What a run of git came to."""

    code: int
    out: bytes
    err: bytes


def run(*arguments: str, folder: Path | None = None, given: bytes = b"", patience: float = PATIENCE) -> Ran | None:
    """Run git in `folder` (else in the working folder), with `given` on its stdin; None where it is missing or slow."""
    command = ["git", "-c", "core.quotePath=false", *(["-C", str(folder)] if folder else []), *arguments]
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=patience, env=env)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Ran(done.returncode, done.stdout, done.stderr)


def output(*arguments: str, folder: Path | None = None, given: bytes = b"", patience: float = PATIENCE) -> bytes | None:
    """Return what git printed, None where it failed, is missing or slow; see `run`."""
    done = run(*arguments, folder=folder, given=given, patience=patience)
    return done.out if done is not None and done.code == 0 else None


def text(*arguments: str, folder: Path | None = None) -> str | None:
    """Return the same as text; bytes that are not UTF-8 as U+FFFD."""
    found = output(*arguments, folder=folder)
    return None if found is None else found.decode("utf-8", "replace")
