"""Logs are told by what they hold; `ladder mine` finds every client's of a project, and says which and how many."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from tests.transcripts.conftest import NOTE
from tests.transcripts.other_clients import Rollout, database
from transcripts import everywhere, sessions

GEMINI = {"sessionId": "g1", "projectHash": "y", "messages": [{"id": "m", "type": "user", "content": "hi"}]}
ANSWER = "Revert with shipctl and the violet wave, then watch the tangerine dashboard."


@pytest.fixture
def mixed(tmp_path, log):
    """A folder with a log of each client, and files that are none."""
    folder = tmp_path / "mixed"
    a = Rollout(folder / "rollout-1.jsonl", "c1")
    a.ask("hi")
    a.save()
    (folder / "session-1.json").write_text(json.dumps(GEMINI, indent=2), encoding="utf-8")
    database(folder / "opencode.db", {"ses_1": ("/home/u/app", None, None, [])})
    database(folder / "other.db", {"ses_2": ("/home/u/app", None, None, [])})
    (folder / "package.json").write_text('{"name": "x"}', encoding="utf-8")
    b = log("s1", folder=folder)
    b.raw(b"{")
    b.record("queue-operation", operation="enqueue", content="x")
    b.user("hello", payload={"type": "session_meta"})
    b.save()
    return folder


def test_each_is_told_by_what_it_holds(mixed):
    assert [(session.client, session.id) for session in sessions(mixed)] == [
        ("codex", "c1"),
        ("gemini", "g1"),
        ("opencode", "ses_1"),
        ("claude-code", "s1"),
    ]
    assert [session.client for session in sessions(mixed / "rollout-1.jsonl")] == ["codex"]
    assert everywhere() == []


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def test_mine_finds_all_clients_logs_of_the_project(project, tmp_path, monkeypatch, log):
    home = Path.home()
    for number, cwd in enumerate((project, project / "docs", tmp_path / "elsewhere")):
        a = Rollout(
            home / ".codex" / "sessions" / "2026" / "03" / "01" / f"rollout-{number}.jsonl", f"c{number}", cwd=str(cwd)
        )
        a.ask("how do we roll back?")
        a.run("cat docs/deploy.md", NOTE)
        a.say(ANSWER)
        a.save()
    b = log("s1", folder=home / ".claude" / "projects" / "x", cwd=str(project))
    b.user("hello")
    b.say("Yes.")
    b.save()
    message = {"role": "user", "time": {"created": 1_770_000_000_000}}
    said = [("user", [{"type": "text", "text": "hi"}], message)]
    database(home / ".local" / "share" / "opencode" / "opencode.db", {"ses_1": (str(project), None, None, said)})
    (home / ".local" / "share" / "kilo").mkdir()
    (home / ".local" / "share" / "kilo" / "kilo.db").write_bytes(b"SQLite format 3\0" + bytes(90))
    monkeypatch.chdir(project)
    (project / "ladder.toml").write_text('folders = ["docs"]\n', encoding="utf-8")
    found = run("mine")
    assert found.exit_code == 0, found.output
    assert "found      2 sessions of Codex CLI, 1 session of OpenCode, 1 session of Claude Code" in found.output
    assert "of these   codex: 2 sessions, 2 turns, 2 reads" in found.output
    assert "kilo.db: " in found.output
    assert "what was mined from it before stays" in found.output
    counts = json.loads(run("mine", "--json").stdout)
    assert counts["found"] == {"Codex CLI": 2, "OpenCode": 1, "Claude Code": 1}
    assert counts["sessions_read"] == 0
    assert counts["clients"]["codex"]["turns"] == 2


def test_mine_takes_any_log_that_it_is_given(mixed, project):
    for name, title in (
        ("rollout-1.jsonl", "Codex CLI"),
        ("session-1.json", "Gemini CLI"),
        ("opencode.db", "OpenCode"),
    ):
        found = run("mine", "--logs", mixed / name, "--notes", project)
        assert found.exit_code == 0, found.output
        assert f"found      1 session of {title}" in found.output


def test_what_was_mined_of_another_client_is_forgotten_too(project, tmp_path):
    a = Rollout(tmp_path / "logs" / "rollout-1.jsonl", "c1", cwd=str(project))
    a.ask("how do we roll back the pelican?")
    a.run("cat docs/deploy.md", NOTE)
    a.say(ANSWER)
    a.save()
    assert run("mine", "--logs", tmp_path / "logs", "--notes", project).exit_code == 0
    kept = [path for path in Path.home().rglob("*.jsonl") if b"pelican" in path.read_bytes()]
    assert kept
    done = run("forget", "pelican", "--notes", project, "--yes")
    if done.exit_code == 2:
        done = run("forget", "pelican", "--notes", project)
    assert done.exit_code == 0, done.output
    assert not [path for path in Path.home().rglob("*.jsonl") if b"pelican" in path.read_bytes()]
    run("mine", "--logs", tmp_path / "logs", "--notes", project)
    assert not [path for path in Path.home().rglob("*.jsonl") if b"pelican" in path.read_bytes()]
    assert b"pelican" in (tmp_path / "logs" / "rollout-1.jsonl").read_bytes()


def test_compressed_logs_are_counted_and_not_read(tmp_path):
    for number in range(2):
        (tmp_path / f"rollout-{number}.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    report = []
    assert sessions(tmp_path, report) == []
    assert [item.reason for item in report] == ["2 of its logs are compressed (zstd), which is not read"]


def test_the_bench_replays_one_client_s_pairs(project, tmp_path, log):
    a = Rollout(tmp_path / "logs" / "rollout-1.jsonl", "c1", cwd=str(project))
    a.ask("how do we roll back?")
    a.run("cat docs/deploy.md", NOTE)
    a.say(ANSWER)
    a.save()
    b = log("s1", cwd=str(project))
    b.user("why did the canary stop?")
    b.read(str(project / "docs" / "deploy.md"), NOTE)
    b.say("The heron alarm: a mistral certificate had lapsed.")
    b.save()
    words = ("bench", "--logs", tmp_path / "logs", "--notes", project, "--json")
    for client, pairs in (("", 2), ("codex", 1), ("claude-code", 1)):
        found = run(*words, *(("--client", client) if client else ()))
        assert [each["pairs"] for each in json.loads(found.stdout)["mined"]] == [pairs]
    assert "a client is claude-code, codex, gemini, opencode" in str(run(*words, "--client", "cursor").exception)
    assert "no session of Gemini CLI is among these logs" in str(run(*words, "--client", "gemini").exception)
