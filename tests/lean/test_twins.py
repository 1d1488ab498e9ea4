"""The table of twins in ladder/lean names files and modules that exist, and a test that reads both."""

import importlib.util
import re
from pathlib import Path

import pytest

import ladder.lean

HOUSE = Path(__file__).parents[2]
ROW = re.compile(r"^    (ladder/\S+\.py) +([\w.]+) +(tests/\S+\.py)", re.MULTILINE)
ROWS = ROW.findall(ladder.lean.__doc__ or "")


def test_every_file_of_the_folder_is_in_the_table():
    files = {path.relative_to(HOUSE).as_posix() for path in (HOUSE / "ladder" / "lean").glob("[!_]*.py")}
    assert files - {lean for lean, _, _ in ROWS} == set()
    assert len(ROWS) >= 11


@pytest.mark.parametrize(("lean", "twin", "test"), ROWS)
def test_a_pair_is_there_and_its_test_imports_the_lean_one(lean, twin, test):
    assert (HOUSE / lean).is_file()
    assert importlib.util.find_spec(twin) is not None
    text = (HOUSE / test).read_text(encoding="utf-8")
    package, _, name = lean.removesuffix(".py").replace("/", ".").rpartition(".")
    imported = rf"from {re.escape(package)}\.{name} import|from {re.escape(package)} import (\w+, )*{name}\b"
    if name == "provisional_note":  # reached through a changed file of a project
        imported = "a_changed_note_has_sections"
    assert re.search(imported, text), f"{test} does not look at {lean}"
