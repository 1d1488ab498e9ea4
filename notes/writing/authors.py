"""Who wrote a note's entries: git's to say, by the commit that brought an entry's first line."""

from pathlib import Path
from typing import NamedTuple

from notes import git
from notes.markdown.model import Note

_NOT_COMMITTED = "0" * 40


class By(NamedTuple):
    """Who wrote an entry."""

    author: str
    commit: str
    """Its first ten hex digits; empty without git, and while it is not committed."""


NOBODY = By("", "")


def written_by(path: Path, note: Note) -> dict[int, By]:
    """Of each entry's number, author and commit of its first line; without those that git does not know."""
    starts = {note.data.count(b"\n", 0, entry.span.start) + 1: entry.number for entry in note.entries}
    if not starts or b"\n" not in note.data:
        return {}
    told = git.output("blame", "--porcelain", "--", path.name, folder=path.parent)
    found: dict[int, By] = {}
    authors: dict[str, str] = {}
    commit = ""
    lines: dict[int, str] = {}
    for raw in (told or b"").split(b"\n"):
        line = raw.decode("utf-8", "replace")
        words = line.split(" ")
        if raw.startswith(b"\t"):
            continue
        if len(words[0]) == len(_NOT_COMMITTED) and len(words) > 2:
            commit = words[0]
            lines[int(words[2])] = commit
        elif line.startswith("author "):
            authors[commit] = line.removeprefix("author ")
    for start, number in starts.items():
        commit = lines.get(start, _NOT_COMMITTED)
        if commit != _NOT_COMMITTED:
            found[number] = By(authors.get(commit, ""), commit[:10])
    return found
