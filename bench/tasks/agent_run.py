"""One run of an agent program: a copy of the notes, settings of its own, the program started, timed and stopped.

Both arms have the same layout: a fresh folder with a copy of the notes' folder, an empty settings folder, and a folder
that comes first on PATH. With ladder the settings hold the hook and PATH finds `ladder`; without, the settings are
empty and `ladder` is a command that is not found.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.tasks.agent_trial import WITH, Answer, Asked, Run, answer_in
from ladder.client.contract import CLAUDE_CODE
from ladder.hook.bundle.build import write_hook
from ladder.install.allow_rules import RULES, add_rules
from ladder.install.handlers import wanted_hooks
from ladder.install.interpreter import base_interpreter
from ladder.install.settings_edit import add_hooks
from ladder.lean.paths import project_cache, project_data, project_state
from notes import find_notes, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

POSIX = os.name != "nt"
#: Bytes of a program's output that are read.
LONGEST = 1 << 24
#: Never what is called `ladder` in the folder at hand (-P).
_LADDER = [sys.executable, "-P", "-m", "ladder"]
#: Agents that are called by a name.
BUILT_IN = {"claude-code": (sys.executable, "-P", "-m", "bench.tasks.agents.claude_code")}


class ArmError(Exception):
    """What an arm needs could not be set up; the message says what."""


def run(agent: Sequence[str], asked: Asked, arm: str, notes: Path, limit: float, name: str) -> Run:
    """Ask one question in one arm; the run's folder is removed afterwards. `limit` is in seconds.

    Raises:
        ArmError: ladder could not be set up in the copy.
    """
    # Resolved: on macOS the temporary folder is a link, and the program sees the folder behind it.
    place = Path(tempfile.mkdtemp(prefix="agent-")).resolve()
    copy = place / (notes.name or "notes")
    try:
        environment = _set_up(place, copy, notes, ladder=arm == WITH)
        sent = {"question": asked.text, "folder": str(copy), "settings": str(place / "settings")}
        started = time.monotonic()
        failure, printed = _started(agent, sent, place, copy, environment, limit)
        seconds = time.monotonic() - started
        given = Answer("", None, None, None)
        if not failure:
            try:
                given = answer_in(printed)
            except ValueError as error:
                failure = str(error)
        return Run(asked.id, arm, name, given.text, failure, *given[1:], seconds=round(seconds, 3))
    finally:
        for left in (place, *(Path(folder(str(copy))) for folder in (project_cache, project_data, project_state))):
            shutil.rmtree(left, ignore_errors=True)


def _set_up(place: Path, copy: Path, notes: Path, *, ladder: bool) -> dict[str, str]:
    """Make the copy, the settings and the folder on PATH; return the program's environment."""
    # A project's own settings name the person's hook, and would bring it into both arms.
    shutil.copytree(notes, copy, symlinks=True, ignore=shutil.ignore_patterns("settings.local.json"))
    settings, first = place / "settings", place / "bin"
    settings.mkdir()
    first.mkdir()
    environment = dict(os.environ)
    environment[CLAUDE_CODE.config_env] = str(settings)
    environment["PATH"] = os.pathsep.join((str(first), environment.get("PATH", os.defpath)))
    environment.pop("LADDER_OFF", None)
    _command(first, ladder=ladder)
    if not ladder:
        environment["LADDER_OFF"] = "1"
        return environment
    hook = place / "hook"
    write_hook(hook)
    text = add_hooks("", wanted_hooks(CLAUDE_CODE, base_interpreter(), hook))
    (settings / "settings.json").write_text(add_rules(text, RULES), encoding="utf-8")
    if not (copy / "ladder.toml").exists() and not find_notes(load_settings(copy)):
        # A folder that is all notes; ladder in a project without its own settings looks into notes/ and docs/.
        (copy / "ladder.toml").write_text('folders = ["."]\nclient_memory = false\n', encoding="utf-8")
    done = subprocess.run([*_LADDER, "index"], cwd=copy, env=environment, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise ArmError(f"{notes}: no index could be made: {said}")
    return environment


def _command(folder: Path, *, ladder: bool) -> None:
    """Write the `ladder` that PATH finds first: it hides one that is installed where the agent itself is, too."""
    if POSIX:
        does = f'exec {shlex.join(_LADDER)} "$@"' if ladder else "echo 'ladder: command not found' >&2\nexit 127"
        file = folder / "ladder"
        file.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        file.chmod(0o755)
    else:
        does = (
            f"{subprocess.list2cmdline(_LADDER)} %*" if ladder else "echo ladder: command not found>&2\r\nexit /b 127"
        )
        (folder / "ladder.cmd").write_text(f"@echo off\r\n{does}\r\n", encoding="utf-8", newline="")


def _started(
    agent: Sequence[str], sent: dict[str, str], place: Path, copy: Path, environment: dict[str, str], limit: float
) -> tuple[str, bytes]:
    """Run the program; return why it failed, or "", and what it printed.

    Through files, not pipes: what it started may hold them open after it, and nothing waits for that.
    """
    (place / "in").write_text(json.dumps(sent) + "\n", encoding="utf-8")
    with (place / "in").open("rb") as stdin, (place / "out").open("wb") as out, (place / "err").open("wb") as err:
        try:
            process = subprocess.Popen(
                agent, stdin=stdin, stdout=out, stderr=err, cwd=copy, env=environment, start_new_session=POSIX
            )
        except OSError as error:
            return f"{agent[0]}: {error.strerror or error}", b""
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            return f"stopped after {limit:g} s", b""
        finally:
            _stop(process)
    if code:
        said = (place / "err").read_bytes()[-2000:].decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"ended with {code}{f': {said[:200]}' if said else ''}", b""
    with (place / "out").open("rb") as printed:
        return "", printed.read(LONGEST)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it started and left."""
    if POSIX:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    process.kill()
    process.wait()
