"""The plugin says the same as the installer, and costs what it says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.client.contract import CLAUDE_CODE
from ladder.indexing.token_counts import count, estimated
from ladder.install import install as installing
from ladder.install.install import install

ROOT = Path(__file__).parents[2]


def read(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def test_its_hooks_are_the_clients_events():
    hooks = read("plugin/hooks/hooks.json")["hooks"]
    assert set(hooks) == {event.name for event in CLAUDE_CODE.events}
    for event in CLAUDE_CODE.events:
        (group,) = hooks[event.name]
        assert group.get("matcher", "") == event.matcher
        # No `args`: a client that does not know them would run `ladder` alone, whose exit code 2 erases the message.
        (handler,) = group["hooks"]
        assert handler["command"].startswith("if command -v ladder >/dev/null 2>&1; then ladder hook;")
        assert handler == {"type": "command", "command": handler["command"], "timeout": event.timeout}


@pytest.mark.skipif(os.name == "nt", reason="there the client brings a shell of its own")
def test_without_the_command_it_says_so_once_a_session(tmp_path):
    for event, (group,) in read("plugin/hooks/hooks.json")["hooks"].items():
        command = group["hooks"][0]["command"]
        done = subprocess.run(["/bin/sh", "-c", command], env={"PATH": str(tmp_path)}, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        said = json.loads(done.stdout)["systemMessage"] if done.stdout else ""
        assert ("not on PATH" in said) == (event == "SessionStart")


def test_its_manifest_and_the_marketplace_name_it():
    manifest = read("plugin/.claude-plugin/plugin.json")
    assert manifest["name"] == "ladder"
    assert not {"hooks", "skills"} & set(manifest), "their default places are found by themselves, and twice otherwise"
    assert f'version = "{manifest["version"]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (entry,) = read(".claude-plugin/marketplace.json")["plugins"]
    assert (entry["name"], (ROOT / entry["source"]).resolve()) == ("ladder", ROOT / "plugin")


def test_its_skill_teaches_the_three_rungs_in_under_300_tokens():
    text = (ROOT / "plugin/skills/notes/SKILL.md").read_text(encoding="utf-8")
    assert not estimated(), "counted by the vocabulary"
    assert count(text) < 300
    head, _, _ = text.removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.split("\n"))
    assert set(fields) == {"name", "description"}
    assert fields["name"] == "notes", "its folder's name"
    assert len(fields["description"]) < 1536, "what is over is cut off"
    for rung in ("ladder suggest", "ladder map", "ladder read"):
        assert rung in text


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed on Windows")
def test_a_folder_that_is_gone_is_no_error(tmp_path):
    code = "import os, sys; os.rmdir(os.getcwd()); sys.argv[1:] = ['hook']; from ladder.entry import main; main()"
    (tmp_path / "gone").mkdir()
    environment = os.environ | {"CLAUDE_PLUGIN_ROOT": str(ROOT / "plugin")}
    event = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "why", "cwd": str(tmp_path)}).encode()
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], input=event, capture_output=True, check=False, env=environment,
        cwd=tmp_path / "gone",
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("covered", [True, False])
def test_beside_an_installed_hook_it_is_silent(covered, tmp_path, monkeypatch):
    monkeypatch.setattr(installing, "client_version", lambda program: None)
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", str(ROOT / "plugin"))
    if covered:
        install(CLAUDE_CODE)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ladder", "hook"], input=b"[]", capture_output=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert (b"not a JSON object" in done.stderr) != covered
