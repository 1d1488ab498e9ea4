"""What a package offers is what its `__all__` says: nothing public beside it, nothing in it that is not there."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGES = ("notes", "transcripts", "ladder", "bench")
#: Packages that import nothing: importing them must cost nothing. `ladder` loads what it offers when it is asked for.
BARE = ("ladder", "bench")


@pytest.mark.parametrize("package", PACKAGES)
def test_the_public_surface_is_all(package):
    module = importlib.import_module(package)
    public = {
        name for name, value in vars(module).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == (set() if package in BARE else set(module.__all__))
    assert bool(public) != (package in BARE)


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in BARE])
def test_all_says_each_name_once(package):
    names = list(importlib.import_module(package).__all__)
    assert len(names) == len(set(names))


def test_ladder_itself_imports_nothing_before_the_path_is_clean():
    code = "import sys; before = set(sys.modules); import ladder; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['ladder']"


def test_ladder_offers_what_its_all_says_and_nothing_else():
    import ladder

    assert [name for name in ladder.__all__ if getattr(ladder, name).__name__ != name] == []
    assert set(ladder.__all__) <= set(dir(ladder))
    with pytest.raises(AttributeError, match="no attribute 'suggest'"):
        ladder.suggest  # noqa: B018 (it is the look-up that fails)


def test_the_page_of_the_api_names_all_of_it():
    import ladder

    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in ladder.__all__ if f"`{name}" not in page] == []
    methods = [name for name, value in vars(ladder.OpenNotes).items() if callable(value) and name[0] != "_"]
    assert [name for name in methods if f"`{name}" not in page] == []
