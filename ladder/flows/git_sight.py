"""What git would show as untracked, and what a person should know of a new `.ladder/` there."""

import subprocess
from pathlib import Path


def ledger_advice(folder: Path) -> str:
    """Return what a person should know of a new `.ladder/` at `folder`: what it keeps, and what to do with it."""
    only_runs = {path.name for path in folder.iterdir()} == {"runs"}
    keeps = (
        "the runs of `ladder weekly`, with which later ones are compared"
        if only_runs
        else "what cannot be made again (former heads, the ledger)"
    )
    return (
        f"{folder} is new; it keeps {keeps}. Commit it with the notes, "
        f"or let git ignore it: echo {folder.name}/ >> {folder.parent / '.gitignore'}"
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
