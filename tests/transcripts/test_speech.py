"""Who is speaking, and what makes a turn."""

import json

import pytest

from ladder.query.speaker import spoken as spoken_by_the_hook
from transcripts import session_turns, sessions
from transcripts.logs.speech import message_of, spoken

OWN = "<ladder-notes>\nops/alerts: the heron alarm\n</ladder-notes>"


def all_turns(log):
    [session] = sessions(log.save())
    return list(session_turns(session))


def test_r47_one_api_message_on_several_lines_is_one_message(log):
    a = log("s1")
    a.user("what does it do?")
    for text, tokens in (("It turns.", 3), ("It stops.", 7), ("It stops.", 9)):
        a.say(text, message="msg_1", body={"usage": {"output_tokens": tokens}})
    a.say("Done.", message="msg_2", body={"usage": {"output_tokens": 5}})
    [turn] = all_turns(a)
    assert turn.reply == "It turns.\n\nIt stops.\n\nDone."
    assert turn.usage == 9 + 5


def test_r52_a_compaction_summary_is_not_the_person(log):
    a = log("s1")
    a.user("go on")
    a.say("I go on.")
    a.user("This session is being continued … " + "x" * 53_000, isCompactSummary=True, isVisibleInTranscriptOnly=True)
    a.say("And on.")
    [turn] = all_turns(a)
    assert (turn.message, turn.reply) == ("go on", "I go on.\n\nAnd on.")


def test_r53_a_tool_result_is_not_the_person_and_string_and_blocks_are_equal(log):
    a, b = log("s1"), log("s2")
    a.user("look at it")
    b.user([{"type": "text", "text": "look at it"}])
    for one in (a, b):
        tool = one.call("Bash", command="cat big.txt")
        one.result(tool, "a dump of a file " * 400)
        one.user("<system-reminder>be brief</system-reminder>")
        one.say("I see.")
    [first], [second] = all_turns(a), all_turns(b)
    assert first.message == second.message == "look at it"
    assert first.kind == second.kind == "typed"


@pytest.mark.parametrize(
    ("text", "said", "kind"),
    [
        ("<system-reminder>\nx\n</system-reminder>\nfix the build", "fix the build", "typed"),
        ("<system-reminder>x</system-reminder>", "", "machine"),
        ("<tick>12:00</tick>", "", "machine"),
        ('<channel source="chat">the build is red</channel>', "", "machine"),
        ("<fork-boilerplate>\nYour directive: look\n</fork-boilerplate>", "", "machine"),
        ("<bash-exit-code>1</bash-exit-code>", "", "machine"),
        ("<channel-list> does not render", "<channel-list> does not render", "typed"),
        (f"{OWN}\nfix the build", "fix the build", "typed"),
        (f"fix the build\n\n{OWN}", "fix the build", "typed"),
        (f"fix {OWN} the build", "fix  the build", "typed"),
        (f"<system-reminder>\nhook: {OWN}\n</system-reminder>\nfix the build", "fix the build", "typed"),
        (f"fix the build\n<system-reminder>hook: {OWN}</system-reminder>", "fix the build", "typed"),
        ("fix it\n<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection>", "fix it", "typed"),
        (f"{OWN} {OWN}", "", "machine"),
        ("why does <ladder-notes stand there?", "why does <ladder-notes stand there?", "typed"),
        ("<local-command-stdout>ok</local-command-stdout>", "", "machine"),
        ("<task-notification>\n<task-id>1</task-id></task-notification>", "", "machine"),
        ("<agent-notification>\n<agent-id>1</agent-id></agent-notification>", "", "machine"),
        ("[Request interrupted by user for tool use]", "", "machine"),
        ("Caveat: the messages below", "", "machine"),
        ("<bash-input>ls</bash-input>", "", "machine"),
        ("<command-name>/plan</command-name>\n<command-args>the move</command-args>", "/plan the move", "slash"),
        ("<command-message>p</command-message><command-name>/p</command-name>", "/p", "slash"),
        ("<command-name>/clear</command-name>\n  <command-message>clear</command-message>", "/clear", "slash"),
        ("/plan the move", "/plan the move", "slash"),
        ("/home/u/x.py fails", "/home/u/x.py fails", "typed"),
        ("<div> is not closed", "<div> is not closed", "typed"),
    ],
)  # fmt: skip
def test_what_the_person_said(text, said, kind):
    assert spoken(text) == (said, kind)
    assert spoken_by_the_hook(text) == said


