"""What a session was shown: by passage, not when the person took it back, also in a fork; and no secret in it."""

import json
import os

import pytest

from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.on_message import answer_prompt
from ladder.hook.on_session import answer_start
from ladder.hook.on_tool import answer_tool
from ladder.indexing.update import fresh_index

KEY = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
NOTES = {
    "relay": (
        "# Relay\n\nThe relay listens on port 7443 behind the balancer.\n\n## Transport\n\n"
        "Plain HTTP over MQTT because the gateway drops idle sockets.\n"
    ),
    "deploy": (
        f"# Deploy\n\nThe deploy robot signs in with {KEY} at the registry.\n\n## Owner\n\n"
        "<private>The owner of the registry is Rosalind.\n\nShe pays the registry.</private>\n\n"
        "The registry is paid in May.\n"
    ),
    "alerts": "# Alerts\n\nPages go to the phone after five minutes of silence. See src/relay.py for the sender.\n",
}
PORT, MQTT = "which port does the relay listen on?", "why no MQTT in the transport?"


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("CACHE", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    root = tmp_path / "project"
    (root / "notes").mkdir(parents=True)
    settings = 'folders = ["notes"]\nclient_memory = false\nuser_folder = ""\n'
    (root / "ladder.toml").write_text(settings, encoding="utf-8")
    for name, text in NOTES.items():
        (root / "notes" / f"{name}.md").write_text(text, encoding="utf-8", newline="")
        os.utime(root / "notes" / f"{name}.md", (1_790_000_000, 1_790_000_000))
    fresh_index(root).close()
    monkeypatch.setattr("ladder.hook.index.ask_update", lambda *_: None)  # nothing is started
    return root


def said(project, event, answer, session="s", log="", **fields):
    reply = Reply()
    given = {"hook_event_name": event, "cwd": str(project), "session_id": session, "transcript_path": str(log)}
    answer(Moment(given | fields, reply, 0.0))
    return "" if reply.document is None else reply.document["hookSpecificOutput"].get("additionalContext", "")


def ask(project, prompt, session="s", log=""):
    return said(project, "UserPromptSubmit", answer_prompt, session, log, prompt=prompt)


class Log:
    """A session's log, each record behind the one before unless it is told otherwise."""

    def __init__(self, path):
        self.path = path
        self.path.write_text("", encoding="utf-8")
        self.count = 0

    def add(self, parent=None, **record):
        self.count += 1
        named = {"parentUuid": f"u{parent or self.count - 1}", "isSidechain": False, **record, "uuid": f"u{self.count}"}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(named, separators=(",", ":")) + "\n")
        return self.count

    def turn(self, message, block="", parent=None):
        first = self.add(parent, type="user", message={"role": "user", "content": message})
        if block:
            self.add(type="attachment", attachment={"type": "hook_additional_context", "content": [block]})
        self.add(type="assistant", message={"id": f"m{first}", "content": [{"type": "text", "text": "It does."}]})
        return first


def test_another_passage_of_the_same_note_is_shown_and_the_same_one_is_not(project):
    assert "7443" in ask(project, PORT)
    assert ask(project, PORT) == ""
    text = ask(project, MQTT)
    assert "idle sockets" in text
    assert "7443" not in text


def test_a_passage_is_shown_again_when_it_changed_and_not_when_another_did(project):
    assert "7443" in ask(project, PORT)
    note = project / "notes" / "relay.md"
    note.write_text(NOTES["relay"].replace("idle sockets", "idle lines"), encoding="utf-8")
    assert ask(project, PORT) == ""
    note.write_text(NOTES["relay"].replace("7443", "7444"), encoding="utf-8")
    assert "7444" in ask(project, PORT)


def test_what_a_message_brought_is_not_said_before_a_tool(project):
    call = {"tool_name": "Edit", "tool_input": {"file_path": "src/relay.py"}}
    assert "alerts.md" in said(project, "PreToolUse", answer_tool, "t", **call)
    assert "five minutes" in ask(project, "when do pages go to the phone?")
    assert said(project, "PreToolUse", answer_tool, **call) == ""


