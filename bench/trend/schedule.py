"""Schedules `ladder weekly` with the system's own means: a systemd timer, launchd, schtasks or crontab.

A plan is a value: which files to write and which commands to run, to set it up and to take it away. It is shown before
anything is done, and taking away undoes what setting up did and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("systemd", "launchd", "schtasks", "crontab")


@dataclass(frozen=True, slots=True)
class Plan:
    """What setting up a weekly run does, and how it is undone."""

    kind: str
    name: str
    files: tuple[tuple[Path, str], ...] = ()
    """Files to write, whole; they are removed again."""
    start: tuple[tuple[str, ...], ...] = ()
    """Commands that set it up once the files are there."""
    stop: tuple[tuple[str, ...], ...] = ()
    """Commands that take it away, before the files go."""
    after: tuple[tuple[str, ...], ...] = ()
    """Commands once the files are gone."""
    line: str = ""
    """The crontab line, for that kind."""


def kind_here() -> str:
    """Which of the four this system has: systemd only where a user's manager answers."""
    if sys.platform == "win32":
        return "schtasks"
    if sys.platform == "darwin":
        return "launchd"
    if shutil.which("systemctl"):
        done = subprocess.run(["systemctl", "--user", "show-environment"], capture_output=True, check=False, timeout=10)
        if done.returncode == 0:
            return "systemd"
    return "crontab"


def plan(kind: str, root: Path, command: Sequence[str], home: Path) -> Plan:
    """The plan of a kind for the project at `root`; `command` is run in it, Mondays at 9 in local time.

    Raises:
        ValueError: no such kind.
    """
    name = f"ladder-weekly-{hashlib.sha256(str(root).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    if kind == "systemd":
        return _systemd(name, root, command, home)
    if kind == "launchd":
        return _launchd(name, root, command, home)
    if kind == "schtasks":
        task = f'cmd /c cd /d "{root}" && {subprocess.list2cmdline(command)}'
        return Plan(
            kind,
            name,
            start=(
                ("schtasks", "/Create", "/F", "/SC", "WEEKLY", "/D", "MON", "/ST", "09:00", "/TN", name, "/TR", task),
            ),
            stop=(("schtasks", "/Delete", "/F", "/TN", name),),
        )
    if kind == "crontab":
        run = f"cd {shlex.quote(str(root))} && {shlex.join(command)}".replace("%", r"\%")
        return Plan(kind, name, line=f"0 9 * * 1 {run} # {name}")
    raise ValueError(f"{kind}: a weekly run is set up with {', '.join(KINDS)}")


def _systemd(name: str, root: Path, command: Sequence[str], home: Path) -> Plan:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "systemd" / "user"

    def quoted(word: str) -> str:
        # systemd reads % as a specifier and $ as a variable also inside quotes (systemd.service, COMMAND LINES).
        inner = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
        return f'"{inner}"'

    where = str(root).replace("%", "%%")
    service = (
        f"[Unit]\nDescription=ladder weekly for {where}\n\n[Service]\nType=oneshot\nWorkingDirectory={where}\n"
        f"ExecStart={' '.join(quoted(word) for word in command)}\n"
    )
    timer = (
        f"[Unit]\nDescription=ladder weekly for {where}\n\n[Timer]\nOnCalendar=Mon 09:00\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    systemctl = ("systemctl", "--user")
    return Plan(
        "systemd",
        name,
        ((folder / f"{name}.service", service), (folder / f"{name}.timer", timer)),
        ((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", f"{name}.timer")),
        ((*systemctl, "disable", "--now", f"{name}.timer"),),
        ((*systemctl, "daemon-reload"),),
    )


def _launchd(name: str, root: Path, command: Sequence[str], home: Path) -> Plan:
    label = f"org.ladder.{name}"
    target = home / "Library" / "LaunchAgents" / f"{label}.plist"
    words = "".join(f"<string>{escape(word)}</string>" for word in command)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
        f'<plist version="1.0"><dict>\n<key>Label</key><string>{label}</string>\n'
        f"<key>ProgramArguments</key><array>{words}</array>\n"
        f"<key>WorkingDirectory</key><string>{escape(str(root))}</string>\n"
        "<key>StartCalendarInterval</key><dict><key>Weekday</key><integer>1</integer>"
        "<key>Hour</key><integer>9</integer><key>Minute</key><integer>0</integer></dict>\n</dict></plist>\n"
    )
    return Plan(
        "launchd",
        name,
        ((target, text),),
        (("launchctl", "load", "-w", str(target)),),
        (("launchctl", "unload", "-w", str(target)),),
    )


def shown(value: Plan) -> str:
    """The plan in words: every file with its text, every command, the crontab line."""
    out = [f"{value.kind}, named {value.name}"]
    for path, text in value.files:
        out.append(f"\nwrites {path}:")
        out.extend(f"  {line}" for line in text.rstrip("\n").split("\n"))
    if value.line:
        out.append(f"\nadds to your crontab:\n  {value.line}")
    out.extend(f"\nruns: {shlex.join(words)}" for words in value.start)
    return "\n".join(out) + "\n"


def crontab_with(old: str, value: Plan) -> str:
    """A crontab with the plan's line added, or replaced where it is already there; all other bytes stay."""
    kept = crontab_without(old, value)
    return (kept if not kept or kept.endswith("\n") else kept + "\n") + value.line + "\n"


def crontab_without(old: str, value: Plan) -> str:
    """A crontab without the plan's line; all other bytes stay."""
    return re.sub(rf"(?m)^.*# {re.escape(value.name)}$\n?", "", old)


def set_up(value: Plan) -> None:
    """Do what the plan says.

    Raises:
        RuntimeError: a command failed, and no file of the plan is left; the message says which and what it printed.
    """
    for path, text in value.files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if value.line:
        _write_crontab(crontab_with(_read_crontab(), value))
    try:
        for words in value.start:
            _run(words)
    except RuntimeError:
        for path, _ in value.files:
            path.unlink(missing_ok=True)
        raise


def take_away(value: Plan) -> bool:
    """Undo the plan; whether there was anything to undo.

    The files go also when a command fails: what stops a run may be gone itself.

    Raises:
        RuntimeError: a command failed; the message says which and what it printed.
    """
    if value.line:
        old = _read_crontab()
        new = crontab_without(old, value)
        if new == old:
            return False
        _write_crontab(new)
        return True
    there = [path for path, _ in value.files if path.exists()]
    if value.files and not there:
        return False
    try:
        for words in value.stop:
            _run(words)
    finally:
        for path in there:
            path.unlink()
    for words in value.after:
        _run(words)
    return True


def _run(words: Sequence[str]) -> None:
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError as error:
        raise RuntimeError(f"{words[0]}: {error.strerror}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise RuntimeError(f"{shlex.join(words)} failed: {said or done.returncode}")


def _read_crontab() -> str:
    try:
        done = subprocess.run(["crontab", "-l"], capture_output=True, check=False)
    except OSError as error:
        raise RuntimeError(
            "there is no crontab on this system; run `ladder weekly` from whatever runs things here"
        ) from error
    # A user without a crontab is not an error: `crontab -l` then exits 1.
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else ""


def _write_crontab(text: str) -> None:
    done = subprocess.run(
        ["crontab", "-"], input=text.encode("utf-8", "surrogateescape"), capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"crontab refused the line: {done.stderr.decode('utf-8', 'replace').strip()}")
