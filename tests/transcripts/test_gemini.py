"""Chats of Gemini CLI, in both of its forms: messages, tools, files named in a message, rewinding, resuming."""

import hashlib
import html
import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.transcripts.conftest import NOTE
from tests.transcripts.other_clients import BLOCK, CWD
from transcripts import session_turns, sessions, working_folder
from transcripts.mining.log_state import mine_log
from transcripts.mining.log_state_file import dumped

HEAD = {"sessionId": "s1", "projectHash": hashlib.sha256(CWD.encode()).hexdigest(), "startTime": "2026-03-01T00:00:00Z"}
HOOK = f"<hook_context>{html.escape(BLOCK)}</hook_context>"
SPLIT = (
    "IMPORTANT: The file content has been truncated.\nStatus: Showing lines 7-8 of 15 total lines.\nAction: x\n\n"
    "--- FILE CONTENT (truncated) ---\n"
)
MANY = f"--- docs/style.md ---\n\n# Style\n\n--- docs/deploy.md ---\n\n{NOTE}\n\n--- End of content ---"


def message(identity, kind, content, **keys):
    return {
        "id": identity,
        "timestamp": f"2026-03-01T00:0{identity[-1]}:00.000Z",
        "type": kind,
        "content": content,
        **keys,
    }


def called(name, args, output, status="success", **keys):
    answer = {"functionResponse": {"id": name, "name": name, "response": {"output": output}}}
    return {"id": f"{name}-1", "name": name, "args": args, "result": [answer], "status": status, **keys}


def whole(folder, messages, name="session-1.json", head=HEAD):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**head, "messages": messages}, indent=2), encoding="utf-8")
    return path


