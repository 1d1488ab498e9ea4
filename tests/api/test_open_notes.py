"""Ladder from Python: `open_notes`, what its calls return, and what they raise."""

import datetime as dt
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ladder
from ladder import Ambiguous, NoSuchNote, NoSuchSection, open_notes
from ladder.index.format import IndexBroken
from ladder.lean.paths import index_file
from notes import SettingsError
from notes.writing.store import StoreError

ROLLBACK = (
    "# Rollback\n\nUndo the rollout within 4 minutes.\n\n## Procedure\n\nFreeze the queue, then undo.\n\n"
    "## History\n\n- 2026-08-30: the canary aborted on port 8081\n"
)
LONG = "# Alerts\n\nWho is paged.\n\n" + "".join(
    f"## Rule {n}\n\n{'A rule that pages the captain. ' * 12}\n\n" for n in range(20)
)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "notes" / "ops").mkdir(parents=True)
    (tmp_path / "notes" / "rollback.md").write_text(ROLLBACK, encoding="utf-8", newline="")
    (tmp_path / "notes" / "alerts.md").write_text(LONG, encoding="utf-8", newline="")
    (tmp_path / "ladder.toml").write_text('folders = ["notes"]\n', encoding="utf-8")
    return tmp_path


def test_the_three_rungs_and_an_answer(project):
    notes = open_notes(project)
    (found,) = notes.suggest("how do I undo a rollout?")
    assert (found.note, found.title, found.sections) == ("rollback", "Rollback", 3)
    assert Path(found.path) == project / "notes" / "rollback.md"
    assert 0 < found.head < found.cost
    assert "undo" in found.why
    rows = notes.map("rollback", "freeze the queue").rows
    assert [row.slug for row in rows if row.hits] == ["procedure"]
    assert notes.read("rollback#procedure").text == "## Procedure\n\nFreeze the queue, then undo.\n\n"
    assert notes.read("rollback", "procedure") == notes.read("[[rollback]]", "#procedure")
    answer = notes.answer("when do we freeze the queue?", budget=60)
    assert answer.pieces[0].address == "rollback#procedure"
    assert "Freeze the queue" in answer.text
    assert answer.tokens <= 60
    assert {piece.note for piece in notes.answer("who is paged?", notes=["alerts"]).pieces} == {"alerts"}


def test_what_was_read_lies_where_it_says(project):
    notes = open_notes(project)
    data = (project / "notes" / "rollback.md").read_bytes()
    whole = notes.read("rollback")
    assert (whole.address, whole.data, whole.rows, whole.masked) == ("rollback", data, (), False)
    entry = notes.read("rollback#2026-08-30")
    assert data[entry.start : entry.end] == entry.data == b"- 2026-08-30: the canary aborted on port 8081\n"


def test_a_long_note_comes_as_head_and_map_and_whole_when_asked(project):
    notes = open_notes(project)
    found = notes.read("alerts")
    assert found.text.strip().endswith("Who is paged.")
    assert len(found.rows) == 20
    assert notes.read("alerts", whole=True).data == LONG.encode()


def test_a_secret_is_masked_unless_it_is_asked_for_raw(project):
    token = "ghp_" + "a1B2" * 9
    (project / "notes" / "key.md").write_text(f"# Key\n\ntoken: {token}\n", encoding="utf-8")
    notes = open_notes(project)
    assert notes.read("key").masked
    assert token not in notes.read("key").text
    assert token in notes.read("key", raw=True).text


def test_nothing_found_is_empty_and_no_error(project):
    notes = open_notes(project)
    assert notes.suggest("xyzzy") == []
    assert notes.answer("xyzzy").text == ""


def test_a_wrong_name_says_what_is_near(project):
    notes = open_notes(project)
    with pytest.raises(NoSuchNote, match="no note called 'rolback'") as missing:
        notes.map("rolback")
    assert (missing.value.name, missing.value.near) == ("rolback", ["rollback"])
    with pytest.raises(NoSuchSection, match="near: #procedure"):
        notes.read("rollback#procedur")
    for folder in ("ops", "web"):
        (project / "notes" / folder).mkdir(exist_ok=True)
        (project / "notes" / folder / "pager.md").write_text("# Other\n", encoding="utf-8")
    with pytest.raises(Ambiguous) as several:
        notes.read("pager")
    assert several.value.found == ["ops/pager", "web/pager"]


def test_append_adds_an_entry_that_the_next_call_finds(project):
    notes = open_notes(project)
    address = notes.append("rollback", "The health check timed out.", title="canary abort", day=dt.date(2026, 9, 1))
    assert address.startswith("rollback#2026-09-01")
    assert "The health check timed out." in notes.read(address).text
    assert (project / "notes" / "rollback.md").read_text(encoding="utf-8").startswith(ROLLBACK[:100])
    with pytest.raises(StoreError):
        notes.append("rollback", "  ")


def test_the_notes_of_a_folder_alone(project):
    assert [each.note for each in open_notes(project / "notes", only=True).suggest("undo")] == ["rollback"]
    assert [each.note for each in open_notes(project / "notes").suggest("undo")] == ["rollback"]


def test_what_is_wrong_with_the_folder_is_said_at_once(project):
    with pytest.raises(NotADirectoryError, match="gone is not a folder"):
        open_notes(project / "gone")
    (project / "ladder.toml").write_text("folders = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"ladder\.toml"):
        open_notes(project)


def test_a_damaged_index_is_built_anew(project):
    notes = open_notes(project)
    before = notes.suggest("undo")
    file = Path(index_file(str(notes.settings.root)))
    data = bytearray(file.read_bytes())
    data[len(data) // 3 :] = os.urandom(len(data) - len(data) // 3)
    file.write_bytes(data)
    assert notes.suggest("undo") == before

    tried = []

    def broken_once(index):
        tried.append(index)
        if len(tried) == 1:
            raise IndexBroken("for once")
        return index.count

    assert notes.ask(broken_once) == 2


def test_the_example_of_the_page_runs(project):
    page = Path(ladder.__file__).parents[1] / "docs" / "api.md"
    example = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    (project / "harness.py").write_text(example, encoding="utf-8")
    done = subprocess.run([sys.executable, "harness.py"], cwd=project, capture_output=True, text=True, check=True)
    assert "rollback" in done.stdout
    assert "Freeze the queue" in done.stdout
