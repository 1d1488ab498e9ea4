"""Every test runs in a home of its own: no test sees the developer's notes, logs, caches, locale or time zone."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import settings
from small_store import ask, store  # noqa: F401 (fixtures)

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes

# How long one example takes says how busy the machine is; nothing here is about that.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


@pytest.fixture(autouse=True)
def _pinned(tmp_path_factory, monkeypatch):
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / ".local" / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".local" / "state"))
    for name in ("LOCALAPPDATA", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):  # ours, and platformdirs' where it asks Windows
        monkeypatch.setenv(name, str(home / "AppData" / "Local"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("LADDER_OFF", "PYTHONPATH", "GIT_DIR", "GIT_WORK_TREE", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    # No sentence model, also where the extra is installed: tests/meaning names one, for others it would change ranks.
    monkeypatch.setenv("LADDER_MEANING_MODEL", str(home / "no model"))
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture
def data() -> Path:
    """The folder of unpacked data sets, or a skip that says what is missing."""
    folder = os.environ.get("LADDER_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("LADDER_DATA does not name a folder of unpacked data sets")
    return Path(folder)


@pytest.fixture(scope="module")
def index(request, tmp_path_factory):
    """The open index of the notes that the test's module calls NOTES: name -> bytes."""
    target = tmp_path_factory.mktemp("index") / "index"
    build_from_bytes(request.module.NOTES, target)
    with open_index(str(target)) as opened:
        yield opened
