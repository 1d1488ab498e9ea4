"""What the product says to the golden cases is what tests/golden/ says, and a change of it is shown."""

import pytest

from bench.golden.__main__ import main
from bench.golden.compare import report
from bench.golden.lines import full, line_of


@pytest.mark.timeout(900)  # half a minute of work; how long a busy machine takes for it says nothing
def test_the_product_says_what_the_golden_files_say(capsys, monkeypatch):
    monkeypatch.delenv("LADDER_DATA", raising=False)
    code = main(["check"])
    shown = capsys.readouterr().out
    assert code == 0, f"{shown}\nmeant? then `python -m bench.golden write`, and look at the diff"


def record(case="a", **parts):
    notes = [["kiln", 2.5, {"words": 1.0, "name": 1.5}], ["relay", 1.0, {"words": 1.0}]]
    return full(case, {"notes": notes, "block 300": [12, "one\ntwo"], "may speak": False, **parts})


def test_a_line_shows_the_first_notes_and_holds_digests_of_the_rest():
    line = line_of(record())
    assert line["notes"] == [["kiln", 2.5], ["relay", 1.0]]
    assert set(line["digests"]) == {"notes", "block 300"}
    assert "may speak" not in line


def test_the_last_bits_of_a_number_are_not_kept():
    first, second = record(likelihood=0.1 + 0.2), record(likelihood=0.3)
    assert first != second
    assert line_of(first) == line_of(second)
    assert line_of(record(likelihood=0.3001)) != line_of(second)


def test_a_changed_ranking_is_shown_old_and_new():
    changed = record(notes=[["relay", 2.75, {"words": 2.75}], ["kiln", 2.5, {"words": 1.0, "name": 1.5}]])
    shown, _ = report("group", [line_of(record())], [line_of(changed)])
    assert shown[0] == "group: a: notes"
    assert '    notes: +["relay",2.75]' in shown
    assert '    notes: -["relay",1.0]' in shown


def test_a_changed_digest_names_the_part_and_full_records_explain_it():
    changed = record(**{"block 300": [12, "one\nthree"]})
    assert report("group", [line_of(record())], [line_of(changed)]) == (["group: a: block 300"], 1)
    shown, _ = report("group", [record()], [changed])
    assert any("three" in line for line in shown[1:])


def test_every_case_that_differs_is_named_and_no_other():
    old = [line_of(record(str(i))) for i in range(60)]
    new = [line_of(record(str(i), likelihood=0.9) if i % 2 else record(str(i))) for i in range(60)]
    shown, count = report("group", old, new)
    assert count == 30
    named = [line.split(": ")[1] for line in shown if not line.startswith(" ")]
    assert sorted(map(int, named)) == list(range(1, 60, 2))


def test_cases_that_come_go_or_change_places_are_told():
    one, two = line_of(record("one")), line_of(record("two"))
    assert report("group", [one], [one, two]) == (["group: two: is new"], 1)
    assert report("group", [one, two], [two]) == (["group: one: is gone"], 1)
    assert report("group", [one, two], [two, one]) == (["group: the cases stand in another order"], 0)
    assert report("group", [one, two], [one, two]) == ([], 0)
