"""What the wheel holds: the four packages whole, the sample, type markers; no tests."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PACKAGES = ("ladder", "notes", "transcripts", "bench")


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    target = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(command, cwd=HOUSE, check=True, capture_output=True)
    (wheel,) = target.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_four_packages_and_nothing_else(names):
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == set(PACKAGES)


def test_every_file_of_the_packages_is_in_the_wheel(names):
    there = {
        path.relative_to(HOUSE).as_posix()
        for package in PACKAGES
        for path in (HOUSE / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert there - names == set()


def test_types_are_marked_and_the_sample_is_there(names):
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    assert "bench/sample/README.md" in names
    assert sum(name.startswith("bench/sample/notes/") for name in names) == 50
    assert sum(name.startswith("bench/sample/logs/") for name in names) == 94


def test_no_test_is_in_the_wheel(names):
    assert [
        name for name in names if "test" in name.partition("/")[0] or name.rpartition("/")[2].startswith("test_")
    ] == []
