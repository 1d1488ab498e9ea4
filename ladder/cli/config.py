"""`ladder config`: which settings hold here, and from which file each comes."""

import json as encoding
import os
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import typer

from ladder.cli.options import Json
from ladder.cli.terminal import FOUND, show_json, table

#: Variables that change what ladder does or where it keeps things (docs/configuration.md).
VARIABLES = (
    "LADDER_OFF",
    "LADDER_DATA",
    "CLAUDE_CONFIG_DIR",
    "TIKTOKEN_CACHE_DIR",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
)
#: Fields of the settings that no key of the file sets.
_NO_KEYS = ("root", "configured", "other")


class Held(NamedTuple):
    """A setting that holds."""

    key: str
    value: Any
    source: str
    """`ladder.toml`'s path, or `default`."""


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("config")(config)


def config(json: Json = False) -> int:
    """Show which settings hold here, and where each comes from.

    Also the environment variables that are set, and the folders in which ladder keeps what it makes.
    """
    from ladder.lean.paths import cache_folder, index_file, project_data, project_state
    from notes import load_settings, project_root
    from notes.files.settings import settings_file

    root = project_root(Path.cwd())
    settings = load_settings(root)
    file = settings_file(root)
    given = tomllib.loads(file.read_text(encoding="utf-8-sig")) if settings.configured else {}
    held = [
        Held(each.name, getattr(settings, each.name), str(file) if each.name in given else "default")
        for each in fields(settings)
        if each.name not in _NO_KEYS
    ]
    held += [Held(key, value, f"{file} (this version does not know the key)") for key, value in settings.other.items()]
    variables = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
    folders = {
        "cache": cache_folder(),
        "index": index_file(settings.root),
        "data": project_data(settings.root),
        "state": project_state(settings.root),
    }
    if json:
        show_json({
            "root": settings.root,
            "file": str(file) if settings.configured else None,
            "settings": [each._asdict() for each in held],
            "environment": variables,
            "folders": folders,
        })  # fmt: skip
        return FOUND
    named = file if settings.configured else "none: the defaults hold"
    sys.stdout.write(f"project  {settings.root}\nsettings {named}\n\n")
    rows = [(each.key, _shown(each.value), "" if each.source == "default" else each.source) for each in held]
    table(("KEY", "VALUE", "FROM (else default)"), rows, right=())
    sys.stdout.write("\n")
    table(("FOLDER", "PATH"), list(folders.items()), right=())
    if variables:
        sys.stdout.write("\n")
        table(("ENVIRONMENT", "VALUE"), list(variables.items()), right=())
    return FOUND


def _shown(value: object) -> str:
    """Return the value as ladder.toml would have it; what is not set there, in words."""
    if value is None:
        return "(as shipped)"
    return encoding.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False, default=str)
