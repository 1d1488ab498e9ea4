"""The tail of a log says what `transcripts` says, as far as it reaches."""

import json
import os
import random

import pytest

from ladder.hook.shown import notes_in_blocks
from ladder.query import log_tail as tailing
from ladder.query import speaker as spoken_by
from ladder.query import tail as turns_so_far
from ladder.query.log_tail import context, read_tail
from ladder.query.speaker import spoken
from ladder.query.tail import excerpt
from transcripts import Past, at_turn, session_turns, sessions
from transcripts.logs import speech
from transcripts.logs.tool_reads import NOTE_SUFFIXES
from transcripts.turns import contexts

FIELDS = ("message", "said", "touched", "commands", "results", "opened")


def write(path, records):
    with path.open("ab") as file:
        for record in records:
            file.write(
                json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
            )


def user(content, **more):
    return {"type": "user", "uuid": f"u{random.random()}", "message": {"role": "user", "content": content}} | more


def agent(*blocks, identity=None, **more):
    message = {"id": identity or f"m{random.random()}", "role": "assistant", "content": list(blocks)}
    return {"type": "assistant", "uuid": f"a{random.random()}", "message": message} | more


def text(said):
    return {"type": "text", "text": said}


def call(name, identity, **given):
    return {"type": "tool_use", "id": identity, "name": name, "input": given}


def result(identity, content, **more):
    return user([{"type": "tool_result", "tool_use_id": identity, "content": content} | more])


def compare(log):
    """Hold the tail against transcripts at each turn of a log; returns how many turns were compared."""
    (session,) = sessions(log)
    past, cutter, count = Past(), contexts.Cutter(), 0
    for turn in session_turns(session):
        if turn.kind != "machine":
            want, got = at_turn(past, turn), context(str(log), turn.message, turn.offset)
            for field in FIELDS:
                assert getattr(got, field) == want[field], (turn.number, field)
            count += 1
        past.add(turn, cutter)
    return count


def test_figures_are_those_of_transcripts():
    assert (tailing.TURNS, tailing.SAID_CHARACTERS) == (contexts.SAID_TURNS, contexts.SAID_CHARACTERS)
    assert (tailing.TOUCHED, tailing.COMMANDS) == (contexts.TOUCHED, contexts.COMMANDS)
    assert (turns_so_far.COMMAND_CHARACTERS, tailing.RESULTS) == (contexts.COMMAND_CHARACTERS, contexts.RESULTS)
    assert contexts.OPENED == tailing.OPENED
    assert speech.MACHINE == spoken_by.MACHINE
    assert NOTE_SUFFIXES == turns_so_far.NOTE_SUFFIXES


def test_a_conversation(tmp_path):
    log = tmp_path / "s.jsonl"
    records = []
    for number in range(9):
        records += [
            user([text(f"message {number} " + "x" * 2100)]),
            agent(text(f"thinking about {number}"), identity=f"m{number}"),
            agent(text(f"thinking about {number}"), identity=f"m{number}"),
            agent(call("Read", f"r{number}", file_path=f"/p/notes/n{number % 4}.md"), identity=f"m{number}"),
            result(f"r{number}", f"     1\tline {number}\n" + "y" * 900),
            agent(call("Bash", f"b{number}", command=f"make target-{number} " + "z" * 400)),
            result(f"b{number}", "failed", is_error=True),
            agent(call("Edit", f"e{number}", file_path=f"/p/src/f{number % 3}.py", old_string="a", new_string="b")),
            result(f"e{number}", [text("done")]),
            agent(text(f"finished {number}")),
        ]
    write(log, records)
    assert compare(log) == 9


