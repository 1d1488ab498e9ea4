"""`ladder install`, `uninstall`, `hook`: the hook in the client's settings."""

import difflib
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.out import Failure, show_json, warn
from ladder.clients import CLIENTS, Client


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise Failure(f"no client {name!r}; known: {', '.join(CLIENTS)}")
    return CLIENTS[name]


def _project(project: bool, user: bool) -> Path | None:
    from notes import project_root

    if project and user:
        raise Failure("--project and --user exclude each other")
    return project_root(Path.cwd()) if project else None


def _install(
    client: Annotated[str, typer.Argument(help="The agent to install for.")] = "claude-code",
    project: Annotated[bool, typer.Option("--project", help="In this project's settings.local.json only.")] = False,
    user: Annotated[bool, typer.Option("--user", help="In your own settings, for all projects (the default).")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change, write nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Say what was done as JSON.")] = False,
) -> None:
    """Put the hook into the client's settings: the right notes at each message."""
    from ladder.install import InstallError, install, settings_path

    where = _project(project, user)
    settings = settings_path(_client(client), where)
    before = settings.read_text(encoding="utf-8-sig", errors="replace") if settings.is_file() else ""
    try:
        change = install(_client(client), project=where, dry_run=dry_run)
    except InstallError as error:
        raise Failure(str(error)) from None
    for line in change.warnings:
        warn(line)
    if as_json:
        show_json(_as_dict(change))
    elif dry_run:
        _show_difference(before, change.text, str(change.settings))


def _uninstall(
    client: Annotated[str, typer.Argument(help="The agent to take the hook out of.")] = "claude-code",
    project: Annotated[bool, typer.Option("--project", help="From this project's settings.local.json.")] = False,
    user: Annotated[bool, typer.Option("--user", help="From your own settings (the default).")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change, write nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Say what was done as JSON.")] = False,
) -> None:
    """Take the hook out of the client's settings, and delete its files when nothing names them."""
    from ladder.install import InstallError, settings_path, uninstall

    where = _project(project, user)
    settings = settings_path(_client(client), where)
    before = settings.read_text(encoding="utf-8-sig", errors="replace") if settings.is_file() else ""
    try:
        change = uninstall(_client(client), project=where, dry_run=dry_run)
    except InstallError as error:
        raise Failure(str(error)) from None
    if as_json:
        show_json(_as_dict(change))
    elif dry_run:
        _show_difference(before, change.text, str(change.settings))


def _hook() -> None:
    """Answer one event of a client on stdin, as the installed hook does, only slower."""
    from ladder.hook import main

    main()


def _as_dict(change: object) -> dict[str, object]:
    fields = change._asdict()  # type: ignore[attr-defined]
    del fields["text"]
    return {key: str(value) if isinstance(value, Path) else value for key, value in fields.items()}


def _show_difference(before: str, after: str, name: str) -> None:
    for line in difflib.unified_diff(before.split("\n"), after.split("\n"), name, name, lineterm=""):
        print(line.rstrip("\r"))


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("install")(_install)
    app.command("uninstall")(_uninstall)
    app.command("hook")(_hook)
