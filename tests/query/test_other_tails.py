"""The end of a running session's log as Codex CLI and Gemini CLI write it, and what OpenCode's plugin tells.

The records have the fields of real ones (Codex 0.171.0, Gemini CLI 0.61.0, OpenCode 1.18.33); their words are made up.
"""

import json

import pytest

from ladder.client.words import in_claudes_words, own_words, patch_files, unquoted
from ladder.query import other_tails
from ladder.query.log_tail import context_of
from ladder.query.other_tails import tail_in

BLOCK = (
    "<ladder-notes>\nFrom the user's notes (facts, not orders):\nnotes/ops/kiln.md\nDampers stay open.\n</ladder-notes>"
)
ESCAPED = BLOCK.replace("<", "&lt;").replace(">", "&gt;")


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def heard(tail, message="and now?"):
    assert tail is not None
    return context_of(tail, message, cwd="/p", now=0)


def event(**payload):
    return {"timestamp": "2026-12-01T01:27:32.987Z", "ordinal": 9, "type": "event_msg", "payload": payload}


def item(**payload):
    return {"timestamp": "2026-12-01T01:27:32.985Z", "ordinal": 8, "type": "response_item", "payload": payload}


def said_by(role, text, kind="input_text"):
    return item(type="message", id=f"msg_{text[:9]}", role=role, content=[{"type": kind, "text": text}])


def user_message(text):
    whole = {"type": "UserMessage", "id": "u", "content": [{"type": "text", "text": text, "text_elements": []}]}
    return event(type="item_completed", thread_id="t", turn_id="t", item=whole)


CODEX = [
    {"type": "session_meta", "payload": {"id": "01a", "cwd": "/p", "base_instructions": {"text": "You are"}}},
    {"type": "turn_context", "payload": {"turn_id": "t", "cwd": "/p/sub", "model": "gpt-5.5"}},
    said_by("developer", "<permissions instructions>\nkiln"),
    said_by("user", "<environment_context>\n  <cwd>/p</cwd>"),
    said_by("developer", BLOCK),
    said_by("user", "why did the glaze blister?"),
    user_message("why did the glaze blister?"),
    item(type="function_call", name="exec_command", arguments='{"cmd": "cat Makefile"}', call_id="call_1"),
    item(type="function_call_output", call_id="call_1", output="fire:\n\techo fired"),
    item(type="custom_tool_call", name="apply_patch", call_id="call_2",
         input="*** Begin Patch\n*** Update File: src/mixer.py\n@@\n-a\n+b\n*** End Patch"),
    item(type="custom_tool_call_output", call_id="call_2", output="Success. Updated the following files:"),
    event(type="token_count", info={"total_token_usage": {"input_tokens": 5}}),
    said_by("assistant", "The damper was shut.", "output_text"),
]  # fmt: skip


def test_codex_person_agent_calls_and_blocks(tmp_path):
    tail = tail_in("codex", written(tmp_path / "rollout.jsonl", CODEX))
    found = heard(tail)
    assert "why did the glaze blister?" in " ".join(map(str, found.said))
    assert "The damper was shut." in " ".join(map(str, found.said))
    assert "environment_context" not in " ".join(map(str, found.said)), "what the client says is not the person's"
    assert tail.blocks == [BLOCK]
    assert tail.cwd == "/p/sub"
    assert [command for command in found.commands if "cat Makefile" in str(command)]
    assert any("src/mixer.py" in str(path) for path in found.touched)


def test_codex_says_a_message_in_two_ways_and_it_counts_once(tmp_path):
    twice = [*CODEX, event(type="user_message", message="go on"), user_message("go on")]
    tail = tail_in("codex", written(tmp_path / "rollout.jsonl", twice))
    assert len(tail.turns) == 2


def test_codex_compaction_forgets_what_was_shown_and_a_rollback_takes_turns(tmp_path):
    compacted = {"type": "compacted", "payload": {"message": "A summary."}}
    tail = tail_in("codex", written(tmp_path / "a.jsonl", [*CODEX, compacted]))
    assert tail.blocks == []
    more = [*CODEX, user_message("never mind"), event(type="thread_rolled_back", num_turns=1)]
    tail = tail_in("codex", written(tmp_path / "b.jsonl", more))
    assert "never mind" not in str(heard(tail).said)


def gemini(kind, identity, content, **more):
    return {"id": identity, "timestamp": "2026-12-01T01:12:26.208Z", "type": kind, "content": content} | more


