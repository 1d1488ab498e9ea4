"""`ladder init --team`, what `ladder doctor` says of it, and who wrote an entry."""

import shlex
import subprocess

from bench.tasks.two_clones import git
from ladder.doctor.team import merging
from ladder.flows.merge_setup import lines, set_up, state
from notes.markdown.parse import parse
from notes.merging.driver import ARGUMENTS
from notes.writing.authors import written_by
from notes.writing.store import create


def test_the_lines_for_gitattributes():
    assert lines(["notes", "."]) == [
        "notes/**/*.md merge=ladder",
        "*.md merge=ladder",
        "**/.ladder/notes/** merge=ladder",
    ]
    assert lines(["my notes", "../out"])[:1] == ['"my notes/**/*.md" merge=ladder']


def test_it_is_set_up_once_and_the_doctor_says_what_is_missing(tmp_path):
    assert state(tmp_path) is None
    assert merging(tmp_path) == []
    git(tmp_path, "init", "-q")
    (tmp_path / "ladder.toml").write_text('folders = ["notes"]\nclient_memory = false\n', encoding="utf-8")
    (tmp_path / "notes").mkdir()
    create(tmp_path / "notes", "A")
    assert merging(tmp_path) == []
    (tmp_path / ".gitattributes").write_bytes(b"*.bin binary")
    assert len(set_up(tmp_path, ["notes"])) == 2
    assert (tmp_path / ".gitattributes").read_bytes() == (
        b"*.bin binary\nnotes/**/*.md merge=ladder\n**/.ladder/notes/** merge=ladder\n"
    )
    assert len(set_up(tmp_path, ["notes"])) == 1
    now = state(tmp_path, "notes/a.md")
    assert now.attributes
    assert now.driver.endswith(f" merge {ARGUMENTS}")
    assert [f.ok for f in merging(tmp_path)] == [True]
    git(tmp_path, "config", "merge.ladder.driver", "'/nowhere/ladder' merge %O")
    assert "is not there" in merging(tmp_path)[0].what
    git(tmp_path, "config", "--unset", "merge.ladder.driver")
    assert "does not know the merge driver" in merging(tmp_path)[0].what


def test_the_command_is_quoted_for_the_shell_that_git_brings(monkeypatch, tmp_path):
    program = tmp_path / "a folder's" / "ladder"
    program.parent.mkdir()
    program.touch()
    monkeypatch.setattr("sys.argv", [str(program)])
    from ladder.flows.merge_setup import command

    assert shlex.split(command())[:2] == [program.resolve().as_posix(), "merge"]


def test_git_says_who_wrote_an_entry(tmp_path):
    path = tmp_path / "n.md"
    path.write_text("# N\n\n## History\n\n- 2026-09-01: one\n", encoding="utf-8")
    assert written_by(path, parse(path.read_bytes())) == {}
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "x", "--author", "Ann B <a@example.org>")
    path.write_text(path.read_text(encoding="utf-8") + "- 2026-09-02: two\n", encoding="utf-8")
    commit = subprocess.run(
        ["git", "-C", str(tmp_path), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout
    assert written_by(path, parse(path.read_bytes())) == {1: ("Ann B", commit[:10])}