def lines(folder, records, name="session-1.jsonl"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def turns(folder, skipped=None):
    [session] = sessions(folder)
    return list(session_turns(session, skipped))


def test_a_chat_s_tools_are_read_as_what_they_are(tmp_path):
    found = "Found 1 match\n---\nFile: docs/style.md\nL3: Tabs are four columns wide.\n---"
    calls = [
        called("read_file", {"file_path": "docs/deploy.md"}, NOTE + "\n\n" + HOOK),
        called("read_file", {"absolute_path": f"{CWD}/docs/deploy.md"}, SPLIT + "Run it.\nNever.") | {"id": "r2"},
        called("run_shell_command", {"command": "cat docs/style.md"}, "Command: x\nOutput: # Style\nExit Code: 0"),
        called("search_file_content", {"pattern": "Tabs"}, found),
        called("read_many_files", {"include": ["docs/*.md"]}, MANY),
        called("write_file", {"file_path": "docs/new.md", "content": "# New"}, "Done."),
        called("replace", {"file_path": "docs/style.md", "new_string": "two"}, "no", status="error"),
    ]  # fmt: skip
    whole(tmp_path, [
        message("m1", "user", "how do we roll back?"),
        message("m2", "info", "Update available"),
        message("m3", "gemini", "I look.", toolCalls=calls, thoughts=[{"subject": "x"}]),
        message("m4", "gemini", [{"text": "Revert."}]),
        message("m5", "user", "System: Please continue."),
    ])  # fmt: skip
    [turn] = turns(tmp_path)
    assert (turn.message, turn.reply) == ("how do we roll back?", "I look.\n\nRevert.")
    assert [(read.how, read.path, read.first, read.whole, read.lines[0]) for read in turn.reads] == [
        ("ladder", "", 0, False, "<ladder-notes>"),
        ("Read", "docs/deploy.md", 1, True, "# Deploy"),
        ("Read", f"{CWD}/docs/deploy.md", 7, False, "Run it."),
        ("Bash", "docs/style.md", 0, False, "# Style"),
        ("Grep", "docs/style.md", 0, False, "Tabs are four columns wide."),
        ("Read", "docs/style.md", 1, True, "# Style"),
        ("Read", "docs/deploy.md", 1, True, "# Deploy"),
    ]
    assert turn.notes_written == ("docs/new.md",)
    assert turn.commands == ("cat docs/style.md",)


def test_the_newer_form_is_written_on_and_rewound(tmp_path):
    texts = (
        f"{HOOK}\n\nlook at @docs/style.md",
        "\n--- Content from referenced files ---",
        "\nContent from @docs/style.md:\n",
        "# Style",
        "\n--- End of content ---",
    )
    told = [{"text": each} for each in texts]
    call = called("read_file", {"file_path": "docs/deploy.md"}, NOTE)
    folder = tmp_path / "tmp" / "app" / "chats"
    (tmp_path / "tmp" / "app").mkdir(parents=True)
    (tmp_path / "tmp" / "app" / ".project_root").write_text(CWD + "\n", encoding="utf-8")
    lines(folder, [
        HEAD,
        {"$set": {"messages": [message("m0", "user", [{"text": "<session_context>\nThis is the Gemini CLI."}])]}},
        message("m1", "user", told, displayContent=[{"text": f"{HOOK}\n\nlook at @docs/style.md"}]),
        message("m2", "gemini", ""),
        {"$set": {"lastUpdated": "x"}},
        message("m2", "gemini", "", toolCalls=[call]),
        message("m3", "user", [{"functionResponse": {"response": {"output": NOTE}}}]),
        message("m4", "gemini", "Seen."),
        message("m5", "user", [{"text": "that was wrong"}]),
        message("m6", "gemini", "Sorry."),
        {"$rewindTo": "m5"},
        {"unknown": 1},
        HEAD,
        # Resumed: the messages again, without their tools.
        {"$set": {"messages": [message("m1", "user", told), message("m2", "gemini", "")]}},
        message("m7", "user", [{"text": "go on"}]),
        message("m8", "gemini", "Yes."),
    ])  # fmt: skip
    first, second = turns(tmp_path)
    assert (first.message, first.reply, first.cwd) == ("look at @docs/style.md", "Seen.", CWD)
    assert [(read.how, read.path) for read in first.reads] == [
        ("ladder", ""), ("attachment", "docs/style.md"), ("Read", "docs/deploy.md"),
    ]  # fmt: skip
    assert (second.message, second.reply) == ("go on", "Yes.")
    assert "Run `shipctl revert --wave violet` and wait for the tangerine dashboard." not in first.message


def test_a_chat_that_was_gone_on_with_in_the_newer_form_is_one_session(tmp_path):
    whole(tmp_path, [message("m1", "user", "first")])
    lines(
        tmp_path,
        [
            HEAD,
            message("m1", "user", "first"),
            message("m2", "gemini", "Yes."),
            message("m3", "user", "second"),
            message("m4", "gemini", "Yes."),
        ],
    )
    assert [turn.message for turn in turns(tmp_path)] == ["first", "second"]


def test_the_folder_is_told_by_its_hash_alone_where_nothing_else_says_it(tmp_path):
    whole(tmp_path, [message("m1", "user", "first")])
    [session] = sessions(tmp_path)
    assert working_folder(session) == ""
    assert working_folder(session, (Path("/home/u/other"), Path(CWD))) == CWD
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "projects.json").write_text(json.dumps({"projects": {CWD: "b"}}), encoding="utf-8")
    moved = session.file.rename(tmp_path / "a" / "b" / "session-1.json")
    listed = moved.parent / "chats"
    listed.mkdir()
    [session] = sessions(moved.rename(listed / "session-1.json"))
    assert working_folder(session) == CWD


def test_damage_is_said(tmp_path):
    path = lines(tmp_path, [HEAD, message("m1", "user", "first")])
    with path.open("ab") as file:
        file.write(b'{"id":"m2","type":"gem\n{"id":7}\n{"$set":{"messages":[4]}}\n')
    skipped = []
    assert [turn.message for turn in turns(tmp_path, skipped)] == ["first"]
    assert [item.reason for item in skipped] == ["not JSON"]
    (tmp_path / "session-2.json").write_text('{"sessionId":"s2","projectHash":"x","messages":[', encoding="utf-8")
    report = []
    assert [session.id for session in sessions(tmp_path, report)] == ["s1"]
    assert [(Path(item.file).name, item.reason) for item in report] == [("session-2.json", "not JSON")]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_reading_on_is_reading_all(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("on")
    given_ = [HEAD]
    for number in range(data.draw(st.integers(1, 9))):
        kind = data.draw(st.sampled_from(["user", "gemini", "rewind", "set"]))
        if kind == "rewind":
            given_.append({"$rewindTo": f"m{data.draw(st.integers(0, 9))}"})
        elif kind == "set":
            given_.append({"$set": {"messages": [message(f"m{data.draw(st.integers(0, 9))}", "user", "again")]}})
        else:
            given_.append(message(f"m{number}", kind, f"text {number}"))
    cut = data.draw(st.integers(1, len(given_)))
    state = mine_log(sessions(lines(folder, given_[:cut]))[0])
    [session] = sessions(lines(folder, given_))
    assert dumped(mine_log(session, state)) == dumped(mine_log(session))
