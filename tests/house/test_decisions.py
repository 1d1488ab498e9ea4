"""Decisions have one form, and every figure that is cited is there, as it was made."""

import json
import re
from pathlib import Path

import pytest

from bench.figures import DOCS, figures, page, read

HOUSE = Path(__file__).parents[2]
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
SOURCES = [path for package in ("notes", "transcripts", "ladder", "bench") for path in (HOUSE / package).rglob("*.py")]
PAGES = [*HOUSE.glob("*.md"), *(path for path in DOCS.rglob("*.md") if path.name != "figures.md")]
CITED = re.compile(r"\bF-\d{3}\b")
HEADINGS = ["Question", "Decision", "Evidence", "Tried and left out"]
NUMBERS = {path.name[:3] for path in DECISIONS}


def test_the_page_of_figures_is_what_its_files_say():
    assert (DOCS / "figures.md").read_text(encoding="utf-8") == page(figures())


def test_every_figure_that_is_cited_is_there():
    known = {figure.id for figure in figures()}
    cited = {path: set(CITED.findall(path.read_text(encoding="utf-8"))) for path in (*PAGES, *SOURCES)}
    assert {path.name: ids - known for path, ids in cited.items() if ids - known} == {}


def test_every_figure_is_cited():
    cited = {each for path in PAGES for each in CITED.findall(path.read_text(encoding="utf-8"))}
    assert {figure.id for figure in figures()} - cited == set()


@pytest.mark.parametrize(
    "fault", [{"rows": [["1"]]}, {"rows": []}, {"sample": "trained"}, {"id": "F-002"}, {"more": 1}], ids=str
)
def test_a_figure_that_is_not_whole_is_refused(tmp_path, fault):
    whole = json.loads((DOCS / "figures" / "F-001.json").read_text(encoding="utf-8"))
    file = tmp_path / "F-001.json"
    file.write_text(json.dumps(whole | fault), encoding="utf-8")
    with pytest.raises(ValueError, match=r"F-001\.json: "):
        read(file)


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_has_its_form(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    assert len(lines) <= 61
    assert max(map(len, lines)) <= 120
    assert lines[0].startswith("# ")
    assert [line[3:] for line in lines if line.startswith("## ")] == HEADINGS
    status = re.fullmatch(r"Status: (?:holds|replaced by (\d{3}))", lines[2])
    assert status
    assert status[1] is None or status[1] in NUMBERS


def test_the_index_lists_every_decision_with_its_title():
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(\d{3})\]\(([^)]+)\) (.+)$", index, re.MULTILINE)
    titles = {path.name: path.read_text(encoding="utf-8").split("\n", 1)[0][2:] for path in DECISIONS}
    assert {name: title for _, name, title in listed} == titles
    assert all(name.startswith(number) for number, name, _ in listed)
    assert len(NUMBERS) == len(DECISIONS)


def test_decisions_refer_to_decisions_that_exist():
    pages = [path.read_text(encoding="utf-8") for path in DECISIONS]
    named = {number for each in pages for number in re.findall(r"\((?:see )?(\d{3})\)", each)}
    assert named - NUMBERS == set()
