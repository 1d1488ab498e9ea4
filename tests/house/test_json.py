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
    if words in ("suggest canary", "map a", "read a", "answer canary"):
        row = next(line for line in PAGE.split("\n") if line.startswith(f"| `ladder {words.split()[0]}` |"))
        assert [key for key in json.loads(shown.stdout) if f"`{key}`" not in row and key != "schema"] == []
