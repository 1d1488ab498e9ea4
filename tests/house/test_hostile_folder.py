"""The command in a folder whose `notes.py`, `bench.py`, `transcripts.py` and `orjson.py` mean no good."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

HOSTILE = ("notes", "bench", "transcripts", "orjson", "typer", "numpy", "json")


def script() -> str:
    folder = Path(sysconfig.get_path("scripts"))
    return str(folder / ("ladder.exe" if os.name == "nt" else "ladder"))


@pytest.fixture
def trap(tmp_path):
    """A folder of notes with modules that leave a mark when they are run."""
    for name in HOSTILE:
        text = f"open({str(tmp_path / 'MARK')!r}, 'a').write({name!r} + ' ')\nraise SystemExit(77)\n"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "canary.md").write_text("# Canary\n\nThe canary aborts above 0.8 %.\n", encoding="utf-8")
    return tmp_path


def run(command: list[str], folder: Path, path: str | None):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        env["PYTHONPATH"] = path
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.parametrize(
    "path", [None, ".", os.pathsep, "/nowhere" + os.pathsep + "."], ids=["plain", "dot", "empty", "second"]
)
@pytest.mark.parametrize("how", ["script", "module"])
def test_no_module_of_the_folder_is_run(trap, how, path):
    command = [script()] if how == "script" else [sys.executable, "-m", "ladder"]
    shown = run([*command, "--help"], trap, path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("Usage: ")
    found = run([*command, "suggest", "why did the canary abort?"], trap, path)
    assert "canary" in found.stdout, found.stderr
    assert found.returncode == 0
    assert not (trap / "MARK").exists()


def test_a_checkout_as_working_folder_stays_on_the_path():
    house = Path(__file__).parents[2]
    done = run([sys.executable, "-m", "ladder", "--version"], house, ".")
    assert done.stdout.startswith("ladder ")


@pytest.mark.parametrize("path", [None, "."], ids=["plain", "dot"])
def test_the_installed_hook_runs_no_module_of_the_folder(trap, path):
    installed = run([sys.executable, "-m", "ladder", "install"], trap, path)
    assert installed.returncode == 0, installed.stderr
    settings = json.loads((Path(os.environ["CLAUDE_CONFIG_DIR"]) / "settings.json").read_bytes())
    hook = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    command = [hook["command"], *hook["args"]] if "args" in hook else hook["command"]
    env = os.environ | ({"PYTHONPATH": path} if path else {})
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "5d0a",
        "cwd": str(trap),
        "transcript_path": str(trap / "none.jsonl"),
        "prompt": "why did the canary abort?",
    }
    done = subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=trap,
        env=env,
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if done.stdout:
        assert json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert not (trap / "MARK").exists()