def test_what_was_taken_back_before_it_reached_the_log_is_said_again(project, tmp_path):
    log = Log(tmp_path / "log.jsonl")
    log.turn("hello there, good morning")
    assert "7443" in ask(project, PORT, log=log.path)  # and then Esc, or another hook refuses the message
    assert "7443" in ask(project, PORT, log=log.path)
    log.turn(PORT)  # this time it went through
    assert ask(project, PORT, log=log.path) == ""


def test_what_was_taken_back_after_it_reached_the_log_is_said_again(project, tmp_path):
    log = Log(tmp_path / "log.jsonl")
    begun = log.turn("hello there, good morning")
    block = ask(project, PORT, log=log.path)
    log.add(type="user", message={"role": "user", "content": PORT})
    log.add(type="attachment", attachment={"type": "hook_additional_context", "content": [block]})
    assert ask(project, PORT, log=log.path) == block  # Esc: nothing answered
    log.turn(PORT, block, parent=begun + 1)
    assert ask(project, PORT, log=log.path) == ""
    log.add(type="user", message={"role": "user", "content": "and then?"})
    assert ask(project, PORT, log=log.path) == "", "it came with a message before the one that was taken back"


def test_what_stands_on_a_branch_that_was_left_is_said_again(project, tmp_path):
    log = Log(tmp_path / "log.jsonl")
    begun = log.turn("hello there, good morning")
    block = ask(project, PORT, log=log.path)
    log.turn(PORT, block)
    assert ask(project, PORT, log=log.path) == ""
    log.turn("something else entirely", parent=begun + 1)  # /rewind to before the question
    assert "7443" in ask(project, PORT, log=log.path)


def test_what_was_said_before_a_compaction_is_said_again(project, tmp_path):
    log = Log(tmp_path / "log.jsonl")
    log.turn(PORT, ask(project, PORT, log=log.path))
    log.add(type="system", subtype="compact_boundary")
    said(project, "SessionStart", answer_start, log=log.path, source="compact")
    assert "7443" in ask(project, PORT, log=log.path)


def test_a_fork_with_a_log_does_not_repeat(project, tmp_path):
    log = Log(tmp_path / "log.jsonl")
    log.turn(PORT, ask(project, PORT, log=log.path))
    assert ask(project, PORT, session="fork", log=log.path) == ""
    assert "idle sockets" in ask(project, MQTT, session="fork", log=log.path)


def test_the_first_message_of_a_fork_has_no_log_yet_and_does_not_repeat(project, tmp_path):
    said(project, "SessionStart", answer_start, source="startup")
    assert "7443" in ask(project, PORT)
    said(project, "SessionStart", answer_start, source="resume")
    assert ask(project, PORT, session="fork", log=tmp_path / "none.jsonl") == ""
    said(project, "SessionStart", answer_start, session="new", source="startup")
    assert "7443" in ask(project, PORT, session="new", log=tmp_path / "none.jsonl")


def test_no_secret_and_nothing_private_is_handed_over(project):
    text = ask(project, "how does the deploy robot sign in at the registry?")
    assert "[redacted:github-token]" in text
    assert KEY not in text
    assert "\0" not in text
    assert "paid in May" in ask(project, "in which month is the registry paid?", session="b")
    assert "Rosalind" not in ask(project, "who is Rosalind, the owner of the registry?", session="c")


def test_what_the_client_loads_by_itself_is_not_said_again(project):
    rules = "# Rules\n\nThe turbine valve opens clockwise.\n"
    (project / "notes" / "CLAUDE.md").write_text(rules, encoding="utf-8")
    fresh_index(project).close()
    question = "does the turbine valve open clockwise?"
    assert "CLAUDE.md" in ask(project, question)  # not in a folder that the session works in
    inside = str(project / "notes")
    assert said(project, "UserPromptSubmit", answer_prompt, "t", prompt=question, cwd=inside) == ""
