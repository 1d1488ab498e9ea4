"""What is installed, and whether the installed bundle is still made of the code that runs now.

Every `ladder` command asks this, so it costs one small file and a `stat` for each module, and loads nothing else.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from ladder.install.meaning_places import meaning_places
from ladder.lean.paths import data_folder

_PACKAGE = Path(__file__).parents[1]


def hook_folder() -> Path:
    """Return the folder of the bundle and of the record of what was installed."""
    return Path(data_folder()) / "hook"


def bundle_path() -> Path:
    """Return where the installed bundle lies."""
    return hook_folder() / "hook.bundle"


def start_path() -> Path:
    """Return the file that the client's settings import."""
    return hook_folder() / "ladder_hook.py"


def record_path() -> Path:
    """Return where it is written which settings name the hook, and what the bundle was made of."""
    return hook_folder() / "installed.json"


def _record() -> dict[str, Any]:
    try:
        found = json.loads(record_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def remembered() -> list[dict[str, str]]:
    """Return what is installed: `client`, `settings` (file), `project` ("" for the user's own).

    `created` says whether the installer made the file, `made` names the uppermost folder that it made for it.
    """
    entries = _record().get("installed")
    whole = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    return [entry for entry in whole if all(isinstance(entry.get(key), str) for key in ("client", "settings"))]


def is_covered(folder: Path) -> bool:
    """Say whether a session in `folder` has the installed hook already: then the plugin's own has nothing to say."""
    for entry in remembered():
        home = project_of(entry)
        # A project's settings are heeded in sessions that were started in its own folder, not in one below it.
        if entry["client"] == "claude-code" and bundle_path().is_file() and home in (None, folder):
            return True
    return False


def project_of(entry: dict[str, str]) -> Path | None:
    """Return the project for which something is installed, None where it is for all projects of the user."""
    if isinstance(named := entry.get("project"), str):
        return Path(named) if named else None
    settings = Path(entry["settings"])  # written by a version that knew Claude Code alone
    return settings.parent.parent if settings.name == "settings.local.json" else None


def write_record(entries: list[dict[str, str]]) -> None:
    """Write down what is installed, and what the bundle that lies beside it was made of."""
    from ladder.hook.bundle.build import hook_sources  # noqa: PLC0415 (only who installs pays for it)
    from ladder.install.interpreter import base_interpreter  # noqa: PLC0415 (as above)
    from ladder.install.meaning_places import trouble  # noqa: PLC0415 (as above)
    from notes.atomic import write_private  # noqa: PLC0415 (as above)

    sources = {name: _look(file) for name, file in hook_sources().items()}
    command = [sys.executable, "-P", "-m", "ladder"]
    record = {"installed": entries, "package": str(_PACKAGE), "command": command, "sources": sources}
    if places := meaning_places():
        record["meaning"] = places | {"trouble": trouble(base_interpreter(), places)}
    write_private(record_path(), (json.dumps(record, indent=1) + "\n").encode("utf-8"))


def _look(file: Path) -> list[int]:
    try:
        status = file.stat()
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _places(record: dict[str, Any]) -> list[str]:
    """Return where the installed hook finds the packages of the extra `meaning`; nothing without it."""
    meaning = record.get("meaning")
    paths = meaning.get("paths", []) if isinstance(meaning, dict) else []
    return [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []


def meaning_trouble() -> str:
    """Return why the installed hook cannot use the extra `meaning`, "" when it can."""
    meaning = _record().get("meaning")
    if not isinstance(meaning, dict):
        return "the extra came after the hook"
    return str(meaning.get("trouble") or "")


def is_behind() -> bool:
    """Say whether something is installed whose code is not the code of this package."""
    record = _record()
    sources = record.get("sources")
    if not remembered() or not isinstance(sources, dict):
        return False
    if not (bundle_path().is_file() and start_path().is_file()) or record.get("package") != str(_PACKAGE):
        return True
    if _places(record) != _places({"meaning": meaning_places()}):
        return True  # the extra came, or went
    files = {name: _PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py") for name in sources}
    return any(_look(files[name]) != seen for name, seen in sources.items())


def renew() -> bool:
    """Build the installed bundle anew when it is behind; True when it was, False also for a folder that is read-only.

    An upgrade so reaches the hook with the next command; `ladder doctor` says what could not be renewed.
    """
    if not is_behind():
        return False
    from ladder.hook.bundle.build import write_hook  # noqa: PLC0415 (seldom needed)

    try:
        write_hook(hook_folder())
        write_record(remembered())
    except OSError:
        return False
    return os.access(bundle_path(), os.R_OK)
