"""The arrows between the packages, read from the source: notes <- transcripts <- bench, notes <- ladder <- bench.

And those between the folders of ladder, in the order of its layers.
"""

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


#: Folder or file at the top of ladder -> those that it may import when it runs. `weights` is ranking/weights.py, which
#: imports nothing and which every step before and after ranking reads. The command line and the entry may import all.
FOLDERS = {
    "extra": "",
    "weights": "",
    "lean": "",
    "text": "",
    "client": "",
    "index": "lean text",
    "query": "client index lean text weights",
    "learning": "lean query weights",
    "ranking": "index lean learning query text weights",
    "reading": "index ranking text",
    "speaking": "lean query ranking reading text weights",
    "indexing": "index lean text",
    "meaning": "index lean",
    "hook": "client index lean learning query ranking reading speaking text",
    "install": "client hook lean meaning",
    "flows": "extra indexing learning",
    "api": "index indexing lean learning meaning query reading",
    "serving": "api query ranking reading",
    "doctor": "client extra flows hook index indexing install lean meaning",
}
#: The arrows that point the other way, each with the function that holds it.
BACKWARDS = {
    (
        "ranking",
        "speaking",
    ): "Search.unclear asks what coverage.py says, only where vectors were made",
    ("speaking", "hook"): "verdict() shows what the hook would put in its block, for `why` and the bench",
}


def folder_of(module: str) -> str:
    """The row of FOLDERS that a dotted name of ladder belongs to."""
    return "weights" if module.startswith("ladder.ranking.weights") else module.split(".")[1]


def at_run_time(tree):
    """The modules of ladder that a file imports, but for what type checkers alone read."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ladder."):
            yield node.module
        waiting += ast.iter_child_nodes(node)


def folder_arrows() -> set[tuple[str, str]]:
    found = set()
    for path in (HOUSE / "ladder").rglob("*.py"):
        own = folder_of(".".join(path.relative_to(HOUSE).with_suffix("").parts))
        if own not in ("cli", "entry", "__init__", "__main__"):
            used = {folder_of(module) for module in at_run_time(ast.parse(path.read_bytes()))}
            found |= {(own, other) for other in used - {own}}
    return found


def test_folders_of_ladder_import_what_the_table_says_and_all_of_that():
    allowed = {(folder, other) for folder, others in FOLDERS.items() for other in others.split()}
    assert folder_arrows() == allowed | set(BACKWARDS)


def test_no_folders_of_ladder_import_one_another_in_a_circle():
    left = {folder: set(others.split()) for folder, others in FOLDERS.items()}
    while left:
        lowest = {folder for folder, others in left.items() if not others & left.keys()}
        assert lowest, f"a circle among {sorted(left)}"
        left = {folder: others for folder, others in left.items() if folder not in lowest}
