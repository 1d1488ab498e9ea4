"""What `ladder doctor` looks at of the place where ladder runs: packages, the command, folders, the client's logs."""

import importlib.util
import os
import shutil
import stat
import sys
import time
from pathlib import Path

from ladder.client.contract import CLAUDE_CODE
from ladder.doctor.finding import Finding, fine, wrong
from ladder.doctor.hook import settings_of
from ladder.lean.paths import cache_folder, data_folder, project_data, state_folder
from notes import client_folder, client_memory

#: A session's log that has waited so long for mining is late.
LATE_DAYS = 8


def packages(_root: Path) -> list[Finding]:
    """Look whether `notes`, `transcripts` and `bench` are ours: they are ordinary names."""
    home = Path(__file__).parents[2]
    found = []
    for name in ("ladder", "notes", "transcripts", "bench"):
        spec = importlib.util.find_spec(name)
        place = Path(spec.origin).parent.parent if spec and spec.origin else None
        if place != home:
            remedy = "install ladder into an environment of its own: uv tool install . (in a checkout)"
            found.append(wrong(f"the package {name} is another one, at {place}", remedy))
    return found or [fine(f"the four packages are ladder's own, at {home}")]


def on_path(_root: Path) -> list[Finding]:
    """Look whether the agent finds the command `ladder`, and which."""
    place = shutil.which("ladder")
    if place is None:
        return [
            wrong(
                "`ladder` is not on PATH: the agent cannot map or read",
                "uv tool update-shell, or pipx ensurepath",
            )
        ]
    if (
        Path(place).resolve().parent != Path(sys.executable).parent.resolve()
        and Path(sys.prefix) not in Path(place).resolve().parents
    ):
        return [fine(f"`ladder` on PATH is {place}, of another environment than this one")]
    return [fine(f"`ladder` is on PATH: {place}")]


def permissions(_root: Path) -> list[Finding]:
    """Look whether what ladder keeps is its owner's alone, and can be written."""
    found = []
    for folder in dict.fromkeys((cache_folder(), data_folder(), state_folder())):
        path = Path(folder)
        there = nearest(path)
        if folder != cache_folder() and not os.access(there, os.W_OK):  # of the cache, `index` says it
            found.append(wrong(f"{path} cannot be written", f"chmod u+rwx {there}"))
        if os.name != "nt" and path.exists():
            open_ones = [file for file in (path, *path.rglob("*")) if not file.is_symlink() and _is_open(file)]
            if open_ones:
                found.append(
                    wrong(f"others can read {open_ones[0]} and {len(open_ones) - 1} more", f"chmod -R go= {path}")
                )
    return found or [fine("what ladder keeps is yours alone")]


def nearest(path: Path) -> Path:
    """Return `path`, or the folder above it that is there: the one that says whether `path` can be made."""
    return next(above for above in (path, *path.parents) if above.exists())


def _is_open(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def retention(root: Path) -> list[Finding]:
    """Look how long the client keeps its logs, and whether mining keeps up."""
    home = client_folder()
    days = settings_of(home / "settings.json").get(CLAUDE_CODE.log_setting, CLAUDE_CODE.log_days)
    found = []
    if isinstance(days, int | float) and days < 90:
        remedy = f'"{CLAUDE_CODE.log_setting}": 365 in {home / "settings.json"}'
        if days < LATE_DAYS:
            found.append(wrong(f"session logs are deleted after {days} days, before a weekly run mines them", remedy))
        else:
            found.append(fine(f"session logs are deleted after {days} days", f"{remedy}, or mine often: ladder weekly"))
    logs = (
        [file for file in (home / "projects").glob("*/*.jsonl") if _in_project(file, root)]
        if (home / "projects").is_dir()
        else []
    )
    if not logs:
        return [*found, fine("no session logs of this project yet")]
    pairs = Path(project_data(str(root))) / "pairs.jsonl"
    newest = max(file.stat().st_mtime for file in logs)
    mined = pairs.stat().st_mtime if pairs.exists() else 0.0
    waiting = sum(file.stat().st_mtime > mined for file in logs)
    if (
        waiting
        and time.time() - max(mined, min(file.stat().st_mtime for file in logs)) > LATE_DAYS * 86_400
        and newest > mined
    ):
        return [*found, wrong(f"{waiting} sessions wait for mining", "ladder mine, or ladder weekly")]
    return [*found, fine(f"{len(logs)} session logs, {waiting} newer than what was mined")]


def _in_project(file: Path, root: Path) -> bool:
    """Say whether a log may be this project's, by its folder's name: lossy, but good enough to count."""
    wanted = os.path.normcase(client_memory(root).parent.name)
    name = os.path.normcase(file.parent.name)
    return name == wanted or name.startswith(wanted + "-")
