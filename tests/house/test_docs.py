"""What the documentation says is there, is there: commands, settings, fields, links."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from ladder.cli.help_text import commands
from notes import Settings
from transcripts import Evidence, Pair, Said

HOUSE = Path(__file__).parents[2]
DOCS = [*sorted(HOUSE.glob("*.md")), *sorted((HOUSE / "docs").glob("*.md"))]
KNOWN = {words[1] for words, _ in commands() if len(words) > 1}


def text(name: str) -> str:
    return (HOUSE / name).read_text(encoding="utf-8")


def fences(page: str):
    return re.findall(r"^```(?:sh|text|console)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", [path for path in DOCS if path.name != "commands.md"], ids=lambda path: path.name)
def test_every_command_that_is_named_exists(path):
    page = path.read_text(encoding="utf-8")
    named = {word for block in fences(page) for word in re.findall(r"^(?:\$ )?ladder ([a-z]+)", block, re.MULTILINE)}
    named |= set(re.findall(r"`ladder ([a-z]+)[ `]", page))
    assert named - KNOWN == set()


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_between_files_lead_somewhere(path):
    page = path.read_text(encoding="utf-8")
    targets = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", page) if "://" not in target}
    assert [target for target in targets if target and not (path.parent / target).exists()] == []


def test_every_setting_is_documented():
    page = text("docs/configuration.md")
    inside = {"root", "configured", "other"}
    assert [f.name for f in fields(Settings) if f.name not in inside and f"\n{f.name} = " not in page] == []


def test_every_field_of_a_pair_is_documented():
    page = text("docs/evidence.md")
    names = [*Pair._fields, *Evidence._fields, *Said.__annotations__]
    assert [name for name in names if f"`{name}`" not in page] == []


def test_the_readme_says_what_each_command_of_a_users_day_is_for():
    page = text("README.md")
    wanted = "init adopt install uninstall doctor mine bench stats why answer weekly report promote forget mcp"
    assert [name for name in wanted.split() if f"ladder {name}" not in page] == []
    assert "`ladder note show deploy-rollback --former 1`" in page
    assert "`--project`" in page
    assert "not both" in page


def test_the_map_of_the_readme_names_files_that_exist():
    rows = re.findall(r"^\| `([a-z_/.]+)` \|", text("README.md"), re.MULTILINE)
    assert [row for row in rows if not (HOUSE / row).exists()] == []
    assert {row.partition("/")[0] for row in rows} >= {"notes", "transcripts", "ladder", "bench"}
