"""Looks at notes that exist already: what is taken for head, body and history, and what is doubtful."""

from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

from notes.markdown.leading_dates import leading_date
from notes.markdown.model import Note, Zone
from notes.markdown.words import HISTORY_IF_DATED, HISTORY_NAMES, LAST_WORDS, STATE_NAMES, plain
from notes.writing.edit import parse_whole
from notes.writing.ledger import dated


class Survey(NamedTuple):
    """What a note is taken for."""

    head: int
    """Tokens."""
    body: int
    history: int
    entries: int
    """Dated entries."""
    first: str
    """The first and the last date of the history, ISO; empty without."""
    last: str
    doubts: tuple[str, ...]
    """What is ambiguous and why, one line each."""
    change: "Change | None"
    """What adoption would change, if told to."""


class Change(NamedTuple):
    """A note's new bytes, and why."""

    message: str
    data: bytes


def survey(note: Note, count: Callable[[str], int]) -> Survey:
    """Look at a note; costs by `count`. Changes nothing."""
    costs = dict.fromkeys(Zone, 0)
    for paragraph in note.paragraphs:
        costs[paragraph.zone] += count(note.text(paragraph.span))
    dates = sorted(e.date.isoformat() for e in dated(note) if e.date)
    return Survey(
        costs[Zone.HEAD],
        costs[Zone.BODY],
        costs[Zone.HISTORY],
        len(dates),
        dates[0] if dates else "",
        dates[-1] if dates else "",
        tuple(_doubts(note)),
        _change(note),
    )


def _doubts(note: Note) -> list[str]:
    found: list[str] = []
    if not note.encoding_ok:
        found.append("not UTF-8: it can be read, never written")
    if note.head.start == note.head.end:
        found.append("no head: no text stands before the first heading, and the first section is not named as a state")
    if any(s.title == "(lead)" for s in note.sections):
        found.append("the head is over its budget: what exceeds it counts as body")
    for section in note.sections[1:]:
        name = plain(section.title)
        if section.zone == Zone.BODY and name in STATE_NAMES and section.level < 3:
            found.append(f'"{section.title}" is named as a state but is not the first section: it counts as body')
        if section.zone == Zone.BODY and (name in HISTORY_IF_DATED or name.rpartition(" ")[2] in LAST_WORDS):
            found.append(f'"{section.title}" is named as a history but holds no date: it counts as body')
        if section.zone == Zone.BODY and (date := leading_date(section.title)) and date.whole_day:
            found.append(f'"{section.title}" begins with a date but has no dated sibling: it counts as body')
        if section.zone == Zone.HISTORY and name in HISTORY_NAMES and not _has_entries(note, section.span.start):
            found.append(f'"{section.title}" is a history by its name and holds no entry')
    if len(note.history) > 1:
        found.append(f"{len(note.history)} separate histories: an append goes to the last")
    undated = sum(e.date is None for e in note.entries)
    if undated:
        found.append(f"{undated} entries without a date: they may change")
    return found


def _has_entries(note: Note, start: int) -> bool:
    span = next((h for h in note.history if h.start <= start < h.end), None)
    return span is not None and any(span.start <= e.span.start < span.end for e in note.entries)


def _change(note: Note) -> Change | None:
    """The one change that makes a note without a head have one, or gives a title to a note without; else None."""
    if not note.encoding_ok:
        return None
    if note.head.start == note.head.end:
        for section in note.sections[1:]:
            if section.zone == Zone.BODY and plain(section.title) in STATE_NAMES and section.level == 2:
                moved = _moved_up(note, section.span.start, section.span.end)
                again = parse_whole(moved, note.path)
                if again.head.start < again.head.end:
                    return Change(f'moves "{section.title}" to the top, so that it is the head', moved)
    if not any(s.level == 1 for s in note.sections) and not note.front.end and note.sections[0].level == 0:
        nl = note.newline.encode()
        begin = 3 if note.bom else 0
        title = PurePath(note.path).stem.replace("-", " ").replace("_", " ").strip().capitalize()
        data = note.data[:begin] + f"# {title}".encode() + nl + nl + note.data[begin:]
        return Change(f'adds the title "{title}"', data) if title else None
    return None


def _moved_up(note: Note, start: int, end: int) -> bytes:
    nl = note.newline.encode()
    at = note.sections[1].span.start
    section = note.data[start:end]
    if not section.endswith((b"\n", b"\r")):
        section += nl
    if not section.endswith((nl + nl, b"\n\n")):
        section += nl
    return note.data[:at] + section + note.data[at:start] + note.data[end:]
