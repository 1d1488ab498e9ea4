"""The hook as a client starts it: a bare interpreter, two lines, the hook's folder. Whatever happens, exit code 0."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import ladder
from ladder.hook.bundle.build import BOOTSTRAP, write_hook
from ladder.install.interpreter import base_interpreter

POSIX = pytest.mark.skipif(os.name == "nt", reason="named pipes and signals are POSIX")


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    write_hook(folder)
    return folder


@pytest.fixture
def bundle(written, tmp_path):
    """The compiled modules of a hook of one's own."""
    return shutil.copytree(written, tmp_path / "data folder") / "hook.bundle"


@pytest.fixture
def bundle_bytes(bundle):
    return bundle.read_bytes()


def run(bundle, data, *, extra_env=None, timeout=10, cwd=None):
    done = subprocess.run(
        [str(base_interpreter()), "-I", "-S", "-c", BOOTSTRAP, str(bundle.parent)],
        input=data,
        capture_output=True,
        timeout=timeout,
        check=False,
        cwd=cwd,
        env=dict(os.environ) | (extra_env or {}),
    )
    return done.returncode, done.stdout, done.stderr


def event(name="UserPromptSubmit", **fields):
    return json.dumps({"hook_event_name": name, "session_id": "s", "cwd": str(Path.cwd()), **fields}).encode()


@pytest.mark.parametrize(
    "data",
    [b"", b"not json", b"{", b"[]", b"null", b'"x"', b"{}", b'{"prompt":null}', b'{"prompt":5}', b"\xff\xfe{}", b"\0",
     b'{"hook_event_name":7,"prompt":"a"}', b'{"a":1}{"b":2}', b'{"hook_event_name":"Unheard"}', b"[" * 100_000],
)  # fmt: skip
def test_r38_malformed_input_is_silent(bundle, data):
    code, out, err = run(bundle, data)
    assert (code, out) == (0, b"")
    assert err.count(b"\n") <= 1


@pytest.mark.parametrize("field", ["prompt", "session_id", "cwd", "transcript_path"])
@pytest.mark.parametrize("value", [None, 5, [], {}, True, "\0", "\ud800", "x" * 5000])
def test_r38_fields_of_another_kind_are_survived(bundle, field, value):
    fields = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "why", "cwd": "/"} | {field: value}
    code, out, _ = run(bundle, json.dumps(fields).encode())
    assert code == 0
    assert out == b"" or json.loads(out)


WHAT = ("hook.bundle", "ladder_hook.py", "source", "__pycache__", ".")
DAMAGE = {
    "gone": lambda path: shutil.rmtree(path) if path.is_dir() else path.unlink(),
    "a folder": lambda path: path.is_dir() or (path.unlink(), path.mkdir()),
    "empty": lambda path: path.is_dir() or path.write_bytes(b""),
    "rubbish": lambda path: path.is_dir() or path.write_bytes(b"ladder-bundle 2 x y\n" + os.urandom(4096)),
    "cut off": lambda path: path.is_dir() or path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "unreadable": lambda path: path.chmod(0),
    "all but its end": lambda path: path.is_dir() or path.write_bytes(path.read_bytes()[:-9]),
}


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("what", WHAT)
def test_whatever_is_damaged_never_blocks(bundle, what, damage):
    path = bundle.parent / what
    DAMAGE[damage](path)
    try:
        assert run(bundle, event(prompt="hello"))[:2] == (0, b"")
    finally:
        if path.exists():
            path.chmod(0o700)


def test_the_command_is_two_lines_that_a_shell_and_json_leave_alone(bundle):
    assert BOOTSTRAP.count("\n") == 1
    assert "exec" not in BOOTSTRAP
    assert not set(BOOTSTRAP) & set("\"'$`!%\\")
    said = (bundle.parent / "ladder_hook.py").read_text(encoding="utf-8")
    assert said.startswith('"""The hook of ladder')


def test_what_runs_can_be_read_beside_it(bundle):
    source = bundle.parent / "source"
    found = {path.relative_to(source).as_posix() for path in source.rglob("*.py")}
    assert found >= {"ladder/hook/main.py", "ladder/__init__.py"}
    package = Path(ladder.__file__).parent
    for name in {name for name in found if not name.endswith("__init__.py")}:
        assert (source / name).read_bytes() == (package.parent / name).read_bytes(), name


def test_source_of_a_former_version_goes(bundle):
    former = bundle.parent / "source" / "ladder" / "former.py"
    former.write_text("x = 1\n", encoding="utf-8")
    write_hook(bundle.parent)
    assert not former.exists()


def test_the_source_is_run_where_the_compiled_code_is_damaged_missing_or_of_another_python(bundle, bundle_bytes):
    wanted = run(bundle, b"[]")
    assert b"not a JSON object" in wanted[2]
    at = bundle_bytes.index(b"\n") + 1
    for place in (at, at + 16 + 200):  # the magic number; the code itself
        damaged = bytearray(bundle_bytes)
        damaged[place] ^= 0xFF
        bundle.write_bytes(damaged)
        assert run(bundle, b"[]") == wanted
    bundle.unlink()
    assert run(bundle, b"[]") == wanted


