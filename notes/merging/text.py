"""Merges three versions of a text as git does, by `git merge-file`."""

import tempfile
from pathlib import Path
from typing import NamedTuple

from notes import git


class Merged(NamedTuple):
    """A text made of two."""

    data: bytes
    conflicts: int
    """How many conflicts stand in it, each between git's marks."""


class Marks(NamedTuple):
    """How a conflict is marked."""

    ours: str = "ours"
    base: str = "base"
    theirs: str = "theirs"
    size: int = 7
    """So many signs a mark has."""


class CannotMergeError(Exception):
    """Git could not be run, or takes a version for binary; one line that says so."""


def merge_texts(base: bytes, ours: bytes, theirs: bytes, marks: Marks) -> Merged:
    """The changes of both sides since `base`; where both changed the same lines, both stand between git's marks.

    Raises:
        CannotMergeError: git is missing or refuses.
    """
    if theirs in (ours, base):
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    with tempfile.TemporaryDirectory(prefix="ladder-merge-") as folder:
        files = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for file, data in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(data)
        labels = [part for label in (marks.ours, marks.base, marks.theirs) for part in ("-L", label)]
        words = ("merge-file", "-p", f"--marker-size={marks.size}", *labels, *(str(file) for file in files))
        done = git.run(*words, patience=git.HISTORY_PATIENCE)
    if done is None:
        raise CannotMergeError("git merge-file: git is missing, or takes too long")
    if done.code > 127 or done.code < 0:
        raise CannotMergeError(done.err.decode("utf-8", "replace").strip() or "git merge-file failed")
    return Merged(done.out, done.code)
