"""Where a merge left both sides in a note: no statement of anybody's until a person has settled it."""

import re

from notes.markdown.model import Span

#: The lines that git, Mercurial and jj leave; the base (`|||||||`) stands between the sides or is left out.
_MARK = re.compile(rb"^(?:<{7}(?= )|\|{7}(?=[ \r\n]|\Z)|={7}(?=[\r\n]|\Z)|>{7}(?= ))[^\r\n]*", re.MULTILINE)
_FENCE = b"~~~~~~~"


def conflicts(data: bytes) -> list[Span]:
    """The conflicts of a file, marks included, in order; an opening mark without the others is none."""
    if b"<<<<<<< " not in data:
        return []
    found: list[Span] = []
    opened, parted = -1, False
    for mark in _MARK.finditer(data):
        kind = mark[0][:1]
        if kind == b"<":
            opened, parted = mark.start(), False
        elif kind == b"=":
            parted = opened >= 0
        elif kind == b">" and parted:
            found.append(Span(opened, mark.end()))
            opened, parted = -1, False
    return found


def fenced(data: bytes, spans: list[Span]) -> bytes:
    """`data` of the same length with each conflict between code fences: a Markdown parser finds no heading in it."""
    for start, end in spans:
        last = max(data.rfind(b"\n", start, end), data.rfind(b"\r", start, end)) + 1
        inner = data[start + len(_FENCE) : last]
        data = data[:start] + _FENCE + inner + _FENCE + b" " * (end - last - len(_FENCE)) + data[end:]
    return data
