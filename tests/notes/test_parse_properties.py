# ruff: noqa: E501 (tables of lines)
"""What holds for every file: sections are the file, slugs are unique, paragraphs do not overlap, nothing is quadratic."""

import pytest
from counted import lines_run
from hypothesis import given, settings
from hypothesis import strategies as st

from notes import Zone, parse

_LINES = st.sampled_from(
    [
        b"# Title", b"## History", b"## 2026-09-01", b"## 2 Sep 2026: x", b"### Sub", b"- 2026-09-02: a", b"- b", b"  more",
        b"lead", b"", b"```", b"# in fence?", b"---", b"title: T", b"===", b"> # q", b"<!--", b"-->", b"| a | b |", b"|---|---|",
        b"## Status", b"    code", b"1. x", b"\xef\xbb\xbf", b"\x00", b"\xff\xfe", b"[a]: b", "# é".encode(), b"\t- tab", b"\\# no",
        b"## Log", b"text " * 90, b"- item " * 80, b"+++", b"## [1.0.0] - 2026-01-01", b"**2026-09-02** bold", b"* * *", b"- - x",
    ]
)  # fmt: skip
_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n"])
_MARKDOWN = st.lists(st.tuples(_LINES, _ENDS), max_size=25).map(lambda parts: b"".join(a + b for a, b in parts))
_FILES = st.one_of(
    _MARKDOWN,
    _MARKDOWN.map(bytes.rstrip),
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace")),
)


@given(_FILES, st.sampled_from([0, 3, 400]))
@settings(max_examples=400, deadline=None)
def test_every_file_is_divided_without_loss(data, budget):
    note = parse(data, "x.md", head_budget=budget)
    assert b"".join(data[s.span.start : s.span.end] for s in note.sections) == data
    assert [s.number for s in note.sections] == list(range(1, len(note.sections) + 1))
    assert note.sections[0].span.start == 0
    for a, b in zip(note.sections, note.sections[1:], strict=False):
        assert a.span.end == b.span.start
    assert all(s.span.start < s.span.end for s in note.sections) or len(note.sections) == 1
    slugs = [s.slug for s in note.sections]
    assert len(set(slugs)) == len(slugs)
    starts = {s.span.start: s.slug for s in note.sections}
    for entry in note.entries:
        if entry.slug in slugs:
            assert starts[entry.span.start] == entry.slug
    assert len({e.slug for e in note.entries}) == len(note.entries)
    at = 0
    for entry in note.entries:
        assert at <= entry.span.start < entry.span.end
        at = entry.span.end
        assert any(h.start <= entry.span.start and entry.span.end <= h.end for h in note.history)
    for a, b in zip(note.history, note.history[1:], strict=False):
        assert a.end < b.start
    at = 0
    for p in note.paragraphs:
        assert at <= p.span.start < p.span.end
        at = p.span.end
        section = note.sections[p.section - 1].span
        assert section.start <= p.span.start
        assert p.span.end <= section.end
        assert p.span.start >= note.front.end
        assert (p.zone == Zone.HISTORY) == any(h.start <= p.span.start < h.end for h in note.history)
    assert 0 <= note.front.start <= note.front.end <= note.head.start <= note.head.end <= len(data)
    assert not any(h.start < note.head.end and note.head.start < h.end for h in note.history)


#: Texts of a size, each of which took the square of it once.
GROWING = {
    "dated sections": lambda n: b"# T\n" + b"## 2026-09-02\nx\n" * n,
    "dated items": lambda n: b"# T\n## Log\n" + b"- 2026-09-02: x\n" * n,
    "equal headings": lambda n: b"# T\n" + b"## Rollout log\n" * n,
    "one line": lambda n: b"x " * (30 * n),
    "items": lambda n: b"# T\n" + b"- item\n" * (2 * n),
    "nested items": lambda n: b"- " * 500 + b"x\n" * (6 * n),
    "fences": lambda n: b"```\n" * (4 * n + 1),
    "carriage returns": lambda n: b"\r" * (20 * n),
}


@pytest.mark.parametrize("made", GROWING.values(), ids=GROWING)
def test_work_grows_with_the_size(made):
    _, small = lines_run(parse, made(300))
    note, large = lines_run(parse, made(1200))
    assert note.paragraphs or note.sections
    assert large < 5 * small + 1000
    assert parse(made(15_000)).sections, "of a quadratic step in C a test of this size would not end"
