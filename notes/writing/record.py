"""What a ledger is made of: its records, one a line, each naming the lines that it follows."""

import hashlib
import json
from typing import Any, NamedTuple

#: The newest form of a line that this version knows. A line of a newer one says so in `v`.
FORM = 2


class NewerFormError(ValueError):
    """A line was written by a ladder that knows more than this one."""


class Record(NamedTuple):
    """One line of a ledger."""

    number: int
    time: str
    """UTC, ISO 8601 with `Z`."""
    why: str
    """new, append, head, seen, accepted, restored, gone, join, picked."""
    head: str
    """The head's text after the event."""
    entries: tuple[tuple[str, str, str], ...]
    """(date, slug, hash) of the dated entries after the event, in file order."""
    texts: dict[str, str]
    """hash to text of the entries that are new in this line."""
    previous: str
    """What it says the line before it hashes to; empty in the first."""
    line: bytes
    """The line itself, without its end."""
    beside: tuple[str, ...] = ()
    """The hashes of the other lines that it follows: the ends of branches that it joins."""
    settled: tuple[str, ...] = ()
    """The hashes of lines that are not there, which somebody took as gone."""
    key: str = ""
    """The SHA-256 of the line, by which others name it; empty where there is no line."""

    @property
    def parents(self) -> tuple[str, ...]:
        """The hashes of the lines that it follows."""
        return ((self.previous,) if self.previous else ()) + self.beside


class Ledger(NamedTuple):
    """A ledger as read: its good lines, and what is wrong with the others."""

    records: tuple[Record, ...]
    """Each behind those that it follows; of branches the older first."""
    faults: tuple[str, ...]
    """One line each: which line of the file is unreadable or follows from nothing that is there."""
    last: Record | None = None
    """The newest record; of branches that nothing has joined yet, what joins them."""
    dangling: tuple[str, ...] = ()
    """Hashes of lines that others follow and that are not there."""

    def text(self, digest: str) -> str | None:
        """The text of the entry whose hash is `digest`."""
        return next((r.texts[digest] for r in reversed(self.records) if digest in r.texts), None)


def chain(line: bytes) -> str:
    """The hash by which the lines that follow `line` name it."""
    return hashlib.sha256(line).hexdigest()


def parsed_line(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line; None when it is no record.

    Raises:
        NewerFormError: a newer ladder wrote it.
    """
    try:
        value: Any = json.loads(line)
        if not isinstance(value, dict):
            return None
        newer = int(value.get("v", 1)) > FORM
        if not newer:
            int(value["n"]), str(value["time"]), str(value["prev"]), value["keep"][1], value["entries"], value["texts"]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None
    if newer:
        raise NewerFormError(value["v"])
    return value


def record_of(value: dict[str, Any], line: bytes, before: Record | None) -> Record | None:
    """The record of a line that `parsed_line` has read and that follows `before`; None when its fields are none."""
    try:
        old = before.entries if before else ()
        front, back = int(value["keep"][0]), int(value["keep"][1])
        middle = tuple((str(a), str(b), str(c)) for a, b, c in value["entries"])
        head = value["head"]
        return Record(
            int(value["n"]),
            str(value["time"]),
            str(value["why"]),
            before.head if head is None and before else str(head or ""),
            old[:front] + middle + (old[len(old) - back :] if back else ()),
            {str(k): str(v) for k, v in value["texts"].items()},
            str(value["prev"]),
            line,
            tuple(str(each) for each in value.get("join", ())),
            tuple(str(each) for each in value.get("settled", ())),
            chain(line),
        )
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None
