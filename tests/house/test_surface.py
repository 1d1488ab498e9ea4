"""What a package offers is what its `__all__` says: nothing public beside it, nothing in it that is not there."""

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

PACKAGES = ("notes", "transcripts", "ladder", "bench")
#: Packages whose modules are the surface: importing the package itself must cost nothing.
BARE = ("ladder", "bench")


@pytest.mark.parametrize("package", PACKAGES)
def test_the_public_surface_is_all(package):
    module = importlib.import_module(package)
    public = {
        name for name, value in vars(module).items() if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public == set(getattr(module, "__all__", ()))
    assert bool(public) != (package in BARE)


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in BARE])
def test_all_says_each_name_once(package):
    names = list(importlib.import_module(package).__all__)
    assert len(names) == len(set(names))


def test_ladder_itself_imports_nothing_before_the_path_is_clean():
    code = "import sys; before = set(sys.modules); import ladder; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['ladder']"
