"""A finished file takes another's place, also where that is refused while somebody reads the other one (Windows)."""

from pathlib import Path

import pytest

from notes import atomic as rename
from notes.atomic import rename_over


@pytest.fixture
def refusing(monkeypatch):
    """Renames that are refused so many times, as Windows does while the target is open."""
    real, asked = Path.replace, []

    def make(times):
        def refuse(self, target):
            asked.append(target)
            if len(asked) <= times:
                raise PermissionError(13, "Access is denied")
            return real(self, target)

        monkeypatch.setattr(Path, "replace", refuse)
        return asked

    return make


def two_files(folder):
    (folder / "new").write_bytes(b"new")
    (folder / "old").write_bytes(b"old")
    return folder / "new", folder / "old"


def test_it_is_tried_again_while_somebody_reads_the_old_file(tmp_path, monkeypatch, refusing):
    monkeypatch.setattr(rename, "WAITS", (0.0, 0.0, 0.0))
    new, old = two_files(tmp_path)
    asked = refusing(2)
    rename_over(new, old)
    assert len(asked) == 3
    assert old.read_bytes() == b"new"
    assert not new.exists()


def test_whoever_never_lets_go_is_an_error_and_nothing_is_lost(tmp_path, monkeypatch, refusing):
    monkeypatch.setattr(rename, "WAITS", (0.0, 0.0))
    new, old = two_files(tmp_path)
    asked = refusing(99)
    with pytest.raises(PermissionError):
        rename_over(new, old)
    assert len(asked) == 3
    assert (new.read_bytes(), old.read_bytes()) == (b"new", b"old")
