"""Which note a logged path means. The logs were written elsewhere, in worktrees that are gone, on other systems."""

from pathlib import Path

import pytest

from notes import NoteFile
from transcripts.logs.locate import Located, Locator, normal

NOTES = [
    NoteFile("/srv/app/docs/deploy.md", "docs/deploy", 0, 1),
    NoteFile("/srv/app/README.md", "README", 0, 1),
    NoteFile("/srv/app/.claude/rules/go.md", ".claude/rules/go", 0, 1),
]
FOLDERS = ["/home/u/app", "/home/u/app/src", "D:\\app", "/home/u/app-worktrees/x1"]


def find(path, cwd):
    return Locator(NOTES, Path("/srv/app"), FOLDERS, lambda path: not path.startswith("tmp/")).find(path, cwd)


@pytest.mark.parametrize(
    ("path", "cwd"),
    [
        ("/srv/app/docs/deploy.md", "/srv/app"),
        ("/home/u/app/docs/deploy.md", "/home/u/app"),
        ("docs/deploy.md", "/home/u/app"),
        ("../docs/deploy.md", "/home/u/app/src"),
        ("./docs/deploy.md", "/home/u/app"),
        ("D:\\app\\docs\\deploy.md", "D:\\app"),
        ("d:/app/docs/deploy.md", "D:\\app"),
        ("/d/app/docs/deploy.md", "D:\\app"),
        ("docs\\deploy.md", "D:\\app"),
        ("/home/u/app/.claude/worktrees/pr-9/docs/deploy.md", "/home/u/app/.claude/worktrees/pr-9"),
        ("/home/u/app/.claude/worktrees/pr-9/docs/deploy.md", "/home/u/app"),
        ("/home/u/app-worktrees/x1/docs/deploy.md", "/home/u/app-worktrees/x1"),
    ],
)
def test_a_note_is_found_by_its_path_in_the_project(path, cwd):
    assert find(path, cwd) == Located("docs/deploy.md", exists=True, sure=True)


def test_a_path_outside_of_the_project_is_only_a_guess():
    assert find("/elsewhere/kb/README.md", "/home/u/app") == Located("README.md", exists=True, sure=False)
    assert find("/elsewhere/kb/notes/none.md", "/home/u/app") is None


def test_a_note_that_is_gone_is_still_a_note_when_it_is_in_scope():
    gone = Located("docs/old.md", exists=False, sure=True)
    assert find("/home/u/app/docs/old.md", "/home/u/app") == gone
    assert find("/home/u/app/.claude/worktrees/a/docs/old.md", "/home/u/app") == gone
    assert find("/home/u/app/tmp/plan.md", "/home/u/app") is None


def test_paths_of_all_systems_become_one_form():
    assert normal("D:\\a\\..\\b.md") == normal("/d/b.md") == normal("d:/./b.md") == "d:/b.md"
    assert normal("/home/u/x") == "/home/u/x"
    assert normal("") == ""
