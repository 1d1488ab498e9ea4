"""The ledger beside the notes: what each note's entries and head were whenever ladder wrote or checked it.

One file a note, `.ladder/notes/NAME.jsonl`, one JSON object a line, only ever appended to. Each line names the SHA-256
of the line before it, so a line that is changed, taken out or put in is found. Whoever rewrites the whole file can make
a chain that verifies: commit `.ladder/` with the notes, and `check` also holds the ledger against the committed one.

    {"n": 2, "time": "2026-09-02T09:15:00Z", "why": "append", "prev": "…", "head": "…", "keep": [1, 0],
     "entries": [["2026-09-02", "slug", "hash"]], "texts": {"hash": "the entry's text"}}

The dated entries after the event, in file order, are the first and the last `keep` of those before it with `entries`
between them; `head` is the head's text, null when it is as before; `texts` holds what no earlier line holds. Nothing
here is a cache: former heads and lost entries can be read from it.

Where two people wrote at a time, two lines follow the same one. Both stay as they are, in any order, and a line that
follows both names the end of the one in `prev` and of the others in `join`; `keep` and `head` are told against `prev`.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from notes.markdown.model import Entry, Note
from notes.writing.joined import in_order, join
from notes.writing.record import FORM, Ledger, NewerFormError, Record, chain, parsed_line, record_of

__all__ = ["Ledger", "Record", "dated", "differs", "digest", "extended", "next_line", "plain_text", "read_ledger"]

#: What git writes round the sides of a conflict. Each side's lines are good ones.
MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")


def digest(text: str) -> str:
    """The hash of an entry: SHA-256 over its text with LF line ends and without blanks at its end, 24 hex digits."""
    return hashlib.sha256(plain_text(text).encode("utf-8", "replace")).hexdigest()[:24]


def plain_text(text: str) -> str:
    """An entry's text as it is compared: git's change of line ends is no change."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip(" \t\n")


def read_ledger(data: bytes, known_elsewhere: frozenset[str] = frozenset()) -> Ledger:
    """Read a ledger. A last line without an end is what a killed writer left: it is passed over in silence.

    So are a line that stands there twice and the marks of a merge: every line says itself which one it follows. That a
    line is not there that another follows is a fault, unless its hash is `known_elsewhere`, or somebody settled it.
    """
    at: dict[str, int] = {}
    values: dict[str, tuple[dict[str, Any], bytes]] = {}
    faults: list[str] = []
    lines = data.split(b"\n")
    for number, raw in enumerate(lines, start=1):
        line = raw.removesuffix(b"\r")  # git's change of line ends is no change
        if not line.strip():
            continue
        try:
            value = parsed_line(line)
        except NewerFormError:
            fault = f"line {number} was written by a newer ladder: update it, until then this note is not judged"
            return Ledger(tuple(_linked(values)), (fault,), None)
        if value is not None and record_of(value, line, None):
            key = chain(line)
            at.setdefault(key, number)
            values[key] = (value, line)
        elif number < len(lines) and not line.startswith(MARKS):
            faults.append(f"line {number} is not a record")
    records = tuple(_linked(values))
    settled = {key for r in records for key in r.settled} | known_elsewhere
    dangling = tuple(dict.fromkeys(p for r in records for p in r.parents if p not in at and p not in settled))
    faults += [
        f"line {at[r.key]} ({r.time}) does not follow from a line that is there"
        for r in records
        if any(parent in dangling for parent in r.parents)
    ]
    return Ledger(records, tuple(faults), join(records), dangling)


def _linked(values: dict[str, tuple[dict[str, Any], bytes]]) -> list[Record]:
    """The records of these lines by their hashes, each told against the one that it follows."""
    stubs = [record for value, line in values.values() if (record := record_of(value, line, None))]
    found: dict[str, Record] = {}
    for stub in in_order(stubs):
        record = record_of(*values[stub.key], found.get(stub.previous))
        assert record is not None  # the stub was one
        found[record.key] = record
    return list(found.values())


def next_line(ledger: Ledger, note: Note, why: str, now: dt.datetime, settled: Sequence[str] = ()) -> bytes:
    """The line to append for `note` as it is, with its end; it joins the branches that are not joined yet."""
    known = {d for r in ledger.records for d in r.texts}
    entries: list[tuple[str, str, str]] = []
    texts: dict[str, str] = {}
    for entry in dated(note):
        text = plain_text(note.text(entry.span))
        key = digest(text)
        entries.append((entry.date.isoformat() if entry.date else "", entry.slug, key))
        if key not in known:
            texts[key] = text
    last = ledger.last
    head = plain_text(note.text(note.head))
    time = now.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if last is None:
        return written(1, time, why, None, head, entries, texts, settled=settled)
    previous, beside = (last.key, ()) if last.key else (last.previous, last.beside)
    before = next(r for r in ledger.records if r.key == previous)
    return written(last.number + 1, time, why, before, head, entries, texts, beside=beside, settled=settled)


def written(
    number: int,
    time: str,
    why: str,
    before: Record | None,
    head: str,
    entries: Sequence[tuple[str, str, str]],
    texts: dict[str, str],
    *,
    beside: Sequence[str] = (),
    settled: Sequence[str] = (),
) -> bytes:
    """A line with its end, told against `before`, which it follows."""
    front, back = _same_ends(before.entries if before else (), entries)
    value: dict[str, object] = {
        "n": number,
        "time": time,
        "why": why,
        "prev": before.key if before else "",
        "head": None if before and before.head == head else head,
        "keep": [front, back],
        "entries": entries[front : len(entries) - back],
        "texts": texts,
    }
    if beside or settled:
        value["v"] = FORM
    if beside:
        value["join"] = list(beside)
    if settled:
        value["settled"] = list(settled)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def extended(ledger: Ledger, line: bytes) -> Ledger:
    """The ledger with a line of `next_line` behind it."""
    value = parsed_line(line.rstrip(b"\n"))
    assert value is not None  # next_line wrote it
    before = next((r for r in ledger.records if r.key == value["prev"]), None)
    record = record_of(value, line.rstrip(b"\n"), before)
    assert record is not None  # as above
    records = (*ledger.records, record)
    return Ledger(records, ledger.faults, join(records), ledger.dangling)


def differs(ledger: Ledger, note: Note) -> bool:
    """Whether the note's head or dated entries are not as the newest record says."""
    last = ledger.last
    if last is None or last.head != plain_text(note.text(note.head)):
        return True
    return [e[2] for e in last.entries] != [digest(note.text(e.span)) for e in dated(note)]


def dated(note: Note) -> list[Entry]:
    """The entries that only grow: the dated ones; `[Unreleased]` and the like change as they please."""
    return [e for e in note.entries if e.date]


def _same_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many items at the front, and of the rest at the back, are the same."""
    most = min(len(old), len(new))
    front = next((n for n in range(most) if old[n] != new[n]), most)
    back = next((n for n in range(most - front) if old[-1 - n] != new[-1 - n]), most - front)
    return front, back
