"""Logs of other clients are told from Claude Code's, and said to be what they are."""

import json

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from transcripts.logs.clients import client_of, of_others

CODEX = [
    {"timestamp": "2026-04-08T12:58:53Z", "type": "session_meta", "payload": {"id": "x", "cwd": "/home/u/app"}},
    {"timestamp": "2026-04-08T12:58:54Z", "type": "event_msg", "payload": {"type": "user_message", "message": "hi"}},
]
GEMINI = {"sessionId": "x", "projectHash": "y", "messages": [{"type": "user", "content": "hi"}]}


@pytest.fixture
def foreign(tmp_path):
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "rollout-1.jsonl").write_text("".join(json.dumps(record) + "\n" for record in CODEX), encoding="utf-8")
    (folder / "session-1.json").write_text(json.dumps(GEMINI, indent=2), encoding="utf-8")
    (folder / "session-2.jsonl").write_text(json.dumps({"sessionId": "x", "projectHash": "y"}), encoding="utf-8")
    (folder / "opencode.db").write_bytes(b"SQLite format 3\0" + bytes(90))
    return folder


def test_each_is_told_by_what_it_holds(foreign, log):
    assert {what: [path.name for path in paths] for what, paths in of_others(foreign).items()} == {
        "OpenCode database": ["opencode.db"],
        "Codex rollout": ["rollout-1.jsonl"],
        "Gemini CLI chat": ["session-1.json", "session-2.jsonl"],
    }
    a = log("s1")
    a.raw(b"{")
    a.record("queue-operation", operation="enqueue", content="x")
    a.user("hello", payload={"type": "session_meta"})
    assert client_of(a.save()) == ""
    assert client_of(foreign / "none") == ""


def test_mine_says_what_it_was_given(foreign, project):
    found = CliRunner().invoke(app, ["mine", "--logs", str(foreign / "rollout-1.jsonl"), "--notes", str(project)])
    assert found.exit_code == 1
    assert "this is a Codex rollout; ladder mines the logs of Claude Code, see docs/evidence.md" in found.output
    found = CliRunner().invoke(app, ["mine", "--logs", str(foreign), "--notes", str(project)])
    assert "Gemini CLI chats; ladder mines" in found.output
    assert "0 pairs" not in found.output
