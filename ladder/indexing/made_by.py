"""Tells by which code an index was made: another version of ladder makes it anew."""

from functools import cache
from pathlib import Path

import notes as notes_package
from ladder.indexing.token_counts import content_hash


@cache
def made_by() -> str:
    """A hash of the code that decides what an index holds; it tells whether the same code made one."""
    ladder = Path(__file__).parent.parent
    folders = (ladder / "text", ladder / "indexing", Path(notes_package.__file__).parent / "markdown")
    files = [file for folder in folders for file in sorted(folder.glob("*.py"))]
    files.append(ladder / "index" / "format.py")
    return content_hash(b"\0".join(file.read_bytes() for file in files)).hex()
