"""The hook's way to write private files and `notes.atomic` leave the same, also when it fails."""

import os
import stat

import pytest

from ladder.lean.files import append_private, read_private, replace_private
from notes.atomic import write_private

WAYS = {"lean": lambda path, data: replace_private(path.as_posix(), data), "notes": write_private}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_private_file_is_replaced_whole_and_is_its_owners_alone(tmp_path, way):
    file = tmp_path / "above" / "folder" / "file"
    for data in (b"first\r\n\0", b"second"):
        way(file, data)
        assert file.read_bytes() == data == read_private(file.as_posix(), 100)
    assert [each.name for each in file.parent.iterdir()] == ["file"]
    for made, mode in ((file, 0o600), (file.parent, 0o700), (file.parent.parent, 0o700)):
        assert stat.S_IMODE(made.stat().st_mode) == mode or os.name == "nt"


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_cannot_take_its_place_leaves_nothing_beside_it(tmp_path, way):
    place = tmp_path / "place"
    (place / "full").mkdir(parents=True)
    try:
        assert way(place, b"x") is False
    except OSError:
        assert way is write_private
    assert [each.name for each in tmp_path.iterdir()] == ["place"]


def test_what_is_appended_stands_behind_what_was_written(tmp_path):
    file = tmp_path / "file"
    write_private(file, b"one\n")
    assert append_private(file.as_posix(), b"two\n")
    assert file.read_bytes() == b"one\ntwo\n"
