"""What git would show as untracked, and what a person should know of a new `.ladder/` there."""

from pathlib import Path

from notes import git


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
    done = git.run("check-ignore", "-q", path.name, folder=path.parent)
    return done is not None and done.code == 1
