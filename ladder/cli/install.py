"""`ladder install` and `ladder uninstall`: the hook into a client's settings and out again, told in plain words."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import Failure, show_json, warn
from ladder.client.contract import CLIENTS
from ladder.flows.git_sight import in_sight

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.install.install import Change

Agent = Annotated[str, typer.Argument(help="The agent whose settings are meant.")]
InProject = Annotated[bool, typer.Option("--project", help="This project's settings.local.json only.")]
Own = Annotated[bool, typer.Option("--user", help="Your own settings, for all projects (the default).")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Show what would be written and where; write nothing.")]
AsJson = Annotated[bool, typer.Option("--json", help="Say what was done as JSON.")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("install")(_install)
    app.command("uninstall")(_uninstall)


def _install(
    client: Agent = "claude-code",
    project: InProject = False,
    user: Own = False,
    dry_run: Dry = False,
    as_json: AsJson = False,
) -> None:
    """Put the hook into the client's settings.

    It brings the right notes at each message, file and command, and guards dated entries from being rewritten where a
    project has a ladder.toml or a ledger.
    """
    from ladder.install.install import install

    change = _act(install, client, project, user, dry_run)
    for line in change.warnings:
        warn(line)
    if project and not dry_run and in_sight(change.settings):
        warn(f"{change.settings} names paths of this machine, and git would show it; keep it out of commits")
    if as_json:
        show_json(_as_dict(change))
        return
    if not change.changed:
        print(f"The hook is in {change.settings} already; nothing changes there.")
    elif dry_run:
        _announce(change, [event.name for event in CLIENTS[client].events])
        _show_difference(change)
    else:
        print(f"{change.settings}\nThe hook speaks from the next session on. `ladder doctor` tries it out.")
        print("Dated entries are guarded where a project has a ladder.toml (`ladder init`) or a ledger, nowhere else.")
        print(f"{_way_out(change.settings)} takes it out again.")


def _uninstall(
    client: Agent = "claude-code",
    project: InProject = False,
    user: Own = False,
    dry_run: Dry = False,
    as_json: AsJson = False,
) -> None:
    """Take the hook out of the client's settings.

    Its files are deleted when no settings name them any more.
    """
    from ladder.install.install import uninstall

    change = _act(uninstall, client, project, user, dry_run)
    if as_json:
        show_json(_as_dict(change))
    elif not change.changed:
        print(f"The hook is not in {change.settings}.")
        _name_others(change.settings)
    elif dry_run:
        print(f"Without --dry-run, the hook's entries go from {change.settings}, and nothing else in it:\n")
        _show_difference(change)
    else:
        print(f"{change.settings}\nThe hook is out of it; sessions that run now may still start it, and hear nothing.")


def _name_others(settings: Path) -> None:
    """Say which other settings name the hook, and how to take it out of those."""
    from ladder.install.record import remembered

    for entry in remembered():
        other = Path(entry["settings"])
        if other != settings and other.is_file():
            where = f" in {other.parent.parent}" if _is_projects(other) else ""
            print(f"It is in {other}: {_way_out(other)}{where}.")


def _is_projects(settings: Path) -> bool:
    """Say whether settings are one project's."""
    return settings.name == "settings.local.json"


def _way_out(settings: Path) -> str:
    """Return the command that takes the hook out of these settings."""
    return f"`ladder uninstall{' --project' if _is_projects(settings) else ''}`"


def _act(act: "Callable[..., Change]", name: str, project: bool, user: bool, dry_run: bool) -> "Change":
    from ladder.install.install import InstallError
    from notes import project_root

    if name not in CLIENTS:
        raise Failure(f"no client {name!r}; known: {', '.join(CLIENTS)}")
    if project and user:
        raise Failure("--project and --user exclude each other")
    where = project_root(Path.cwd()) if project else None
    try:
        return act(CLIENTS[name], project=where, dry_run=dry_run)
    except InstallError as error:
        raise Failure(str(error)) from None


def _announce(change: "Change", events: list[str]) -> None:
    """Say in plain words what an installation writes, and where."""
    from ladder.install.record import record_path

    rows = [(change.settings, f"an entry each for {', '.join(events)}; all else in it stays as it is")]
    if change.backup:
        rows.append((change.backup, "the settings as they are now"))
    rows += [
        (change.hook, f"what the settings import, run by {change.python}; beside it its source, and that compiled"),
        (record_path(), "which settings name the hook, for `ladder uninstall` and `ladder doctor`"),
    ]
    print("Without --dry-run, this is written, and nothing else:")
    for path, what in rows:
        print(f"  {path}\n      {what}")
    print(f"{_way_out(change.settings)} takes all of it away again.")
    print("In the settings:\n")


def _show_difference(change: "Change") -> None:
    old, new = change.before.split("\n"), change.text.split("\n")
    for line in difflib.unified_diff(old, new, str(change.settings), str(change.settings), lineterm=""):
        print(line.rstrip("\r"))


def _as_dict(change: "Change") -> dict[str, object]:
    fields = change._asdict()
    del fields["text"], fields["before"]
    return {key: str(value) if isinstance(value, Path) else value for key, value in fields.items()}
