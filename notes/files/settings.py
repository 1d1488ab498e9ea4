"""`ladder.toml` at the project's root: which files are notes, budgets, what is never mined. No key is needed."""

import os
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import platformdirs

from notes.files.project import CONFIG, main_root

#: What an unconfigured project is searched for, relative to its root; the client's memory folder comes beside it.
DEFAULT_FOLDERS = ("notes", "docs", "memory", "CLAUDE.md", "AGENTS.md")
DEFAULT_GLOBS = ("**/*.md",)
#: When the hook can speak; `ladder.hook.event` has the same.
MOMENTS = ("start", "message", "call", "search")
_LINE_END = b"\n"


class SettingsError(ValueError):
    """`ladder.toml` cannot be used; the message names file, key and what was expected."""


class _WrongValue(ValueError):  # noqa: N818 (it becomes a SettingsError, once the line of its key is known)
    """The value of a key is of the wrong kind."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True)
class Settings:
    """What is a note in a project, and how ladder behaves there."""

    root: str
    """The project's folder, absolute."""
    folders: tuple[str, ...] = DEFAULT_FOLDERS
    """Folders or single files that hold notes, relative to the root or absolute."""
    globs: tuple[str, ...] = DEFAULT_GLOBS
    """Which files of a folder are notes; `**` spans folders. Relative to the folder."""
    excludes: tuple[str, ...] = ()
    """Globs of what is none, relative to the folder."""
    user_folder: str = ""
    """Notes that every project sees; empty for none."""
    client_memory: bool = True
    """The client's own memory folder of this project holds notes too."""
    hidden: bool = False
    """Folders and files whose names begin with a dot are searched too."""
    head_budget: int = 400
    """Tokens a head may have; what is over counts as body."""
    hook_budget: int = 600
    """Tokens the hook may add to a message."""
    gate: float | None = None
    """How sure the hook must be before it speaks, 0..1; None for the shipped threshold."""
    moments: tuple[str, ...] | None = None
    """When the hook speaks: of MOMENTS; None for all of them."""
    read: str = "whole"
    """What a whole read of a long note brings: `whole`, or `narrow`, its head, map and what bears on the work."""
    guard: str = "deny"
    """What the guard does about an edit of a dated entry: deny, warn or off."""
    meaning: str = ""
    """Folder of the sentence model; `off` for none; empty for that of the extra `meaning`, where it is installed."""
    mine_exclude: tuple[str, ...] = ()
    """Globs of working folders whose sessions are never mined."""
    configured: bool = False
    """There is a `ladder.toml`."""
    other: dict[str, Any] = field(default_factory=dict)
    """Keys that this version does not know."""


def user_notes() -> Path:
    """Where notes that every project sees lie when nothing else is said; need not exist."""
    return platformdirs.user_config_path("ladder", appauthor=False) / "notes"


def settings_file(root: Path) -> Path:
    """The `ladder.toml` that holds for the project at `root`; need not exist."""
    path = root / CONFIG
    if not path.is_file() and (main_root(root) / CONFIG).is_file():
        path = main_root(root) / CONFIG
    return path


def load_settings(root: Path) -> Settings:
    """The settings of the project at `root`; the defaults when it has no `ladder.toml`.

    A linked worktree without one, in which it is not under git, has that of the main work tree.

    Raises:
        SettingsError: the file is not TOML, or a value is of the wrong kind.
    """
    path = settings_file(root)
    plain = Settings(root=str(root), user_folder=str(user_notes()))
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return plain
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error
    text = text.removeprefix(b"\xef\xbb\xbf")
    try:
        table = tomllib.loads(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{path}, line {line}: not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).rpartition(" (at ")
        numbered = re.match(r"line (\d+), column \d+\)", place)
        line = int(numbered[1]) if numbered else text.rstrip().count(b"\n") + 1
        raise SettingsError(f"{path}, line {line}: not TOML: {reason or error}") from error
    try:
        return _settings(plain, table)
    except _WrongValue as error:
        at = re.search(rb"(?m)^[ \t]*[\"']?" + error.key.encode() + rb"[\"']?[ \t]*=", text)
        where = f"{path}, line {text.count(_LINE_END, 0, at.start()) + 1}" if at else str(path)
        raise SettingsError(f"{where}: {error}") from error


def folder_settings(folder: Path, globs: tuple[str, ...] = DEFAULT_GLOBS) -> Settings:
    """Settings for `--notes FOLDER --glob …`: that folder alone, hidden folders included, nothing user-wide."""
    root = os.path.abspath(folder)  # noqa: PTH100 (as in project_root)
    return Settings(root=root, folders=(".",), globs=globs, client_memory=False, hidden=True, configured=True)


def _settings(plain: Settings, table: dict[str, Any]) -> Settings:
    known: dict[str, Any] = {"configured": True}
    other: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("folders", "globs", "excludes", "mine_exclude"):
            known[key] = _texts(value, key)
        elif key == "moments":
            known[key] = _texts(value, key)
            if unknown := [name for name in known[key] if name not in MOMENTS]:
                raise _WrongValue(key, f"moments holds {unknown[0]!r}; it may hold {', '.join(MOMENTS)}")
        elif key in ("head_budget", "hook_budget"):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise _WrongValue(key, f"{key} must be a number of tokens, 0 or more")
            known[key] = value
        elif key in ("client_memory", "hidden"):
            if not isinstance(value, bool):
                raise _WrongValue(key, f"{key} must be true or false")
            known[key] = value
        elif key == "gate":
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise _WrongValue(key, "gate must be a number from 0 to 1")
            known[key] = float(value)
        elif key == "read":
            if value not in ("whole", "narrow"):
                raise _WrongValue(key, 'read must be "whole" or "narrow"')
            known[key] = value
        elif key == "guard":
            if value not in ("deny", "warn", "off"):
                raise _WrongValue(key, 'guard must be "deny", "warn" or "off"')
            known[key] = value
        elif key in ("user_folder", "meaning"):
            if not isinstance(value, str) or "\0" in value:
                raise _WrongValue(
                    key, f"{key} must be a path, or empty" + (", or off" if key == "meaning" else " for none")
                )
            if key == "meaning" and value == "off":
                known[key] = value
                continue
            try:
                known[key] = str(Path(value).expanduser()) if value else ""
            except RuntimeError as error:  # ~nobody
                raise _WrongValue(key, f"{key}: {error}") from error
            if key == "meaning" and value:
                known[key] = str(Path(plain.root, known[key]))
        else:
            other[key] = value
    return replace(plain, **known, other=other)


def _texts(value: object, key: str) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(v, str) and "\0" not in v for v in value):
        raise _WrongValue(key, f"{key} must be a list of texts")
    return tuple(value)
