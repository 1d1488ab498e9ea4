"""No file of the repository names a place on the machine that it was written on."""

import subprocess
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
#: A path of so few parts (`/repo`, `C:/src`) may stand in an example by chance.
MANY_HAVE = 2


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=HOUSE, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [HOUSE / name for name in done.stdout.decode("utf-8").split("\0") if name]


def test_no_file_names_this_machine():
    if len(HOUSE.parts) <= MANY_HAVE:
        pytest.skip("a checkout at such a short path shares it with examples")
    wrong = [
        path.relative_to(HOUSE).as_posix()
        for path in tracked()
        if path.is_file() and HOUSE.as_posix().encode() in path.read_bytes()
    ]
    assert wrong == []
