# ruff: noqa: E501 (tables of lines)
"""The byte promises of head and append, over tidy notes and arbitrary bytes."""

import datetime as dt

from hypothesis import given, settings
from hypothesis import strategies as st

from notes import parse
from notes.writing.edit import EditError, parse_whole, with_entry, with_head
from notes.writing.ledger import dated

_LINES = st.sampled_from(
    [
        "# Title", "## History", "## 2026-09-01", "## 2 Sep 2026: x", "### Sub", "- 2026-09-02: a", "- b", "  more", "lead",
        "", "", "```", "---", "title: T", "===", "> # q", "<!--", "-->", "| a | b |", "|---|---|", "| 2026-09-01 | b |",
        "## Status", "    code", "1. x", "\0", "[a]: b", "\t- tab", "## Changelog", "## [1.0.0] - 2026-01-01", "~~~",
        "**2026-09-02** bold", "* * *", "- - x", "trailing  ", "# 2026-01-01", "## Verlauf", "2. 2026-09-01 x", "<div>",
        "### 2026-09-03 y", "### 2026-09-01 z", "text", "é日本",
    ]
)  # fmt: skip
_ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
_TEXT = st.lists(_LINES, max_size=12)
_NOTE = st.tuples(st.booleans(), _TEXT, _ENDS, st.booleans()).map(
    lambda p: (("\ufeff" if p[0] else "") + p[2].join(p[1]) + (p[2] if p[3] else "")).encode()
)
_BYTES = st.one_of(_NOTE, _NOTE, st.binary(max_size=120))
_SAID = st.one_of(_TEXT.map("\n".join), st.text(max_size=60))
DAY = dt.date(2026, 9, 2)


@given(_BYTES, _SAID, st.sampled_from(["", "a title", "# odd", "2026-01-01 x"]))
@settings(max_examples=600, deadline=None)
def test_append_keeps_every_byte_and_the_old_history(data, text, title):
    note = parse(data)
    try:
        made = with_entry(note, text, DAY, title)
    except EditError:
        return
    at = _difference(data, made.note.data)
    added = len(made.note.data) - len(data)
    assert added > 0
    # The old bytes are the new ones without one inserted run: nothing else changed.
    assert any(data == made.note.data[:k] + made.note.data[k + added :] for k in range(max(0, at - added), at + 1))
    again = parse(made.note.data)
    before = [note.text(e.span).strip() for e in dated(note)]
    after = [again.text(e.span).strip() for e in dated(again)]
    assert len(after) == len(before) + 1
    where = next((n for n, e in enumerate(before) if after[n] != e), len(before))
    assert after[:where] + after[where + 1 :] == before
    # The history before is a prefix (newest first: a suffix) of the history after, byte for byte.
    old = [data[h.start : h.end] for h in note.history]
    new = [made.note.data[h.start : h.end] for h in again.history]
    if old and not made.newest_first and len(old) == len(new) == 1:
        assert new[0].startswith(old[0])
    assert made.entry.date == DAY


@given(_BYTES, _SAID, st.dates(dt.date(2025, 12, 30), dt.date(2026, 9, 4)))
@settings(max_examples=600, deadline=None)
def test_an_entry_among_others_keeps_every_byte_and_their_order(data, text, day):
    note = parse(data)
    try:
        made = with_entry(note, text, day, in_order=True)
    except EditError:
        return
    at = _difference(data, made.note.data)
    added = len(made.note.data) - len(data)
    assert any(data == made.note.data[:k] + made.note.data[k + added :] for k in range(max(0, at - added), at + 1))
    before = [(e.date, note.text(e.span).strip()) for e in dated(note)]
    after = [(e.date, made.note.text(e.span).strip()) for e in dated(made.note)]
    where = next((n for n, e in enumerate(before) if after[n] != e), len(before))
    assert after[:where] + after[where + 1 :] == before
    assert after[where][0] == made.entry.date == day


@given(_NOTE, _SAID)
@settings(max_examples=300, deadline=None)
def test_an_entry_read_back_and_appended_again_stays_one_entry(data, text):
    try:
        first = with_entry(parse(data), text, DAY, "t")
        note = parse(first.note.data)
        second = with_entry(note, note.text(first.entry.span), DAY, "t")
        third = with_entry(parse(second.note.data), parse(second.note.data).text(second.entry.span), DAY, "t")
    except EditError:
        return
    counts = [len(dated(parse(d))) for d in (data, first.note.data, second.note.data, third.note.data)]
    assert counts == list(range(counts[0], counts[0] + 4))


@given(_BYTES, _SAID)
@settings(max_examples=600, deadline=None)
def test_head_changes_the_head_and_nothing_else(data, text):
    note = parse_whole(data)
    try:
        new = with_head(note, text).data
    except EditError:
        return
    assert new.startswith(data[: note.head.start])
    tail = data[note.head.end :]
    assert new.endswith(tail)
    again = parse_whole(new)
    normal = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip(" \t\n")
    assert again.text(again.head).replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip(" \t\n") == normal
    # A closing fence at the end of the file gets its line end only now; the front matter is the same.
    assert again.text(again.front).rstrip() == note.text(note.front).rstrip()
    assert (again.bom, again.title) == (note.bom, note.title)
    assert [again.text(e.span) for e in again.entries] == [note.text(e.span) for e in note.entries]
    if note.head.start < note.head.end and normal:
        # Giving the old head back gives the old bytes back.
        old = note.text(note.head)
        if again.newline == note.newline and _one_kind(old, note.newline):
            assert with_head(again, old).data == data


def _one_kind(text: str, newline: str) -> bool:
    rest = text.replace(newline, "")
    return "\r" not in rest and "\n" not in rest


def _difference(a: bytes, b: bytes) -> int:
    return next((n for n in range(min(len(a), len(b))) if a[n] != b[n]), min(len(a), len(b)))
