"""Which files are notes, and what they are called."""

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from notes import (
    Settings,
    SettingsError,
    client_memory,
    client_name,
    find_notes,
    folder_settings,
    load_settings,
    main_root,
    project_root,
)
from notes.files.find import passed_over
from notes.files.globs import matcher


def _write(path: Path, text: str = "x\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def _names(settings: Settings) -> list[str]:
    return [f.name for f in find_notes(settings)]


def test_an_unconfigured_project(tmp_path):
    for name in ("notes/deploy/a.md", "docs/b.md", "memory/c.md", "CLAUDE.md", "AGENTS.md", "README.md", "src/d.md"):
        _write(tmp_path / name)
    _write(tmp_path / "docs/node_modules/x/readme.md")
    _write(tmp_path / "docs/.hidden/y.md")
    _write(client_memory(tmp_path) / "MEMORY.md")
    settings = load_settings(tmp_path)
    _write(Path(settings.user_folder) / "everywhere.md")
    assert _names(settings) == [
        "@memory/MEMORY", "@user/everywhere", "AGENTS", "CLAUDE", "docs/b", "memory/c", "notes/deploy/a",
    ]  # fmt: skip


def test_a_single_folder_gives_short_names(tmp_path):
    _write(
        tmp_path / "ladder.toml", 'folders = ["notes"]\nexcludes = ["old/"]\nclient_memory = false\nuser_folder = ""\n'
    )
    for name in ("notes/deploy/a.md", "notes/old/b.md", "docs/c.md"):
        _write(tmp_path / name)
    assert _names(load_settings(tmp_path)) == ["deploy/a"]


def test_a_folder_given_by_hand_takes_hidden_folders(tmp_path):
    for name in (".claude/a.md", "b.md", "c.txt", ".git/d.md"):
        _write(tmp_path / name)
    assert _names(folder_settings(tmp_path)) == [".claude/a", "b"]
    assert _names(folder_settings(tmp_path, ("*.txt",))) == ["c.txt"]


def test_no_such_folder_holds_no_notes(tmp_path):
    assert find_notes(load_settings(tmp_path / "nowhere")) == []


def test_r19_name_is_composed_and_the_file_keeps_its_bytes(tmp_path):
    decomposed = unicodedata.normalize("NFD", "é.md")
    _write(tmp_path / decomposed)
    (found,) = find_notes(folder_settings(tmp_path))
    assert found.name == "\u00e9"
    assert Path(found.path).exists()


needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


@needs_links
def test_links_out_of_the_folder_are_not_followed(tmp_path):
    outside = _write(tmp_path / "outside" / "secret.md")
    _write(tmp_path / "notes" / "a.md")
    (tmp_path / "notes" / "link.md").symlink_to(outside)
    (tmp_path / "notes" / "inside.md").symlink_to(tmp_path / "notes" / "a.md")
    (tmp_path / "notes" / "folder").symlink_to(outside.parent)
    (tmp_path / "notes" / "loop").symlink_to(tmp_path / "notes")
    (tmp_path / "notes" / "dead.md").symlink_to(tmp_path / "gone.md")
    (tmp_path / "notes" / "dead.txt").symlink_to(tmp_path / "gone.txt")
    assert _names(folder_settings(tmp_path / "notes")) == ["a"]
    assert [(Path(path).name, why) for path, why in passed_over(folder_settings(tmp_path / "notes"))] == [
        ("dead.md", "is a link that leads nowhere"),
        ("folder", "is a link that leads out of its folder, so it is not followed"),
        ("link.md", "is a link that leads out of its folder, so it is not followed"),
    ]


def test_a_folder_never_searched_is_named_with_its_number_of_notes_when_asked(tmp_path):
    _write(tmp_path / "a.md")
    for name in ("one.md", "deep/two.MD", "deep/code.js", ".hidden/three.md"):
        _write(tmp_path / "vendor" / "lib" / name)
    _write(tmp_path / "node_modules" / "x" / "code.js")
    settings = folder_settings(tmp_path)
    assert passed_over(settings) == []
    (found,) = passed_over(settings, skipped=True)
    assert (Path(found.path).name, found.why) == (
        "vendor", "is never searched unless `folders` names it; it holds 2 Markdown files",
    )  # fmt: skip
    assert not found.broken


@needs_links
def test_a_file_or_folder_that_cannot_be_read_is_named(tmp_path):
    _write(tmp_path / "a.md")
    _write(tmp_path / "b.md").chmod(0)
    _write(tmp_path / "shut" / "c.md")
    (tmp_path / "shut").chmod(0)
    try:
        if os.access(tmp_path / "b.md", os.R_OK):
            pytest.skip("this user may read everything")
        found = [(Path(path).name, why) for path, why in passed_over(folder_settings(tmp_path))]
        assert found == [("b.md", "cannot be read"), ("shut", "cannot be read")]
    finally:
        (tmp_path / "shut").chmod(0o700)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes for a name")
def test_a_file_name_that_is_not_utf8_can_be_shown(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.md")).write_text("x", encoding="utf-8")
    (found,) = find_notes(folder_settings(tmp_path))
    assert found.name == "a\ufffd"
    assert Path(found.path).read_text(encoding="utf-8") == "x"


@needs_links
def test_each_file_is_found_once_under_its_own_name(tmp_path):
    _write(tmp_path / "docs" / "z.md")
    (tmp_path / "docs" / "a.md").symlink_to(tmp_path / "docs" / "z.md")
    _write(tmp_path / "CLAUDE.md")
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    _write(tmp_path / "ladder.toml", 'folders = ["docs", "docs/../docs", "AGENTS.md", "CLAUDE.md"]\nuser_folder = ""\n')
    assert _names(load_settings(tmp_path)) == ["CLAUDE", "docs/z"]


@needs_links
def test_default_folders_that_lead_out_of_the_project_are_not_followed(tmp_path):
    _write(tmp_path / "outside" / "secret.md")
    project = tmp_path / "project"
    project.mkdir()
    (project / "notes").symlink_to(tmp_path / "outside")
    (project / "CLAUDE.md").symlink_to(tmp_path / "outside" / "secret.md")
    assert _names(load_settings(project)) == []
    _write(project / "ladder.toml", 'folders = ["notes"]\n')
    assert _names(load_settings(project)) == ["secret"]


def test_ten_thousand_files_are_found_by_listing_each_folder_once(tmp_path, monkeypatch):
    for n in range(100):
        folder = tmp_path / f"f{n:03}"
        folder.mkdir()
        for k in range(100):
            (folder / f"{k:03}.md").touch()
    listed, asked = [], []
    for name, calls in (("scandir", listed), ("stat", asked), ("lstat", asked)):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, real=real, calls=calls, **k: calls.append(a) or real(*a, **k))
    assert len(find_notes(folder_settings(tmp_path))) == 10_000
    assert len(listed) == 101
    assert len(asked) < 1000, "files are not asked for one by one"


def test_r46_a_worktree_a_sub_folder_and_no_git(tmp_path):
    main = tmp_path / "main"
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main"]
    _write(main / "sub" / "a.md")
    subprocess.run([*git, "init", "-q", str(main)], check=True)
    subprocess.run([*git, "-C", str(main), "add", "."], check=True)
    subprocess.run([*git, "-C", str(main), "commit", "-qm", "x"], check=True)
    subprocess.run([*git, "-C", str(main), "worktree", "add", "-q", str(tmp_path / "wt")], check=True)
    assert project_root(main) == main
    assert project_root(main / "sub") == main
    assert project_root(tmp_path / "wt") == tmp_path / "wt"
    assert project_root(tmp_path / "wt" / "sub") == tmp_path / "wt"
    assert main_root(tmp_path / "wt") == main_root(main) == main
    loose = tmp_path / "loose" / "deeper"
    loose.mkdir(parents=True)
    assert project_root(loose) == loose
    _write(tmp_path / "loose" / "ladder.toml", "")
    assert project_root(loose) == tmp_path / "loose"
    _write(main / "sub" / "ladder.toml", "")
    assert project_root(main / "sub") == main / "sub"
    assert project_root(tmp_path / "wt" / "sub") == tmp_path / "wt"
    assert main_root(tmp_path / "wt" / "sub") == main / "sub"


def test_r46_worktrees_of_a_bare_repository_are_found(tmp_path):
    bare = tmp_path / "x.git" / "worktrees" / "wt"
    bare.mkdir(parents=True)
    _write(bare / "commondir", "../..\n")
    _write(tmp_path / "wt" / ".git", f"gitdir: {bare}\n")
    assert project_root(tmp_path / "wt") == tmp_path / "wt"


def test_r27_names_in_the_settings_with_nul_are_refused(tmp_path):
    _write(tmp_path / "ladder.toml", 'folders = ["a\\u0000b"]\n')
    with pytest.raises(SettingsError, match="folders"):
        load_settings(tmp_path)


@pytest.mark.parametrize(
    "text", ["folders = 3", "head_budget = -1", "gate = 2", 'guard = "x"', "not toml", "hidden = 1"]
)
def test_a_wrong_setting_names_the_file(tmp_path, text):
    _write(tmp_path / "ladder.toml", text)
    with pytest.raises(SettingsError, match=r"ladder\.toml"):
        load_settings(tmp_path)


def test_unknown_keys_are_kept(tmp_path):
    _write(tmp_path / "ladder.toml", "head_budget = 300\nlater = 1\n[table]\nx = 2\n")
    settings = load_settings(tmp_path)
    assert (settings.head_budget, settings.other) == (300, {"later": 1, "table": {"x": 2}})


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("**/*.md", "a/b.md", "a/b.txt"),
        ("*.md", "b.md", "a/b.md"),
        ("old/", "old/x/y.md", "older/x.md"),
        ("a/**/z.md", "a/z.md", "b/z.md"),
        ("[ab].md", "a.md", "c.md"),
        ("[!ab].md", "c.md", "a.md"),
        ("*.{md,txt}", "a.txt", "a.rst"),
        ("a?.md", "ab.md", "a/.md"),
    ],
)
def test_globs(glob, yes, no):
    match = matcher((glob, "never-matches"))
    assert match(yes)
    assert not match(no)