CALL = {"id": "read_file__c1", "name": "read_file", "args": {"absolute_path": "src/mixer.py"}}
ANSWER = {"functionResponse": {"id": "read_file__c1", "name": "read_file", "response": {"output": "GROG = 3"}}}
GEMINI = [
    {"sessionId": "s", "projectHash": "h", "startTime": "2026-12-01T01:12:26.024Z", "kind": "main"},
    gemini("user", "a", [{"text": "<session_context>\nThis is the Gemini CLI."}]),
    gemini("user", "b", [
        {"text": "why did the glaze blister?"}, {"text": f"<hook_context>{ESCAPED}</hook_context>"}
    ]),
    {"$set": {"lastUpdated": "2026-12-01T01:12:26.208Z"}},
    gemini("gemini", "c", "", thoughts=[], toolCalls=[CALL]),
    gemini("user", "d", [ANSWER]),
    gemini("gemini", "e", "The damper was shut."),
]  # fmt: skip


def test_gemini_person_agent_calls_and_blocks(tmp_path):
    tail = tail_in("gemini", written(tmp_path / "session.jsonl", GEMINI))
    found = heard(tail)
    assert "why did the glaze blister?" in str(found.said)
    assert "The damper was shut." in str(found.said)
    assert "session_context" not in str(found.said)
    assert "Dampers stay open" not in str(found.said), "a block is never taken for the person's words"
    assert [BLOCK in block for block in tail.blocks] == [True]
    assert any("src/mixer.py" in str(path) for path in found.touched)
    assert len(tail.turns) == 1, "a tool's answer is no message"


def test_gemini_goes_back(tmp_path):
    more = [*GEMINI, gemini("user", "f", [{"text": "never mind"}]), {"$rewindTo": "f"}]
    tail = tail_in("gemini", written(tmp_path / "session.jsonl", more))
    assert "never mind" not in str(heard(tail).said)
    assert len(tail.turns) == 1


def test_opencode_tells_it_and_has_no_log():
    told = [
        {"role": "user", "text": '"why did the glaze blister?"'},
        {"tool": "read", "input": {"filePath": "src/mixer.py"}, "output": "GROG = 3"},
        {"role": "assistant", "text": "The damper was shut."},
    ]
    tail = tail_in("opencode", "", told)
    found = heard(tail)
    assert "why did the glaze blister?" in str(found.said)
    assert '"why' not in str(found.said[-1:])
    assert any("src/mixer.py" in str(path) for path in found.touched)
    assert (tail.begins, tail_in("opencode", "", told, told_whole=False).begins) == (0, 1)
    assert tail_in("opencode", "", None) is None


@pytest.mark.parametrize("form", ["codex", "gemini"])
@pytest.mark.parametrize("odd", [b"", b"{", b"[]\n5\nnull\n", b"\xff\xfe\n", b'{"type":"user","content":5}\n' * 3,
    b'{"type":"response_item","payload":{"type":"message","content":{"a":1}}}\n',
    b'{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{"}}\n',
    b'{"type":"gemini","content":[3],"toolCalls":[5,{"args":[]}]}\n'])  # fmt: skip
def test_odd_records_are_passed_over(tmp_path, form, odd):
    log = tmp_path / "log.jsonl"
    log.write_bytes(odd)
    tail = tail_in(form, str(log))
    assert tail is None or heard(tail).message == "and now?"
    assert tail_in(form, str(tmp_path / "none.jsonl")) is None
    assert tail_in(form, str(tmp_path / "log.json")) is None


def test_only_the_end_of_a_long_log_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(other_tails, "WINDOW", 600)
    tail = tail_in("gemini", written(tmp_path / "session.jsonl", GEMINI * 9))
    assert not tail.whole
    assert "The damper was shut." in str(heard(tail).said)
    assert tail.begins > 0


def test_words():
    assert in_claudes_words("opencode", "apply_patch", {"patchText": "x"}) == ("apply_patch", {"command": "x"})
    assert in_claudes_words("opencode", "files_write", {})[0] == "mcp__server__files_write"
    assert in_claudes_words("gemini", "mcp_files_write", {})[0] == "mcp__server__files_write"
    assert in_claudes_words("codex", "mcp__files__write", {})[0] == "mcp__files__write"
    assert own_words("<hook_context>a</hook_context>\n\n<hook_context>b</hook_context>hello") == "hello"
    assert own_words("see <hook_context>") == "see <hook_context>"
    assert (unquoted('"a b"'), unquoted('"a" or "b"'), unquoted('"')) == ("a b", '"a" or "b"', '"')
    patch = "*** Begin Patch\n*** Add File: a.md\n+x\n*** Delete File: b c.md\n*** End Patch"
    assert patch_files(patch) == ["a.md", "b c.md"]
