"""The ledger beside the notes: what each note's entries and head were whenever ladder wrote or checked it.

One file a note, `.ladder/notes/NAME.jsonl`, one JSON object a line, only ever appended to. Each line names the SHA-256
of the line before it, so a line that is changed, taken out or put in is found. Whoever rewrites the whole file can make
a chain that verifies: commit `.ladder/` with the notes, and `check` also holds the ledger against the committed one.

    {"n": 2, "time": "2026-09-02T09:15:00Z", "why": "append", "prev": "…", "head": "…", "keep": [1, 0],
     "entries": [["2026-09-02", "slug", "hash"]], "texts": {"hash": "the entry's text"}}

The dated entries after the event, in file order, are the first and the last `keep` of those before it with `entries`
between them; `head` is the head's text, null when it is as before; `texts` holds what no earlier line holds. Nothing
here is a cache: former heads and lost entries can be read from it.
"""

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from notes.markdown.model import Entry, Note


class Record(NamedTuple):
    """One line of a ledger."""

    number: int
    time: str
    """UTC, ISO 8601 with `Z`."""
    why: str
    """new, append, head, seen, accepted."""
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


class Ledger(NamedTuple):
    """A ledger as read: its good lines, and what is wrong with the others."""

    records: tuple[Record, ...]
    faults: tuple[str, ...]
    """One line each: which line of the file is unreadable or does not follow from the one before."""

    @property
    def last(self) -> Record | None:
        """The newest record."""
        return self.records[-1] if self.records else None

    def text(self, digest: str) -> str | None:
        """The text of the entry whose hash is `digest`."""
        return next((r.texts[digest] for r in reversed(self.records) if digest in r.texts), None)


class Change(NamedTuple):
    """Something that happened to an entry that only grows."""

    kind: str
    """changed, removed, moved."""
    date: str
    slug: str
    since: str
    """When the entry was last seen as it should be, UTC."""
    was: str
    now: str
    """The entry's text then and now; empty when removed."""


def digest(text: str) -> str:
    """The hash of an entry: SHA-256 over its text with LF line ends and without blanks at its end, 24 hex digits."""
    return hashlib.sha256(plain_text(text).encode("utf-8", "replace")).hexdigest()[:24]


def plain_text(text: str) -> str:
    """An entry's text as it is compared: git's change of line ends is no change."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip(" \t\n")


def read_ledger(data: bytes) -> Ledger:
    """Read a ledger. A last line without an end is what a killed writer left: it is passed over in silence."""
    records: list[Record] = []
    faults: list[str] = []
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record = _record(line, records[-1] if records else None)
        if record is None:
            if number < len(lines):
                faults.append(f"line {number} is not a record")
            continue
        previous = _chain(records[-1].line) if records else ""
        if record.previous != previous:
            faults.append(f"line {number} ({record.time}) does not follow from the line before it")
        records.append(record)
    return Ledger(tuple(records), tuple(faults))


def next_line(ledger: Ledger, note: Note, why: str, now: dt.datetime) -> bytes:
    """The line to append for `note` as it is, with its end."""
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
    front, back = _same_ends(last.entries if last else (), entries)
    head = plain_text(note.text(note.head))
    value = {
        "n": last.number + 1 if last else 1,
        "time": now.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "why": why,
        "prev": _chain(last.line) if last else "",
        "head": None if last and last.head == head else head,
        "keep": [front, back],
        "entries": entries[front : len(entries) - back],
        "texts": texts,
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def extended(ledger: Ledger, line: bytes) -> Ledger:
    """The ledger with a line of `next_line` behind it."""
    record = _record(line.rstrip(b"\n"), ledger.last)
    assert record is not None  # next_line wrote it
    return Ledger((*ledger.records, record), ledger.faults)


def differs(ledger: Ledger, note: Note) -> bool:
    """Whether the note's head or dated entries are not as the newest record says."""
    last = ledger.last
    if last is None or last.head != plain_text(note.text(note.head)):
        return True
    return [e[2] for e in last.entries] != [digest(note.text(e.span)) for e in dated(note)]


def dated(note: Note) -> list[Entry]:
    """The entries that only grow: the dated ones; `[Unreleased]` and the like change as they please."""
    return [e for e in note.entries if e.date]


def changes(ledger: Ledger, note: Note) -> list[Change]:
    """What happened to the entries since somebody last took them as they are, against the note as it is.

    New entries are no change, nor is one whose text still stands in the note, as no entry of its own.
    """
    last = ledger.last
    if last is None:
        return []
    now = [(e.date.isoformat() if e.date else "", e.slug, plain_text(note.text(e.span))) for e in dated(note)]
    hashes = [digest(text) for _, _, text in now]
    there = Counter(hashes)
    known = Counter(e[2] for e in last.entries)
    strangers = [(date, slug, text) for (date, slug, text), h in zip(now, hashes, strict=True) if h not in known]
    found: list[Change] = []
    whole = plain_text(note.data.decode("utf-8", "replace"))
    for date, slug, key in (*last.entries, *_written_over(ledger)):
        if there[key] > 0:
            there[key] -= 1
            continue
        was = ledger.text(key) or ""
        if was and was in whole:
            continue
        successor = next((s for s in strangers if s[0] == date and s[1] == slug), None)
        successor = successor or next((s for s in strangers if s[0] == date or s[1] == slug), None)
        if successor:
            strangers.remove(successor)
        elif key not in known:  # what took its place was seen since
            successor = next((n for n in now if n[0] == date and n[1] == slug), None)
        kind = "changed" if successor else "removed"
        found.append(Change(kind, date, slug, _last_seen(ledger, key), was, successor[2] if successor else ""))
    kept = Counter(hashes) & known
    before, after = _kept(tuple(e[2] for e in last.entries), kept), _kept(hashes, kept)
    moved = next((k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b), None)
    if moved is not None:
        date, slug, key = next(e for e in last.entries if e[2] == before[moved])
        text = ledger.text(key) or ""
        found.append(Change("moved", date, slug, _last_seen(ledger, key), text, text))
    return found


def _written_over(ledger: Ledger) -> list[tuple[str, str, str]]:
    """Entries that the newest record does not hold: a later write found them changed or gone, and went on."""
    known = {e[2] for e in ledger.records[-1].entries}
    found: dict[str, tuple[str, str, str]] = {}
    for record in reversed(ledger.records):
        found.update({e[2]: e for e in record.entries if e[2] not in known and e[2] not in found})
        if record.why in ("accepted", "restored", "gone"):
            break
    return list(found.values())


def _same_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many items at the front, and of the rest at the back, are the same."""
    most = min(len(old), len(new))
    front = next((n for n in range(most) if old[n] != new[n]), most)
    back = next((n for n in range(most - front) if old[-1 - n] != new[-1 - n]), most - front)
    return front, back


def _kept(hashes: Iterable[str], kept: Counter[str]) -> list[str]:
    left = Counter(kept)
    out = []
    for h in hashes:
        if left[h] > 0:
            left[h] -= 1
            out.append(h)
    return out


def _last_seen(ledger: Ledger, key: str) -> str:
    return next((r.time for r in reversed(ledger.records) if any(e[2] == key for e in r.entries)), "")


def _chain(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _record(line: bytes, before: Record | None) -> Record | None:
    try:
        value: Any = json.loads(line)
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
        )
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None
