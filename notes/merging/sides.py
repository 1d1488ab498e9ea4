"""Which side of a conflict is the newer, as far as git knows: when, by whom and in which commit each came to be."""

import datetime as dt
from typing import NamedTuple

from notes import git
from notes.merging.text import Marks


class Told(NamedTuple):
    """Marks whose labels say which side is newer."""

    marks: Marks
    newer: str
    """One line for the person; empty when git does not know."""


class _Origin(NamedTuple):
    time: int
    """Seconds since 1970."""
    said: str


def told(path: str, ours: bytes, theirs: bytes, marks: Marks) -> Told:
    """The marks with what git knows of both versions of the file at `path`; as they were when it does not know both."""
    one, other = _origin(path, ours), _origin(path, theirs)
    if one is None or other is None or one.time == other.time:
        return Told(marks, "")
    newer = one.time > other.time
    labels = [
        f"{label} ({'newer' if new else 'older'}: {origin.said})"
        for label, origin, new in ((marks.ours, one, newer), (marks.theirs, other, not newer))
    ]
    side, origin = (marks.ours, one) if newer else (marks.theirs, other)
    return Told(marks._replace(ours=labels[0], theirs=labels[1]), f"{side} is newer: {origin.said}")


def _origin(path: str, data: bytes) -> _Origin | None:
    """The commit that brought the file to these bytes."""
    key = git.output("hash-object", "--stdin", given=data)
    if key is None:
        return None
    form = "--format=%ct%x09%an, %h"
    for limit in ([path], []) if path else ([],):  # it may have had another name on that side
        log = git.text("log", "--all", "--full-history", f"--find-object={key.decode().strip()}", form, "--", *limit)
        lines = [line for line in (log or "").split("\n") if "\t" in line]
        if lines:
            time, _, said = lines[-1].partition("\t")  # the oldest: later ones took the bytes away again
            day = dt.datetime.fromtimestamp(int(time), dt.UTC)
            return _Origin(int(time), f"{day:%Y-%m-%d %H:%M} UTC, {said}")
    return None
