"""Two versions of a note into one: entries of both by date, each once; the rest as git merges text.

What a side added to the history is taken out of it before the texts are merged, and put in afterwards: an entry that
both sides appended at the same place is no conflict. Everything is proved: the result is read again, and if an entry is
missing or another than before, git's own merge of the whole stands instead.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from notes.markdown.model import Note, Span
from notes.markdown.words import HISTORY_NAMES, plain
from notes.merging.front import merge_front
from notes.merging.sequence import Item, merged, newest_first
from notes.merging.text import Marks, Merged, merge_texts
from notes.writing.edit import parse_whole
from notes.writing.ledger import digest

_NLS = (b"\n", b"\r")
_ITEM = re.compile(rb" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")


class _Version(NamedTuple):
    note: Note
    keys: list[str]
    """The hash of each entry, in file order."""


def merge_notes(base: bytes, ours: bytes, theirs: bytes, marks: Marks = Marks()) -> Merged:  # noqa: B008 (a NamedTuple of constants)
    """The note with what both sides did to it since `base`.

    Raises:
        notes.merging.text.CannotMergeError: git is missing, or a version is binary.
    """
    if theirs in (ours, base):
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    old, one, other = (_version(data) for data in (base, ours, theirs))
    if old.note.encoding_ok and one.note.encoding_ok and other.note.encoding_ok:
        added, brought = _new(old, one), _new(old, other)
        kept = _without(old, other, brought)
        wanted = Counter(one.keys[n] for n in added) | Counter(other.keys[n] for n in brought)
        falling = newest_first(_days(old), _days(one), _days(other))
        first = _merge(base, ours, kept, marks)
        done = _filled(first, other, brought, wanted, falling=falling)
        if done and not done.conflicts:
            return done
        bare = _merge(base, _without(old, one, added), kept, marks)
        if bare.conflicts < first.conflicts or not done:
            half = _filled(bare, one, added, Counter(), falling=falling)
            again = _filled(half, other, brought, wanted, falling=falling) if half else None
            if again and (not done or again.conflicts < done.conflicts):
                return again
        if done:
            return done
    return _merge(base, ours, theirs, marks)


def _merge(base: bytes, ours: bytes, theirs: bytes, marks: Marks) -> Merged:
    """Front matter by key, the rest as text."""
    notes = [parse_whole(data) for data in (base, ours, theirs)]
    was, one, other = (note.data[note.front.start : note.front.end] for note in notes)
    joined = merge_front(was, one, other, marks) if was or one or other else None
    if joined is None:
        return merge_texts(base, ours, theirs, marks)
    starts = [note.data[: note.front.start] for note in notes]
    texts = [note.data[note.front.end :] for note in notes]
    rest = merge_texts(texts[0], texts[1], texts[2], marks)
    bom = starts[1] if starts[1] == starts[2] or starts[2] == starts[0] else starts[2]
    return Merged(bom + joined[0] + rest.data, joined[1] + rest.conflicts)


def _version(data: bytes) -> _Version:
    note = parse_whole(data)
    return _Version(note, [digest(note.text(e.span)) for e in note.entries])


def _days(version: _Version) -> list[str]:
    return [e.date.isoformat() for e in version.note.entries if e.date]


def _new(old: _Version, side: _Version) -> list[int]:
    """Which entries of `side` are new: not there before, and no other text of one that was."""
    before, now = Counter(old.keys), Counter(side.keys)
    lost: Counter[tuple[object, str]] = Counter()
    for entry, key in zip(old.note.entries, old.keys, strict=True):
        if before[key] > now[key]:
            lost[entry.date, entry.slug] += 1
    found = []
    for n, (entry, key) in enumerate(zip(side.note.entries, side.keys, strict=True)):
        if before[key] > 0:
            before[key] -= 1
        elif lost[entry.date, entry.slug] > 0:
            lost[entry.date, entry.slug] -= 1
        else:
            found.append(n)
    return found


def _without(old: _Version, side: _Version, new: Sequence[int]) -> bytes:
    """The side without its new entries; where nothing else came between two entries of before, the bytes of before."""
    if not new:
        return side.note.data
    taken = set(new)
    data, bare, at = side.note.data, b"", 0
    for n, entry in enumerate(side.note.entries):
        if n not in taken:
            continue
        bare += data[at : entry.span.start]
        at = entry.span.end
        if data[at:].strip(b"\r\n"):
            at += _blank(data, at)
        else:
            end = len(bare.rstrip(b"\r\n"))
            bare = bare[: end + _one_end(bare, end)]
    bare = _closed(bare + data[at:], begun=not _named(old.note))
    return old.note.data if _squeezed(bare) == _squeezed(old.note.data) else bare


def _closed(data: bytes, *, begun: bool) -> bytes:
    """`data` without a history's heading that has nothing under it and was `begun` with the entries that are out."""
    note = parse_whole(data)
    for section in reversed([s for s in note.sections if begun and s.span in _named(note)]):
        start, end = section.span
        under = data[start:end].strip().replace(b"\r", b"\n")
        if b"\n" not in under:
            before = len(data[:start].rstrip(b"\r\n"))
            kept = before + _one_end(data, before)
            data = data[: start if data[end:] else kept] + data[end:]
    return data


