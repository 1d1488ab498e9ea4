"""In a linked worktree its own notes are the notes, for index, guard and hook; what was learned is shared."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ladder.hook import index as hook_index
from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.main import answer_event
from ladder.hook.on_tool import answer_tool
from ladder.index import background
from ladder.indexing.pipeline import PreparedNotes
from ladder.indexing.update import fresh_index
from ladder.lean.paths import index_file, project_data
from notes import client_memory, find_notes, load_settings, project_root

NOTE = "# Deploy\n\nPort 18.\n\n## History\n\n### 2026-09-01 first\n\nwas 17\n"
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="makes real worktrees")


@pytest.fixture
def trees(tmp_path):
    """A repository with a private, ignored folder of notes, and a worktree of it in which a note differs."""
    main, side = tmp_path / "main", tmp_path / "main" / ".claude" / "worktrees" / "side"
    toml = 'folders = ["notes", "own"]\n'
    for name, text in {"notes/deploy.md": NOTE, "ladder.toml": toml, ".gitignore": "own\n"}.items():
        (main / name).parent.mkdir(parents=True, exist_ok=True)
        (main / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(main), "-c", "user.name=n", "-c", "user.email=e@x"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["worktree", "add", "-q", str(side)]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (main / "own").mkdir()
    (main / "own" / "private.md").write_text("# Private\n\nZebra.\n", encoding="utf-8")
    (side / "notes" / "deploy.md").write_text(NOTE.replace("Port 18", "Port 19"), encoding="utf-8")
    return main, side


def denied(cwd, name, **given):
    event = {"hook_event_name": "PreToolUse", "cwd": str(cwd), "tool_name": name, "tool_input": given}
    moment = Moment(event, Reply(), 0.0)
    answer_tool(moment)
    output = (moment.reply.document or {}).get("hookSpecificOutput", {})
    return output.get("permissionDecisionReason", "")


def test_the_guard_judges_in_every_work_tree_from_every_other(trees):
    main, side = trees
    fresh_index(main).close()  # the worktree is new: it has no index yet
    for cwd in (main, side, side / "notes"):
        for tree in (main, side):
            edit = {"file_path": str(tree / "notes" / "deploy.md"), "old_string": "was 17", "new_string": "was 16"}
            assert "2026-09-01 first" in denied(cwd, "Edit", **edit)
            for command in ("sed -i s/17/16/ notes/deploy.md", "rm -rf notes", "rm notes/*.md"):
                assert "2026-09-01 first" in denied(cwd, "Bash", command=f"cd {tree} && {command}"), command
            assert denied(cwd, "Edit", **edit | {"old_string": "Port", "new_string": "Gate"}) == ""


def test_notes_of_the_worktree_at_hand_are_the_notes(trees):
    main, side = trees
    for tree, port in ((main, "Port 18"), (side, "Port 19")):
        assert project_root(tree / "notes") == tree
        found = {file.name: file.path for file in find_notes(load_settings(tree))}
        assert port in Path(found["notes/deploy"]).read_text(encoding="utf-8")
        assert found["own/private"] == str(main / "own" / "private.md"), "git has none of it, so there is no other"
        with fresh_index(tree) as index:
            assert index.note(index.find("deploy")[0]).path == str(tree / "notes" / "deploy.md")
    assert index_file(str(main)) != index_file(str(side))
    assert project_data(str(main)) == project_data(str(side))
    assert client_memory(main) == client_memory(side)


def test_settings_that_git_does_not_have_are_those_of_the_main_tree(trees):
    _, side = trees
    (side / "ladder.toml").unlink()
    assert load_settings(side).folders == ("notes", "own")
    assert load_settings(side).root == str(side)
    fresh_index(side).close()
    edit = {"file_path": str(side / "notes" / "deploy.md"), "old_string": "was 17", "new_string": "was 16"}
    assert "2026-09-01 first" in denied(side, "Edit", **edit)


def answered(cwd, name, **fields):
    moment = Moment({"hook_event_name": name, "session_id": "s", "cwd": str(cwd), **fields}, Reply(), 0.0, ("ladder",))
    answer_event(moment)
    return ((moment.reply.document or {}).get("hookSpecificOutput") or {}).get("additionalContext", "")


@pytest.fixture
def asked(monkeypatch):
    """The commands that would have run apart; each index is made at the second look for it, where it can be made."""
    begun, looks = [], []

    def starts(command):
        begun.append(command)
        return True

    def sleep(seconds):
        looks.append(seconds)
        if begun and len(looks) % 2 == 0 and Path(begun[-1][-1]).is_dir():
            fresh_index(Path(begun[-1][-1])).close()

    monkeypatch.setattr(background, "start_apart", starts)
    monkeypatch.setattr(hook_index.time, "sleep", sleep)
    return begun, looks


def test_a_session_in_a_new_worktree_waits_for_its_first_index(trees, asked):
    main, side = trees
    fresh_index(main).close()
    assert "2 notes" in answered(side, "SessionStart", source="startup")
    assert asked == ([["ladder", "index", "--background", str(side)]], [0.02] * 2)
    said = answered(side, "UserPromptSubmit", prompt="on which port does deploy listen?")
    assert "Port 19" in said
    assert "Port 18" not in said


def test_a_message_waits_for_what_the_start_has_asked_for(trees, asked, monkeypatch):
    main, side = trees
    fresh_index(main).close()
    monkeypatch.setattr(hook_index, "FIRST_WAIT", 0)  # it took too long
    assert answered(side, "SessionStart", source="startup") == ""
    monkeypatch.setattr(hook_index, "FIRST_WAIT", 60)
    assert "Port 19" in answered(side, "UserPromptSubmit", prompt="on which port does deploy listen?")
    assert len(asked[0]) == 1


@pytest.mark.parametrize("why", ["nobody set ladder up", "asked in vain before", "a tool's call"])
def test_nobody_waits_without_hope(trees, asked, why):
    main, side = trees
    if why != "nobody set ladder up":
        fresh_index(main).close()
    else:
        (side / "ladder.toml").unlink()
    if why == "asked in vain before":
        made = Path(background.asked_file(str(side)))
        made.parent.mkdir(parents=True)
        made.touch()
        os.utime(made, (1, 1))
    event = "PreToolUse" if why == "a tool's call" else "UserPromptSubmit"
    given = {"tool_name": "Read", "tool_input": {"file_path": str(side / "x.py")}, "prompt": "on which port?"}
    assert answered(side, event, **given) == ""
    assert asked[1] == []


def test_a_new_worktrees_index_takes_over_what_the_main_tree_has(trees, monkeypatch):
    main, side = trees
    for number in range(20):
        for tree in trees:
            text = f"# N{number}\n\nWord{number} of two.\n\n## More\n\nAnd on.\n"
            (tree / "notes" / f"n{number}.md").write_text(text)
    fresh_index(main).close()
    prepared = []
    whole = PreparedNotes.get
    monkeypatch.setattr(PreparedNotes, "get", lambda self, sources, *rest: (
        prepared.extend(source.name for source in sources) or whole(self, sources, *rest)))  # fmt: skip
    with fresh_index(side) as index:
        assert sorted(prepared) == ["notes/deploy"]
        taken = seen(index)
    with fresh_index(side, force=True) as index:
        assert len(prepared) == 1 + index.count
        assert seen(index) == taken
    assert str(side / "notes" / "n7.md") in taken


def seen(index):
    found = {}
    for n in range(index.count):
        row, passages = index.note(n), index.passages(n)
        found[row.path] = (row.name, row.title, row.cost, row.head_cost, row.sections, passages.count)
    return found
