"""Notes as of the turn: from git, else from what the agent read; and logs and notes cut to a past day."""

import datetime as dt
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.corpus.as_of import as_of, texts_read, texts_then
from bench.corpus.cache import Keep
from bench.corpus.gather import Gathered, from_logs
from bench.corpus.snapshot import World
from bench.corpus.versions import Versions
from bench.questions import Question, from_pairs
from bench.trend.backtest import cut_logs, cut_notes, days
from notes import find_notes, folder_settings
from notes.writing.store import Place, replace_head
from transcripts import sessions

sys.path.insert(0, str(Path(__file__).parent))
from test_survival import commit


def asked(line, time, note="a", key="1"):
    return Question(key, "s", time, "?", {}, note, (line,))


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    commit(folder, "2026-03-01", {"a.md": "# A\n\nold line of the note\n"})
    commit(folder, "2026-03-03", {"a.md": "# A\n\nnew line of the note\n", "b.md": "# B\n\nb\n"})
    return folder


def today(folder, keep):
    return World({path.name: path.read_bytes() for path in folder.glob("*.md")}, Keep(keep))


def test_a_question_is_asked_of_the_version_of_its_day(repository, tmp_path):
    first = asked("old line of the note", "2026-03-02T10:00:00Z")
    second = asked("new line of the note", "2026-03-04T10:00:00Z", key="2")
    world = today(repository, tmp_path)
    found = as_of([first, second], world, Versions(repository), Keep(tmp_path))
    assert found.source == {"git": 2}
    assert found(first).files["a"] == b"# A\n\nold line of the note\n"
    assert set(found(first).names) == {"a"}
    assert found(second).key == world.key


def test_what_git_does_not_hold_is_taken_from_what_the_agent_read(repository, tmp_path):
    lost = asked("a line between two versions", "2026-03-02T10:00:00Z")
    other = asked("another between", "2026-03-02T11:00:00Z", key="2")
    read = {"1": ("read", "# A\n\na line between two versions\n"), "2": ("read", "# A\n\nanother between\n")}
    found = as_of([lost, other], today(repository, tmp_path), Versions(repository), Keep(tmp_path), lambda _: read)
    assert found.source == {"read": 2}
    assert b"between two versions" in found(lost).files["a"]
    # The note was read in two states on one day: two worlds.
    assert found(lost).key != found(other).key


def test_without_git_and_without_a_read_it_is_todays(tmp_path):
    world = World({"a": b"# A\n"}, Keep(tmp_path))
    question = asked("gone", "2026-03-02T10:00:00Z")
    found = as_of([question], world, Versions(tmp_path), Keep(tmp_path))
    assert found(question) is world
    assert found.source == {"today": 1}


def record(kind, time, content, **more):
    return {
        "type": kind,
        "uuid": f"u{time}{kind}",
        "timestamp": time,
        "sessionId": "s",
        "cwd": "/home/u/p",
        "message": {"role": kind, "content": content},
        **more,
    }