def _squeezed(data: bytes) -> list[bytes]:
    return [line.rstrip() for line in data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n") if line.strip()]


def _blank(data: bytes, at: int) -> int:
    """How many bytes of blank lines begin at `at`."""
    return len(data) - at - len(data[at:].lstrip(b"\r\n"))


def _filled(text: Merged, side: _Version, new: Sequence[int], wanted: Counter[str], *, falling: bool) -> Merged | None:
    """The merged text with the entries `new` of `side` in it, and all of `wanted`; None when that cannot be."""
    now = _version(text.data)
    have, have_before = Counter(now.keys), set(now.keys)
    already = Counter(side.keys[n] for n in range(len(side.keys)) if n not in set(new))
    to_do = []
    for n in new:
        key = side.keys[n]
        already[key] += 1
        if have[key] < already[key]:
            have[key] += 1
            to_do.append(n)
    todo = set(to_do)
    theirs = [_item(side, n) for n in range(len(side.keys)) if n in todo or side.keys[n] in have_before]
    order = merged([_item(now, n) for n in range(len(now.keys))], theirs, falling=falling)
    data = _inserted(now, side, to_do, order)
    again = _version(data)
    kept = Counter(again.keys)
    marked = data if text.conflicts else b""
    if any(kept[key] < count and not _within(marked, key, side, now) for key, count in wanted.items()):
        return None
    if [item.key for item in order] != again.keys:
        return None
    return Merged(data, text.conflicts)


def _within(marked: bytes, key: str, side: _Version, now: _Version) -> bool:
    """Whether the entry stands in a conflict, where no entry is read."""
    for version in (side, now):
        if key in version.keys:
            entry = version.note.entries[version.keys.index(key)]
            return bool(marked) and version.note.data[entry.span.start : entry.span.end].strip() in marked
    return bool(marked)


def _item(version: _Version, n: int) -> Item:
    entry = version.note.entries[n]
    return Item(version.keys[n], entry.date.isoformat() if entry.date else "")


def _inserted(now: _Version, side: _Version, new: Sequence[int], order: list[Item]) -> bytes:
    """The bytes of `now` with the entries `new` of `side` where `order` has them."""
    if not new:
        return now.note.data
    left = Counter(now.keys)
    nl = now.note.newline.encode()
    queue: dict[str, list[int]] = {}
    for n in new:
        queue.setdefault(side.keys[n], []).append(n)
    pieces: dict[tuple[int, bool], list[bytes]] = {}
    done = 0
    for item in order:
        if left[item.key] > 0:
            left[item.key] -= 1
            done += 1
        else:
            raw = _raw(side.note, queue[item.key].pop(0), nl)
            pieces.setdefault(_place(now.note, done), []).append(raw)
    out, at = [], 0
    for (where, behind), raws in sorted(pieces.items()):
        out += [now.note.data[at:where], _block(now.note, where, raws, nl, _opening(side.note), behind=behind)]
        at = where
    return b"".join([*out, now.note.data[at:]])


def _opening(note: Note) -> bytes:
    """The heading of the note's history, without its line's end; empty when it has none of its own."""
    named = _named(note)
    return (
        re.split(rb"[\r\n]", note.data[named[-1].start : named[-1].end].lstrip(b"\r\n"), maxsplit=1)[0]
        if named
        else b""
    )


def _raw(note: Note, n: int, nl: bytes) -> bytes:
    span = note.entries[n].span
    raw = note.data[span.start : span.end].rstrip(b" \t\r\n")
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", nl)


def _place(note: Note, done: int) -> tuple[int, bool]:
    """(byte, behind): where an entry goes before which `done` others stand, and whether something stands before it."""
    if done:
        return note.entries[done - 1].span.end, True
    if note.entries:
        return note.entries[0].span.start, False
    if not (named := _named(note)):
        return len(note.data), True
    end = named[-1].end
    bare = len(note.data[:end].rstrip(b" \t\r\n"))
    return min(end, bare + _one_end(note.data, bare)), True


def _named(note: Note) -> list[Span]:
    """The sections that bear a history's name."""
    return [s.span for s in note.sections if plain(s.title) in HISTORY_NAMES]


def _one_end(data: bytes, at: int) -> int:
    return 2 if data[at : at + 2] == b"\r\n" else 1 if data[at : at + 1] in _NLS else 0


def _block(note: Note, where: int, raws: list[bytes], nl: bytes, opening: bytes, *, behind: bool) -> bytes:
    """The bytes of new entries that stand together at `where`, with the blank lines that set them off."""
    tail, after = note.data[:where][-4:], note.data[where:]
    out = b"" if not tail or tail.endswith(_NLS) else nl
    if opening and not note.entries and not _named(note):
        if tail and not _ends_blank(tail + out):
            out += nl
        out += opening + nl + nl
    for n, raw in enumerate(raws):
        if (n or behind) and (not _is_tight(raw) or not note.entries) and not _ends_blank(tail + out):
            out += nl
        out += raw + nl
    follows = after.lstrip(b"\r\n")
    if follows and not after.startswith(_NLS) and not (_is_tight(raws[-1]) and _is_tight(follows)):
        out += nl
    return out


def _is_tight(raw: bytes) -> bool:
    """Whether it is a list item or the row of a table: no blank line belongs between two of them."""
    return raw.startswith(b"|") or _ITEM.match(raw) is not None


def _ends_blank(data: bytes) -> bool:
    return data.endswith((b"\n\n", b"\r\n\r\n", b"\r\r"))
