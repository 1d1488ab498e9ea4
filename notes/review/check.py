"""What is wrong with notes: a history that was changed, heads over budget, dates out of order, dead links, secrets.

An ordered list of checks is the whole of it; each takes a note with its surroundings and yields findings.
"""

import datetime as dt
import difflib
import itertools
import re
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from notes.files.find import NoteFile
from notes.files.place import FOLDER, Place
from notes.markdown.conflicts import conflicts
from notes.markdown.front_matter import is_left_open
from notes.markdown.model import Note, Span
from notes.markdown.parse import is_binary
from notes.review.links import Targets, dead_links
from notes.review.live_secrets import live_secrets
from notes.writing.changes import changes
from notes.writing.edit import parse_whole
from notes.writing.git_lines import Lost
from notes.writing.ledger import MARKS, Ledger, dated, read_ledger

_LINE_END = re.compile(rb"\r\n|\n|\r")


class Finding(NamedTuple):
    """Something that a person should look at."""

    note: str
    """The note's name."""
    kind: str
    """history, ledger, encoding, front, conflict, secret, order, undated, head, link, unread, gone."""
    message: str
    """One line."""
    line: int
    """Line of the file, from 1; 0 for the file as a whole."""
    serious: bool
    """Counts for the exit code; the others are advice."""


class Checked(NamedTuple):
    """A note with all that a check may look at."""

    file: NoteFile
    note: Note
    """Parsed whole, its head uncut."""
    ledger: Ledger
    anchored: bytes | None
    """The ledger file as git's last commit holds it."""
    ledger_bytes: bytes
    targets: Targets
    """What links can lead to."""
    head_budget: int
    count: Callable[[str], int]
    last_read: Mapping[str, dt.date] | None
    """When each note was last read in the mined sessions, by name; None when nothing was mined."""
    unread_days: int
    today: dt.date
    lost: Lost | None = None
    """What git has held of the ledger and it lacks; `ledger` has that, too."""


def check_note(checked: Checked) -> Iterator[Finding]:
    """Everything that `CHECKS` finds, in their order; of what is no note only what was lost with it."""
    for check in (_encoding, _ledger, _lost) if is_binary(checked.note.data) else CHECKS:
        yield from check(checked)


def _encoding(c: Checked) -> Iterator[Finding]:
    if is_binary(c.note.data):
        yield Finding(c.file.name, "encoding", "is binary, or UTF-16: no note, nothing of it is read", 0, serious=True)
    elif not c.note.encoding_ok:
        yield Finding(
            c.file.name, "encoding", "is not UTF-8: it is read with U+FFFD and never written", 0, serious=True
        )


def _ledger(c: Checked) -> Iterator[Finding]:
    for fault in c.ledger.faults:
        yield Finding(c.file.name, "ledger", f"the ledger itself was changed: {fault}", 0, serious=True)
    if c.anchored is not None and not _lines(c.anchored) <= _lines(c.ledger_bytes):
        message = "the ledger does not hold what git's last commit holds of it: it was written anew"
        yield Finding(c.file.name, "ledger", message, 0, serious=True)


def _lost(c: Checked) -> Iterator[Finding]:
    if c.lost is None or not c.lost.lines:
        return
    parts = [f"{n} {word}" for n, word in ((c.lost.entries, "entries"), (len(c.lost.heads), "former heads")) if n]
    said = "1 line" if len(c.lost.lines) == 1 else f"{len(c.lost.lines)} lines"
    message = f"the ledger lacks {said} that git has held of it, with {' and '.join(parts)}"
    yield Finding(c.file.name, "ledger", message, 0, serious=True)


def _lines(ledger: bytes) -> set[bytes]:
    lines = {line.removesuffix(b"\r") for line in ledger.split(b"\n")}
    return {line for line in lines if line.strip() and not line.startswith(MARKS)}


def _history(c: Checked) -> Iterator[Finding]:
    if open_conflicts(c.note):  # the entries in it are not read, so they are not gone
        return
    for change in changes(c.ledger, c.note):
        line = _line_of(c.note, change.slug)
        since = change.since[:16].replace("T", " ")
        if change.kind == "changed":
            how = f"entry {change.slug} was changed since {since} UTC: {_how(change.was, change.now)}"
        elif change.kind == "moved":
            how = f"entry {change.slug} stands in another place than on {since} UTC"
        else:
            how = f"entry {change.slug} is gone, last seen {since} UTC: {_short(change.was)}"
        yield Finding(c.file.name, "history", how, line, serious=True)


def _dates(c: Checked) -> Iterator[Finding]:
    entries = dated(c.note)
    order = -1 if c.note.newest_first else 1
    for a, b in itertools.pairwise(entries):
        assert a.date is not None  # dated() says so
        assert b.date is not None
        if (b.date - a.date).days * order < 0 and _same_history(c.note, a.span.start, b.span.start):
            message = f"entry {b.slug} stands behind {a.slug}, out of order"
            yield Finding(c.file.name, "order", message, _line_at(c.note, b.span.start), serious=False)
    for entry in c.note.entries:
        if entry.date and entry.date > c.today + dt.timedelta(days=1):
            message = f"entry {entry.slug} bears a date to come"
            yield Finding(c.file.name, "order", message, _line_at(c.note, entry.span.start), serious=False)
        elif entry.date is None and entry.title.strip("[] ").casefold() != "unreleased":
            message = f"entry {entry.slug} bears no date"
            yield Finding(c.file.name, "undated", message, _line_at(c.note, entry.span.start), serious=False)


