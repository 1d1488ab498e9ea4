"""Front matter of two versions into one, key by key: two people who each set a key of their own are no conflict."""

import re

from notes.merging.text import Marks

_FENCE = re.compile(rb"---[ \t]*(?:\r\n|\n|\r)")
_KEY = re.compile(rb"([^\s#:'\"\-\[{][^:\r\n]*|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*:(?=[ \t\r\n]|$)")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def merge_front(base: bytes, ours: bytes, theirs: bytes, marks: Marks) -> tuple[bytes, int] | None:
    """(bytes, conflicts) of the merged front matter, fences included; None when a version is not `key: value` lines.

    A key that one side changed, added or took out goes as that side has it; one that both changed differently stands
    twice, between git's marks. Keys keep the order of `ours`; one that only `theirs` has comes behind the one before.
    """
    if theirs in (ours, base):
        return ours, 0
    if ours == base:
        return theirs, 0
    split = [_keys(data) for data in (base, ours, theirs)]
    if split[1] is None or split[2] is None or (split[0] is None and base.strip()):
        return None
    old, one, other = (each or {} for each in split)
    names = list(one)
    for n, name in enumerate(other):
        if name not in one:
            before = next((k for k in reversed(list(other)[:n]) if k in names), None)
            names.insert(names.index(before) + 1 if before is not None else 0, name)
    out, conflicts = [], 0
    nl = b"\r\n" if b"\r\n" in ours else b"\n"
    for name in names:
        was, a, b = old.get(name, b""), one.get(name, b""), other.get(name, b"")
        if b in (a, was):
            out.append(a)
        elif a == was:
            out.append(b)
        else:
            conflicts += 1
            out += [_mark(b"<", marks, marks.ours, nl), a, b"=" * marks.size + nl, b]
            out.append(_mark(b">", marks, marks.theirs, nl))
    opened, closed = _fences(ours)
    return opened + b"".join(out) + closed, conflicts


def _mark(sign: bytes, marks: Marks, label: str, nl: bytes) -> bytes:
    return sign * marks.size + b" " + label.encode("utf-8", "replace") + nl


def _fences(front: bytes) -> tuple[bytes, bytes]:
    lines = _LINE.findall(front)
    return lines[0], lines[-1]


def _keys(front: bytes) -> dict[bytes, bytes] | None:
    """Each key's lines, in order; under an empty name what stands before the first key."""
    lines: list[bytes] = _LINE.findall(front)
    if len(lines) < 2 or not _FENCE.match(lines[0]) or not lines[-1].startswith((b"---", b"...")):
        return None
    found: dict[bytes, bytes] = {}
    name = b""
    for line in lines[1:-1]:
        if key := _KEY.match(line):
            name = key[1].strip()
            if name in found:
                return None
            found[name] = line
        else:
            found[name] = found.get(name, b"") + line
    return found
