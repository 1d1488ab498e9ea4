"""The line that is said once when a command has made a `.ladder/` that git would show as untracked."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ladder.cli.terminal import warn


@contextmanager
def told_of_ledger(roots: Iterable[Path]) -> Iterator[None]:
    """Run what may write beside the notes in `roots`; a `.ladder/` that is new, and in git's sight, gets one line."""
    from ladder.flows.git_sight import in_sight, ledger_advice
    from notes.files.place import FOLDER

    new = [root / FOLDER for root in dict.fromkeys(roots) if not (root / FOLDER).exists()]
    yield
    for folder in new:
        if folder.is_dir() and in_sight(folder):
            warn(ledger_advice(folder))
