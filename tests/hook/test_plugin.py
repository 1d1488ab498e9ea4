"""The plugin says the same as the installer, and costs what it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ladder import install as installing
from ladder.clients import CLAUDE_CODE
from ladder.costs import count
from ladder.install import install

ROOT = Path(__file__).parents[2]


def read(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def test_its_hooks_are_the_clients_events():
    hooks = read("plugin/hooks/hooks.json")["hooks"]
    assert set(hooks) == {event.name for event in CLAUDE_CODE.events}
    for event in CLAUDE_CODE.events:
        (group,) = hooks[event.name]
        assert group.get("matcher", "") == event.matcher
        assert group["hooks"] == [{"type": "command", "command": "ladder", "args": ["hook"], "timeout": event.timeout}]


def test_its_manifest_and_the_marketplace_name_it():
    manifest = read("plugin/.claude-plugin/plugin.json")
    assert manifest["name"] == "ladder"
    assert f'version = "{manifest["version"]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (entry,) = read(".claude-plugin/marketplace.json")["plugins"]
    assert (entry["name"], (ROOT / entry["source"]).resolve()) == ("ladder", ROOT / "plugin")


def test_its_skill_teaches_the_three_rungs_in_under_300_tokens():
    text = (ROOT / "plugin/skills/notes/SKILL.md").read_text(encoding="utf-8")
    assert count(text) < 300
    for rung in ("ladder suggest", "ladder map", "ladder read"):
        assert rung in text


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
