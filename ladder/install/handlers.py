"""What a client's settings say to start the hook: the command, in the form that this client takes."""

import os
from pathlib import Path
from typing import Any

from ladder.client.contract import CLAUDE_CODE, Client
from ladder.hook.bundle.build import BOOTSTRAP

#: On Windows these clients hand the command to cmd.exe, which takes one line: without the file it ends with 1 and not
#: with 0, which they show and pass over.
_ONE_LINE = "import sys; sys.path[:0] = sys.argv[1:2]; import ladder_hook"


class NoHandlerError(Exception):
    """A path that the client's shell would misread; the message names it."""


def command_words(client: Client, python: Path, folder: Path) -> list[str]:
    """Return program and arguments that answer one event of `client`; Claude Code's form needs no flag."""
    flag = [] if client.name == CLAUDE_CODE.name else ["--client", client.name]
    return [str(python), "-I", "-S", "-c", BOOTSTRAP, folder.as_posix(), *flag]


def handler(client: Client, python: Path, folder: Path, *, exec_form: bool = True) -> dict[str, Any]:
    """Return the settings' entry that starts the hook, without its timeout.

    In exec form the client starts the interpreter itself. Other clients, and older ones, know only a shell command:
    quoted for sh and Git Bash alike, with forward slashes, and without `$` or backticks that a shell would read.
    """
    words = command_words(client, python, folder)
    if exec_form and client.exec_since is not None:
        return {"type": "command", "command": words[0], "args": words[1:]}
    for path in (python.as_posix(), folder.as_posix()):
        if any(char in path for char in '"$`\\'):
            why = "this version is too old; update it" if client.exec_since is not None else "move it"
            raise NoHandlerError(f"{client.title} cannot start {path!r}, a shell would misread it: {why}")
    first, bootstrap = f'"{python.as_posix()}"', BOOTSTRAP
    if os.name == "nt" and client.exec_since is None:
        bootstrap = _ONE_LINE
        first = f"& {first}" if client.shell == "powershell" else first
    flag = "".join(f" {word}" for word in words[6:])
    return {"type": "command", "command": f'{first} -I -S -c "{bootstrap}" "{folder.as_posix()}"{flag}'}


def wanted_hooks(client: Client, python: Path, folder: Path, *, exec_form: bool = True) -> dict[str, dict[str, Any]]:
    """Return the group of handlers for each event. Raises NoHandlerError."""
    out: dict[str, dict[str, Any]] = {}
    for event in client.events:
        entry = handler(client, python, folder, exec_form=exec_form) | {"timeout": event.timeout * client.second}
        if client.hook_name:
            entry = {"name": client.hook_name} | entry
        out[event.name] = ({"matcher": event.matcher} if event.matcher else {}) | {"hooks": [entry]}
    return out
