"""An index is renewed on Windows too, where no file that somebody has open can be replaced."""

import os
import time

import pytest

from ladder.indexing import update
from ladder.indexing.update import update_index
from ladder.lean.paths import index_file
from notes import atomic


@pytest.fixture
def project(tmp_path):
    (tmp_path / "notes").mkdir()
    for name in ("alerts", "deploy"):
        (tmp_path / "notes" / f"{name}.md").write_text(f"# {name}\n\nthe canary aborts\n", encoding="utf-8")
    update_index(tmp_path)[0].close()
    return tmp_path


@pytest.fixture
def opened(monkeypatch):
    """The indexes that were opened; renaming over one of them is refused as on Windows."""
    real_open, real_rename, found = update.open_index, atomic.rename_over, []

    def remember(path):
        found.append(real_open(path))
        return found[-1]

    def rename(temporary, target):
        if any(index.path == str(target) and index._fd >= 0 for index in found):
            raise PermissionError(13, "Access is denied")
        real_rename(temporary, target)

    monkeypatch.setattr(update, "open_index", remember)
    monkeypatch.setattr(atomic, "rename_over", rename)
    return found


@pytest.mark.parametrize("why", ["edit", "new", "force", "settings"])
def test_the_former_index_is_closed_before_the_new_one_takes_its_place(project, opened, why):
    if why == "edit":
        (project / "notes" / "deploy.md").write_text("# deploy\n\nthe zeppelin lands\n", encoding="utf-8")
    elif why == "new":
        (project / "notes" / "more.md").write_text("# more\n", encoding="utf-8")
    elif why == "settings":
        (project / "ladder.toml").write_text("head_budget = 300\n", encoding="utf-8")
    index, change = update_index(project, force=why == "force")
    assert change
    assert index.path == index_file(str(project)), "not one in a temporary folder"
    index.close()
    assert not update_index(project)[1], "and it was kept"


def test_one_that_somebody_else_keeps_open_is_answered_from_a_temporary_folder(project, opened):
    keeper, _ = update_index(project)
    (project / "notes" / "deploy.md").write_text("# deploy\n\nthe zeppelin lands\n", encoding="utf-8")
    os.utime(project / "notes" / "alerts.md", (time.time() - 60,) * 2)
    index, change = update_index(project)
    with index, keeper:
        assert change.changed == ("notes/alerts", "notes/deploy")
        assert index.df("zeppelin")[0] == 1
        assert index.path != index_file(str(project))
    again, change = update_index(project)
    with again:
        assert change
        assert again.path == index_file(str(project))
