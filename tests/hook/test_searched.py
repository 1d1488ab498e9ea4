"""What a call searches files for, and that the hook answers a search: once, in no sub-agent, and not when it is off."""

import pytest

from ladder.hook.edge import Reply
from ladder.hook.event import MOMENTS, Moment
from ladder.hook.on_tool import SEARCH_BUDGET, answer_tool
from ladder.hook.searched import searched
from ladder.indexing.token_counts import count_many
from ladder.indexing.update import fresh_index
from notes.files import settings


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("Grep", {"pattern": r"def foo\b|(bar_baz)+"}, "def foo bar_baz"),
        ("Glob", {"pattern": "**/*.py"}, ""),
        ("Read", {"file_path": "grep"}, ""),
        ("Bash", {"command": 'rg -n "gist_url|gist_id" src'}, "gist_url gist_id"),
        ("Bash", {"command": "ls -la | grep py"}, ""),
        ("Bash", {"command": "test -f a || grep -rn 'no such' ."}, "no such"),
        ("Bash", {"command": "cd x && /usr/bin/grep -A 3 --include '*.py' -e pat file; rg two"}, "pat two"),
        ("Bash", {"command": "git commit -m 'grep x' && git log --grep=y"}, ""),
        ("Bash", {"command": "cat <<EOF\ngrep inside\nEOF"}, ""),
        ("Bash", {"command": "grep"}, ""),
        ("Bash", {"command": 7}, ""),
    ],
)
def test_the_words_that_a_call_searches_files_for(tool, given, words):
    assert searched(tool, given) == words


def test_settings_and_hook_name_the_same_moments():
    assert settings.MOMENTS == MOMENTS


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("CACHE", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.setattr("ladder.hook.index.ask_update", lambda *_: None)  # nothing is started
    root = tmp_path / "project"
    (root / "notes").mkdir(parents=True)
    for n in range(120):
        text = f"# Topic {n}\n\nThe quorint{n} of the zalb{n} waits for brimsel{n} behind the trauk{n} gate.\n"
        (root / "notes" / f"topic{n}.md").write_text(text, encoding="utf-8")
    return root


def say(root, pattern, tool="Grep", **fields):
    reply = Reply()
    given = {"pattern": pattern} if tool == "Grep" else {"command": f"grep -rn '{pattern}' src"}
    event = {"hook_event_name": "PreToolUse", "cwd": str(root), "session_id": "s", "transcript_path": ""}
    answer_tool(Moment(event | {"tool_name": tool, "tool_input": given} | fields, reply, 0.0))
    return "" if reply.document is None else reply.document["hookSpecificOutput"]["additionalContext"]


RARE = r"quorint7\|brimsel7\|trauk7"


@pytest.mark.parametrize("tool", ["Grep", "Bash"])
def test_a_search_for_rare_words_is_answered_once(project, tool):
    (project / "ladder.toml").write_text('folders = ["notes"]\nuser_folder = ""\n', encoding="utf-8")
    fresh_index(project).close()
    assert say(project, "topic|waits|gate", tool) == ""  # every note holds them
    assert say(project, RARE, tool, agent_id="a1") == ""
    text = say(project, RARE, tool)
    assert "topic7.md" in text
    assert "The quorint7 of the zalb7 waits" in text
    assert sum(count_many([text.encode()])) <= SEARCH_BUDGET
    assert say(project, RARE, tool) == ""


def test_a_search_is_not_answered_where_that_is_off(project):
    kept = 'folders = ["notes"]\nuser_folder = ""\nmoments = ["message", "call"]\n'
    (project / "ladder.toml").write_text(kept, encoding="utf-8")
    fresh_index(project).close()
    assert say(project, RARE) == ""


def test_an_unknown_moment_is_named(project):
    (project / "ladder.toml").write_text('moments = ["message", "dream"]\n', encoding="utf-8")
    with pytest.raises(settings.SettingsError, match=r"ladder\.toml, line 1: moments holds 'dream'; it may hold start"):
        settings.load_settings(project)
