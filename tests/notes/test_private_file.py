"""A private file is written whole or not at all, and leaves nothing beside it."""

import os
import stat
from pathlib import Path

import pytest

from ladder.indexing import token_counts as costs
from ladder.indexing.token_counts import Costs
from notes import atomic
from notes.atomic import write_private


def test_it_is_its_owners_alone(tmp_path):
    write_private(tmp_path / "a" / "b", b"x")
    assert (tmp_path / "a" / "b").read_bytes() == b"x"
    for made, mode in ((tmp_path / "a", 0o700), (tmp_path / "a" / "b", 0o600)):
        assert stat.S_IMODE(made.stat().st_mode) == mode or os.name == "nt"


@pytest.mark.parametrize("where", ["rename_over", "os.fsync"])
def test_what_breaks_off_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, where):
    def full(*_):
        raise OSError(28, "No space left on device")

    file = tmp_path / "hook.bundle"
    file.write_bytes(b"old")
    owner, _, name = where.rpartition(".")
    monkeypatch.setattr(os if owner else atomic, name, full)
    with pytest.raises(OSError, match="No space left"):
        write_private(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["hook.bundle"]


def test_token_counts_that_cannot_be_kept_are_one_line_that_says_who_speaks(tmp_path, monkeypatch, caplog):
    def refused(*_, **__):
        raise PermissionError(13, "Access is denied", "costs.ladder")

    monkeypatch.setattr(costs, "write_private", refused)
    kept = Costs(Path(tmp_path / "costs.ladder"))
    kept.put(b"k" * 16, [1, 2])
    kept.save()
    assert [record.getMessage() for record in caplog.records] == [
        "ladder: token counts could not be kept: [Errno 13] Access is denied: 'costs.ladder'"
    ]
