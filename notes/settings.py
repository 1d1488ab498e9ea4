"""`ladder.toml` at the project's root: which files are notes, budgets, what is never mined. No key is needed."""

import os
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import platformdirs

from notes.project import CONFIG

#: What an unconfigured project is searched for, relative to its root; the client's memory folder comes beside it.
DEFAULT_FOLDERS = ("notes", "docs", "memory", "CLAUDE.md", "AGENTS.md")
DEFAULT_GLOBS = ("**/*.md",)


class SettingsError(ValueError):
    """`ladder.toml` cannot be used; the message names file, key and what was expected."""


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
    hook_budget: int = 300
    """Tokens the hook may add to a message."""
    gate: float | None = None
    """How sure the hook must be before it speaks, 0..1; None for the shipped threshold."""
    guard: str = "deny"
    """What the guard does about an edit of a dated entry: deny, warn or off."""
    mine_exclude: tuple[str, ...] = ()
    """Globs of working folders whose sessions are never mined."""
    configured: bool = False
    """There is a `ladder.toml`."""
    other: dict[str, Any] = field(default_factory=dict)
    """Keys that this version does not know."""


def user_notes() -> Path:
    """Where notes that every project sees lie when nothing else is said; need not exist."""
    return platformdirs.user_config_path("ladder", appauthor=False) / "notes"


def load_settings(root: Path) -> Settings:
    """The settings of the project at `root`; the defaults when it has no `ladder.toml`.

    Raises:
        SettingsError: the file is not TOML, or a value is of the wrong kind.
    """
    path = root / CONFIG
    plain = Settings(root=str(root), user_folder=str(user_notes()))
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return plain
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error
    try:
        table = tomllib.loads(text.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: not TOML: {error}") from error
    return _settings(plain, table, path)


def folder_settings(folder: Path, globs: tuple[str, ...] = DEFAULT_GLOBS) -> Settings:
    """Settings for `--notes FOLDER --glob …`: that folder alone, hidden folders included, nothing user-wide."""
    root = os.path.abspath(folder)  # noqa: PTH100 (as in project_root)
    return Settings(root=root, folders=(".",), globs=globs, client_memory=False, hidden=True, configured=True)


def _settings(plain: Settings, table: dict[str, Any], path: Path) -> Settings:
    known: dict[str, Any] = {"configured": True}
    other: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("folders", "globs", "excludes", "mine_exclude"):
            known[key] = _texts(value, key, path)
        elif key in ("head_budget", "hook_budget"):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise SettingsError(f"{path}: {key} must be a number of tokens, 0 or more")
            known[key] = value
        elif key in ("client_memory", "hidden"):
            if not isinstance(value, bool):
                raise SettingsError(f"{path}: {key} must be true or false")
            known[key] = value
        elif key == "gate":
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise SettingsError(f"{path}: gate must be a number from 0 to 1")
            known[key] = float(value)
        elif key == "guard":
            if value not in ("deny", "warn", "off"):
                raise SettingsError(f'{path}: guard must be "deny", "warn" or "off"')
            known[key] = value
        elif key == "user_folder":
            if not isinstance(value, str):
                raise SettingsError(f"{path}: user_folder must be a path, or empty for none")
            known[key] = str(Path(value).expanduser()) if value else ""
        else:
            other[key] = value
    return replace(plain, **known, other=other)


def _texts(value: object, key: str, path: Path) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(v, str) and "\0" not in v for v in value):
        raise SettingsError(f"{path}: {key} must be a list of texts")
    return tuple(value)
