"""What a published set looks like once it is notes: files, questions, and the exact lines that answer them."""

import hashlib
from typing import NamedTuple


class Line(NamedTuple):
    """One evidence line: a note's name and the bytes `[start, end)` of its file, without the line's end."""

    note: str
    start: int
    end: int


class Question(NamedTuple):
    """One question; `group` is what intervals resample and halves keep together, `asked` an ISO date or empty."""

    id: str
    text: str
    group: str
    held: bool
    evidence: tuple[Line, ...]
    asked: str


class NoteSet(NamedTuple):
    """A whole set: note name -> bytes of the Markdown file, the questions, and how many were left out and why."""

    name: str
    notes: dict[str, bytes]
    questions: list[Question]
    left_out: dict[str, int]


class NoteWriter:
    """Writes one note and remembers under which key each line stands."""

    def __init__(self, name: str) -> None:
        """Start an empty note called `name`."""
        self.name = name
        self.lines: dict[object, list[Line]] = {}
        self._data = bytearray()

    def block(self, text: str, key: object = None) -> None:
        """Append a block and the empty line after it; each of its lines is evidence for `key`, if one is given."""
        for line in text.split("\n"):
            start = len(self._data)
            self._data += line.encode("utf-8")
            if key is not None and line.strip():
                self.lines.setdefault(key, []).append(Line(self.name, start, len(self._data)))
            self._data += b"\n"
        self._data += b"\n"

    def data(self) -> bytes:
        """Return the file's bytes, one newline at its end."""
        return bytes(self._data).rstrip(b"\n") + b"\n"


def one_line(text: object) -> str:
    """Return `text` with every run of white space as one space: a record stays one paragraph."""
    return " ".join(str(text).split())


def in_held_half(group: str) -> bool:
    """Tell whether a group belongs to the held half: by its hash, so that nobody chose it."""
    return hashlib.sha256(group.encode("utf-8")).digest()[0] % 2 == 1
