"""Hints tell how to get ladder from a checkout: it is on no package index."""

import re
from pathlib import Path

HOUSE = Path(__file__).parents[2]
PLACES = ("ladder", "notes", "transcripts", "bench", "plugin", "docs")


def test_nothing_is_said_to_be_installed_by_the_packages_name():
    files = [*HOUSE.glob("*.md"), *(file for place in PLACES for file in (HOUSE / place).rglob("*") if file.is_file())]
    texts = {
        file: file.read_text(encoding="utf-8") for file in files if file.suffix in (".py", ".md", ".json", ".toml")
    }
    assert len(texts) > 100
    asked = re.compile(r"install [^\n]{0,20}(?<!@)ladder-notes")
    assert [f"{file.name}: {found[0]}" for file, text in texts.items() for found in asked.finditer(text)] == []
