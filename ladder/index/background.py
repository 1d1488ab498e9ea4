"""Starts `ladder index --background` from the hook, which does not wait for it.

Any number of sessions may ask; single_flight.py lets one run. The subprocess module is not used: importing it takes
longer than all that the hook does.
"""

from __future__ import annotations

import os
import sys
import time

from ladder.lean.paths import make_folder, project_cache

#: Seconds for which one request is enough.
ASK_AGAIN = 3.0
_BACKSLASH = "\\"
#: CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW of the Windows API. Not DETACHED_PROCESS: without a console of its own,
#: hidden as this one is, each program that the process starts (git, a worker) would open a window.
_FLAGS = 0x200 | 0x8000000


def asked_file(root: str) -> str:
    """The file whose time says when somebody last asked."""
    return os.path.join(project_cache(root), "asked")  # noqa: PTH118 (pathlib is too slow for the hook)


def ask_update(root: str, command: list[str]) -> bool:
    """Start `command` (see the index's files()["surroundings"]["command"]) apart from this process.

    Returns whether it was started: not when somebody asked a moment ago, nor when the program is gone.
    """
    if not command:
        return False
    asked = asked_file(root)
    try:
        recent = time.time() - os.stat(asked).st_mtime < ASK_AGAIN  # noqa: PTH116 (as above)
    except OSError:
        recent = False
    try:
        make_folder(project_cache(root))
        os.close(os.open(asked, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        os.utime(asked)
    except OSError:
        return False  # an index could not be written there either
    return not recent and start_apart(command)


def start_apart(command: list[str]) -> bool:
    """Start a program without terminal, streams or tie to this process; whether that worked."""
    # A PYTHONPATH of the project must not decide which ladder runs.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    try:
        if sys.platform == "win32":
            return _windows(command, environment)
        nothing = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0)]
        streams = [*nothing, (os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2)]
        try:
            os.posix_spawn(command[0], command, environment, file_actions=streams, setsid=True)
        except NotImplementedError:
            os.posix_spawn(command[0], command, environment, file_actions=streams, setpgroup=0)
    except (OSError, ValueError):
        return False
    return True


def _windows(command: list[str], environment: dict[str, str]) -> bool:
    import _winapi  # noqa: PLC0415 (Windows only)

    class Startup:
        """The stream handles for CreateProcess: none."""

        dwFlags = 0  # noqa: N815 (the API's name)
        wShowWindow = 0  # noqa: N815 (as above)
        hStdInput = hStdOutput = hStdError = None  # noqa: N815 (as above)
        lpAttributeList = None  # noqa: N815 (as above)

    # A backslash before a quote would take it for itself: `C:\` ends in two.
    line = " ".join([f'"{word}{word[len(word.rstrip(_BACKSLASH)) :]}"' for word in command])
    handles = _winapi.CreateProcess(  # type: ignore[attr-defined,unused-ignore]
        None, line, None, None, 0, _FLAGS, environment, None, Startup,
    )  # fmt: skip
    for handle in handles[:2]:
        _winapi.CloseHandle(handle)  # type: ignore[attr-defined,unused-ignore]
    return True
