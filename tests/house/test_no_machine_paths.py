"""No file of the repository names a place on the machine that it was written on."""

import subprocess
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]


def tracked() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=HOUSE, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [HOUSE / name for name in done.stdout.decode("utf-8").split("\0") if name]


def test_no_file_names_this_machine():
    places = {str(HOUSE)}
    if len(HOUSE.parent.parts) > 1 and HOUSE.parent.parent != HOUSE.parent:
        places.add(f"{HOUSE.parent.as_posix()}/")
    wrong = [
        f"{path.relative_to(HOUSE).as_posix()}: {place}"
        for path in tracked()
        if path.is_file()
        for place in places
        if place.encode() in path.read_bytes()
    ]
    assert wrong == []
