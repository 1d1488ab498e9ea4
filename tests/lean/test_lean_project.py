"""The hook finds the same project as everybody else (R46)."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ladder.lean.project import main_of, root_of, trees_of
from notes import main_root, project_root


def same(folder):
    assert root_of(str(folder)) == str(project_root(folder))
    assert main_of(str(folder)) == str(main_root(folder))
    return root_of(str(folder))


def git(*arguments, cwd):
    subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@x", *arguments], cwd=cwd, check=True, capture_output=True
    )


def test_r46_without_git_it_is_the_folder_itself(tmp_path):
    (tmp_path / "a").mkdir()
    assert same(tmp_path / "a") == str(tmp_path / "a")
    (tmp_path / "ladder.toml").write_text("", encoding="utf-8")
    assert same(tmp_path / "a") == str(tmp_path)
    assert same(Path("/")) == "/"


@pytest.mark.skipif(shutil.which("git") is None, reason="makes real worktrees")
def test_r46_a_worktree_is_a_folder_of_its_own_with_the_main_trees_identity(tmp_path):
    main = tmp_path / "main"
    (main / "sub" / "deep").mkdir(parents=True)
    (main / "sub" / "ladder.toml").write_text("", encoding="utf-8")
    git("init", "-q", cwd=main)
    git("add", ".", cwd=main)
    git("commit", "-q", "-m", "x", cwd=main)
    git("worktree", "add", "-q", "../wt", cwd=main)
    git("clone", "-q", "--bare", "main", "bare.git", cwd=tmp_path)
    (main / "other").mkdir()
    assert same(tmp_path / "wt") == str(tmp_path / "wt")
    assert main_of(str(tmp_path / "wt")) == str(main)
    assert trees_of(str(main)) == [str(main), str(tmp_path / "wt")]
    assert trees_of(str(tmp_path / "wt" / "sub")) == [str(tmp_path / "wt" / "sub"), str(main / "sub")]
    assert trees_of(str(tmp_path / "bare.git")) == [str(tmp_path / "bare.git")]
    assert same(main / "other") == str(main)
    for folder in (
        main / "sub" / "deep",
        tmp_path / "wt" / "sub" / "deep",
        tmp_path / "wt" / "sub",
        tmp_path / "bare.git",
    ):
        same(folder)
    (tmp_path / "ladder.toml").write_text("", encoding="utf-8")
    for folder in (main, tmp_path / "wt", main / "other", tmp_path):
        same(folder)


def test_a_broken_pointer_is_survived(tmp_path):
    for text in ("", "gitdir:", "gitdir: /nowhere", "rubbish", "gitdir: ../x\0y"):
        (tmp_path / ".git").write_text(text, encoding="utf-8")
        same(tmp_path)
    if os.name != "nt":
        (tmp_path / ".git").unlink()
        os.mkfifo(tmp_path / ".git")
        assert root_of(str(tmp_path)) == str(tmp_path)