def test_client_memory_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "cfg"))
    assert client_memory(Path("/home/u/my_app.é")) == tmp_path / "cfg" / "projects" / "-home-u-my-app--" / "memory"
    assert os.sep in str(client_memory(tmp_path))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"hidden = true\nfolders = [\n", 2),
        (b"# x\nfolders = 5\n", 2),
        (b"hidden = true\n\nguard = 'x'\n", 3),
        (b'user_folder = "a\\u0000"\n', 1),
        (b'globs = "a\\u0000"\n', 1),
        (b"# x\n# \xff\n", 2),
        (b"a = 1\na = 2\n", 2),
    ],
)
def test_r27_settings_that_cannot_be_used_name_file_and_line(tmp_path, text, line):
    (tmp_path / "ladder.toml").write_bytes(text)
    with pytest.raises(SettingsError, match=rf"ladder\.toml, line {line}: [^\n]+\Z"):
        load_settings(tmp_path)


def test_the_clients_name_of_a_folder():
    """Values taken from the client's own code, run by node."""
    assert client_name("/home/ü/a.b") == "-home---a-b"
    assert client_name("/\U0001f600") == "---"
    long = "/" + "long-folder/" * 20
    assert client_name(long) == "-" + ("long-folder-" * 20)[:199] + "-uio0ep"
