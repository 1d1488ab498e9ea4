"""A paragraph that does not fit is shown in part: the lines that hold what was asked."""

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.reading.answer import CUT, answer
from ladder.reading.excerpt import excerpt

LINES = [f"- rule {number}: keep the {word} in the blue folder" for number, word in enumerate("abcdefghij", 10)]
LINES[6] = "- rule 16: the relay listens on port 7443, never on 443"
TEXT = "\n".join(LINES).encode()
ASKED = {"relay": 2.0, "port": 1.0, "folder": 0.1}


def shown(text, room, weights=ASKED):
    runs, price = excerpt(text, len(text) // 4, weights, room)
    return [text[start:end].decode() for start, end in runs], price


def test_the_line_that_holds_what_was_asked():
    lines, price = shown(TEXT, 60)
    assert lines == [LINES[6]]
    assert price <= 60


def test_no_run_that_fits_holds_most_of_it():
    assert shown(TEXT, 12) == ([], 0)
    apart = "\n".join(["relay", *["x" * 40] * 20, "port"]).encode()
    assert shown(apart, 40, {"relay": 1.0, "port": 1.0})[0] == []


def test_nothing_of_what_was_asked_stands_there():
    assert shown(b"- one\n- two\n- three", 50) == ([], 0)


def test_a_table_keeps_its_head():
    rows = [f"| host{number} | {number} |" for number in range(20)]
    table = "\n".join(["| host | port |", "|---|---|", *rows, "| relay | 7443 |"]).encode()
    lines, _ = shown(table, 80, {"relay": 1.0})
    assert lines == ["| host | port |\n|---|---|", "| relay | 7443 |"]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_other_line_ends(ending):
    assert shown(TEXT.replace(b"\n", ending.encode()), 60)[0] == [LINES[6]]


def test_the_answer_shows_it_with_marks_where_lines_are_left_out(tmp_path):
    note = "# Network\n\n```\n" + "\n".join(LINES) + "\n```\n"
    build_from_bytes({"net": note.encode(), "other": b"# Other\n\nThe folder is blue.\n"}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        asked = query(Context("which port does the relay use?"))
        block = answer(index, asked, 60, read=lambda n: [note.encode(), b""][n])
    assert block.text.split("\n")[1:] == [CUT, LINES[6], CUT]
    assert block.tokens <= 60
    [span] = block.spans
    assert note.encode()[span.start : span.end].decode() == LINES[6]
