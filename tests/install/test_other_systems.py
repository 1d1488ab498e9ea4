"""What is different on Windows and macOS, tried on any system: folders, interpreters, processes, open files."""

import json
import ntpath
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import ModuleType

import pytest

from ladder.client.contract import CLAUDE_CODE
from ladder.hook.bundle.build import BOOTSTRAP, write_hook
from ladder.hook.on_tool import note_at
from ladder.index import background as ask
from ladder.index.background import start_apart
from ladder.index.reader import open_index
from ladder.indexing.update import update_index
from ladder.install.handlers import NoHandlerError, handler
from ladder.install.interpreter import base_interpreter, lasting_paths
from ladder.lean import project as hookroot
from ladder.lean.files import replace_private
from ladder.lean.paths import cache_folder, data_folder, index_file, project_key, state_folder
from notes.files.find import _shown
from notes.files.project import _one_drive

LINKS = pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")


@pytest.fixture
def windows(monkeypatch):
    """Paths are read as on Windows."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "path", ntpath)
    monkeypatch.setattr(os, "sep", "\\")


def test_folders_of_windows(windows, monkeypatch):
    monkeypatch.setenv("LOCALAPPDATA", "C:\\Users\\mara\\AppData\\Local\\")
    own = "C:\\Users\\mara\\AppData\\Local\\ladder"
    assert (cache_folder(), data_folder(), state_folder()) == (own + "\\Cache", own, own)
    key = project_key("C:\\Work\\Erk")
    assert key.startswith("erk-")
    assert index_file("C:\\Work\\Erk") == f"{own}\\Cache\\{key}\\index.ladder"
    assert {project_key(root) for root in ("c:\\work\\erk", "C:\\WORK\\Erk\\", "C:/Work/Erk")} == {key}
    assert project_key("D:\\Work\\Erk") != key


def test_folders_of_windows_without_the_variable(windows, monkeypatch):
    monkeypatch.delenv("LOCALAPPDATA")
    monkeypatch.setenv("USERPROFILE", "C:\\Users\\mara")
    assert data_folder() == "C:\\Users\\mara\\AppData\\Local\\ladder"


@pytest.mark.parametrize("drive", ["C", "c"])
def test_a_project_is_one_whichever_way_its_drive_is_written(windows, monkeypatch, drive):
    there = {"C:\\work\\erk\\.git": "folder"}
    monkeypatch.setattr(ntpath, "isfile", lambda path: there.get(path) == "file")
    monkeypatch.setattr(ntpath, "isdir", lambda path: there.get(path) == "folder")
    monkeypatch.setattr(ntpath, "exists", lambda path: path in there)
    assert hookroot.root_of(f"{drive}:\\work\\erk\\src\\deep") == "C:\\work\\erk"
    assert _one_drive(f"{drive}:\\work") == "C:\\work"
    assert _one_drive("/c:/work") == "/c:/work"


def test_a_worktree_of_windows_leads_to_the_main_tree(windows, monkeypatch):
    folders = {"C:\\work\\erk\\.git", "C:\\work\\erk"}
    pointers = {"C:\\work\\wt\\.git": "gitdir: C:/work/erk/.git/worktrees/wt\n",
                "C:\\work\\erk\\.git\\worktrees\\wt\\commondir": "../..\n"}  # fmt: skip
    monkeypatch.setattr(ntpath, "isfile", pointers.__contains__)
    monkeypatch.setattr(ntpath, "isdir", folders.__contains__)
    monkeypatch.setattr(ntpath, "exists", lambda path: path in folders or path in pointers)
    monkeypatch.setattr(hookroot, "read_private", lambda path, _: pointers.get(path, "").encode())
    assert hookroot.root_of("c:\\work\\wt\\src") == "C:\\work\\wt"
    assert hookroot.main_of("C:\\work\\wt") == "C:\\work\\erk"


def test_a_note_is_known_by_any_spelling_of_its_path(windows):
    class Row:
        path = "C:\\work\\erk\\notes\\Deploy.md"

    class Fake:
        root = "C:\\work\\erk"

        def find(self, name):
            return [0] if name.lower() == "deploy.md" else []

        def note(self, _):
            return Row

    for path in ("C:\\work\\erk\\notes\\Deploy.md", "c:/Work/erk/notes/deploy.md", "..\\notes\\DEPLOY.md"):
        assert note_at(Fake(), path, "c:\\work\\erk\\src") == 0
    assert note_at(Fake(), "D:\\work\\erk\\notes\\Deploy.md", "c:\\") is None


# --- processes --------------------------------------------------------------------------------------------------------


@pytest.fixture
def winapi(windows, monkeypatch):
    fake = ModuleType("_winapi")
    fake.asked, fake.closed = [], []
    fake.CreateProcess = lambda *given: fake.asked.append(given) or (11, 12, 13, 14)
    fake.CloseHandle = fake.closed.append
    monkeypatch.setitem(sys.modules, "_winapi", fake)
    return fake


def test_on_windows_the_index_is_renewed_without_window_streams_or_tie(winapi, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "x")
    assert start_apart(["C:\\Program Files\\Python\\python.exe", "-m", "ladder", "C:\\"])
    ((program, line, _, _, inherit, flags, environment, folder, startup),) = winapi.asked
    assert (program, folder) == (None, None)
    assert line == '"C:\\Program Files\\Python\\python.exe" "-m" "ladder" "C:\\\\"'
    assert not inherit, "the client waits for whoever holds its pipes"
    assert flags & 0x8000000, "CREATE_NO_WINDOW"
    assert not flags & 0x8, "DETACHED_PROCESS: a worker of the index would open a window"
    assert "PYTHONPATH" not in environment
    assert startup.hStdOutput is None
    assert winapi.closed == [11, 12]


def test_on_windows_a_program_that_is_gone_is_no_error(winapi):
    def gone(*_):
        raise FileNotFoundError(2, "The system cannot find the file specified")

    winapi.CreateProcess = gone
    assert not start_apart(["C:\\gone\\python.exe"])


@pytest.mark.skipif(os.name == "nt", reason="is of POSIX")
def test_where_a_session_cannot_be_begun_a_group_is(monkeypatch):
    asked = []

    def spawn(*_, **named):
        asked.append(named)
        if "setsid" in named:
            raise NotImplementedError

    monkeypatch.setattr(ask.os, "posix_spawn", spawn)
    assert start_apart(["/usr/bin/python3"])
    assert [sorted(set(named) - {"file_actions"}) for named in asked] == [["setsid"], ["setpgroup"]]


def like_windows(code, *arguments, **more):
    """Run code in a bare interpreter that takes itself for one of Windows: no signals, no `posix`."""
    before = "import os, sys; sys.platform = 'win32'; sys.modules['posix'] = sys.modules['_signal'] = None\n"
    command = [str(base_interpreter()), "-I", "-S", "-c", before + code, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def test_without_signals_a_thread_keeps_the_deadline():
    code = (
        "sys.path.insert(0, sys.argv[1])\nfrom ladder.hook.edge import *\nreply = Reply()\nwatch(reply, 0.3)\n"
        "reply.say('Stop', 'so far')\nread_event()\n"
    )
    with like_windows(code, str(Path(__file__).parents[2])) as process:
        assert process.wait(timeout=60) == 0, "its standard input stays open"
        assert json.loads(process.stdout.read())["hookSpecificOutput"]["additionalContext"] == "so far"


@pytest.mark.parametrize("data", [b"[]", b'{"hook_event_name": "UserPromptSubmit", "prompt": "why"}'])
def test_the_bundle_runs_the_way_of_windows(tmp_path, data):
    write_hook(tmp_path / "hook")
    environment = os.environ | {"LOCALAPPDATA": str(tmp_path / "local")}
    with like_windows(BOOTSTRAP, str(tmp_path / "hook"), cwd=tmp_path, env=environment) as process:
        out, err = process.communicate(data, timeout=10)
    assert (process.returncode, out) == (0, b"")
    assert err == (b"ladder: the hook's input is not a JSON object\n" if data == b"[]" else b"")
    if data != b"[]":
        (log,) = tmp_path.rglob("hook.log")
        assert json.loads(log.read_bytes())["q"] == "no index"


# --- the interpreter and the settings' entry --------------------------------------------------------------------------


@LINKS
@pytest.mark.parametrize(
    ("real", "link", "kept"),
    [
        ("Cellar/python@3.X/3.X.7/bin/python3.X", "opt/python@3.X/bin/python3.X", True),
        ("Cellar/python@3.X/3.X.7/bin/python3.X", "bin/python3.X", False),
        ("uv/python/cpython-3.X.7-linux-x86_64-gnu/bin/python", "uv/python/cpython-3.X-linux-x86_64-gnu", True),
        ("mise/installs/python/3.X.7/bin/python", "mise/installs/python/3.X", True),
        ("pyenv/versions/3.X.7/bin/python", "pyenv/shims/python", False),
        ("WindowsApps/PythonSoftwareFoundation.Python_3.X.7/python", "alias/python", True),
    ],
)
def test_the_path_that_outlives_an_update_is_taken_where_there_is_one(tmp_path, monkeypatch, real, link, kept):
    minor = f"3.{sys.version_info.minor}"
    real, link = (tmp_path / part.replace("3.X", minor) for part in (real, link))
    real.parent.mkdir(parents=True)
    real.write_bytes(b"")
    link.parent.mkdir(parents=True, exist_ok=True)
    inner = real.relative_to(real.parents[1]) if link.name.startswith(("cpython", "3.")) else None
    link.symlink_to(real.parents[1] if inner else real)
    started = link / inner if inner else link
    monkeypatch.setattr(sys, "_base_executable", str(started), raising=False)
    assert base_interpreter() == (started if kept else real)


def test_lasting_paths():
    assert lasting_paths(PureWindowsPath("C:\\U\\uv\\python\\cpython-3.12.4-windows-x86_64-none\\python.exe")) == [
        PureWindowsPath("C:\\U\\uv\\python\\cpython-3.12-windows-x86_64-none\\python.exe")
    ]
    assert lasting_paths(PureWindowsPath("C:\\Python312\\python.exe")) == []
    assert lasting_paths(PurePosixPath("/usr/bin/python3.12")) == []


def test_the_entry_of_windows():
    python, folder = PureWindowsPath("C:\\Program Files\\Python\\python.exe"), PureWindowsPath("C:\\d a\\hook")
    direct = handler(CLAUDE_CODE, python, folder)
    assert direct["command"] == "C:\\Program Files\\Python\\python.exe"
    assert direct["args"] == ["-I", "-S", "-c", BOOTSTRAP, "C:/d a/hook"]
    shell = handler(CLAUDE_CODE, python, folder, exec_form=False)
    assert "args" not in shell
    # For sh and Git Bash alike: forward slashes, everything with a space in double quotes.
    assert shell["command"] == f'"C:/Program Files/Python/python.exe" -I -S -c "{BOOTSTRAP}" "C:/d a/hook"'
    with pytest.raises(NoHandlerError, match="a shell would misread it"):
        handler(CLAUDE_CODE, PureWindowsPath("C:\\a`b\\python.exe"), folder, exec_form=False)


# --- files ------------------------------------------------------------------------------------------------------------


def test_an_index_is_read_without_pread(tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Deploy\n\nthe canary aborts\n", encoding="utf-8")
    update_index(tmp_path)[0].close()
    monkeypatch.delattr(os, "pread", raising=False)
    with open_index(index_file(str(tmp_path))) as index:
        assert (index.note(0).title, index.df("canari")[0]) == ("Deploy", 1)


def test_a_file_in_use_is_left_as_it_is_and_nothing_beside_it(tmp_path, monkeypatch):
    def in_use(*_):
        raise PermissionError(13, "in use")

    (tmp_path / "s.jsonl").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", in_use)
    assert not replace_private(f"{tmp_path.as_posix()}/s.jsonl", b"new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("s.jsonl", b"old")]


@pytest.mark.parametrize(("name", "shown"), [("a\udce9b", "a\ufffdb"), ("e\u0301", "\u00e9")])
def test_names_that_are_no_text_are_shown(name, shown):
    assert _shown(name) == shown


def test_half_a_surrogate_pair_in_a_name_of_windows_stops_nobody():
    assert set(_shown("a\ud800b")) == {"a", "\ufffd", "b"}
