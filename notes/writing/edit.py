"""New bytes from old: a head replaced, an entry added. Pure; what cannot be done without harm is refused, not guessed.

Both prove their result before they return it: it is parsed again and held against what was asked.
"""

import datetime as dt
import re
from contextlib import suppress
from typing import NamedTuple

from notes.markdown.model import Entry, Note, Span
from notes.markdown.parse import parse
from notes.markdown.words import HISTORY_NAMES, plain
from notes.writing.contain import CannotContainError, contain

#: Under which heading a note's first entry is put.
HISTORY_HEADING = "History"
_NO_BUDGET = 1 << 60
#: What stands between the day and the title in a heading.
_DAY_AND_TITLE = re.compile(r" {0,3}#{1,6}[ \t]+\d{4}-\d{2}-\d{2}([ \t]*[:\u2013\u2014-][ \t]+|[ \t]+)\S")
_ITEM = re.compile(rb"[ ]{0,3}(?:([-*+])|(\d{1,9})([.)]))(?=[ \t])")


class EditError(ValueError):
    """An edit that the note cannot take; the message says why in one line."""


def with_head(note: Note, text: str) -> Note:
    """The note with `text` as its head; every byte outside `note.head` stays.

    `note` must be parsed without a head budget (`parse_whole`): the head is replaced as a whole.

    Raises:
        EditError: `text` would not be the head (it holds a heading, or two dated items), or the file is not UTF-8.
    """
    _writable(note)
    new = _lines(_sound(text)).strip("\n").rstrip(" \t\n")
    before, after = note.data[: note.head.start], note.data[note.head.end :]
    body = _bytes(new, note.newline)
    if note.head.start == note.head.end and body:
        nl = note.newline.encode()
        floor = before[3 if note.bom else 0 :]
        if floor.strip() and not floor.endswith((b"\n", b"\r")):
            body = nl + nl + body
        elif floor.strip() and not _ends_blank(floor):
            body = nl + body
        if after.strip():
            ends = len(re.match(rb"(?:\r\n|\n|\r)*", after)[0].replace(b"\r\n", b"\n"))  # type: ignore[index]
            body += nl * max(0, 2 - ends)
        elif not after:
            body += nl
    data = before + body + after
    again = parse_whole(data, note.path)
    said = _lines(again.text(again.head)).strip("\n").rstrip(" \t\n")
    same = [e.date for e in again.entries] == [e.date for e in note.entries] and again.title == note.title
    if said != new or not same:
        raise EditError("this text would not stay the head: a heading, two dated items or an open fence in it end it")
    return again


def parse_whole(data: bytes, path: str = "") -> Note:
    """The note with its head uncut, however long: what a head's rewriting replaces."""
    return parse(data, path, head_budget=_NO_BUDGET)


class Appended(NamedTuple):
    """A note with one entry more."""

    note: Note
    entry: Entry
    """The new entry, as it is read back."""
    newest_first: bool
    """The newest entries stand first."""


def with_entry(note: Note, text: str, date: dt.date, title: str = "", *, in_order: bool = False) -> Appended:
    """The note with an entry of `date` at the end of its history, or at the front of one that is kept newest first.

    The history before is a byte prefix of the history after (a suffix, newest first). With `in_order` an entry older
    than that end goes among the others, where its day belongs; every byte before and behind it stays. An entry has the
    form of those that are there: a heading of their level or an item of their list; the very first is a heading under
    `## History`.

    Raises:
        EditError: nothing to append, or the note leaves a fence open that would swallow the entry.
    """
    if in_order:
        with suppress(EditError):  # among the rows of a table, say, there is no room for one
            return _with_entry(note, text, date, title, in_order=True)
    return _with_entry(note, text, date, title, in_order=False)


def _with_entry(note: Note, text: str, date: dt.date, title: str, *, in_order: bool) -> Appended:
    _writable(note)
    text, title = _lines(_sound(text)).strip("\n").rstrip(" \t\n"), " ".join(_lines(_sound(title)).split())
    if not text.strip() and not title:
        raise EditError("there is nothing to append")
    nl = note.newline.encode()
    span = _history(note)
    inside = [e for e in note.entries if e.date and span and span.start <= e.span.start < span.end]
    dates = [e.date for e in inside if e.date]
    first = len(dates) > 1 and dates[0] > dates[-1]
    over = _older_end(dates, date, first=first) if in_order else 0 if first else len(inside)
    model = (inside[over] if first and over < len(inside) else inside[over - 1 if over else 0]) if inside else None
    try:
        written = _written(note, span, model, text, date, title)
    except CannotContainError as error:
        raise EditError(str(error)) from error
    block = _bytes(written, note.newline)
    is_item = written.startswith(("- ", "* ", "+ ")) or written[:1].isdigit()
    if span is None:
        block = f"## {HISTORY_HEADING}".encode() + nl + nl + block
        at = len(note.data)
    else:
        at = _edge(inside, over, span, first=first)
    tight = is_item and model is not None and _ITEM.match(note.data, model.span.start) is not None
    among = over < len(inside)
    before, after = note.data[:at], note.data[at:]
    bare = before[3 if note.bom else 0 :]
    if in_order and is_item and not tight and after.strip() and not (_ends_blank(bare) or after[:1] in (b"\n", b"\r")):
        raise EditError("the rows of a table have no room for an entry")
    if bare and not bare.endswith((b"\n", b"\r")):
        block = nl + block
        bare = bare + nl
    if bare.strip() and not tight and not _ends_blank(bare):
        block = nl + block
    block += nl
    if after and not after.startswith((b"\n", b"\r")) and not (tight and among):
        block += nl
    data = before + block + after
    return _proved(note, data, date, newest_first=first)


