"""Every tuned number of ranking and speaking stands in a weights.py, with what it was fitted or chosen on."""

import ast
import re
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
WEIGHTS = [HOUSE / "ladder" / folder / "weights.py" for folder in ("ranking", "speaking")]
MODULES = [
    path
    for folder in ("ranking", "query", "learning", "speaking")
    for path in sorted((HOUSE / "ladder" / folder).rglob("*.py"))
    if path not in WEIGHTS and path.name != "update.py"  # which is not bundled
]
#: A little more than a number that was rounded: no choice.
ROUNDING = {"candidates.py": {1.001}, "verdict.py": {1.001}}


def floats(tree):
    """The numbers with a point, but 0.0 and 1.0, in what a module's names stand for."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for each in ast.walk(node.value):
                if isinstance(each, ast.Constant) and isinstance(each.value, float) and each.value not in (0.0, 1.0):
                    yield each.value


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(HOUSE).as_posix())
def test_no_other_module_holds_a_tuned_number(path):
    found = set(floats(ast.parse(path.read_text(encoding="utf-8"))))
    assert found - ROUNDING.get(path.name, set()) == set()


def test_the_reader_of_numbers_finds_those_in_tables():
    tree = ast.parse('A = 0.5\nB: tuple = (("x", 2.5), ("y", 1.0))\nC = 3\ndef f():\n    return 0.25\n')
    assert list(floats(tree)) == [0.5, 2.5]


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.parent.name)
def test_behind_every_number_stands_its_figure(path):
    """On its line, or in the comment above the block it belongs to."""
    lines = path.read_text(encoding="utf-8").split("\n")
    above = ""
    named = 0
    for line in lines:
        if line.startswith("#"):
            above += line
        elif re.match(r"[A-Z_]+ = ", line):
            assert re.search(r"\[F-\d{3}(, F-\d{3})*\]", line + above), line
            named += 1
        elif not line:
            above = ""
    assert named > {"ranking": 50, "speaking": 15}[path.parent.name]


def test_a_name_says_which_weight_is_meant():
    """`weights.NAME` in a decision or in a list of witnesses is one number."""
    first, second = [
        set(re.findall(r"^([A-Z_]+) = ", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in WEIGHTS
    ]
    assert first & second == set()
