"""What git would show as untracked, and what is said once of a `.ladder/` that a command has just made there."""

import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ladder.cli.terminal import warn


@contextmanager
def told_of_ledger(roots: Iterable[Path]) -> Iterator[None]:
    """Run what may write beside the notes in `roots`; a `.ladder/` that is new, and in git's sight, gets one line."""
    from notes.files.place import FOLDER

    new = [root / FOLDER for root in dict.fromkeys(roots) if not (root / FOLDER).exists()]
    yield
    for folder in new:
        if folder.is_dir() and in_sight(folder):
            only_runs = {path.name for path in folder.iterdir()} == {"runs"}
            keeps = (
                "the runs of `ladder weekly`, with which later ones are compared"
                if only_runs
                else "what cannot be made again (former heads, the ledger)"
            )
            warn(
                f"{folder} is new; it keeps {keeps}. Commit it with the "
                f"notes, or have git pass it over: echo {FOLDER}/ >> {folder.parent / '.gitignore'}"
            )


def in_sight(path: Path) -> bool:
    """Say whether git would show a new file or folder as untracked: in a work tree, and not ignored."""
    try:
        done = subprocess.run(
            ["git", "check-ignore", "-q", path.name],
            cwd=path.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 1
