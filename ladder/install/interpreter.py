"""Which Python the client should start: the interpreter itself, no environment's link to it, no manager's shim."""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path, PurePath


def base_interpreter() -> Path:
    """Return the interpreter that this environment was made from, by a path that outlives the environment.

    A virtual environment's `python` goes when the environment goes, and a version manager's shim costs up to 200 ms a
    start. Links are resolved, except where the resolved path names one patch release of a package manager that keeps a
    stable link beside it.
    """
    start = Path(getattr(sys, "_base_executable", None) or sys.executable)
    real = Path(os.path.realpath(start))
    if not real.is_file():
        real = Path(sys.base_prefix) / ("python.exe" if os.name == "nt" else f"bin/python3.{sys.version_info.minor}")
    if "WindowsApps" in real.parts:
        # The Store's interpreter lies in a folder named after its version; the alias that was started survives updates.
        return start
    for lasting in map(Path, lasting_paths(real)):
        if lasting.exists() and lasting.samefile(real):
            return lasting
    return real


def lasting_paths(real: PurePath) -> list[PurePath]:
    """Return where the same interpreter may be found after an update too, when `real` names one patch release."""
    found: list[PurePath] = []
    parts = real.parts
    if "Cellar" in parts:
        # Homebrew: `opt/FORMULA` for `Cellar/FORMULA/VERSION`.
        at = parts.index("Cellar")
        found.append(type(real)(*parts[:at], "opt", parts[at + 1], "bin", f"python{sysconfig.get_python_version()}"))
    # uv and mise: a link `cpython-3.11-…` beside the folder `cpython-3.11.7-…`.
    for at, part in enumerate(parts):
        minor = re.fullmatch(r"((?:cpython-)?3\.\d+)\.\d+(-.*)?", part)
        if minor:
            found.append(type(real)(*parts[:at], minor[1] + (minor[2] or ""), *parts[at + 1 :]))
    return found


def interpreter_trouble(python: Path) -> str:
    """Return why `python` cannot run the hook ("" when it can): it is started as the client would start it."""
    try:
        done = subprocess.run(
            [str(python), "-I", "-S", "-c", "import sys; print(sys.implementation.name, *sys.version_info[:2])"],
            capture_output=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{python} does not start: {error}"
    said = done.stdout.decode("ascii", "replace").split()
    if done.returncode or len(said) != 3:
        return f"{python} does not start: exit code {done.returncode}"
    if (int(said[1]), int(said[2])) < (3, 11):
        return f"{python} is Python {said[1]}.{said[2]}; the hook needs 3.11 or newer"
    return ""


def temporary_environment() -> str:
    """Return what this environment is when it will be gone soon (`uvx`, `pipx run`, a temporary folder), else ""."""
    prefix = Path(sys.prefix).resolve().as_posix()
    # In the cache: `…/uv/archive-v0`, on Windows `…/uv/cache/archive-v0`.
    if re.search(r"/uv/(cache/)?(archive-v\d+|builds-v\d+|environments-v\d+)/|/\.tmp[^/]*/", prefix + "/"):
        return "uvx"
    if re.search(r"/pipx/(\.cache|run)/", prefix):
        return "pipx run"
    if prefix.startswith(Path(tempfile.gettempdir()).resolve().as_posix() + "/"):
        return "a temporary folder"
    return ""


def client_version(program: str) -> tuple[int, ...] | None:
    """Return the version that `program --version` prints, None when it is not there or does not say."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(rb"(\d+)\.(\d+)\.(\d+)", done.stdout)
    return tuple(int(part) for part in found.groups()) if found else None
