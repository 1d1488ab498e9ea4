"""In a large store the hook looks at the files that it is about to name alone: what it says when these have changed."""

import os
import time

import pytest

from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.on_message import answer_prompt
from ladder.hook.on_session import answer_start
from ladder.hook.on_tool import answer_tool
from ladder.index.overlay import open_fresh
from ladder.indexing.update import fresh_index
from ladder.lean.paths import index_file
from ladder.query.query import Context, query
from ladder.reading.answer import answer
from ladder.speaking.verdict import CHANGED_LOOKS, decide

ABORT = "The canary aborts on a rollback without its header.\n"
NOTES = {
    "deploy": f"# Deploy\n\nUndo the rollout.\n\n## Canary\n\n{ABORT}\n## Later\n\nFreeze the queue.\n",
    "alerts": "# Alerts\n\nPages go to the phone, as `src/relay.py` says, after five minutes of silence.\n",
    "tokens": "# Tokens\n\nTokens rotate each quarter, by the identity team.\n",
}
ASKED = "why does the canary abort on a rollback without the header?"


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project" / "notes"
    folder.mkdir(parents=True)
    then = int(time.time()) - 600
    for name, text in NOTES.items():
        file = folder / f"{name}.md"
        file.write_text(text, encoding="utf-8", newline="")
        os.utime(file, (then, then))
    fresh_index(folder.parent).close()
    monkeypatch.setattr("ladder.index.overlay.SCANNED", 1)
    monkeypatch.setattr("ladder.hook.index.ask_update", lambda *_: None)  # nothing is started
    return folder.parent


def said(project, event, answer_event, **fields):
    reply = Reply()
    moment = Moment({"hook_event_name": event, "cwd": str(project), "session_id": "s", **fields}, reply, 0.0)
    answer_event(moment)
    if reply.document is None:
        return ""
    return reply.document["hookSpecificOutput"]["additionalContext"]


def prompt(project, message=ASKED, session="s"):
    return said(project, "UserPromptSubmit", answer_prompt, prompt=message, session_id=session)


def write(project, name, text):
    (project / "notes" / f"{name}.md").write_text(text, encoding="utf-8", newline="")


def test_a_note_that_became_shorter_is_answered_from_its_new_text(project):
    assert ABORT.strip() in prompt(project)
    write(project, "deploy", f"# Deploy\n\n{ABORT}")
    assert ABORT.strip() in prompt(project, session="another")
    assert prompt(project) == ""  # its text is the one that was shown


def test_a_note_that_became_longer_is_answered_by_the_paragraph_that_holds_the_question(project):
    more = "".join([f"Line {i} is about the weather and nothing else at all.\n\n" for i in range(30)])
    write(project, "deploy", NOTES["deploy"].replace("Undo", f"{more}Undo"))
    assert ABORT.strip() in prompt(project)


def test_a_note_that_says_nothing_of_it_any_more_is_not_named(project):
    write(project, "deploy", "# Deploy\n\nAll of this has moved to another house.\n")
    assert prompt(project) == ""


def test_what_another_note_says_is_said_when_the_best_one_has_gone(project):
    write(project, "tokens", f"# Tokens\n\n{ABORT}\nMuch else stands here, of tokens and their quarters.\n")
    fresh_index(project).close()
    (project / "notes" / "deploy.md").unlink()
    text = prompt(project)
    assert "notes/tokens.md" in text
    assert "deploy" not in text


def test_a_store_that_changes_at_every_look_is_no_error(project, monkeypatch):
    for i in range(8):
        write(project, f"copy{i}", f"# Deploy\n\n{ABORT}\nNumber {i}.\n")
    fresh_index(project).close()
    looks = []

    def changing(index, *rest):
        decision = decide(index, *rest)
        left = [index.note(n).name for n in decision.search.candidates if n not in index.taken]
        looks.append(len(left))
        if left:
            write(project, left[0].rpartition("/")[2], f"# Deploy\n\nLook {len(looks)}, and more.\n\n{ABORT}")
        return decision

    monkeypatch.setattr("ladder.speaking.verdict.decide", changing)
    text = prompt(project)
    assert looks
    assert all(looks)  # there was something to change at each
    assert len(looks) == 1 + CHANGED_LOOKS
    assert ABORT.strip() in text


def test_before_a_tool_call_the_new_text_is_looked_at(project):
    call = {"tool_name": "Read", "tool_input": {"file_path": "src/relay.py"}}
    write(project, "alerts", NOTES["alerts"].replace("Pages", "It is quiet here.\n\n" * 9 + "Pages"))
    assert "after five minutes of silence" in said(project, "PreToolUse", answer_tool, **call)
    (project / "notes" / "alerts.md").unlink()
    assert said(project, "PreToolUse", answer_tool, **(call | {"session_id": "t"})) == ""


def test_the_brief_names_no_note_that_has_gone(project):
    assert "notes/alerts" in said(project, "SessionStart", answer_start, source="startup")
    (project / "notes" / "alerts.md").unlink()
    text = said(project, "SessionStart", answer_start, source="startup")
    assert "notes/tokens" in text
    assert "notes/alerts" not in text


def test_a_file_that_was_written_to_after_the_look_is_not_quoted(project):
    with open_fresh(index_file(str(project))) as index:
        assert ABORT.strip() in answer(index, query(Context(message=ASKED)), 300).text
        write(project, "deploy", "x" * 200 + NOTES["deploy"])
        assert "deploy" not in answer(index, query(Context(message=ASKED)), 300).text