def test_what_is_not_the_person_speaking(tmp_path):
    log = tmp_path / "s.jsonl"
    write(
        log,
        [
            user("<system-reminder>x</system-reminder> the real words"),
            agent(text("yes")),
            user("a hidden prompt", isMeta=True),
            user("a summary of all", isCompactSummary=True),
            user("a sub-agent's order", isSidechain=True),
            agent(text("a sub-agent's answer"), isSidechain=True),
            user("<task-notification>done</task-notification>"),
            user("<command-name>/deploy</command-name><command-args>now please</command-args>"),
            agent(text("deploying")),
            user("<command-name>/clear</command-name><command-args></command-args>"),
            user("Caveat: the messages below"),
            {"type": "queue-operation", "operation": "enqueue", "content": "typed meanwhile"},
            agent(text("still at it")),
            {"type": "queue-operation", "operation": "remove", "content": "typed meanwhile"},
            {
                "type": "attachment",
                "attachment": {"type": "queued_command", "prompt": "typed meanwhile", "commandMode": "prompt"},
            },
            agent(text("seen")),
            {
                "type": "attachment",
                "attachment": {"type": "nested_memory", "content": {"path": "/p/CLAUDE.md", "content": "x"}},
            },
            agent(text("API Error"), isApiErrorMessage=True),
            {"type": "progress", "data": {"message": {"type": "assistant", "message": {"content": [text("inner")]}}}},
            {"type": "file-history-snapshot", "snapshot": {}},
            user("the last message"),
            agent(text("the end")),
            user("one more"),
        ],
    )
    assert compare(log) >= 4


def test_damage_is_stepped_over(tmp_path):
    log = tmp_path / "s.jsonl"
    write(log, [user("first"), agent(text("answer \u2028 one"))])
    with log.open("ab") as file:
        file.write(
            b'{"type":"user","broken\n[]\n"x"\n\0\0\0\n\n{"type":"user","message":5}\n{"type":"assistant","message":{}}\n'
        )
        file.write(b'{"type":"user","uuid":"n","message":{"role":"user","content":"a NUL \0 inside"}}\n')
    write(log, [user("second \udc00 half"), agent(text("answer two")), user("third")])
    found = context(str(log), "third")
    assert [entry[1] for entry in found.said][:2] == ["first", "answer \u2028 one"]
    assert found.said[-1][1] == "answer two"
    with log.open("ab") as file:
        file.write(b'{"type":"assistant","uuid":"h","message":{"content":[{"type":"te')
    assert context(str(log), "third").said == found.said


def test_the_message_itself_is_not_what_came_before_it(tmp_path):
    log = tmp_path / "s.jsonl"
    write(log, [user("first"), agent(text("answer")), user("go on")])
    assert context(str(log), "go on").said == [["user", "first"], ["agent", "answer"]]
    assert context(str(log), "another").said[-1] == ["agent", "answer"]  # "go on" was taken back before an answer
    write(log, [user("[Request interrupted by user]")])
    assert context(str(log), "another").said[-1] == ["user", "go on"]
    during = context(str(log), None)
    assert during.message == "go on"
    write(log, [agent(text("I go on")), agent(call("Read", "r", file_path="/p/x.py"))])
    during = context(str(log), None)
    assert (during.message, during.said[-1], during.touched) == ("go on", ["agent", "I go on"], ["/p/x.py"])


def test_only_the_end_of_a_long_log_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(tailing, "WINDOW", 5000)
    log = tmp_path / "s.jsonl"
    write(log, [record for number in range(300) for record in (user(f"m{number}"), agent(text(f"a{number}")))])
    found = context(str(log), "next")
    assert found.said[-1] == ["agent", "a299"]
    assert len(found.said) == 12


@pytest.mark.parametrize("path", ["", "/nowhere/x.jsonl", "/", "\0", "/dev/null"])
def test_no_log_is_an_empty_context(path):
    found = context(path, "hello")
    assert (found.message, found.said, found.touched, found.opened) == ("hello", [], [], [])


@pytest.mark.skipif(os.name == "nt", reason="named pipes are POSIX")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "p")
    assert context(str(tmp_path / "p"), "hello").said == []


