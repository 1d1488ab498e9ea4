import os
import stat
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from ladder.lean.paths import cache_folder, data_folder, index_file, make_folder, project_key, state_folder

OURS = (cache_folder, data_folder, state_folder)
THEIRS = (platformdirs.user_cache_dir, platformdirs.user_data_dir, platformdirs.user_state_dir)


@pytest.mark.parametrize("named", [True, False, "relative"])
def test_folders_are_those_of_platformdirs(monkeypatch, tmp_path, named):
    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        if named is True:
            monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
        elif named:
            monkeypatch.setenv(variable, "not/absolute")
        else:
            monkeypatch.delenv(variable)
    for ours, theirs in zip(OURS, THEIRS, strict=True):
        assert os.path.normpath(ours()) == os.path.normpath(theirs("ladder", appauthor=False))


def test_folders_of_a_mac_are_those_of_platformdirs(monkeypatch):
    from platformdirs.macos import MacOS

    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    theirs = MacOS("ladder", appauthor=False)
    assert [f() for f in OURS] == [theirs.user_cache_dir, theirs.user_data_dir, theirs.user_state_dir]


def test_a_project_has_one_folder_and_two_projects_of_one_name_have_two():
    assert project_key("/home/a/erk") == project_key("/home/a/erk/")
    assert project_key("/home/a/erk") != project_key("/home/b/erk")
    assert project_key("/home/a/erk").startswith("erk-")
    assert len({project_key(root) for root in ("/", "/日本語", "/人", "/a b", "/a-b")}) == 5


def test_a_projects_folder_is_worked_out_once_and_then_read(monkeypatch, tmp_path):
    monkeypatch.setattr("ladder.lean.paths.cache_folder", lambda: str(tmp_path))
    keys = tmp_path / "keys"

    def asked() -> str:
        monkeypatch.setattr("ladder.lean.paths._keys", {})
        return project_key("/home/a/erk")

    name = asked()
    line = f"\n/home/a/erk\t{name}\n"
    assert keys.read_text(encoding="utf-8") == line
    assert asked() == name
    assert keys.read_text(encoding="utf-8") == line
    keys.write_text(line.replace(name, "erk-0123456789abcdef"), encoding="utf-8")
    assert asked() == "erk-0123456789abcdef"  # it is read
    for damaged in ("\n/home/a/erk\t../../x\n", f"\n/home/a/erk\t{name}", f"\n/home/a/erk\t{name[:9]}\n", "\0"):
        keys.write_text(damaged, encoding="utf-8")
        assert asked() == name


def test_folders_are_private(tmp_path):
    folder = tmp_path / "one" / "two"
    make_folder(folder)
    make_folder(folder)
    for made in (folder, folder.parent):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700 or os.name == "nt"


def test_the_hook_can_ask_without_site_packages_and_gets_the_same_answer():
    code = "import sys; sys.path.insert(0, sys.argv[1]); from ladder.lean.paths import *; print(index_file('/p/q'))"
    here = str(Path(__file__).parents[2])
    out = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, here], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert out.stdout.strip() == index_file("/p/q")


def test_r65_a_folder_that_cannot_be_made_is_one_error(monkeypatch, tmp_path):
    def refuse(*_):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "mkdir", refuse)  # as in /proc, where the folder above is there
    with pytest.raises(FileNotFoundError):
        make_folder(tmp_path / "a" / "b")