@POSIX
@pytest.mark.parametrize("name", ["hook.bundle", "ladder_hook.py", "source/ladder/hook/main.py"])
def test_a_pipe_in_a_files_place_ends_in_time(bundle, name):
    if name != "hook.bundle":
        bundle.unlink()
    (bundle.parent / name).unlink(missing_ok=True)
    os.mkfifo(bundle.parent / name)
    assert run(bundle, event(prompt="hello"))[:2] == (0, b"")  # who waits for a writer never ends


def test_stdin_that_never_closes_is_answered_at_once_when_the_object_is_whole(bundle):
    process = subprocess.Popen(
        [str(base_interpreter()), "-I", "-S", "-c", BOOTSTRAP, str(bundle.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(event("Unheard"))
    process.stdin.flush()
    assert process.wait(timeout=1.5) == 0
    process.stdin.close()
    assert process.stdout
    process.stdout.close()


def test_an_event_that_comes_in_pieces_is_put_together(bundle):
    """A part of an object that ends in a brace is no JSON yet, and no reason to leave."""
    process = subprocess.Popen(
        [str(base_interpreter()), "-I", "-S", "-c", BOOTSTRAP, str(bundle.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    edits = [{"old_string": "a", "new_string": "b"}] * 3
    whole = event("SessionEnd", session_id="pieces", tool_input={"edits": edits}, transcript_path="/pieces.jsonl")
    for part in whole.replace(b"}, ", b"}\0, ").split(b"\0"):
        process.stdin.write(part)
        process.stdin.flush()
        time.sleep(0.1)
    assert process.communicate(timeout=4) == (b"", b"")
    assert process.returncode == 0
    if sys.platform == "linux":
        ended = Path(os.environ["XDG_STATE_HOME"]) / "ladder" / "sessions-ended.jsonl"
        assert b"/pieces.jsonl" in ended.read_bytes()


@POSIX
@pytest.mark.parametrize("home", [None, "relative", ""])
def test_without_a_home_nothing_is_left_where_the_client_runs(bundle, tmp_path, home):
    folder = tmp_path / "project"
    folder.mkdir()
    env = {name: value for name, value in os.environ.items() if name != "HOME" and not name.startswith("XDG_")}
    env |= {} if home is None else {"HOME": home}
    # Nor does the password file name one, as in a container that runs under a number.
    nameless = "import sys; sys.modules['pwd'] = None\n" + BOOTSTRAP
    for name in ("UserPromptSubmit", "SessionStart", "PreToolUse", "SessionEnd"):
        done = subprocess.run(
            [str(base_interpreter()), "-I", "-S", "-c", nameless, str(bundle.parent)],
            input=event(name, prompt="hello", cwd=str(folder), transcript_path="/log.jsonl"),
            capture_output=True,
            check=False,
            cwd=folder,
            env=env,
        )
        assert (done.returncode, done.stdout) == (0, b"")
    assert list(folder.iterdir()) == []


def test_stdin_that_never_says_anything_ends_in_time(bundle):
    process = subprocess.Popen(
        [str(base_interpreter()), "-I", "-S", "-c", BOOTSTRAP, str(bundle.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.wait(timeout=60) == 0
    assert process.stdin
    assert process.stdout
    assert process.stdout.read() == b""
    process.stdin.close()
    process.stdout.close()


def test_a_client_that_has_gone_is_no_error(bundle):
    process = subprocess.Popen(
        [str(base_interpreter()), "-I", "-S", "-c", BOOTSTRAP, str(bundle.parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    process.stdin.write(event("SessionStart", source="startup"))
    process.stdin.close()
    assert process.wait(timeout=4) == 0


def test_ladder_off_silences(bundle):
    assert run(bundle, b"[]", extra_env={"LADDER_OFF": "1"}) == (0, b"", b"")
    assert b"not a JSON" in run(bundle, b"[]", extra_env={"LADDER_OFF": "0"})[2]


def test_hostile_modules_in_the_folder_are_not_run(bundle, tmp_path):
    for name in ("notes", "bench", "transcripts", "orjson", "ladder", "marshal", "_json", "os"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\nraise SystemExit(2)\n", encoding="utf-8")
    for env in ({}, {"PYTHONPATH": "."}):
        code, out, _ = run(bundle, event(prompt="hello", cwd=str(tmp_path)), cwd=tmp_path, extra_env=env)
        assert (code, out) == (0, b"")
    assert not (tmp_path / "ran").exists()


def test_a_home_that_cannot_be_written_is_no_error(bundle, tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    names = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA")
    code, _, err = run(bundle, event(prompt="hello"), extra_env=dict.fromkeys(names, str(home / "x")))
    assert (code, err) == (0, b"")
    assert run(bundle, event(prompt="hello"), extra_env=dict.fromkeys(names, "/dev/null/x"))[0] == 0


def test_several_hooks_at_once(bundle):
    results = []

    def one(number):
        results.append(run(bundle, event("SessionEnd", session_id=f"s{number % 3}", transcript_path="/log.jsonl"))[:2])

    threads = [threading.Thread(target=one, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(0, b"")] * 12
    ended = Path(os.environ["XDG_STATE_HOME"]) / "ladder" / "sessions-ended.jsonl"
    if sys.platform == "linux":
        assert len(ended.read_bytes().split(b"\n")) == 13
        assert ended.stat().st_mode & 0o777 == 0o600
