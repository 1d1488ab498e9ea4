"""Zones, sections and entries of small notes, as triples: title, the note, what is expected of it.

A line of what is expected is `number zone slug: first line of the section`, or `entry slug: its first line`.
"""

import pytest

from notes import parse

GOLDEN = [
    (
        "r1_a_comment_in_a_fence_is_no_heading",
        "# Real\n\n```python\n# c\nx\n```\nafter\n",
        ["1 head real: # Real"],
    ),
    (
        "r4_setext_headings",
        "Title\n=====\nSub\n---\n",
        ["1 head title: Title", "2 body sub: Sub"],
    ),
    (
        "r7_two_headings_of_one_title",
        "# Foo\n1\n# Foo\n2\n",
        ["1 head foo: # Foo", "2 body foo-1: # Foo"],
    ),
    (
        "r11_byte_order_mark_before_front_matter",
        "\ufeff---\ntitle: T\n---\n# A\n",
        ["1 head a: \ufeff---"],
    ),
    (
        "history_by_name_with_dated_items",
        "# N\nlead\n\n## How\nx\n\n## History\n- 2026-09-01: a\n  more\n- 2026-09-02: b c\n",
        [
            "1 head n: # N",
            "2 body how: ## How",
            "3 history history: ## History",
            "entry 2026-09-01-a: - 2026-09-01: a",
            "entry 2026-09-02-b-c: - 2026-09-02: b c",
        ],
    ),
    (
        "history_by_dated_siblings_with_all_under_them",
        "# N\n\n## Use\nu\n\n## 2026-09-02\na\n### More\nb\n\n## 3 Sep 2026: canary abort\nc\n",
        [
            "1 head n: # N",
            "2 body use: ## Use",
            "3 history 2026-09-02: ## 2026-09-02",
            "4 history more: ### More",
            "5 history 2026-09-03-canary-abort: ## 3 Sep 2026: canary abort",
            "entry 2026-09-02: ## 2026-09-02",
            "entry 2026-09-03-canary-abort: ## 3 Sep 2026: canary abort",
        ],
    ),
    (
        "one_dated_heading_alone_is_body",
        "# N\nl\n\n## 2026-09-02\na\n\n## Use\nu\n",
        ["1 head n: # N", "2 body 2026-09-02: ## 2026-09-02", "3 body use: ## Use"],
    ),
    (
        "changelog_by_title_with_versions",
        "# Changelog\n\nAll changes.\n\n## [Unreleased]\n- x\n\n## [1.2.0] - 2026-09-02\n### Breaking\n- y\n",
        [
            "1 head changelog: # Changelog",
            "2 history unreleased: ## [Unreleased]",
            "3 history 2026-09-02-1-2-0: ## [1.2.0] - 2026-09-02",
            "4 history breaking: ### Breaking",
            "entry unreleased: ## [Unreleased]",
            "entry 2026-09-02-1-2-0: ## [1.2.0] - 2026-09-02",
        ],
    ),
    (
        "a_log_by_title_is_none_for_the_dates_in_a_history_of_its_own",
        "# Run log\nl\n\n## Run 1\na\n\n## History\n\n### 2026-09-02\nb\n",
        [
            "1 head run-log: # Run log",
            "2 body run-1: ## Run 1",
            "3 history history: ## History",
            "4 history 2026-09-02: ### 2026-09-02",
            "entry 2026-09-02: ### 2026-09-02",
        ],
    ),
    (
        "first_section_named_as_a_state_is_the_head",
        "# N\n\n## Current state\nall good\n\n## How\nx\n",
        ["1 head n: # N", "2 head current-state: ## Current state", "3 body how: ## How"],
    ),
    (
        "lead_and_state_together_are_the_head",
        "# N\nabout\n\n## Status\nall good\n\n## How\nx\n",
        ["1 head n: # N", "2 head status: ## Status", "3 body how: ## How"],
    ),
    (
        "a_later_section_named_as_a_state_is_body",
        "# N\nabout\n\n## How\nx\n\n## Status\ngood\n",
        ["1 head n: # N", "2 body how: ## How", "3 body status: ## Status"],
    ),
    (
        "dated_list_in_the_lead_is_split_off",
        "# N\nabout\n\n- 2026-09-01: a\n- 2026-09-02: b\n\n## How\nx\n",
        [
            "1 head n: # N",
            "2 history history: - 2026-09-01: a",
            "3 body how: ## How",
            "entry 2026-09-01-a: - 2026-09-01: a",
            "entry 2026-09-02-b: - 2026-09-02: b",
        ],
    ),
    (
        "headings_in_quotes_lists_and_comments_are_none",
        "> # q\n\n- # li\n\n<!--\n# no\n-->\n## Yes\n",
        ["1 head head: > # q", "2 body yes: ## Yes"],
    ),
    (
        "german_history_with_months_as_containers",
        "# N\nl\n## Verlauf\n### September 2026\n- 1. September 2026: a\n- 2. Sept. 2026: b\n",
        [
            "1 head n: # N",
            "2 history verlauf: ## Verlauf",
            "3 history september-2026: ### September 2026",
            "entry 2026-09-01-a: - 1. September 2026: a",
            "entry 2026-09-02-b: - 2. Sept. 2026: b",
        ],
    ),
    (
        "daily_notes_at_level_one_have_no_title",
        "# 2026-09-01\na\n# 2026-09-02\nb\n",
        [
            "1 history 2026-09-01: # 2026-09-01",
            "2 history 2026-09-02: # 2026-09-02",
            "entry 2026-09-01: # 2026-09-01",
            "entry 2026-09-02: # 2026-09-02",
        ],
    ),
    (
        "table_rows_under_a_history_name",
        "# N\nl\n## Revision history\n| Date | What |\n|---|---|\n| 2026-09-01 | a |\n| 2026-09-02 | b |\n",
        [
            "1 head n: # N",
            "2 history revision-history: ## Revision history",
            "entry 2026-09-01-a: | 2026-09-01 | a |",
            "entry 2026-09-02-b: | 2026-09-02 | b |",
        ],
    ),
    (
        "japanese_history",
        "# N\n要点\n## 変更履歴\n### 2026年9月2日 修正\na\n",
        [
            "1 head n: # N",
            "2 history 変更履歴: ## 変更履歴",
            "3 history 2026-09-02-修正: ### 2026年9月2日 修正",
            "entry 2026-09-02-修正: ### 2026年9月2日 修正",
        ],
    ),
    ("empty_file", "", ["1 head head: "]),
    ("no_heading_at_all", "only a lead\n", ["1 head head: only a lead"]),
    (
        "carriage_returns_alone",
        "# A\rlead\r\r## B\rx\r",
        ["1 head a: # A", "2 body b: ## B"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in GOLDEN], ids=[case[0] for case in GOLDEN])
def test_golden(text, expected):
    note = parse(text.encode("utf-8"))
    lines = [f"{s.number} {s.zone} {s.slug}: {_first_line(note.text(s.span))}" for s in note.sections]
    lines += [f"entry {e.slug}: {_first_line(note.text(e.span))}" for e in note.entries]
    assert lines == expected


def _first_line(text):
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[0]


@pytest.mark.parametrize(
    ("path", "text", "days"),
    [
        ("Daily/2026-11-29.md", "## Tasks\n- a\n## Notes\nb\n", ["2026-11-29"] * 2),
        ("Daily/30.11.2026.md", "text\n", ["2026-11-30"]),
        ("Daily/30.11.2026", "text\n", ["2026-11-30"]),  # as an index names it
        ("a.md", "# 28 November 2026\n\nx\n\n## Talk\n\ny\n\n## 2026-11-27 late\n\nz\n",
         ["2026-11-28", "2026-11-28", "2026-11-27"]),
        ("2026-08-planning.md", "x\n", [None]),  # a month is no day
        ("a.md", "# 2026\n\nx\n", [None]),
    ],
)  # fmt: skip
def test_a_note_that_bears_a_day_for_its_name_is_of_that_day(path, text, days):
    note = parse(text.encode(), path)
    assert [str(s.date) if s.date else None for s in note.sections] == days
    assert {p.date for p in note.paragraphs} <= {s.date for s in note.sections}


def test_a_title_from_the_files_name_keeps_its_dots():
    assert parse(b"x\n", "Daily/30.11.2026").title == "30.11.2026"
    assert parse(b"x\n", "notes/v1.2.MD").title == "v1.2"
