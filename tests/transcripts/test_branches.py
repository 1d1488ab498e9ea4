"""What the person took back is no part of the conversation; what only looks like a fork is."""

import json

from notes import find_notes, folder_settings
from transcripts import Store, mine, session_turns, sessions
from transcripts.logs.records import named
from transcripts.logs.redact import redact
from transcripts.turns.branches import NO_PARENT

PATH = "/home/u/app/docs/deploy.md"
ECHO = "Run shipctl revert with the violet wave, then watch the tangerine dashboard."


def told(log):
    [session] = sessions(log.save())
    skipped = []
    return [(turn.number, turn.message, turn.reply) for turn in session_turns(session, skipped)], skipped


def test_a_rewind_leaves_a_branch_behind(log):
    a = log("s1")
    a.user("u1")
    before = a.say("a1")
    a.user("u2")
    a.say("a2")
    a.parent = before
    a.user("u3")
    a.say("a3")
    assert told(a) == ([(1, "u1", "a1"), (2, "u3", "a3")], [])


def test_a_rewind_over_several_messages_and_one_more_inside(log):
    a = log("s1")
    a.user("u1")
    first = a.say("a1")
    a.user("u2")
    a.say("a2")
    a.user("u3")
    a.record("system", subtype="turn_duration")
    a.parent = first
    a.user("u4")
    second = a.say("a4")
    a.user("u5")
    a.say("a5")
    a.parent = second
    a.user("u6")
    a.say("a6")
    assert [message for _, message, _ in told(a)[0]] == ["u1", "u4", "u6"]


def test_who_goes_back_to_a_branch_that_was_left_has_it_again(log):
    a = log("s1")
    a.user("u1")
    first = a.say("a1")
    a.user("u2")
    left = a.say("a2")
    a.parent = first
    a.user("u3")
    a.say("a3")
    a.parent = left
    a.user("u4")
    a.say("a4")
    assert [message for _, message, _ in told(a)[0]] == ["u1", "u2", "u4"]


def test_a_rewind_to_before_the_first_message(log):
    a = log("s1")
    start = a.attach(type="hook_success", content="", hookName="SessionStart")
    a.user("u1")
    a.say("a1")
    a.parent = start
    a.user("u2")
    a.say("a2")
    assert [message for _, message, _ in told(a)[0]] == ["u2"]


def test_esc_before_an_answer_and_the_message_once_more(log):
    a = log("s1")
    a.user("u1")
    a.say("a1")
    before = a.record("system", subtype="turn_duration")
    a.user("mend teh build")
    a.attach(type="total_tokens_reminder", text="x")
    a.parent = before
    a.user("mend the build")
    a.say("Mended.")
    assert [message for _, message, _ in told(a)[0]] == ["u1", "mend the build"]


def test_calls_side_by_side_are_no_rewind(log):
    a = log("s1")
    a.user("look at both")
    first = a.call("Read", file_path=PATH)
    at_first = a.parent
    second = a.call("Bash", command="ls")
    at_second = a.parent
    a.parent = at_first
    a.result(first, "     1→one")
    a.parent = at_second
    a.result(second, "two")
    a.say("Seen.")
    a.parent = at_first  # the next message hangs on one of the branches
    a.user("go on")
    a.say("Gone.")
    found, skipped = told(a)
    assert [(message, reply) for _, message, reply in found] == [("look at both", "Seen."), ("go on", "Gone.")]
    assert skipped == []


def test_a_compaction_begins_a_new_chain_and_takes_nothing_back(log):
    a = log("s1")
    a.user("u1")
    last = a.say("a1")
    a.parent = None
    a.record("system", subtype="compact_boundary", logicalParentUuid=last)
    a.user("a summary", isCompactSummary=True)
    a.user("u2")
    a.say("a2")
    a.parent = None
    a.record("system", subtype="compact_boundary", logicalParentUuid=last)
    a.parent = None
    a.user("u3")
    a.say("a3")
    assert [message for _, message, _ in told(a)[0]] == ["u1", "u2", "u3"]


def test_a_missing_parent_and_a_cycle_keep_the_order_of_the_file_and_say_so(log):
    a = log("s1")
    a.user("u1")
    a.say("a1")
    a.parent = "in-no-file"
    a.user("u2")
    a.say("a2")
    identity = a.user("u3")
    later = a.say("a3")
    stood_on = json.loads(a.lines[-2])["parentUuid"]
    a.lines[-2] = a.lines[-2].replace(stood_on.encode(), later.encode())
    a.parent = identity
    a.user("u4")
    a.say("a4")
    found, skipped = told(a)
    assert [message for _, message, _ in found] == ["u1", "u2", "u3", "u4"]
    assert [(item.file, item.line, item.reason) for item in skipped] == [
        (named(a.path), 3, NO_PARENT),
        (named(a.path), 5, NO_PARENT),
    ]


