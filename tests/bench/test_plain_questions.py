"""The bench of plain questions, on notes made here: what it counts was worked out by hand."""

import hashlib
import json

import pytest

from bench.corpus.cache import Keep
from bench.corpus.snapshot import World
from bench.tasks.plain_questions import asked, digits, load, rates, table

NOTES = {
    "ops/rollback": b"# Rollback\n\nThe canary aborts the rollout when the error budget is spent.\n",
    "ops/harbour": b"# Harbour\n\nThe valve is checked every week by the crew of the tug.\n",
    "garden": b"# Garden\n\nTomatoes want water in the morning.\n",
}
LINE = "The canary aborts the rollout when the error budget is spent."
ROWS = [
    {"corpus": "c", "kind": "direct", "question": "when does the canary abort the rollout?", "note": "ops/rollback.md",
     "line": hashlib.sha256(LINE.encode()).hexdigest()[:16], "also": []},
    {"corpus": "c", "kind": "vague", "question": "zzz qqq?", "note": "garden",
     "line": digits("Tomatoes want water in the morning.")},
    {"corpus": "c", "kind": "needless", "question": "please commit that"},
]  # fmt: skip


def file_of(tmp_path, rows):
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "\n", encoding="utf-8")
    return path


def run(tmp_path, rows):
    world = World(NOTES, Keep(tmp_path / "keep"))
    return asked(load(file_of(tmp_path, rows)), lambda name: world)


def test_what_is_found_counts_and_what_is_not_does_not(tmp_path):
    (direct, vague, needless), gone = run(tmp_path, ROWS)
    assert gone == []
    assert direct.values == {
        "note first": 1, "note in 5": 1, "line in 300": 1, "line in 600": 1, "line in 1,000": 1,
        "hook speaks": 1, "hook names": 1, "hook carries": 1,
    }  # fmt: skip
    assert set(vague.values.values()) == {0}
    assert needless.values == {"hook speaks": 0}


def test_a_line_that_is_gone_is_no_question(tmp_path):
    found, gone = run(tmp_path, [{**ROWS[0], "line": "0" * 16}])
    assert found == []
    assert gone == ["c: ops/rollback has no line that answers 'when does the canary abort the rollout?'"]


def test_another_note_or_line_that_answers_counts_too(tmp_path):
    other = {**ROWS[0], "note": "garden", "line": ROWS[1]["line"], "also": [["ops/rollback.md", ROWS[0]["line"]]]}
    (found,), _ = run(tmp_path, [other])
    assert found.values["note first"] == 1
    assert found.values["line in 300"] == 1


def test_a_line_that_is_no_question_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"q\.jsonl:2: a question that is not needless has a note and a line"):
        load(file_of(tmp_path, [ROWS[0], {**ROWS[2], "kind": "vague"}]))
    with pytest.raises(ValueError, match=r"q\.jsonl:1: KeyError: 'kind'"):
        load(file_of(tmp_path, [{"corpus": "c", "question": "?"}]))


def test_the_table_has_every_kind_with_its_own_figures(tmp_path):
    found, _ = run(tmp_path, ROWS)
    lines = table(found)
    assert lines[0].startswith("| direct | n | note first | note in 5 | line in 300 |")
    assert "| all | 1 | 100.0 (" in lines[2]
    assert [line for line in lines if line.startswith("| needless")] == ["| needless | n | hook speaks |"]
    assert rates([each for each in found if each.kind == "vague"])["note in 5"].value == 0