def _older_end(dates: list[dt.date], date: dt.date, *, first: bool) -> int:
    """Before which of the entries one of `date` belongs; `first` when the newest stand first."""
    if first:
        return next((n for n, other in enumerate(dates) if other <= date), len(dates))
    return next((n + 1 for n, other in reversed(list(enumerate(dates))) if other <= date), 0)


def _edge(inside: list[Entry], over: int, span: Span, *, first: bool) -> int:
    """The byte at which the entry before `inside[over]` is put; behind the one above it, when that is the older."""
    if over == len(inside):
        return span.end
    return inside[over].span.start if first or not over else inside[over - 1].span.end


def _proved(note: Note, data: bytes, date: dt.date, *, newest_first: bool) -> Appended:
    """The note that `data` is, and its new entry; refused when anything but one new entry comes out."""
    again = parse_whole(data, note.path)
    old = [(e.date, note.text(e.span).strip()) for e in note.entries if e.date]
    new = [(e.date, again.text(e.span).strip()) for e in again.entries if e.date]
    at = next((n for n, pair in enumerate(old) if pair != new[n]), len(old)) if len(new) == len(old) + 1 else -1
    if at < 0 or new[:at] + new[at + 1 :] != old or new[at][0] != date:
        raise EditError("the entry would not be read back as one: a fence left open above it runs into it, or the like")
    entry = [e for e in again.entries if e.date][at]
    return Appended(again, entry, newest_first)


def _history(note: Note) -> Span | None:
    """The history that grows: the last that bears a history's name, else the last that holds dated entries."""
    if not note.history:
        return None
    named = {s.span.start for s in note.sections if plain(s.title) in HISTORY_NAMES}
    starts = [s.span.start for s in note.sections if plain(s.title) in HISTORY_NAMES]
    for span in reversed(note.history):
        if span.start in named or any(span.start <= s < span.end for s in starts):
            return span
    dated = [e.span.start for e in note.entries if e.date]
    for span in reversed(note.history):
        if any(span.start <= s < span.end for s in dated):
            return span
    return note.history[-1]


def _written(note: Note, span: Span | None, model: Entry | None, text: str, date: dt.date, title: str) -> str:
    """The entry as it is written, lines ended by LF, none at its end."""
    form = note.data[model.span.start : model.span.end].lstrip() if model else b""
    if item := _ITEM.match(form):
        marker = item[1] or str(int(item[2]) + 1).encode() + item[3]
        return _item(marker.decode(), text, date, title)
    if model and not form.startswith(b"#") and b"\n" not in form and b"\r" not in form.rstrip():
        return _item("-", text, date, title)  # after a paragraph or a table row: a list item of its own
    level = next((s.level for s in note.sections if model and s.span.start == model.span.start), 0)
    if model and not level:
        return _item("-", text, date, title)
    if not level:
        above = next((s.level for s in note.sections if span and s.span.start == span.start), 2)
        level = min(above + 1, 6)
    between, below = _heading_form(form.decode("utf-8"))
    heading = f"{'#' * level} {date.isoformat()}" + (f"{between}{title}" if title else "")
    inner = contain(text, level) if text.strip() else ""
    return f"{heading}{below}{inner}" if inner else heading


def _heading_form(entry: str) -> tuple[str, str]:
    """What stands between the day and the title of an entry with a heading, and between its heading and its text."""
    first, *rest = _lines(entry).split("\n")
    found = _DAY_AND_TITLE.match(first)
    below = "\n" if rest and rest[0].strip() else "\n\n"
    return (found[1] if found else " "), below


def _item(marker: str, text: str, date: dt.date, title: str) -> str:
    """A list item: its first line bears the date, every other line is indented so that it stays inside."""
    first, _, rest = (f"{title}\n\n{text}" if title and text else title or text).partition("\n")
    indent = " " * (len(marker) + 1)
    if not first.strip() or first.startswith(("    ", "\t")):
        first, rest = "", f"{first}\n{rest}"
    inner = [indent + line if line.strip() else "" for line in rest.split("\n")] if rest.strip() else []
    if inner and not first:
        inner.insert(0, "")
    return "\n".join(
        [f"{marker} {date.isoformat()}" + (f": {first.strip()}" if first.strip() else ""), *inner]
    ).rstrip()


def _writable(note: Note) -> None:
    if not note.encoding_ok:
        raise EditError("the file is not UTF-8; convert it first, ladder does not re-encode notes")


def _ends_blank(data: bytes) -> bool:
    return data.endswith((b"\n\n", b"\r\n\r\n", b"\r\r"))


def _lines(text: str) -> str:
    """`text` with LF for every line end and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _sound(text: str) -> str:
    """`text`, which UTF-8 can hold: an argument of other bytes, or half of a pair in JSON, is no text to write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise EditError("the text is not valid Unicode") from error
    return text


def _bytes(text: str, newline: str) -> bytes:
    return text.replace("\n", newline).encode("utf-8")
