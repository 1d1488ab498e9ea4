"""Logs of Codex CLI: what is the person's, what was read and written, forks, sub-agents, what was taken back."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notes import find_notes, folder_settings
from tests.transcripts.conftest import NOTE
from tests.transcripts.other_clients import BLOCK, CWD, Rollout
from transcripts import mine, redact, session_turns, sessions
from transcripts.clients.codex import CODEX
from transcripts.clients.patch_text import parts_of
from transcripts.mining.log_state import mine_log
from transcripts.mining.log_state_file import dumped, loaded

ANSWER = "Revert with shipctl and the violet wave, then watch the tangerine dashboard."
PATCH = """*** Begin Patch
*** Update File: docs/deploy.md
@@
-Never restart the quorum leader.
+Restart the quorum leader last.
*** Add File: src/new.py
+print(1)
*** End Patch"""


def turns(folder):
    [session] = sessions(folder)
    return list(session_turns(session))


def test_a_turn_has_the_message_the_reads_and_the_reply(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl")
    a.told("<permissions instructions>x", role="developer")
    a.told("# AGENTS.md instructions for /home/u/app\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>")
    a.told("<environment_context>\n  <cwd>/home/u/app</cwd>\n</environment_context>")
    a.ask("how do we roll back?")
    a.run("sed -n 1,9p docs/deploy.md", NOTE, workdir=CWD)
    a.run("cat deploy.md", NOTE, workdir=CWD + "/docs")
    a.say(ANSWER)
    a.told('<subagent_notification>\n{"status":1}')
    a.record("event_msg", type="exec_command_end", call_id="x", aggregated_output=NOTE)
    a.save()
    [turn] = turns(tmp_path)
    assert (turn.message, turn.kind, turn.cwd, turn.branch) == ("how do we roll back?", "typed", CWD, "main")
    assert turn.reply == ANSWER
    assert [(read.how, read.paths, read.sure, read.lines[0]) for read in turn.reads] == [
        ("Bash", ("docs/deploy.md",), True, "# Deploy"),
        ("Bash", (f"{CWD}/docs/deploy.md",), True, "# Deploy"),
    ]
    assert turn.commands == ("sed -n 1,9p docs/deploy.md", f"cd {CWD}/docs && cat deploy.md")


def test_older_logs_say_the_message_only_as_it_was_sent(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl")
    a.told("<user_instructions>\nBe brief.\n</user_instructions>")
    a.told("<environment_context>\nx")
    a.told("how do we roll back?")
    given_ = json.dumps({"command": ["bash", "-lc", "cat docs/deploy.md"], "workdir": CWD})
    a.record("response_item", type="function_call", name="shell", arguments=given_, call_id="c1")
    shown = json.dumps({"output": NOTE, "metadata": {"exit_code": 0}})
    a.record("response_item", type="function_call_output", call_id="c1", output=shown)
    a.record("response_item", type="message", role="assistant", content=[{"type": "output_text", "text": ANSWER}])
    a.save()
    [turn] = turns(tmp_path)
    assert (turn.message, turn.reply, turn.commands) == ("how do we roll back?", ANSWER, ("cat docs/deploy.md",))
    assert turn.reads[0].lines == tuple(NOTE.split("\n")[:-1])


def test_today_s_logs_name_messages_and_a_script_s_commands_as_items(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl")
    a.begin("t1")
    a.told("how do we roll back?")
    message = {"type": "UserMessage", "id": "i", "content": [{"type": "text", "text": "how do we roll back?"}]}
    a.record("event_msg", type="item_completed", turn_id="t1", item=message)
    a.told(BLOCK, role="developer")
    a.record("response_item", type="custom_tool_call", name="exec", input="text(await tools.x())", call_id="c1")
    ran = {"type": "CommandExecution", "id": "exec-1", "command": ["/bin/bash", "-lc", "cat docs/style.md"]}
    ran |= {"cwd": f"file://{CWD}", "aggregated_output": "# Style\n\nTabs are four columns wide.\n"}
    a.record("event_msg", type="item_completed", turn_id="t1", item=ran)
    changes = {f"{CWD}/docs/deploy.md": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-a\n+Drain the ledger."}}
    change = {"type": "FileChange", "id": "exec-2", "changes": changes, "status": "completed"}
    a.record("event_msg", type="item_completed", turn_id="t1", item=change)
    # What was called without a script stands there a second time.
    a.record("event_msg", type="item_completed", turn_id="t1", item=ran | {"id": "call_7"})
    script = [{"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"}]
    a.record("response_item", type="custom_tool_call_output", call_id="c1", output=script)
    a.say(ANSWER)
    a.save()
    [turn] = turns(tmp_path)
    assert turn.message == "how do we roll back?"
    assert [(read.how, read.paths) for read in turn.reads] == [("ladder", ()), ("Bash", ("docs/style.md",))]
    assert turn.notes_written == (f"{CWD}/docs/deploy.md",)
    assert turn.wrote[-1] == "Drain the ledger."
    assert [event.kind for event in turn.events] == ["called", "result", "called", "result", "said"]


def test_what_ladder_showed_is_used_and_is_no_pair_of_the_agent(tmp_path, project):
    a = Rollout(tmp_path / "logs" / "rollout-1.jsonl", cwd=str(project))
    a.ask("how do we roll back?")
    a.told(BLOCK, role="developer")
    a.say(ANSWER)
    a.ask("is it right?")
    a.run("cat docs/deploy.md", NOTE)
    a.say("Yes: shipctl with the violet wave, the tangerine dashboard afterwards.")
    a.save()
    found = mine(sessions(tmp_path / "logs"), find_notes(folder_settings(project)), project, clean=redact)
    assert found.pairs == []
    assert [(pair.question, pair.by, pair.client) for pair in found.delivered] == [
        ("how do we roll back?", "ladder", "codex")
    ]


def test_a_pair_says_its_client(tmp_path, project, log):
    a = Rollout(tmp_path / "logs" / "rollout-1.jsonl", cwd=CWD)
    a.ask("how do we roll back?")
    a.run("cat docs/deploy.md", NOTE)
    a.say(ANSWER)
    a.save()
    b = log("s1")
    b.user("why did the canary stop?")
    b.read(f"{CWD}/docs/deploy.md", NOTE)
    b.say("The heron alarm: a mistral certificate had lapsed.")
    b.save()
    found = mine(sessions(tmp_path / "logs"), find_notes(folder_settings(project)), project, clean=redact)
    assert {(pair.client, pair.note, pair.lines[0].text.split()[0]) for pair in found.pairs} == {
        ("codex", "docs/deploy.md", "Run"),
        ("claude-code", "docs/deploy.md", "The"),
    }
    assert found.tally.clients == {
        "claude-code": {"sessions": 1, "turns": 1, "reads": 1, "pairs": 1},
        "codex": {"sessions": 1, "turns": 1, "reads": 1, "pairs": 1},
    }


def test_a_patch_writes_all_its_files_and_a_refused_one_none(tmp_path):
    assert [(part.path, part.added) for part in parts_of(PATCH)] == [
        ("docs/deploy.md", "Restart the quorum leader last."),
        ("src/new.py", "print(1)"),
    ]
    a = Rollout(tmp_path / "rollout-1.jsonl")
    a.ask("change it")
    a.patch(PATCH)
    a.ask("again")
    a.patch(PATCH, "apply_patch verification failed: Failed to find expected lines")
    a.ask("in a shell")
    a.run(f"apply_patch <<'EOF'\n{PATCH}\nEOF", "Success.")
    a.ask("moved")
    a.patch("*** Begin Patch\n*** Update File: docs/old.md\n*** Move to: docs/new.md\n*** End Patch")
    a.save()
    first, second, third, fourth = turns(tmp_path)
    assert first.touched == ("docs/deploy.md", "src/new.py")
    assert first.wrote == ("Restart the quorum leader last.", "print(1)")
    written = [turn.notes_written for turn in (first, second, third, fourth)]
    assert written == [("docs/deploy.md",), (), ("docs/deploy.md",), ("docs/old.md", "docs/new.md")]


def test_what_an_editor_puts_before_the_message_is_not_the_person_s(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl")
    a.ask("\n# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request for Codex:\nadd the image\n")
    a.say("Done.")
    a.save()
    assert [turn.message for turn in turns(tmp_path)] == ["add the image"]


def test_a_fork_s_copies_count_once(tmp_path, project):
    folder = tmp_path / "logs"
    a = Rollout(folder / "rollout-1.jsonl", "0199-1000")
    a.ask("first", "0199-1001")
    a.say("One.")
    a.save()
    b = Rollout(folder / "rollout-2.jsonl", "0199-2000", forked_from_id="0199-1000")
    b.clock = 90  # the copies are written with the time of the fork
    b.ask("first", "0199-1001")
    b.say("One.")
    b.ask("second", "0199-2001")
    b.say("Two.")
    b.save()
    tally = mine(sessions(folder), find_notes(folder_settings(project)), project).tally
    assert (tally.turns, tally.copies, tally.questions) == (2, 1, 2)


def test_a_sub_agent_s_log_belongs_to_the_turn_that_began_it(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl", "0199-1000")
    a.ask("have it looked at", "0199-1001")
    a.call("spawn_agent", {"message": "Look into the deploy notes."}, '{"agent_id":"0199-2000"}')
    a.say(ANSWER)
    a.save()
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "0199-1000", "depth": 1}}}
    b = Rollout(tmp_path / "rollout-2.jsonl", "0199-2000", forked_from_id="0199-1000", thread_source="subagent")
    b.lines[0] = b.lines[0].replace(b'"source": "cli"', b'"source": ' + json.dumps(spawn).encode())
    b.record("session_meta", id="0199-1000", cwd=CWD, source="cli")
    b.ask("have it looked at", "0199-1001")
    b.run("cat docs/style.md", "# Style\n")
    b.ask("Look into the deploy notes.", "0199-2001")
    b.run("cat docs/deploy.md", NOTE)
    b.save()
    [turn] = turns(tmp_path)
    assert (turn.message, turn.by_program) == ("have it looked at", False)
    assert [(read.how, read.path, read.step) for read in turn.reads] == [("subagent", "docs/deploy.md", 0)]
    c = Rollout(tmp_path / "rollout-3.jsonl", "0199-3000", parent_thread_id="0199-2000", thread_source="subagent")
    c.clock = 90
    c.ask("Look deeper.", "0199-3001")
    c.run("cat docs/style.md", "# Style\n")
    c.save()
    [turn] = turns(tmp_path)
    assert [(read.how, read.path) for read in turn.reads] == [
        ("subagent", "docs/deploy.md"),
        ("subagent", "docs/style.md"),
    ]
    (tmp_path / "rollout-3.jsonl").unlink()
    # Without its parent it is a session that no person began, but for what it was forked with.
    (tmp_path / "rollout-1.jsonl").unlink()
    assert [(each.message, each.by_program) for each in turns(tmp_path)] == [
        ("have it looked at", False),
        ("Look into the deploy notes.", True),
    ]


def test_what_was_rolled_back_is_no_part_of_the_conversation(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl")
    for text in ("first", "second", "third"):
        a.ask(text)
        a.say("Yes.")
    a.record("event_msg", type="thread_rolled_back", num_turns=2)
    a.ask("fourth")
    a.say("Yes.")
    a.save()
    assert [turn.message for turn in turns(tmp_path)] == ["first", "fourth"]
    [session] = sessions(tmp_path)
    assert [turn.message for turn in mine_log(session).turns] == ["first", "fourth"]


def test_torn_lines_are_said_and_unknown_records_are_not(tmp_path):
    a = Rollout(tmp_path / "rollout-1.jsonl")
    a.ask("first")
    a.record("world_state", full=True)
    a.record("response_item", type="ghost_snapshot", commit={})
    a.record("event_msg", type=7)
    a.lines.append(b'{"timestamp":"2026-03-01T00:00:00Z","type":"response_item","payl')
    a.lines.append(b'{"timestamp":1,"type":"event_msg","payload":[]}')
    a.record("response_item", type="function_call", name="exec_command", arguments="{torn", call_id="c1")
    a.record("response_item", type="function_call_output", call_id="c1", output=None)
    a.record("response_item", type="message", role="assistant", content=[7, {"text": "Yes."}])
    a.save()
    [session] = sessions(tmp_path)
    skipped = []
    [turn] = session_turns(session, skipped)
    assert (turn.message, turn.reply) == ("first", "Yes.")
    assert [item.reason for item in skipped] == ["not JSON"]


STEPS = ("ask", "steer", "run", "say", "patch", "block", "roll back", "torn", "unknown")


def step(draw, log):
    kind = draw(st.sampled_from(STEPS))
    if kind == "ask":
        log.ask(draw(st.sampled_from(["how?", "again", "key sk_" + "live_a1B2a1B2a1B2a1B2a1B2a1B2"])))
    elif kind == "steer":
        log.record("event_msg", type="user_message", message=draw(st.sampled_from(["and this", "how?"])))
    elif kind == "run":
        log.run("cat docs/deploy.md", NOTE)
    elif kind == "say":
        log.say(ANSWER)
    elif kind == "patch":
        log.patch(PATCH, draw(st.sampled_from(["Success.", "apply_patch verification failed: x"])))
    elif kind == "block":
        log.told(BLOCK, role="developer")
    elif kind == "roll back":
        log.record("event_msg", type="thread_rolled_back", num_turns=draw(st.integers(0, 3)))
    elif kind == "torn":
        log.lines.append(b'{"type":"event_msg"')
    else:
        log.record("world_state", x=1)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_cuts_give_the_result_of_one_reading(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cuts")
    whole = Rollout(folder / "whole" / "r.jsonl")
    for _ in range(data.draw(st.integers(1, 20))):
        step(data.draw, whole)
    text = whole.save(end=data.draw(st.sampled_from([b"\n", b""]))).read_bytes()
    path = folder / "rollout-1.jsonl"
    head = text.index(b"\n") + 1
    state = None
    for cut in [*sorted(data.draw(st.lists(st.integers(head, len(text)), max_size=4))), len(text)]:
        path.write_bytes(text[:cut]) if state is None else _append(path, text, cut)
        [session] = CODEX.sessions([path], [])
        state = loaded(dumped(mine_log(session, state, redact)))
    assert dumped(state) == dumped(mine_log(session, None, redact))


def _append(path, text, cut):
    with path.open("ab") as file:
        file.write(text[path.stat().st_size : cut])
