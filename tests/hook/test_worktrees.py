"""In a linked worktree its own notes are the notes, for index, guard and hook; what was learned is shared."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.on_tool import answer_tool
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
