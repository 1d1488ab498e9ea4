"""One log file to records: bytes in, one JSON object out for each line, damage reported and stepped over."""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from transcripts.logs.json_texts import changed

BUFFER = 1 << 20
"""Bytes read at once; lines longer than this are still one line."""


_RECORD_BEGINS = re.compile(
    r'\{\s*"(?:parentUuid|logicalParentUuid|type|uuid|timestamp|sessionId|isSidechain|cwd|message|operation)"\s*:'
)
"""The first keys of records, as logs have them."""
_TRIED = 100
"""Beginnings of records that are tried on a line at most."""
_BOM = b"\xef\xbb\xbf"
"""What some editors put at the beginning of a file."""
UNFINISHED = "unfinished last line"
"""Why a line gave no record that is only still being written: no damage."""


class Record(NamedTuple):
    """One JSON object of a log, and where it stands."""

    offset: int
    """Byte offset of its line's first byte."""
    end: int
    """Byte offset after its line feed (a second object glued to the same line shares both)."""
    line: int
    """Line number, from 1."""
    data: dict[str, Any]
    whole: bool = True
    """It is all of its line, which a line feed ends: reading can go on behind it."""

    @property
    def time(self) -> str:
        """When it was written, ISO in UTC; "" when the record does not say."""
        value = self.data.get("timestamp")
        return value if isinstance(value, str) else ""


def named(path: Path) -> str:
    """Return a path as text that JSON can hold: bytes of a name that are no UTF-8 stand as their numbers."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class Skipped(NamedTuple):
    """A line that gave no record."""

    file: str
    line: int
    """Line number, from 1; 0: all of the file."""
    reason: str
    """`not JSON`, `not an object`, `NUL bytes`, `unfinished last line`, `nested too deeply` or `no permission`."""


def records(
    path: Path,
    *,
    start: int = 0,
    line: int = 1,
    skipped: list[Skipped] | None = None,
    wanted: Callable[[bytes], bool] | None = None,
) -> Iterator[Record]:
    """Yield the records of a log from byte `start`, which is the first byte of line number `line`.

    Lines end at a line feed and nowhere else: U+2028 or a form feed inside a string cuts nothing. Two objects on one
    line are two records; NUL bytes around an object are dropped. A line without any object is appended to `skipped`.
    `wanted` sees a line's bytes before it is parsed and may refuse it; refused lines are not looked at for damage.
    A last line without line feed is a record when it parses and else counts as still being written.
    """
    offset = start
    report = [] if skipped is None else skipped
    with path.open("rb", buffering=BUFFER) as file:
        file.seek(start)
        for number, raw in enumerate(file, line):
            begin, offset = offset, offset + len(raw)
            if wanted is not None and not wanted(raw):
                continue
            try:
                found = orjson.loads(raw)
            except orjson.JSONDecodeError:
                objects, reason = mended(raw)
                for value in objects:
                    yield Record(begin, offset, number, value, whole=False)
                if reason and not raw.endswith(b"\n"):
                    reason = UNFINISHED
                if reason:
                    report.append(Skipped(named(path), number, reason))
                continue
            if isinstance(found, dict):
                yield Record(begin, offset, number, found, raw.endswith(b"\n"))
            else:
                report.append(Skipped(named(path), number, "not an object"))


def matters(raw: bytes) -> bool:
    """Return False for a line that can say nothing about a conversation, without parsing it.

    Progress ticks of hooks and shells, and file snapshots, are a fifth of all lines. A name with its quotes cannot
    stand inside a JSON string, where quotes are escaped; but it may be a key of some tool's input. So a line is refused
    only when it also lacks every key that a record of a conversation must have.
    """
    # Nearly every line is told by its `message`, which stands near its beginning and is found at once.
    if b'"message":' in raw:
        return True
    # A record names its type early; one that does not is parsed, which costs time and nothing else.
    if raw.find(b'"type":"progress"', 0, 1_200) < 0 and not raw.startswith(b'{"type":"file-history-'):
        return True
    return b'"attachment":' in raw or b'"operation":' in raw


def mended(raw: bytes) -> tuple[list[dict[str, Any]], str]:
    """Return the objects of a line that orjson refuses, and why something of it is lost ("" when nothing is)."""
    bare = raw.removeprefix(_BOM).strip(b"\0 \t\r\n\f")
    if not bare:
        return [], "NUL bytes" if b"\0" in raw else ""
    text = bare.decode("utf-8", errors="replace")
    decoder = json.JSONDecoder(strict=False)  # not strict: raw control characters may stand in strings
    objects: list[dict[str, Any]] = []
    at = 0
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            return [*objects, *_behind_a_torn_one(text, at + 1, decoder)], "not JSON"
        except RecursionError:
            return objects, "nested too deeply"
        if not isinstance(value, dict):
            return objects, "not an object"
        objects.append(changed(value, _whole))
        while at < len(text) and text[at] in "\0 \t\r\n\f":
            at += 1
    return objects, ""


def _behind_a_torn_one(text: str, at: int, decoder: json.JSONDecoder) -> list[dict[str, Any]]:
    """Return the records that stand whole at the end of a line whose beginning was torn off.

    A quote inside a string is escaped, so what looks like a record's beginning is one, or an object inside the torn
    record; that cannot reach to the end of the line.
    """
    begins = list(_RECORD_BEGINS.finditer(text, at))
    for begin in begins[-_TRIED:]:
        objects: list[dict[str, Any]] = []
        end = begin.start()
        try:
            while end < len(text):
                value, end = decoder.raw_decode(text, end)
                if not isinstance(value, dict) or not isinstance(value.get("type"), str):
                    break
                objects.append(changed(value, _whole))
                while end < len(text) and text[end] in "\0 \t\r\n\f":
                    end += 1
            else:
                return objects
        except (ValueError, RecursionError):
            continue
    return []


def _whole(text: str) -> str:
    """Return a text with lone surrogates, which no UTF-8 file can hold, replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
