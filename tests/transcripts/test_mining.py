import pytest

from notes import find_notes, folder_settings
from transcripts import mine, read_pairs, sessions, write_pairs

ECHO = "Run shipctl revert with the violet wave, then watch the tangerine dashboard."


def run(folder, project, **keys):
    return mine(sessions(folder), find_notes(folder_settings(project)), project, **keys)


def test_a_line_whose_rare_words_come_back_is_a_pair(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.say("Let me look.")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    a.save()
    mined = run(tmp_path / "logs", project)
    [pair] = mined.pairs
    assert (pair.question, pair.note, pair.level, pair.state, pair.zone) == (
        "how do we go back?",
        "docs/deploy.md",
        "reply",
        "alive",
        "body",
    )
    [line] = pair.lines
    assert line.text.startswith("Run `shipctl revert")
    assert {word for word, _ in line.words} == {"shipctl", "revert", "wave", "violet", "tangerine", "dashboard", "run"}
    assert (line.number, line.section, line.how) == (7, "Rollback", "Read")
    assert mined.tally.turns == 1
    assert mined.tally.reads == 1


def test_words_of_the_message_or_of_the_three_turns_before_are_no_echo(log, project, tmp_path):
    a = log("s1")
    a.user("does shipctl revert --wave violet move the tangerine dashboard? Run it.")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    a.user("and now?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    a.save()
    assert run(tmp_path / "logs", project).pairs == []


def test_what_the_agent_said_before_it_read_the_line_is_no_echo(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.say(ECHO)
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    a.save()
    assert run(tmp_path / "logs", project).pairs == []


def test_an_echo_in_a_command_is_a_level_of_its_own(log, project, tmp_path):
    a = log("s1")
    a.user("go back please")
    a.bash("cat docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.bash("shipctl revert --wave violet", "ok")
    a.say("Done.")
    a.save()
    [pair] = run(tmp_path / "logs", project).pairs
    assert (pair.level, pair.how) == ("wrote", "Bash")


def test_a_turn_that_writes_a_note_is_left_out_and_counted(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    tool = a.call("Edit", file_path="/home/u/app/docs/style.md", old_string="a", new_string="b")
    a.result(tool, "ok")
    a.say(ECHO)
    a.save()
    mined = run(tmp_path / "logs", project)
    assert (mined.pairs, mined.tally.left_out) == ([], 1)


def test_alive_moved_and_gone(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    note = (project / "docs" / "deploy.md").read_text()
    a.read(
        "/home/u/app/docs/deploy.md", note + "\nPolish the brass gnomon every equinox.\n\nTabs are four columns wide.\n"
    )
    a.say(ECHO + " Polish the brass gnomon at the equinox. Tabs: four columns wide.")
    a.save()
    mined = run(tmp_path / "logs", project)
    [pair] = mined.pairs
    assert {line.text[:4]: (line.state, line.where) for line in pair.lines} == {
        "Run ": ("alive", "docs/deploy.md"),
        "Poli": ("gone", ""),
        "Tabs": ("moved", "docs/style.md"),
    }
    assert mined.tally.lines["reply"] == {"alive": 1, "moved": 1, "gone": 1}


def test_contexts_at_the_three_moments(log, project, tmp_path):
    a = log("s1")
    a.user("look at the logs")
    a.bash("tail -n 3 run.log", "three lines")
    a.say("They are quiet.")
    a.user("how do we go back?")
    a.say("I will open docs/deploy.md now.")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    a.save()
    [pair] = run(tmp_path / "logs", project).pairs
    assert pair.contexts["message"]["message"] == "how do we go back?"
    assert pair.contexts["message"]["said"] == []
    turn, read = pair.contexts["turn"], pair.contexts["read"]
    assert turn["said"] == [["user", "look at the logs"], ["agent", "They are quiet."]]
    assert (turn["commands"], turn["results"], turn["opened"]) == (["tail -n 3 run.log"], ["three lines"], [])
    assert read["said"] == [*turn["said"], ["agent", "I will open [note] now."]]
    assert (read["touched"], read["opened"]) == ([], [])
    assert (read["cwd"], read["branch"]) == ("/home/u/app", "main")


def test_pairs_survive_their_file(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
    a.say(ECHO)
    a.save()
    pairs = run(tmp_path / "logs", project).pairs
    path = tmp_path / "out" / "pairs.jsonl"
    write_pairs(pairs, path)
    assert read_pairs(path) == pairs
    assert path.stat().st_mode & 0o777 in (0o600, 0o666)  # Windows knows no owner's bits


def test_sessions_that_programs_ran_are_left_out_and_counted(log, project, tmp_path):
    for name, entry in (("s1", "cli"), ("s2", "sdk-py"), ("s3", "sdk-ts"), ("s4", "claude-vscode"), ("s5", None)):
        a = log(name)
        keys = {"entrypoint": entry} if entry else {}
        a.user(f"how do we go back, {name}?", **keys)
        a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
        a.say("Run shipctl revert with the violet wave, then watch the tangerine dashboard.", **keys)
        if entry == "sdk-ts":  # a person goes on with it
            a.user("and now?", entrypoint="cli")
            a.say("Now it is done.")
        a.save()
    notes = find_notes(folder_settings(project))
    found = mine(sessions(tmp_path / "logs"), notes, project, floor=99)
    assert sorted(pair.session for pair in found.pairs) == ["s1", "s4", "s5"]
    assert (found.tally.turns, found.tally.programs) == (4, 2)
    found = mine(sessions(tmp_path / "logs"), notes, project, floor=99, all_sessions=True)
    assert (len(found.pairs), found.tally.turns, found.tally.programs) == (5, 6, 0)


LINE = "Run `shipctl revert --wave violet` and wait for the tangerine dashboard."


def handed_over(a, way):
    """What ladder handed over, in one of its ways, before the agent answers."""
    block = f"<ladder-notes>\ndocs/deploy#rollback:\n{LINE}\n</ladder-notes>"
    if way == "prompt":
        a.user(f"how do we go back?\n\n{block}")
        return
    a.user("how do we go back?")
    if way == "block":
        a.attach(type="hook_additional_context", content=[block], hookName="UserPromptSubmit")
    elif way == "read":
        a.bash("cd /home/u/app && ladder read docs/deploy#rollback", f"## Rollback\n\n{LINE}\n")
    elif way == "answer":
        a.bash('uvx ladder answer "how do we go back?" -b 300', f"docs/deploy#rollback 40\n{LINE}\n")
    elif way == "server":
        a.result(a.call("mcp__ladder__read", address="docs/deploy#rollback"), LINE)


@pytest.mark.parametrize("way", ["block", "prompt", "read", "answer", "server"])
def test_what_ladder_handed_over_and_the_agent_used_is_kept_apart(way, log, project, tmp_path):
    a = log("s1")
    handed_over(a, way)
    a.say(ECHO)
    a.user("and once more?")
    a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
    a.say("The heron alarm fired: the mistral certificate had lapsed.")
    a.save()
    mined = run(tmp_path / "logs", project)
    [used] = mined.delivered
    assert (used.by, used.how, used.note, used.question) == ("ladder", "ladder", "docs/deploy.md", "how do we go back?")
    assert [line.text for line in used.lines] == [LINE]
    [pair] = mined.pairs
    assert (pair.by, pair.question) == ("agent", "and once more?")
    assert mined.tally.delivered == {"reply": 1, "wrote": 0}
    assert mined.tally.pairs["reply"]["alive"] == 1
    path = tmp_path / "pairs.jsonl"
    write_pairs([*mined.pairs, *mined.delivered], path)
    assert read_pairs(path) == [pair]
    assert (read_pairs(path, "ladder"), len(read_pairs(path, None))) == ([used], 2)
