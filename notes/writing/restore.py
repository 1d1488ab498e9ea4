"""Gives back dated entries that were changed or removed since the ledger last saw them: new bytes of the note, pure."""

from typing import NamedTuple

from notes.markdown.model import Entry, Note
from notes.writing.changes import Change, changes
from notes.writing.edit import HISTORY_HEADING, parse_whole
from notes.writing.ledger import Ledger, dated, digest, plain_text


class Restored(NamedTuple):
    """A note's new bytes, and what is there again."""

    data: bytes
    messages: tuple[str, ...]
    """One line an entry that is put back."""
    left: tuple[Change, ...]
    """What cannot be put back without touching something else: its text is `was`."""


def restored(note: Note, ledger: Ledger) -> Restored | None:
    """The note, parsed whole, with its lost entries as they were; None when none was lost, or it is not UTF-8.

    A changed entry is put back in its place; a removed one behind the one that stood before it. Each is proved: parsed
    again the note holds it, and every other entry as before. What stands there now is kept by the ledger.
    """
    lost = [change for change in changes(ledger, note) if change.kind in ("changed", "removed")]
    if not lost or not note.encoding_ok:
        return None
    messages: list[str] = []
    left: list[Change] = []
    now = note
    for change in lost:
        data = _replaced(now, change) if change.now else _inserted(now, change, ledger)
        again = parse_whole(data, note.path)
        had = {digest(now.text(e.span)) for e in dated(now)} - {digest(change.now)}
        if had | {digest(change.was)} == {digest(again.text(e.span)) for e in dated(again)}:
            now = again
            messages.append(f"entry {change.slug} as it was on {change.since[:16].replace('T', ' ')} UTC")
        else:
            left.append(change)
    return Restored(now.data, tuple(messages), tuple(left))


def from_ledger(title: str, ledger: Ledger) -> bytes:
    """A note that is gone, as far as its ledger knows it: title, head and dated entries; the body is not kept."""
    assert ledger.last is not None
    texts = [ledger.text(key) or "" for _, _, key in ledger.last.entries]
    head = [ledger.last.head] if ledger.last.head.strip() else []
    gap = "\n\n" if any(text.startswith("#") for text in texts) else "\n"
    return ("\n\n".join([f"# {title}", *head, f"## {HISTORY_HEADING}", gap.join(texts)]) + "\n").encode()


def _replaced(note: Note, change: Change) -> bytes:
    entry = next(e for e in dated(note) if plain_text(note.text(e.span)) == change.now)
    old = note.data[entry.span.start : entry.span.end]
    blanks = old[len(old.rstrip(b" \t\r\n")) :]
    return note.data[: entry.span.start] + _bytes(note, change.was) + blanks + note.data[entry.span.end :]


def _inserted(note: Note, change: Change, ledger: Ledger) -> bytes:
    nl = note.newline.encode()
    key = digest(change.was)
    order = next([e[2] for e in r.entries] for r in reversed(ledger.records) if any(e[2] == key for e in r.entries))
    there: dict[str, Entry] = {digest(note.text(e.span)): e for e in dated(note)}
    at = order.index(key)
    before = next((there[k] for k in reversed(order[:at]) if k in there), None)
    behind = next((there[k] for k in order[at:] if k in there), None)
    text = _bytes(note, change.was)
    parted = nl if change.was.startswith("#") else b""
    if before is not None:
        where = before.span.end
    elif behind is not None:
        where = behind.span.start
    else:
        where = len(note.data)
        if not note.history:
            text = f"## {HISTORY_HEADING}".encode() + nl + nl + text
        parted = nl
    first, rest = note.data[:where], note.data[where:]
    start = b"" if not first or first.endswith((b"\n", b"\r")) else nl
    if parted and first and not (first + start).endswith((nl + nl, b"\n\n")):
        start += nl
    end = nl if not rest or rest.startswith((b"\n", b"\r")) else nl + parted
    return first + start + text + end + rest


def _bytes(note: Note, text: str) -> bytes:
    return text.replace("\n", note.newline).encode("utf-8", "surrogateescape")
