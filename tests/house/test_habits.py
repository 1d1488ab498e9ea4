"""Habits of the house that a reader of the source can count on."""

import ast
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
SOURCES = [
    path for package in ("notes", "transcripts", "ladder", "bench") for path in sorted((HOUSE / package).rglob("*.py"))
]
VAGUE = {"utils", "util", "helpers", "helper", "common", "core", "base", "manager", "misc"}


def test_no_module_has_a_name_that_says_nothing():
    assert [path.relative_to(HOUSE).as_posix() for path in SOURCES if path.stem.lower() in VAGUE] == []


def test_every_file_says_in_its_first_line_what_it_is_about():
    silent = [path for path in SOURCES if not (ast.get_docstring(ast.parse(path.read_bytes())) or "").strip()]
    assert [path.relative_to(HOUSE).as_posix() for path in silent] == []


def _calls(path: Path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def test_r49_nothing_is_cut_with_splitlines():
    """`str.splitlines` cuts at U+2028, NEL and form feed, inside a JSON string."""
    assert [path.relative_to(HOUSE).as_posix() for path in SOURCES if "splitlines" in set(_calls(path))] == []


def _swallows(path: Path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ExceptHandler):
            names = (
                {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)} if node.type else {"Exception"}
            )
            if names & {"Exception", "BaseException"} and all(isinstance(line, ast.Pass) for line in node.body):
                yield node.lineno


def test_no_error_is_swallowed_whole():
    assert [f"{path.relative_to(HOUSE).as_posix()}:{line}" for path in SOURCES for line in _swallows(path)] == []


def _starts_git(path: Path) -> bool:
    return any(
        isinstance(node, ast.List | ast.Tuple)
        and bool(node.elts)
        and isinstance(node.elts[0], ast.Constant)
        and node.elts[0].value == "git"
        for call in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("run", "Popen")
        for node in call.args[:1]
    )


def test_one_module_starts_git():
    """`notes/git.py`; the two people of `two_clones.py` are played with their own settings."""
    found = {path.relative_to(HOUSE).as_posix() for path in SOURCES if _starts_git(path)}
    assert found == {"bench/tasks/two_clones.py"}, "see notes/git.py, whose command is made in two steps"


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME", "XX" + "X"])
def test_nothing_is_left_for_later(word):
    assert [path.relative_to(HOUSE).as_posix() for path in SOURCES if word.encode() in path.read_bytes()] == []


def test_test_files_have_names_of_their_own():
    names = [path.name for path in (HOUSE / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"}


def test_no_test_reads_a_clock_to_pass():
    """A busy machine is no fault: work is counted (tests/counted.py), time is measured by the bench."""
    tests = sorted((HOUSE / "tests").rglob("*.py"))
    assert [path.relative_to(HOUSE).as_posix() for path in tests if CLOCKS & set(_calls(path))] == []


def _says(function: ast.FunctionDef, asserting: set[str]) -> bool:
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Attribute) and node.attr in {"raises", "fail"})
        or (isinstance(node, ast.Name) and node.id in asserting - {function.name})
        for node in ast.walk(function)
    )


def test_every_test_asserts_something():
    silent = []
    for path in sorted((HOUSE / "tests").rglob("test_*.py")):
        functions = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef)]
        asserting = {each.name for each in functions if _says(each, set())}
        tests = [each for each in functions if each.name.startswith("test")]
        silent += [f"{path.name}: {each.name}" for each in tests if not _says(each, asserting)]
    assert silent == []
