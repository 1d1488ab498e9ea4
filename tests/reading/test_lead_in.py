import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.indexing.token_counts import count
from ladder.reading.answer import answer
from ladder.reading.lead_in import leads_on


@pytest.mark.parametrize(
    "text",
    [
        "This means:",
        "It gave up too much control.\nThe modal was dropped for this reason:",
        "**Two things follow:**",
        "_Seen on staging_:",
        "原因\uff1a",
        "**Status: FIXED**",
        "| File | Status |\n|---|---|",
        "| File | Status |\r\n| :-- | --: |\r\n",
    ],
)
def test_what_only_leads_on(text):
    assert leads_on(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "The canary aborted.",
        "**Status:** fixed, **port** 8081",
        "**bold** and **bold**",
        "| 2026-02-15 | 12.4 | share |",
        "| File | Status |\n|---|---|\n| a.py | done |",
        "```python\nif x:\n```",
        "- a list: of one",
        "",
    ],
)
def test_what_says_something_by_itself(text):
    assert not leads_on(text.encode())


NOTE = """# Canary

## Abort

The canary aborted for these reasons:

- The readiness probe asked port 8081.

It went on after a day of rest.

## Odd

The canary leads nowhere here:
"""


def block_of(tmp_path, ask, text, budget):
    build_from_bytes({"canary": text.encode()}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        return answer(index, ask("why was the canary aborted, which reasons?"), budget, read=lambda _: text.encode())


def test_what_leads_on_brings_what_follows(tmp_path, ask):
    block = block_of(tmp_path, ask, NOTE, 35)
    assert block.text.endswith(
        "#abort\nThe canary aborted for these reasons:\n\n- The readiness probe asked port 8081."
    )
    assert [NOTE[span.start : span.end] for span in block.spans] == [
        "The canary aborted for these reasons:\n\n- The readiness probe asked port 8081."
    ]
    assert count(block.text) <= 35


def test_it_is_left_out_where_both_do_not_fit_and_shown_alone_at_the_end_of_a_section(tmp_path, ask):
    long = NOTE.replace("asked port 8081", "asked port 8081 " * 40)
    block = block_of(tmp_path, ask, long, 60)
    assert "these reasons" not in block.text
    assert "The canary leads nowhere here:" in block.text


def test_each_paragraph_is_shown_once(tmp_path, ask):
    block = block_of(tmp_path, ask, NOTE, 400)
    assert block.text.count("8081") == block.text.count("these reasons") == 1
    assert block.text.index("these reasons") < block.text.index("8081") < block.text.index("day of rest")
