"""Reading on where the last run stopped gives what reading all gives, byte for byte."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notes import find_notes, folder_settings
from transcripts import Store, mine, sessions
from transcripts.logs.records import Record, records
from transcripts.logs.redact import redact
from transcripts.mining.log_state import mine_log
from transcripts.mining.log_state_file import dumped, loaded
from transcripts.turns.branches import branches
from transcripts.turns.reader import TurnReader

NOTE = "# N\n\nThe heron alarm fires at violet dusk.\nTangerine ledgers drain before noon.\n"
PATH = "/home/u/app/docs/n.md"
ECHO = "So the heron alarm fires at violet dusk; tangerine ledgers drain before noon."


KINDS = [
    "user",
    "slash",
    "local",
    "say",
    "read",
    "again",
    "bash",
    "queue",
    "remove",
    "attach",
    "hook",
    "own",
    "twice",
    "broken",
    "glued",
    "agent",
    "edit",
    "meta",
    "secret",
    "pending",
    "late",
    "rewind",
    "unknown",
    "root",
    "compact",
    "system",
]


def sub_agent(log, tool):
    """The progress records of a sub-agent that reads the note."""
    inner = {"type": "tool_use", "id": f"in{log.clock}", "name": "Read", "input": {"file_path": PATH}}
    shown = "     3→The heron alarm fires at violet dusk."
    answer = {"type": "tool_result", "tool_use_id": inner["id"], "content": shown}
    for kind, block in (("assistant", inner), ("user", answer)):
        message = {"type": kind, "message": {"id": "i", "content": [block]}}
        log.record("progress", data={"type": "agent_progress", "message": message}, parentToolUseID=tool)


def step(draw, log):
    """Add one thing that happens to a log."""
    kind = draw(st.sampled_from(KINDS))
    if kind == "user":
        log.user(draw(st.sampled_from(["go on", "what now?", "is the heron well? " * 3])))
    elif kind == "slash":
        log.user("<command-name>/plan</command-name>\n<command-args>the ledgers</command-args>")
    elif kind == "local":
        log.user("<command-name>/clear</command-name>\n<command-args></command-args>")
    elif kind == "say":
        log.say(draw(st.sampled_from(["Looking.", ECHO, "Done."])))
    elif kind == "read":
        log.read(PATH, NOTE)
        log.say(ECHO)
    elif kind == "again":
        tool = log.call("Read", file_path=PATH)
        log.result(tool, "File unchanged since last read.", {"type": "file_unchanged", "file": {"filePath": PATH}})
        log.say(ECHO)
    elif kind == "bash":
        log.bash("cat docs/n.md", NOTE)
    elif kind == "queue":
        text = draw(st.sampled_from(["and the heron?", "<task-notification>x"]))
        log.record("queue-operation", operation="enqueue", content=text)
    elif kind == "remove":
        log.record("queue-operation", operation=draw(st.sampled_from(["remove", "dequeue", "popAll"])))
    elif kind == "attach":
        log.attach(type="nested_memory", path=PATH, content={"path": PATH, "type": "Project", "content": NOTE})
    elif kind == "hook":
        log.attach(type="hook_additional_context", content=[NOTE], hookName="UserPromptSubmit")
    elif kind == "own":
        block = "<ladder-notes>\nThe heron alarm fires at violet dusk.\n</ladder-notes>"
        log.attach(type="hook_additional_context", content=[block], hookName="UserPromptSubmit")
    elif kind == "twice" and log.lines:
        log.raw(log.lines[-1])
    elif kind == "broken":
        log.raw(draw(st.sampled_from([b"{", b"[]", b"\0\0", b""])))
    elif kind == "glued" and log.lines:
        log.user("glued one")
        last = log.lines.pop()
        log.lines[-1] += last
    elif kind == "agent":
        tool = log.call("Task", prompt="look", description="d", subagent_type="x")
        sub_agent(log, tool)
        log.result(tool, "seen")
        log.say(ECHO)
    elif kind == "edit":
        tool = log.call("Edit", file_path=PATH, old_string="a", new_string=ECHO)
        log.result(tool, "ok")
    elif kind == "meta":
        log.user([{"type": "text", "text": "Base directory for this skill: x"}], isMeta=True)
    elif kind == "secret":
        log.user("use ghp_" + "a1B2" * 9)
        log.say("I use ghp_" + "a1B2" * 9)
    elif kind == "pending":
        log.waiting = log.call("Bash", command="cat docs/n.md")
    elif kind == "rewind" and log.all:
        log.parent = json.loads(draw(st.sampled_from(log.all))).get("uuid")
    elif kind == "unknown":
        log.parent = "in-no-file"
    elif kind == "root":
        log.parent = None
    elif kind == "compact":
        log.parent = None
        log.record("system", subtype="compact_boundary")
    elif kind == "system":
        log.record("system", subtype="turn_duration")
    elif kind == "late" and getattr(log, "waiting", None):
        log.result(log.waiting, NOTE, {"stdout": NOTE, "stderr": ""})


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_cuts_give_the_result_of_one_reading(data, log, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cuts")
    written = log("s1", folder=folder / "whole")
    for _ in range(data.draw(st.integers(1, 25))):
        step(data.draw, written)
    whole = written.save(end=data.draw(st.sampled_from([b"\n", b""])))
    text = whole.read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    path = folder / "logs" / "s1.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"")
    state = None
    for cut in [*cuts, len(text)]:
        with path.open("ab") as file:
            file.write(text[path.stat().st_size : cut])
        [session] = sessions(path)
        state = mine_log(session, state, redact)
        state = loaded(dumped(state))
        assert state is not None
    [session] = sessions(path)
    assert dumped(state) == dumped(mine_log(session, None, redact))
    assert b"a1B2a1B2" not in b"".join(dumped(state))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_cuts_of_a_session_and_its_sub_agents_give_the_result_of_one_reading(data, log, tmp_path_factory):
    folder = tmp_path_factory.mktemp("agents")
    written = log("s1", folder=folder / "whole")
    logs = {}
    for number in range(data.draw(st.integers(1, 4))):
        written.user(f"question {number}")
        if data.draw(st.booleans()):
            tool = written.call("Task", prompt=f"look {number}", description="d", subagent_type="x")
            inside = log(f"agent-{number}", folder=folder / "whole" / "s1" / "subagents", session=f"in{number}")
            inside.clock = written.clock
            inside.user(f"look {number}", isSidechain=True)
            inside.read(PATH, NOTE)
            logs[f"s1/subagents/agent-{number}.jsonl"] = inside.save().read_bytes()
            written.result(tool, "seen")
        written.say(ECHO.replace("heron", f"heron{number}"))
    logs["s1.jsonl"] = written.save().read_bytes()
    home = folder / "logs"
    state = None
    for last in (False, False, True):
        for name, text in logs.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            old = path.stat().st_size if path.exists() else 0
            end = len(text) if last else data.draw(st.integers(old, len(text)))
            with path.open("ab") as file:
                file.write(text[old:end])
        [session] = sessions(home)
        state = loaded(dumped(mine_log(session, state, redact)))
    assert dumped(state) == dumped(mine_log(session, None, redact))


def test_r56_only_what_was_appended_is_read(log, project, tmp_path, monkeypatch):
    a = log("s1")
    for number in range(30):
        a.user(f"question {number}")
        a.say("An answer.")
    a.save()
    store = Store(tmp_path / "mined")
    notes = find_notes(folder_settings(project))
    mine(sessions(tmp_path / "logs"), notes, project, store=store)
    seen = []
    feed = TurnReader.feed
    monkeypatch.setattr(TurnReader, "feed", lambda self, record: seen.append(record) or feed(self, record))
    assert mine(sessions(tmp_path / "logs"), notes, project, store=store).tally.turns == 30
    assert seen == []
    a.user("one more")
    a.say("Fine.")
    a.save()
    assert mine(sessions(tmp_path / "logs"), notes, project, store=store).tally.turns == 31
    assert len(seen) == 3  # the rest of the last turn, and the two new records


def test_r56_a_file_that_was_replaced_is_read_whole(log, project, tmp_path):
    store = Store(tmp_path / "mined")
    notes = find_notes(folder_settings(project))
    a = log("s1")
    for number in range(9):
        a.user(f"question {number}")
        a.say("An answer.")
    a.save()
    assert mine(sessions(tmp_path / "logs"), notes, project, store=store).tally.turns == 9
    shorter = log("s1", cwd="/home/u/app")
    shorter.clock = 500
    shorter.user("something else")
    shorter.say("Yes.")
    shorter.save()
    assert mine(sessions(tmp_path / "logs"), notes, project, store=store).tally.turns == 1
    longer = log("s1")
    longer.clock = 900
    for number in range(20):
        longer.user(f"other {number}")
        longer.say("An answer.")
    longer.save()
    mined = mine(sessions(tmp_path / "logs"), notes, project, store=store)
    assert mined.tally.turns == 20


def test_what_was_mined_stays_when_the_log_is_swept(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say("Run shipctl revert with the violet wave, then watch the tangerine dashboard.")
    path = a.save()
    store = Store(tmp_path / "mined")
    notes = find_notes(folder_settings(project))
    first = mine(sessions(tmp_path / "logs"), notes, project, store=store)
    path.unlink()
    again = mine(sessions(tmp_path / "logs"), notes, project, store=store)
    assert again.pairs == first.pairs != []
    for file in (tmp_path / "mined").iterdir():
        assert file.name == "lock" or file.stat().st_mode & 0o777 in (0o600, 0o666)


def test_a_resumed_session_counts_its_copies_once(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say("Run shipctl revert with the violet wave, then watch the tangerine dashboard.")
    a.save()
    b = log("s2")
    b.lines = [line.replace(b'"sessionId":"s1"', b'"sessionId":"s2"') for line in a.lines]
    b.user("thanks")
    b.say("Welcome.")
    b.save()
    mined = mine(sessions(tmp_path / "logs"), find_notes(folder_settings(project)), project)
    assert (mined.tally.turns, mined.tally.copies, len(mined.pairs)) == (2, 1, 1)


def _noise(draw):
    """A line that the reader may refuse before it parses it, or one that only looks so."""
    kind = draw(st.sampled_from(["bash_progress", "hook_progress"]))
    tick = {"type": "progress", "data": {"type": kind, "output": draw(st.text(max_size=9))}}
    snapshot = {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"trackedFileBackups": {}}}
    given = {"type": "progress", "a": '"type":"progress"'}
    block = {"type": "tool_use", "id": f"t{draw(st.integers(0, 3))}", "name": "mcp", "input": given}
    call = {"type": "assistant", "message": {"id": "x", "content": [block]}}
    value = draw(st.sampled_from([tick, snapshot, call, {"type": "summary", "summary": '{"type":"progress"}'}]))
    return json.dumps(value, separators=draw(st.sampled_from([(",", ":"), (", ", ": ")]))).encode()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_refusing_lines_before_they_are_parsed_changes_nothing(data, log, tmp_path_factory):
    folder = tmp_path_factory.mktemp("skip")
    written = log("s1", folder=folder)
    for _ in range(data.draw(st.integers(1, 15))):
        if data.draw(st.booleans()):
            step(data.draw, written)
        else:
            written.raw(_noise(data.draw))
    path = written.save()
    reader = TurnReader("s1", str(path), abandoned=branches(path).abandoned)
    everything = [turn for record in records(path) for turn in reader.feed(record)] + reader.close()
    [session] = sessions(path)
    from transcripts import session_turns

    assert list(session_turns(session)) == everything
    assert all(isinstance(record, Record) for record in records(path))
