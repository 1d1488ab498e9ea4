"""What is wrong with notes: a history that was changed, heads over budget, dates out of order, dead links, secrets.

An ordered list of checks is the whole of it; each takes a note with its surroundings and yields findings.
"""

import datetime as dt
import difflib
import itertools
import os
import posixpath
import re
import urllib.parse
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from notes.files.find import NoteFile
from notes.files.place import FOLDER, Place
from notes.markdown.model import Note
from notes.secrets import secrets_in
from notes.writing.edit import parse_whole
from notes.writing.ledger import Ledger, changes, dated, read_ledger


class Finding(NamedTuple):
    """Something that a person should look at."""

    note: str
    """The note's name."""
    kind: str
    """history, ledger, encoding, secret, order, undated, head, link, unread, gone."""
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
    names: Mapping[str, str]
    """Folded name of every note, and of its last part, to its name."""
    head_budget: int
    count: Callable[[str], int]
    last_read: Mapping[str, dt.date] | None
    """When each note was last read in the mined sessions, by name; None when nothing was mined."""
    unread_days: int
    today: dt.date


def check_note(checked: Checked) -> Iterator[Finding]:
    """Everything that `CHECKS` finds, in their order."""
    for check in CHECKS:
        yield from check(checked)


def _encoding(c: Checked) -> Iterator[Finding]:
    if not c.note.encoding_ok:
        yield Finding(
            c.file.name, "encoding", "is not UTF-8: it is read with U+FFFD and never written", 0, serious=True
        )


def _ledger(c: Checked) -> Iterator[Finding]:
    for fault in c.ledger.faults:
        yield Finding(c.file.name, "ledger", f"the ledger itself was changed: {fault}", 0, serious=True)
    if c.anchored is not None and not c.ledger_bytes.startswith(c.anchored.rstrip(b"\n")):
        message = "the ledger does not go on from the one in git's last commit: it was written anew"
        yield Finding(c.file.name, "ledger", message, 0, serious=True)


def _history(c: Checked) -> Iterator[Finding]:
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
    for target in dead_links(c.note, Path(c.file.path), c.names):
        message = f"link to {target} leads nowhere"
        yield Finding(c.file.name, "link", message, _line_holding(c.note, target), serious=False)


def _secrets(c: Checked) -> Iterator[Finding]:
    for secret in secrets_in(c.note.data.decode("utf-8", "replace")):
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
    _encoding, _ledger, _history, _secrets, _dates, _head, _links, _unread,
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


def dead_links(note: Note, path: Path, names: Mapping[str, str]) -> list[str]:
    """The link targets of `note` that lead to no file: Markdown files by path, wiki links by name."""
    dead = []
    for target in note.links:
        bare = urllib.parse.unquote(re.split(r"[?#|]", target)[0]).strip().strip("<>")
        if not bare or bare.startswith(("/", "~", "mailto:")) or ":" in bare.split("/")[0]:
            continue
        if b"[[" + target.encode("utf-8", "replace") in note.data:
            if _fold(bare) not in names:
                dead.append(target)
        elif bare.lower().endswith(".md") and not (path.parent / bare).exists():
            dead.append(target)
    return dead


def folded_names(files: Iterable[NoteFile]) -> dict[str, str]:
    """Every way a link may name a note, folded, to its name."""
    names: dict[str, str] = {}
    for file in files:
        names.setdefault(_fold(file.name), file.name)
        names.setdefault(_fold(posixpath.basename(file.name)), file.name)
        names.setdefault(_fold(os.path.basename(file.path)), file.name)  # noqa: PTH119 (a name, not a path in use)
    return names


def _fold(name: str) -> str:
    return name.casefold().removesuffix(".md").removeprefix("./").replace("%20", " ")


def _same_history(note: Note, a: int, b: int) -> bool:
    return any(h.start <= a < h.end and h.start <= b < h.end for h in note.history)


def _line_of(note: Note, slug: str) -> int:
    entry = next((e for e in note.entries if e.slug == slug), None)
    return _line_at(note, entry.span.start) if entry else 0


def _line_at(note: Note, at: int) -> int:
    return len(re.findall(rb"\r\n|\n|\r", note.data[:at])) + 1


def _line_holding(note: Note, text: str) -> int:
    at = note.data.find(text.encode("utf-8"))
    return _line_at(note, at) if at >= 0 else 0


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
