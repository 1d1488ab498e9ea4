"""The arrows between the packages, read from the source: notes <- transcripts <- bench, notes <- ladder <- bench."""

import ast
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PACKAGES = ("notes", "transcripts", "ladder", "bench")
MAY_IMPORT = {
    "notes": {"notes"},
    "transcripts": {"transcripts", "notes"},
    "ladder": {"ladder", "notes"},
    "bench": {"bench", "ladder", "transcripts", "notes"},
}


def imported(path: Path):
    """The dotted names of ours that a file imports, lazy and typing-only imports included."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] in PACKAGES)


#: The folders that may import everything: they join ladder with transcripts and bench.
JOINING = {HOUSE / "ladder" / "cli", HOUSE / "ladder" / "flows"}


def sources(package: str):
    return [path for path in sorted((HOUSE / package).rglob("*.py")) if not JOINING & {*path.parents}]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_lies_under_it(package):
    wrong = [
        f"{path.relative_to(HOUSE).as_posix()} imports {name}"
        for path in sources(package)
        for name in imported(path)
        if name.partition(".")[0] not in MAY_IMPORT[package]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_but_the_entry_imports_the_command_line(package):
    users = {
        path.relative_to(HOUSE).as_posix()
        for path in sources(package)
        if any(f"{name}.".startswith("ladder.cli.") for name in imported(path))
    }
    assert users <= {"ladder/entry.py"}


def test_the_reader_of_imports_sees_lazy_and_typing_imports(tmp_path):
    file = tmp_path / "a.py"
    file.write_text(
        "import os, notes.markdown.parse\n"
        "def f():\n    from ladder.cli import run\n"
        "if TYPE_CHECKING:\n    from bench import x\n",
        encoding="utf-8",
    )
    assert sorted(imported(file)) == ["bench.x", "ladder.cli.run", "notes.markdown.parse"]
