"""Repairs that are safe: each changes a few bytes, says which, and can be seen as a diff before it is made."""

import os
import re
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from notes.files.find import NoteFile
from notes.markdown.model import Note
from notes.review.links import Targets, dead_links
from notes.writing.edit import parse_whole
from notes.writing.ledger import dated


class Repair(NamedTuple):
    """A note's new bytes, and what is better about them."""

    messages: tuple[str, ...]
    data: bytes


def repair(note: Note, path: Path, targets: Targets) -> Repair | None:
    """What can safely be repaired in `note`; None when there is nothing, or when it is not UTF-8.

    A missing line end at the end of the file is put there; a link that leads nowhere, where exactly one note bears that
    file name, is led there. Dated entries are never touched.
    """
    if not note.encoding_ok or not note.data:
        return None
    messages: list[str] = []
    data = note.data
    frozen = [e.span for e in dated(note)]
    for target, _ in dead_links(note, path, targets):
        if (better := _led(target, path, targets.files)) is None:
            continue
        old, new = b"](" + target.encode(), b"](" + better.encode()
        at = [m.start() for m in re.finditer(re.escape(old) + rb"[)#?\s]", data)]
        if at and not any(s.start <= a < s.end for a in at for s in frozen):
            data = data.replace(old, new)
            messages.append(f"link to {target} now leads to {better}")
    if not data.endswith((b"\n", b"\r")) and not _ends_in_entry(note):
        data += note.newline.encode()
        messages.append("a line end at the end of the file")
    if not messages:
        return None
    before = [note.text(e.span) for e in dated(note)]
    again = parse_whole(data, note.path)
    return Repair(tuple(messages), data) if [again.text(e.span) for e in dated(again)] == before else None


def _ends_in_entry(note: Note) -> bool:
    return any(e.span.end == len(note.data) for e in dated(note))


def _led(target: str, path: Path, files: Sequence[NoteFile]) -> str | None:
    """The relative path of the one note that bears the target's file name."""
    bare = urllib.parse.unquote(re.split(r"[?#]", target)[0])
    if not bare.lower().endswith(".md"):
        return None
    name = bare.replace("\\", "/").rpartition("/")[2]
    found = [f for f in files if os.path.basename(f.path) == name]  # noqa: PTH119 (a text)
    if len(found) != 1:
        return None
    relative = os.path.relpath(found[0].path, path.parent).replace(os.sep, "/")
    return urllib.parse.quote(relative, safe="/()'!,;:@&=+$~*") + target[len(re.split(r"[?#]", target)[0]) :]
