"""Markdown files that are no notes yet: what to tell somebody who has some in folders that nothing names."""

import os
from pathlib import Path

from notes.files.find import SKIPPED

#: Folders that are looked into at most: a call in a home folder must not wait for all of it.
_FOLDERS = 500
#: What a program for notes leaves in the folder that holds them.
VAULTS = (".obsidian", ".foam", ".zk", "logseq")


def markdown_in(root: Path) -> int:
    """How many Markdown files lie in a folder and those below it, as far as a short look finds them."""
    waiting = [str(root)]
    found = 0
    for _ in range(_FOLDERS):
        if not waiting:
            break
        try:
            with os.scandir(waiting.pop(0)) as entries:
                for entry in entries:
                    if entry.name.startswith(".") or entry.is_symlink():
                        continue
                    if entry.is_dir():
                        if entry.name not in SKIPPED:
                            waiting.append(entry.path)
                    elif entry.name.lower().endswith(".md"):
                        found += 1
        except OSError:
            continue
    return found


def is_vault(root: Path) -> bool:
    """Whether a program for notes keeps this folder: then all Markdown files in it are notes."""
    return any((root / name).is_dir() for name in VAULTS)