def _head(c: Checked) -> Iterator[Finding]:
    cost = c.count(c.note.text(c.note.head))
    if cost > c.head_budget:
        message = f"the head is {cost} tokens, over the {c.head_budget} that count as head"
        yield Finding(c.file.name, "head", message, _line_at(c.note, c.note.head.start), serious=False)


def _links(c: Checked) -> Iterator[Finding]:
    line, upto = 1, 0
    for target, at in sorted(dead_links(c.note, Path(c.file.path), c.targets), key=lambda link: link.at):
        if at >= 0:  # counted from the last one on: a note may have thousands
            line, upto = line + len(_LINE_END.findall(c.note.data, upto, at)), at
        yield Finding(c.file.name, "link", f"link to {target} leads nowhere", line if at >= 0 else 0, serious=False)


def _front(c: Checked) -> Iterator[Finding]:
    if is_left_open(c.note.data, c.note.front.start):
        message = "the front matter that begins here is never closed: it counts as text"
        yield Finding(c.file.name, "front", message, 1, serious=False)


def _conflict(c: Checked) -> Iterator[Finding]:
    for start in (span.start for span in open_conflicts(c.note)):
        message = "a merge left both sides of a conflict here: neither is handed over until one is chosen"
        yield Finding(c.file.name, "conflict", message, _line_at(c.note, start), serious=True)


def open_conflicts(note: Note) -> list[Span]:
    """The conflicts of a note that are no example in a code block of a text about conflicts."""
    begun = {block.start for block in note.blocks if block.kind == "conflict"}
    return [span for span in conflicts(note.data) if span.start in begun or span.start < note.front.end]


def _secrets(c: Checked) -> Iterator[Finding]:
    for secret in live_secrets(c.note.data.decode("utf-8", "replace")):
        yield Finding(c.file.name, "secret", f"looks like a live secret: {secret.kind}", secret.line, serious=True)


def _unread(c: Checked) -> Iterator[Finding]:
    if c.last_read is None or not c.unread_days:
        return
    last = c.last_read.get(c.file.name)
    if last is None or (c.today - last).days > c.unread_days:
        when = f"was last read on {last}" if last else "was never read in the mined sessions"
        yield Finding(c.file.name, "unread", f"{when}, more than {c.unread_days} days ago", 0, serious=False)


#: The checks, in the order in which their findings are told.
CHECKS: tuple[Callable[[Checked], Iterator[Finding]], ...] = (
    _encoding, _front, _conflict, _ledger, _lost, _history, _secrets, _dates, _head, _links, _unread,
)  # fmt: skip


def gone_notes(root: Path) -> list[tuple[Place, Ledger]]:
    """The notes of `root` that have a ledger with dated entries and no file any more."""
    folder = root / FOLDER / "notes"
    found = []
    for path in sorted(folder.rglob("*.jsonl")):
        place = Place(root, root / path.relative_to(folder).as_posix().removesuffix(".jsonl"))
        if not place.path.exists():
            ledger = read_ledger(path.read_bytes())
            if ledger.last and ledger.last.entries:
                found.append((place, ledger))
    return found


def gone_finding(place: Place, ledger: Ledger, elsewhere: Container[str]) -> Finding:
    """What to say of a note that is gone; `elsewhere` holds the hashes of the entries of all notes that are there."""
    assert ledger.last is not None  # gone_notes gives no others
    lost = [e for e in ledger.last.entries if e[2] not in elsewhere]
    name = place.relative.removesuffix(".md")
    if not lost:
        message = f"the note is gone; its {len(ledger.last.entries)} dated entries stand in other notes"
        return Finding(name, "gone", message, 0, serious=False)
    since = ledger.last.time[:16].replace("T", " ")
    message = f"the note is gone with {len(lost)} dated entries, last seen {since} UTC; their texts are in its ledger"
    return Finding(name, "gone", message, 0, serious=True)


def _same_history(note: Note, a: int, b: int) -> bool:
    return any(h.start <= a < h.end and h.start <= b < h.end for h in note.history)


def _line_of(note: Note, slug: str) -> int:
    entry = next((e for e in note.entries if e.slug == slug), None)
    return _line_at(note, entry.span.start) if entry else 0


def _line_at(note: Note, at: int) -> int:
    return len(_LINE_END.findall(note.data, 0, at)) + 1


def _how(was: str, now: str) -> str:
    """The first lines that differ, in few words."""
    lines = [x for x in difflib.ndiff(was.split("\n"), now.split("\n")) if x[:2] in ("- ", "+ ")]
    gone = [_short(x[2:]) for x in lines if x.startswith("- ")]
    come = [_short(x[2:]) for x in lines if x.startswith("+ ")]
    lost = "1 line" if len(gone) == 1 else f"{len(gone)} lines"
    return f"{lost} went, {len(come)} came; was {(gone or ['nothing'])[0]!r}, is {(come or ['nothing'])[0]!r}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "…"


def parsed(file: NoteFile) -> Note:
    """The note of `file` as the checks want it.

    Raises:
        OSError: the file cannot be read.
    """
    return parse_whole(Path(file.path).read_bytes(), file.path)