def test_a_log_that_names_no_parents_is_read_in_its_order(log):
    a = log("s1")
    for number in range(3):
        a.user(f"u{number}")
        a.say(f"a{number}")
    a.lines = [json.dumps(json.loads(line) | {"parentUuid": None}).encode() for line in a.lines]
    assert [message for _, message, _ in told(a)[0]] == ["u0", "u1", "u2"]
    for line in range(len(a.lines)):
        data = json.loads(a.lines[line])
        del data["parentUuid"]
        a.lines[line] = json.dumps(data).encode()
    assert [message for _, message, _ in told(a)[0]] == ["u0", "u1", "u2"]


def test_a_pair_belongs_to_the_branch_that_was_kept_also_when_the_rewind_comes_later(log, project, tmp_path):
    a = log("s1")
    a.user("hello")
    before = a.say("Hello.")
    a.user("how do we go back?")
    a.read(PATH, (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
    a.say(ECHO)
    store, notes = Store(tmp_path / "mined"), find_notes(folder_settings(project))

    def mined():
        a.save()
        found = mine(sessions(tmp_path / "logs"), notes, project, store=store, clean=redact)
        assert found == mine(sessions(tmp_path / "logs"), notes, project, clean=redact)
        return [pair.question for pair in found.pairs], found.tally.turns

    assert mined() == (["how do we go back?"], 2)
    a.parent = before
    a.user("and how do we undo a rollout?")
    assert mined()[1] == 2
    a.read(PATH, (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
    a.say(ECHO)
    assert mined() == (["and how do we undo a rollout?"], 2)


def test_a_message_that_nothing_answered_is_no_turn_unless_it_waited_in_the_queue(log):
    a = log("s1")
    a.user("what I did not mean")
    a.user("what I mean")
    a.say("Yes.")
    for text in ("first", "second"):
        a.record("queue-operation", operation="enqueue", content=text)
    for _ in range(2):
        a.record("queue-operation", operation="dequeue")
    a.user("first")
    a.user("second")
    a.say("Both.")
    a.user("stop")
    a.user("[Request interrupted by user]")
    a.user("the last")
    assert [message for _, message, _ in told(a)[0]] == ["what I mean", "first", "second", "stop", "the last"]


def test_an_edit_that_failed_wrote_to_no_note(log):
    a = log("s1")
    for number, (name, error, writes) in enumerate(
        [
            ("Edit", "The user doesn't want to proceed with this tool use.", False),
            ("Write", "PreToolUse:Write hook error: [ladder guard]: dated entries stay", False),
            ("Edit", "<tool_use_error>String to replace not found in file.", False),
            ("Bash", "Exit code 1\nsed: 2 errors", True),
            ("Bash", "Permission to use Bash with command sed has been denied.", False),
            ("Edit", None, True),
        ]
    ):
        a.user(f"change it {number}")
        tool = a.call(name, command=f"sed -i s/a/b/ {PATH}") if name == "Bash" else a.call(name, file_path=PATH)
        a.result(tool, error or "done", **({"is_error": True} if error else {}))
        a.say("So it is.")
        [session] = sessions(a.save())
        assert bool(list(session_turns(session))[-1].notes_written) == writes, error


def test_a_local_command_between_a_call_and_its_result_is_not_the_question(log):
    a = log("s1")
    a.user("build it")
    tool = a.call("Bash", command="make")
    a.user("<command-name>/model</command-name>\n<command-args>opus</command-args>")
    a.user("<local-command-stdout>Set model to opus</local-command-stdout>")
    a.result(tool, "built")
    a.say("It is built.")
    other = a.call("Bash", command="make")
    a.user("<command-name>/plan</command-name>\n<command-args>the move</command-args>")
    a.user("Plan what is asked", isMeta=True)
    a.say("This is the plan.")
    a.result(other, "built")
    third = a.call("Bash", command="make")
    a.record("queue-operation", operation="enqueue", content="/mcp")
    a.record("queue-operation", operation="remove")
    a.result(third, "built")
    a.user("<command-name>/status</command-name>\n<command-args></command-args>")
    assert [(number, message, reply) for number, message, reply in told(a)[0]] == [
        (1, "build it", "It is built."),
        (2, "/plan the move", "This is the plan."),
    ]


def test_a_fork_with_ids_of_its_own_counts_pairs_once(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.read(PATH, (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
    a.say(ECHO)
    a.save()
    b = log("s2")
    for line in a.lines:
        data = json.loads(line)
        names = {"sessionId": "s1", "messageUuid": data["uuid"]}
        data |= {"uuid": "f-" + data["uuid"], "parentUuid": b.parent, "sessionId": "s2", "forkedFrom": names}
        b.raw(json.dumps(data).encode())
        b.parent = data["uuid"]
    b.user("and then?")
    b.say("Then nothing.")
    b.save()
    found = mine(sessions(tmp_path / "logs"), find_notes(folder_settings(project)), project)
    assert (len(found.pairs), found.tally.turns, found.tally.copies) == (1, 2, 1)