def test_the_hooks_own_blocks_are_found(tmp_path):
    log = tmp_path / "s.jsonl"
    block = "<ladder-notes>\nops/alerts.md#paging (3 of 9 tokens)\n</ladder-notes>"
    write(log, [{"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [block]}}])
    assert notes_in_blocks(read_tail(str(log)).blocks) == ["ops/alerts.md"]


NOTICES = (
    "<task-notification>a", "<a-b-event x>", "<hook>a", "<-hook>a", "<my-hook-two>a", "<my-hooks>a", "<my-hook2>a",
    "<b>a",
    "<A-hook>a", "<my--hook>", "<x-update",
)  # fmt: skip


def test_excerpts_and_words():
    assert excerpt("x" * 600) == "x" * 600
    assert excerpt("a" * 400 + "b" * 400) == "a" * 300 + "\n…\n" + "b" * 300
    for said in (
        "hello",
        "/deploy now",
        "<command-name>/x</command-name>",
        "<ide_selection>y</ide_selection>words",
        "Caveat: z",
        "",
    ):
        assert spoken(said) == speech.spoken(said)[0]


def linked(records):
    """Give each record the one before it as parent, where it names none."""
    before = None
    for record in records:
        record.setdefault("parentUuid", before)
        before = record.get("uuid", before)
    return records


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_what_was_taken_back_is_not_said(tmp_path, separators):
    log = tmp_path / "s.jsonl"
    block = {"type": "hook_additional_context", "content": ["<ladder-notes>\n- a\n</ladder-notes>"]}
    records = linked(
        [
            user("u1", uuid="1"),
            agent(text("a1"), uuid="1a"),
            user("u2", uuid="2"),
            {"type": "attachment", "uuid": "2x", "attachment": block},
            agent(text("a2"), call("Read", "r", file_path="/p/x.md"), uuid="2a"),
            result("r", "x"),
            user("u3", uuid="3", parentUuid="1a"),
            agent(text("a3"), uuid="3a"),
            user("u4 with a slip", uuid="4"),
            user("u4", uuid="5", parentUuid="3a"),
            agent(text("a4")),
            user("u5"),
            agent(text("a5")),
        ]
    )
    log.write_bytes(b"".join(json.dumps(record, separators=separators).encode() + b"\n" for record in records))
    (session,) = sessions(log)
    past, cutter = Past(), contexts.Cutter()
    for turn in session_turns(session):
        past.add(turn, cutter)
    found = context(str(log), "next")
    assert [said for _, said in found.said] == ["u1", "a1", "u3", "a3", "u4", "a4", "u5", "a5"]
    assert found.said == [[role, its.text] for role, its in past.said]
    assert (found.opened, found.results, read_tail(str(log)).blocks) == ([], [], [])


def test_a_rewind_to_before_the_window_leaves_nothing_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tailing, "WINDOW", 3000)
    log = tmp_path / "s.jsonl"
    long = [record for number in range(30) for record in (user(f"m{number}"), agent(text(f"a{number}")))]
    write(log, linked([user("u1"), agent(text("a1"), uuid="first"), *long]))
    write(log, [user("u2", parentUuid="first"), agent(text("a2"))])
    assert context(str(log), "next").said == [["user", "u2"], ["agent", "a2"]]


def test_a_local_command_while_a_tool_is_at_work_is_no_turn(tmp_path):
    log = tmp_path / "s.jsonl"
    write(
        log,
        linked(
            [
                user("build it"),
                agent(call("Bash", "b", command="make")),
                user("<local-command-caveat>Caveat</local-command-caveat>", isMeta=True),
                user("<command-name>/model</command-name><command-args>opus</command-args>"),
                user("<local-command-stdout>Set</local-command-stdout>"),
                result("b", "built"),
                agent(text("It is built.")),
                user("thanks"),
                agent(text("Welcome.")),
            ]
        ),
    )
    assert compare(log) == 2
    assert [said for _, said in context(str(log), "next").said] == ["build it", "It is built.", "thanks", "Welcome."]


@pytest.mark.parametrize(
    "said",
    [
        "[SYSTEM NOTIFICATION - NOT USER INPUT]\nA file changed.",
        '<cross-session-message from="x">hi</cross-session-message>',
        '<scheduled-task id="1">look</scheduled-task>',
        "<task-notification>done</task-notification>",
    ],
)
def test_what_the_client_says_by_itself_is_not_the_person(tmp_path, said):
    log = tmp_path / "s.jsonl"
    write(log, [user("u1"), agent(text("a1")), user(said), agent(text("a2")), user("u2")])
    write(log, [agent(text("b")), user("Check the pull request", promptSource="system"), agent(text("c")), user("u3")])
    assert compare(log) == 3
    assert spoken(said) == speech.spoken(said)[0] == ""


@pytest.mark.data
def test_real_logs(data, monkeypatch):
    monkeypatch.setattr(tailing, "WINDOW", 1 << 30)
    logs = sorted(path for path in (data / "sessions").glob("*/logs/**/*.jsonl") if "subagents" not in path.parts)
    chosen = random.Random(7).sample([path for path in logs if path.stat().st_size < 3_000_000], 25)
    assert sum(compare(log) for log in chosen) > 20


def test_of_eight_thousand_comings_and_goings_of_a_queue_the_last_are_parsed(tmp_path, monkeypatch):
    log = tmp_path / "log.jsonl"
    came = [{"type": "queue-operation", "operation": "enqueue", "content": f"m{i}"} for i in range(4000)]
    went = [{"type": "queue-operation", "operation": "remove", "content": f"m{i}"} for i in range(4000)]
    write(log, [user("the first"), *came, *went, user("the last"), agent(text("an answer"))])
    taken = []
    take = tailing.take_line
    monkeypatch.setattr(tailing, "take_line", lambda tail, line: (taken.append(line), take(tail, line))[1])
    found = context(str(log), "and now?")
    assert len(taken) == tailing.RECORDS
    assert found.said == [["user", "the last"], ["agent", "an answer"]]


def test_glued_and_torn_records_are_read_as_the_miner_reads_them(tmp_path):
    log = tmp_path / "s.jsonl"
    dumped = [
        json.dumps(record, separators=(",", ":")).encode()
        for record in linked(
            [
                user("u1"),
                agent(text("a1")),
                agent(text("lost")),
                user("how do we go back?"),
                agent(text("a2")),
                user("glued"),
                agent(text("a3")),
                user("last"),
            ]
        )
    ]
    torn = dumped[2][:-20]
    log.write_bytes(b"\n".join([*dumped[:2], torn + dumped[3], dumped[4] + dumped[5] + b"\0" + dumped[6], dumped[7]]))
    (session,) = sessions(log)
    assert [(turn.message, turn.reply) for turn in session_turns(session)] == [
        ("u1", "a1"),
        ("how do we go back?", "a2"),
        ("glued", "a3"),
        ("last", ""),
    ]
    said = [said for _, said in context(str(log), "last").said]
    assert said == ["u1", "a1", "how do we go back?", "a2", "glued", "a3"]


def test_two_messages_of_the_agent_without_an_id_are_two(tmp_path):
    log = tmp_path / "s.jsonl"
    records = [user("u1"), agent(text("Yes.")), agent(text("Yes.")), user("u2")]
    for record in records[1:3]:
        del record["message"]["id"]
    write(log, records)
    assert compare(log) == 2
    assert context(str(log), "u2").said[-1] == ["agent", "Yes.\n\nYes."]


def test_blocks_are_found_however_much_stands_behind_them(tmp_path):
    log = tmp_path / "s.jsonl"
    block = "<ladder-notes>\n- ops/alerts (head 3, all 9 tokens)\n</ladder-notes>"
    attachment = {"type": "hook_additional_context", "content": [block]}
    write(log, [user("u1"), {"type": "attachment", "uuid": "b", "attachment": attachment}, agent(text(block))])
    write(log, [agent(text("x" * 300_000)) for _ in range(3)])
    assert tailing.read_tail(str(log)).blocks == []
    assert tailing.blocks_of(str(log)) == [block]
    write(log, [{"type": "attachment", "uuid": "c", "attachment": attachment}])
    assert tailing.blocks_of(str(log)) == [block, block]
    assert tailing.blocks_of(str(tmp_path / "none")) == []