def log(folder, days_of):
    """A session of one turn a day: the agent reads a.md and says one of its lines back in its own words."""
    rows = []
    for day, line in days_of:
        rows.append(record("user", f"{day}T10:00:00.000Z", f"how about {day}"))
        call = {"type": "tool_use", "id": f"t{day}", "name": "Read", "input": {"file_path": "/home/u/p/a.md"}}
        rows.append(record("assistant", f"{day}T10:00:01.000Z", [call]))
        text = f"# A\n\n{line}\n"
        result = {"type": "tool_result", "tool_use_id": f"t{day}", "content": f"1\t# A\n2\t\n3\t{line}"}
        file = {"filePath": "/home/u/p/a.md", "content": text, "startLine": 1, "numLines": 3, "totalLines": 3}
        rows.append(record("user", f"{day}T10:00:02.000Z", [result], toolUseResult={"type": "text", "file": file}))
        rows.append(record("assistant", f"{day}T10:00:03.000Z", [{"type": "text", "text": f"It says: {line}."}]))
    folder.mkdir()
    (folder / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return sessions(folder)


OLD, NEW = "the turbine spins backwards yesterday", "the gearbox hums quietly nowadays"


@pytest.fixture
def logged(tmp_path):
    return log(tmp_path / "logs", [("2026-03-01", OLD), ("2026-03-03", NEW)])


@pytest.fixture
def noted(tmp_path):
    folder = tmp_path / "n"
    folder.mkdir()
    commit(folder, "2026-02-28", {"a.md": f"# A\n\n{OLD}\n"})
    commit(folder, "2026-03-02", {"a.md": f"# A\n\n{NEW}\n"})
    return folder


def test_the_lost_line_is_a_question_as_of_the_turn_and_none_today(logged, noted, tmp_path):
    found = from_logs(logged, folder_settings(noted))
    assert [question.lines for question in from_pairs(found.pairs)] == [(NEW,)]
    then = from_pairs(found.pairs, world="as-of")
    assert [question.lines for question in then] == [(OLD,), (NEW,)]
    worlds = as_of(then, today(noted, tmp_path), Versions(noted), Keep(tmp_path))
    assert worlds.source == {"git": 2}
    assert found.reads == {"a": 2}
    assert [opening.notes for opening in found.openings] == [("a",), ("a",)]
    assert found.counts["gone"] == 1


def test_the_text_that_the_agent_read(logged, noted):
    found = from_logs(logged, folder_settings(noted))
    then = from_pairs(found.pairs, world="as-of")
    gathered = Gathered(found.pairs, find_notes(folder_settings(noted)), noted)
    texts = texts_read(logged, gathered, then)
    assert texts[then[0].id] == f"# A\n\n{OLD}\n"


def test_days_of_the_logs(logged):
    ends = [end.date().isoformat() for end in days(logged, 1)]
    assert ends == ["2026-03-02", "2026-03-03", "2026-03-04"]
    assert days([], 1) == []


def test_a_log_is_cut_before_its_first_later_record(logged, tmp_path):
    until = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
    written = cut_logs(logged, until, tmp_path / "cut")
    cut = next((tmp_path / "cut").rglob("*.jsonl"))
    whole = logged[0].file.read_bytes()
    assert whole.startswith(cut.read_bytes())
    assert written == cut.stat().st_size == len(b"".join(whole.splitlines(keepends=True)[:4]))
    assert cut_logs(logged, dt.datetime(2020, 1, 1, tzinfo=dt.UTC), tmp_path / "none") == 0


def test_notes_go_back_to_a_version_and_later_ones_are_gone(noted, tmp_path):
    versions = Versions(noted)
    cut_notes(noted, versions.versions[0], tmp_path / "back")
    assert OLD in (tmp_path / "back" / "a.md").read_text(encoding="utf-8")
    assert len(Versions(tmp_path / "back").versions) == 1
    # The repository that was cloned is as it was.
    assert len(Versions(noted).versions) == 2


def test_what_git_refuses_is_said(tmp_path):
    versions = Versions(tmp_path)
    assert versions.versions == []
    version = type("V", (), {"commit": "abc"})
    with pytest.raises(RuntimeError):
        cut_notes(tmp_path / "nowhere", version, tmp_path / "back")


def test_a_former_head_of_the_store_serves_where_the_logs_are_swept(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()
    path = folder / "a.md"
    path.write_text("# A\n\nthe old state of things\n", encoding="utf-8")
    place = Place(folder, path)
    replace_head(place, "the old state of things, told again", now=dt.datetime(2026, 3, 1, tzinfo=dt.UTC))
    replace_head(place, "the new state", now=dt.datetime(2026, 3, 9, tzinfo=dt.UTC))
    question = asked("the old state of things, told again", "2026-03-02T10:00:00Z")
    gathered = Gathered([], find_notes(folder_settings(folder)), folder)
    found = texts_then([], gathered, [question])
    assert found["1"][0] == "former head"
    assert "told again" in found["1"][1]


def test_git_is_not_needed(tmp_path, monkeypatch):
    def missing(*_args, **_more):
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", missing)
    assert Versions(tmp_path).versions == []
