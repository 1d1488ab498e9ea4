"""What `--json` prints: one object with its schema, each command's keys in docs/json.md."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from ladder.cli.help_text import commands

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "docs" / "json.md").read_text(encoding="utf-8")
TABLE = set(re.findall(r"^\| `(ladder [a-z -]+)` \|", PAGE, re.MULTILINE))
FORMER = {"ladder why", "ladder adopt", "ladder promote", "ladder bench lines"}


def test_every_command_with_json_stands_in_the_table():
    having = {
        " ".join(words)
        for words, command in commands(hidden=True)
        if any("--json" in parameter.opts for parameter in command.params)
    }
    assert having - FORMER == TABLE - {"ladder suggest --why"}


@pytest.mark.parametrize(
    "words",
    [
        "suggest canary", "suggest --why canary", "map a", "read a", "answer canary", "index", "config", "doctor",
        "note log a", "note check", "note fix", "note show a", "note adopt notes", "stats",
    ],
)  # fmt: skip
def test_it_is_one_object_with_its_schema_first(words, tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nThe canary waits.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(app, [*words.split(), "--json"], catch_exceptions=False)
    assert next(iter(json.loads(shown.stdout).items())) == ("schema", 1)


ROWS = dict(re.findall(r"^\| `(ladder [a-z -]+)` \| (.*) \|$", PAGE, re.MULTILINE))
#: What only some runs print: of a list that may be empty, or of another option.
SOMETIMES = {
    "answer": {"why"},
    "stats": {"event", "what", "why", "count"},
    "forget": {"named"},
    "mine": {"verdicts", "by", "levels"},
    "install": {"installed", "file"},
    "uninstall": {"uninstalled", "file"},
    "read": {"map", "more"},
    "note log": {"number", "since", "text"},
    "note fix": {"note", "repairs"},
}


def keys_of(value):
    """The keys of an object and of the objects in its lists."""
    found = set(value)
    for each in value.values():
        for inner in each if isinstance(each, list | tuple) else ():
            found |= keys_of(inner) if isinstance(inner, dict) else set()
    return found


@pytest.mark.parametrize(
    "words",
    [
        "init", "suggest canary", "suggest --why canary", "map a canary", "read a", "answer canary", "index", "config",
        "doctor", "install", "uninstall", "stats", "guard", "note new B", "note head a New.", "note append a text",
        "note show a", "note log a", "note asof a 2099-12-01", "note check", "note fix --yes", "note adopt docs",
        "forget zebra --yes", "mine --logs logs --notes docs",
    ],
)  # fmt: skip
def test_the_page_names_the_keys_that_are_printed_and_no_others(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    note = "# A\n\nThe canary waits for [it](nowhere.md).\n\n## More\n\nOn.  \r\n\n## History\n\n- 2026-01-02: one.\n"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes(note.encode())
    (tmp_path / "logs").mkdir()
    said = {"type": "user", "uuid": "1", "sessionId": "s", "message": {"role": "user", "content": "how?"}}
    (tmp_path / "logs" / "s.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
    if words != "init":
        (tmp_path / "ladder.toml").write_text('folders = ["docs"]\n', encoding="utf-8")
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "."}
    shown = CliRunner().invoke(app, [*words.split(), "--json"], input=json.dumps(event), catch_exceptions=False)
    printed = keys_of(json.loads(shown.stdout)) - {"schema"}
    row = max((name for name in ROWS if f"ladder {words} ".startswith(f"{name} ")), key=len)
    named = set(re.findall(r"`([a-z_0-9]+)`", ROWS[row]))
    assert printed - named == set()
    assert named - printed - SOMETIMES.get(row.removeprefix("ladder "), set()) == set()
