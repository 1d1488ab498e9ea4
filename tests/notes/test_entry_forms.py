"""A new entry takes the form of those that are there; each result was written down by hand."""

import datetime as dt

import pytest

from notes import parse
from notes.writing.contain import CannotContainError, contain
from notes.writing.edit import EditError, parse_whole, with_entry, with_head

DAY = dt.date(2026, 9, 2)

FORMS = [
    ("a_list", "## Log\n\n- 2026-09-01: a\n", "- 2026-09-02: x\n"),
    ("a_list_with_stars_and_body_behind", "## Log\n\n* 2026-09-01 a\n\n## Body\n\nb\n", "* 2026-09-02: x\n"),
    ("a_numbered_list", "## Log\n\n1. 2026-09-01 a\n2. 2026-09-01 b\n", "3. 2026-09-02: x\n"),
    ("deeper_headings", "## Log\n\n#### 2026-09-01\n\na\n", "\n#### 2026-09-02\n\nx\n"),
    ("headings_without_a_name_over_them", "## 2026-08-01\n\na\n\n## 2026-09-01\n\nb\n", "\n## 2026-09-02\n\nx\n"),
    ("a_table", "## Log\n\n| Date | What |\n|---|---|\n| 2026-09-01 | a |\n", "\n- 2026-09-02: x\n"),
    ("paragraphs", "## Log\n\n**2026-09-01** a\n", "\n- 2026-09-02: x\n"),
    ("a_history_without_entries", "## Verlauf\n", "\n### 2026-09-02\n\nx\n"),
    ("no_history", "## Body\n\nb\n", "\n## History\n\n### 2026-09-02\n\nx\n"),
]


@pytest.mark.parametrize(("text", "added"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS])
def test_form(text, added):
    data = b"# T\n\nhead\n\n" + text.encode()
    made = with_entry(parse(data), "x", DAY)
    at = data.index(b"\n## Body") if b"\n## Body\n\nb" in data and b"Log" in data else len(data)
    assert made.note.data == data[:at] + added.encode() + data[at:]


def test_newest_first_grows_at_its_front():
    data = b"# Changelog\n\n## [Unreleased]\n\n## [1.1] - 2026-08-02\n\n- b\n\n## [1.0] - 2026-08-01\n\n- a\n"
    made = with_entry(parse(data), "x", DAY, "1.2")
    assert made.newest_first
    assert made.note.data == data.replace(b"## [1.1]", b"## 2026-09-02 1.2\n\nx\n\n## [1.1]")
    listed = b"# T\n\n## Log\n\n- 2026-08-02: b\n- 2026-08-01: a\n"
    assert with_entry(parse(listed), "x", DAY).note.data == listed.replace(
        b"- 2026-08-02", b"- 2026-09-02: x\n- 2026-08-02"
    )


ITEMS = "# T\n\n## Log\n\n- 2026-08-01: a\n- 2026-08-20: b\n  more\n- 2026-09-03: c\n\n## Body\n\nz\n"
FIRST = "# T\n\n## Log\n\n- 2026-09-03: c\n- 2026-08-20: b\n- 2026-08-01: a\n\n## Body\n\nz\n"
UNDER = "# T\n\n## History\n\n### 2026-08-01\n\na\n\n### 2026-09-03\n\nc\n"
ROWS = "# T\n\n## Log\n\n**2026-08-01** a\n\n**2026-09-03** c\n"
TABLE = "# T\n\n## Log\n\n| Date | What |\n|---|---|\n| 2026-08-01 | a |\n| 2026-09-03 | c |\n"


@pytest.mark.parametrize(
    ("note", "before", "added"),
    [
        (ITEMS, "- 2026-09-03", "- 2026-09-02: x\n"),
        (ITEMS.replace("2026-09-03", "2026-09-02"), "\n## Body", "- 2026-09-02: x\n"),  # after that of the same day
        (ITEMS.replace("2026-08-20", "2026-09-02"), "- 2026-09-03", "- 2026-09-02: x\n"),
        (ITEMS.replace("2026-08", "2026-10").replace("2026-09", "2026-11"), "- 2026-10-01", "- 2026-09-02: x\n"),
        (ITEMS.replace("\n- 2026-08-20", "\n\n- 2026-08-20"), "- 2026-09-03", "- 2026-09-02: x\n"),
        (ITEMS.replace("\n", "\r\n"), "- 2026-09-03", "- 2026-09-02: x\r\n"),
        (FIRST, "- 2026-08-20", "- 2026-09-02: x\n"),
        (FIRST.replace("2026-08-20", "2026-09-02"), "- 2026-09-02", "- 2026-09-02: x\n"),  # before that of the same day
        (FIRST.replace("2026-0", "2027-0"), "\n## Body", "- 2026-09-02: x\n"),
        (UNDER, "### 2026-09-03", "### 2026-09-02\n\nx\n\n"),
        (UNDER.replace("-08-01", "-10-01").replace("-09-03", "-10-03"), "### 2026-10-01", "### 2026-09-02\n\nx\n\n"),
        (UNDER.replace("\n### 2026-09-03\n\nc\n", ""), "", "\n### 2026-09-02\n\nx\n"),
        ("# T\n\n## History\n\n### 2026-09-03\n\nc\n", "### 2026-09-03", "### 2026-09-02\n\nx\n\n"),
        (ROWS, "\n**2026-09-03**", "\n- 2026-09-02: x\n"),
        (TABLE, "", "\n- 2026-09-02: x\n"),  # a table has no room for an entry
    ],
)
def test_an_entry_of_an_earlier_day_stands_among_the_others(note, before, added):
    data = note.encode()
    made = with_entry(parse(data), "x", DAY, in_order=True)
    at = data.index(before.encode()) if before else len(data)
    assert made.note.data.decode() == (data[:at] + added.encode() + data[at:]).decode()
    assert made.entry.date == DAY


