"""Whether git merges notes and ledgers with `ladder merge`, and how it is told to: two lines and a setting a clone."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from notes import git
from notes.merging.driver import ARGUMENTS, NAME

#: In `.gitattributes`, for the ledgers of whichever folder.
LEDGERS = f"**/.ladder/notes/** merge={NAME}"
_DRIVER = f"merge.{NAME}.driver"


class State(NamedTuple):
    """What git knows of the driver."""

    top: Path
    """The work tree."""
    attributes: bool
    """Notes and ledgers are given to it."""
    driver: str
    """The command that is set in this clone; empty when none is."""


def lines(folders: Sequence[str]) -> list[str]:
    """The lines of `.gitattributes` for notes in `folders`, relative to the file's own, and their ledgers."""
    found = []
    for folder in folders:
        name = folder.replace("\\", "/").strip("/")
        pattern = "*.md" if name in ("", ".") else name if name.endswith(".md") else f"{name}/**/*.md"
        if not name.startswith(("../", "~")) and ":" not in name:
            found.append(f'"{pattern}" merge={NAME}' if " " in pattern else f"{pattern} merge={NAME}")
    return [*dict.fromkeys(found), LEDGERS]


def command() -> str:
    """The driver as git is to call it, through the shell that it brings on every system: quoted for that shell."""
    here = Path(sys.argv[0]).resolve()
    if here.stem == "ladder" and here.suffix in ("", ".exe") and here.is_file():
        program = shlex.quote(here.as_posix())
    elif found := shutil.which("ladder"):
        program = shlex.quote(Path(found).as_posix())
    else:
        program = f"{shlex.quote(Path(sys.executable).as_posix())} -m ladder"
    return f"{program} merge {ARGUMENTS}"


def state(root: Path, note: str = "") -> State | None:
    """What git knows in the work tree that `root` lies in; None without one. `note` is the path of one."""
    top = git.text("rev-parse", "--show-toplevel", folder=root)
    if top is None:
        return None
    ask = [note or "note.md", ".ladder/notes/note.md.jsonl"]
    told = git.text("check-attr", "merge", "--", *ask, folder=root) or ""
    values = [line.rpartition(": ")[2] for line in told.split("\n") if line]
    driver = git.text("config", "--get", _DRIVER, folder=root) or ""
    return State(Path(top.strip()), bool(values) and all(value == NAME for value in values), driver.strip())


def set_up(root: Path, folders: Sequence[str]) -> list[str]:
    """Add the lines that are missing to the `.gitattributes` of `root`, and set the driver in this clone.

    Returns what was done, a line each.

    Raises:
        OSError: the file cannot be written, or git refuses.
    """
    path = root / ".gitattributes"
    was = path.read_bytes() if path.exists() else b""
    there = {line.strip() for line in was.decode("utf-8", "replace").split("\n")}
    missing = [line for line in lines(folders) if line not in there]
    said = []
    if missing:
        gap = "" if not was or was.endswith(b"\n") else "\n"
        path.write_bytes(was + (gap + "".join(f"{line}\n" for line in missing)).encode())
        said.append(f"{path}: {', '.join(missing)}; commit it")
    for key, value in ((f"merge.{NAME}.name", "ladder: entries of both sides"), (_DRIVER, command())):
        if git.text("config", key, value, folder=root) is None:
            raise OSError(0, f"git config {key} failed", str(root))
    said.append(f"git config {_DRIVER}: in this clone; each of the others needs `ladder init --team` once")
    return said