def test_marks_of_the_record_come_first():
    record = {"type": "user", "message": {"role": "user", "content": "hello"}}
    assert message_of(record) == ("hello", "typed")
    for mark in ({"isMeta": True}, {"isSidechain": True}, {"origin": {"kind": "task-notification"}}):
        assert message_of(record | mark) == ("", "machine")
    assert message_of(record | {"origin": {"kind": "human"}}) == ("hello", "typed")
    assert message_of({"type": "user", "message": None}) == ("", "machine")


def test_a_command_that_the_client_handles_alone_is_no_turn(log):
    a = log("s1")
    a.user("<command-name>/clear</command-name>\n<command-args></command-args>")
    a.user("<local-command-stdout></local-command-stdout>")
    a.user("begin")
    a.say("Begun.")
    assert [(turn.number, turn.message) for turn in all_turns(a)] == [(1, "begin")]


def test_a_queued_message_that_stands_nowhere_else_is_a_turn(log):
    a = log("s1")
    a.user("begin")
    a.say("I begin.")
    a.record("queue-operation", operation="enqueue", content="<task-notification>x</task-notification>")
    a.record("queue-operation", operation="enqueue", content="and then stop")
    a.record("queue-operation", operation="remove")
    a.say("Still going.")
    a.record("queue-operation", operation="remove")
    a.say("I stop.")
    assert [(turn.message, turn.kind, turn.reply) for turn in all_turns(a)] == [
        ("begin", "typed", "I begin.\n\nStill going."),
        ("and then stop", "queued", "I stop."),
    ]


def test_a_queued_message_counts_once_whichever_way_it_comes(log):
    a = log("s1")
    a.user("begin")
    a.say("I begin.")
    for text, way in (("one", "dequeue"), ("two", "attach first"), ("three", "remove first"), ("four", "popAll")):
        a.record("queue-operation", operation="enqueue", content=text)
        if way == "dequeue":
            a.record("queue-operation", operation="dequeue")
            a.user(text)
        elif way == "attach first":
            a.attach(type="queued_command", prompt=text, commandMode="prompt")
            a.record("queue-operation", operation="remove", content=text)
        elif way == "remove first":
            a.record("queue-operation", operation="remove", content=text)
            a.attach(type="queued_command", prompt=text, commandMode="prompt")
        else:
            a.record("queue-operation", operation="popAll", content=text)
        a.say(f"Answer to {text}.")
    assert [turn.message for turn in all_turns(a)] == ["begin", "one", "two", "three"]


def test_the_order_of_events_is_kept_and_usage_of_errors_is_not_speech(log):
    a = log("s1")
    a.user("begin")
    a.say("First.")
    a.bash("ls", "files")
    a.say("Second.")
    a.say("API Error", body={"model": "<synthetic>"})
    [turn] = all_turns(a)
    assert [(event.kind, event.text) for event in turn.events] == [
        ("said", "First."),
        ("called", "ls"),
        ("result", "files"),
        ("said", "Second."),
    ]
    assert turn.commands == ("ls",)


def test_a_record_type_of_tomorrow_is_passed_over(log):
    a = log("s1")
    a.record("hologram", shape={"message": "no"})
    a.user("begin")
    a.raw(json.dumps({"type": "assistant", "message": "not what we know"}).encode())
    a.raw(json.dumps({"type": "user", "message": {"content": [None, 3, {"type": "orb"}]}}).encode())
    a.say("Begun.")
    assert [turn.reply for turn in all_turns(a)] == ["Begun."]
