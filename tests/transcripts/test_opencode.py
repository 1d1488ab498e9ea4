"""The database of OpenCode: sessions, tools, what was undone; locked, torn and of another schema."""

import json
import sqlite3
from pathlib import Path

import pytest

from notes import find_notes, folder_settings
from tests.transcripts.conftest import NOTE
from tests.transcripts.other_clients import BLOCK, CWD, database
from transcripts import Store, mine, redact, session_turns, sessions, working_folder
from transcripts.privacy.archive import archive

ANSWER = "Revert with shipctl and the violet wave, then watch the tangerine dashboard."


def text(said, **keys):
    return {"type": "text", "text": said, **keys}


def tool(name, given, output, status="completed"):
    state = {"status": status, "input": given, "output" if status == "completed" else "error": output}
    return {"type": "tool", "tool": name, "callID": f"{name}_{len(output)}", "state": state}


def numbered(note, first=1):
    rows = "\n".join(f"{number}: {line}" for number, line in enumerate(note.split("\n")[:-1], first))
    head = f"<path>{CWD}/docs/deploy.md</path>\n<type>file</type>\n<content>\n"
    return f"{head}{rows}\n\n(End of file - total 15 lines)\n</content>"


TURN = [
    ("user", [text("how do we roll back?"), text(BLOCK, synthetic=True), text(numbered(NOTE), synthetic=True)]),
    ("assistant", [
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        tool("read", {"filePath": f"{CWD}/docs/deploy.md"}, numbered(NOTE) + "\n" + BLOCK),
        tool("bash", {"command": "cat docs/style.md"}, "# Style\n"),
        tool("grep", {"pattern": "Tabs"}, f"Found 1 matches\n{CWD}/docs/style.md:\n  Line 3: Tabs are wide."),
        tool("write", {"filePath": "docs/new.md", "content": "# New"}, "denied", status="error"),
        tool("read", {"filePath": "docs/other.md"}, "", status="running"),
        text(ANSWER),
    ]),
    ("assistant", [text("What was said so far")], {"summary": True}),
]  # fmt: skip


def test_a_turn_has_the_message_the_reads_and_the_reply(tmp_path):
    database(tmp_path / "logs" / "opencode.db", {"ses_1": (CWD, None, None, TURN)})
    [session] = sessions(tmp_path / "logs")
    assert (session.id, session.client, working_folder(session)) == ("ses_1", "opencode", CWD)
    [turn] = session_turns(session)
    assert (turn.message, turn.reply, turn.cwd, turn.time) == (
        "how do we roll back?", ANSWER, CWD, "2026-02-02T02:40:00.000Z",
    )  # fmt: skip
    assert [(read.how, read.path, read.first, read.whole) for read in turn.reads] == [
        ("ladder", "", 0, False),
        ("attachment", f"{CWD}/docs/deploy.md", 1, True),
        ("ladder", "", 0, False),
        ("Read", f"{CWD}/docs/deploy.md", 1, True),
        ("Bash", "docs/style.md", 0, False),
        ("Grep", f"{CWD}/docs/style.md", 0, False),
    ]
    assert turn.reads[3].lines == tuple(NOTE.split("\n")[:-1])
    assert turn.notes_written == ()


def test_sub_agents_undone_messages_and_forks(tmp_path, project):
    ask = [("user", [text("first")]), ("assistant", [tool("task", {"prompt": "look there"}, "seen"), text("Yes.")])]
    more = [*ask, ("user", [text("second")]), ("assistant", [text("No.")])]
    inner = [
        ("user", [text("look there")]),
        ("assistant", [tool("read", {"filePath": "docs/deploy.md"}, numbered(NOTE))]),
    ]
    database(tmp_path / "logs" / "opencode.db", {
        "ses_1": (CWD, None, json.dumps({"messageID": "msg_ses_1_002"}), more),
        "ses_2": (CWD, "ses_1", None, inner),
        "ses_3": (CWD, None, None, ask),
    })  # fmt: skip
    found = sessions(tmp_path / "logs")
    assert [(session.id, len(session.agents)) for session in found] == [("ses_1", 1), ("ses_3", 0)]
    [turn] = session_turns(found[0])
    assert (turn.message, [(read.how, read.path) for read in turn.reads]) == ("first", [("subagent", "docs/deploy.md")])
    tally = mine(found, find_notes(folder_settings(project)), project).tally
    assert (tally.turns, tally.copies) == (1, 1)