def test_an_item_holds_lists_code_and_headings_by_indenting_them():
    data = b"# T\n\n## Log\n\n- 2026-09-01: a\n"
    made = with_entry(parse(data), "first\n\n- 2026-01-01 inner\n\n# heading\n\n```\n## code\n```", DAY)
    assert made.note.data.endswith(
        b"- 2026-09-02: first\n\n  - 2026-01-01 inner\n\n  # heading\n\n  ```\n  ## code\n  ```\n"
    )
    assert len(made.note.entries) == 2
    code = with_entry(parse(data), "    indented code", DAY)
    assert code.note.data.endswith(b"- 2026-09-02\n\n      indented code\n")


@pytest.mark.parametrize(
    ("text", "contained"),
    [
        ("# a", "\\# a"),
        ("#### a", "#### a"),
        ("a\n===", "a\n\\==="),
        ("a\nb\n---", "a\nb\n\\---"),
        ("a\n\n---", "a\n\n---"),
        ("```\n# a\n```", "```\n# a\n```"),
        ("```\n# a", "```\n# a\n```"),
        ("~~~~ py\nx", "~~~~ py\nx\n~~~~"),
        ("<!-- a", "<!-- a\n-->"),
        ("<pre>\na", "<pre>\na\n</pre>"),
        ("- # in a list", "- # in a list"),
        ("> # in a quote", "> # in a quote"),
        ("## 2026-01-01 looks like an entry", "\\## 2026-01-01 looks like an entry"),
        ("  ## indented", "  \\## indented"),
    ],
)
def test_contain(text, contained):
    assert contain(text, 3) == contained
    assert contain(contained, 3) == contained


def test_too_many_headings_are_refused():
    with pytest.raises(CannotContainError):
        contain("# a\n" * 300, 3)
    with pytest.raises(EditError):
        with_entry(parse(b"# T\n"), "# a\n" * 300, DAY)


@pytest.mark.parametrize("text", ["## a heading", "x\n\n## History\n", "- 2026-01-01 a\n- 2026-01-02 b", "```\nopen"])
def test_a_head_that_would_not_stay_one_is_refused(text):
    with pytest.raises(EditError, match="would not stay the head"):
        with_head(parse_whole(b"# T\n\nold\n\n## Body\n\nb\n"), text)


def test_a_head_that_is_a_section_is_replaced_below_its_heading():
    data = b"# T\n\n## Status\n\nold\n\n## Body\n"
    assert with_head(parse_whole(data), "new").data == b"# T\n\n## Status\n\nnew\n\n## Body\n"


def test_lead_and_state_are_replaced_together():
    data = b"# T\n\nabout\n\n## Status\n\nold\n\n## Body\n"
    note = parse_whole(data)
    assert note.text(note.head) == "about\n\n## Status\n\nold"
    assert with_head(note, "about\n\n## Status\n\nnew").data == data.replace(b"old", b"new")


def test_a_head_over_budget_is_replaced_whole():
    long = "\n\n".join(["word " * 300] * 3).encode()
    data = b"# T\n\n" + long.rstrip() + b"\n\n## Body\n"
    assert [s.title for s in parse(data).sections] == ["T", "(lead)", "Body"]
    assert with_head(parse_whole(data), "short").data == b"# T\n\nshort\n\n## Body\n"


def test_nothing_to_append_is_refused():
    with pytest.raises(EditError, match="nothing to append"):
        with_entry(parse(b"# T\n"), " \n", DAY)


def test_large_blocks_are_cut_into_pieces_at_line_ends():
    table = "| a | b |\n|---|---|\n" + "".join(f"| {n} | {'x' * 90} |\n" for n in range(40))
    code = "```\n" + "y" * 3000 + "\nshort\n" * 400 + "```\n"
    note = parse(f"# T\n\n{table}\n{code}".encode())
    assert len(note.paragraphs) > 6
    for p in note.paragraphs:
        assert p.span.end - p.span.start <= 3100
        assert note.data[p.span.start - 1 : p.span.start] == b"\n"
    joined = "".join(note.text(p.span) for p in note.paragraphs).replace("\n", "")
    assert joined == (table + code).replace("\n", "")


@pytest.mark.parametrize(
    ("entry", "heading", "text"),
    [
        ("## 2026-09-01: disk full\nswapped it\n", "## 2026-09-02: fan dead", "\nx\n"),
        ("## 2026-09-01 - disk full\n\nswapped it\n", "## 2026-09-02 - fan dead", "\n\nx\n"),
        ("## 2026-09-01 \u2014 disk full\n\nswapped it\n", "## 2026-09-02 \u2014 fan dead", "\n\nx\n"),
        ("## 2026-09-01 disk full\nswapped it\n", "## 2026-09-02 fan dead", "\nx\n"),
        ("## 2026-09-01\n\nswapped it\n", "## 2026-09-02 fan dead", "\n\nx\n"),
    ],
)
def test_a_heading_is_written_as_those_that_are_there(entry, heading, text):
    made = with_entry(parse(f"# Log\n\n{entry}".encode()), "x", DAY, "fan dead")
    assert made.note.data.decode().endswith(f"\n\n{heading}{text}")
    assert made.entry.date == DAY