def test_only_a_session_that_changed_is_read_again(tmp_path):
    path = database(tmp_path / "logs" / "opencode.db", dict.fromkeys(("ses_1", "ses_2"), (CWD, None, None, TURN)))
    store = Store(tmp_path / "mined")
    assert len(list(store.update(sessions(tmp_path / "logs")))) == 2
    assert list(store.update(sessions(tmp_path / "logs"))) == []
    with sqlite3.connect(path) as base:
        said = json.dumps(text("and then?"))
        data = json.dumps({"role": "user", "time": {"created": 1_780_000_000_000}})
        base.execute("INSERT INTO message VALUES ('msg_z', 'ses_2', 1780000000000, 1780000000000, ?)", (data,))
        base.execute("INSERT INTO part VALUES ('prt_z', 'msg_z', 'ses_2', 1780000000000, ?)", (said,))
    base.close()
    assert [done.session.id for done in store.update(sessions(tmp_path / "logs"))] == ["ses_2"]


def test_older_databases_have_fewer_columns(tmp_path):
    path = database(tmp_path / "logs" / "opencode.db", {"ses_1": (CWD, None, None, TURN)}, columns=())
    [session] = sessions(path)
    assert [turn.message for turn in session_turns(session)] == ["how do we roll back?"]


def test_torn_data_is_said_and_the_rest_is_read(tmp_path):
    torn = [("user", [text("first"), "{torn"]), ("assistant", [text("Yes.")])]
    database(tmp_path / "logs" / "kilo.db", {"ses_1": (CWD, None, None, torn)})
    [session] = sessions(tmp_path / "logs")
    skipped = []
    assert [(turn.message, turn.reply) for turn in session_turns(session, skipped)] == [("first", "Yes.")]
    assert [(item.line, item.reason) for item in skipped] == [(1, "not JSON")]


@pytest.mark.parametrize("how", ["locked", "schema", "damaged"])
def test_a_database_that_cannot_be_read_is_said_and_nothing_is_lost(tmp_path, project, how, monkeypatch):
    monkeypatch.setattr("transcripts.clients.opencode._WAIT", 0.05)
    path = database(tmp_path / "logs" / "opencode.db", {"ses_1": (CWD, None, None, TURN)})
    store, notes = Store(tmp_path / "mined"), find_notes(folder_settings(project))
    before = mine(sessions(tmp_path / "logs"), notes, project, store=store, clean=redact)
    assert before.tally.turns == 1
    session = sessions(tmp_path / "logs")[0]
    holder = sqlite3.connect(path)
    if how == "locked":
        holder.execute("BEGIN EXCLUSIVE")
        reason = "database is locked"
    elif how == "schema":
        holder.execute("ALTER TABLE part RENAME TO pieces")
        holder.commit()
        reason = "a database of another schema (table part)"
    else:
        holder.close()
        path.write_bytes(path.read_bytes()[:100] + b"x" * 4_000)
        reason = "database disk image is malformed"
    report = []
    assert sessions(tmp_path / "logs", report) == []
    assert [(Path(item.file).name, item.reason) for item in report] == [("opencode.db", reason)]
    # Also when it cannot be read any more after it was listed.
    for found in ([], [session]):
        after = mine(found, notes, project, store=store, clean=redact)
        assert (after.tally, after.pairs) == (before.tally, before.pairs)
    holder.close()


def test_a_copy_of_the_records_is_kept_without_secrets(tmp_path):
    import gzip

    secret = "sk_" + "live_a1B2a1B2a1B2a1B2a1B2a1B2"
    database(
        tmp_path / "logs" / "opencode.db", {"ses_1": (CWD, None, None, [("user", [text(f"the key is {secret}")])])}
    )
    store = Store(tmp_path / "mined")
    assert archive(store, sessions(tmp_path / "logs"), redact) > 0
    [copy] = (tmp_path / "mined" / "archive").glob("*.gz")
    kept = gzip.decompress(copy.read_bytes())
    assert b"the key is" in kept
    assert secret.encode() not in kept
