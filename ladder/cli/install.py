"""`ladder install` and `ladder uninstall`: the hook into a client's settings and out again, told in plain words."""

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import NOTHING_FOUND, Failure, show_json, warn
from ladder.client.contract import CLIENTS
from ladder.flows.first_index import first_index
from ladder.flows.git_sight import in_sight

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.install.install import Change

Agent = Annotated[str, typer.Argument(help="The agent whose settings are meant.")]
InProject = Annotated[bool, typer.Option("--project", help="This project's settings.local.json only.")]
Own = Annotated[bool, typer.Option("--user", help="Your own settings, for all projects (the default).")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Show what would be written and where; write nothing.")]
Allow = Annotated[
    bool | None, typer.Option("--allow/--no-allow", help="Let the agent run ladder's reading commands unasked.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Say what was done as JSON.")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("install")(_install)
    app.command("uninstall")(_uninstall)


def _install(
    client: Agent = "claude-code",
    project: InProject = False,
    user: Own = False,
    allow: Allow = None,
    dry_run: Dry = False,
    as_json: AsJson = False,
) -> None:
    """Put the hook into the client's settings.

    It brings the right notes at each message, file and command, and guards dated entries from being rewritten where a
    project has a ladder.toml or a ledger. The client asks before an agent runs `ladder suggest` and its siblings; on a
    terminal you are asked whether it may without, --allow says so at once. This project's index is built.
    """
    from ladder.install.install import IgnoredError, install

    def act(**given: object) -> "Change":
        return install(**given, allow=wanted)  # type: ignore[arg-type]

    asks = sys.stdin.isatty() and not (dry_run or as_json)
    wanted = dry_run if allow is None else allow  # a dry run shows what may be had
    if asks and allow is None and (rules := _act(install, client, project, user, dry_run=True).rules):
        wanted = typer.confirm(f"{', '.join(rules)}\nMay the agent run these, which only read, without asking you?")
    try:
        change = _act(act, client, project, user, dry_run)
    except IgnoredError as error:
        if not asks:
            raise Failure(str(error)) from None
        warn(str(error))
        if not typer.confirm("Write the hook into it all the same?"):
            raise typer.Exit(NOTHING_FOUND) from None
        change = _act(lambda **given: act(**given, ignored=True), client, project, user, dry_run)
    for line in change.warnings:
        warn(line)
    if project and not dry_run and in_sight(change.settings):
        warn(f"{change.settings} names paths of this machine, and git would show it; keep it out of commits")
    notes = None if dry_run else first_index(Path.cwd())
    if as_json:
        show_json(_as_dict(change) | {"notes": notes})
        return
    if not change.changed:
        print(f"The hook is in {change.settings} already; nothing changes there.")
    elif dry_run:
        _announce(change, [event.name for event in CLIENTS[client].events])
        _show_difference(change)
    else:
        print(f"{change.settings}\nThe hook speaks from the next session on. `ladder doctor` tries it out.")
        print("Dated entries are guarded where a project has a ladder.toml (`ladder init`) or a ledger, nowhere else.")
        if change.rules and not change.allowed:
            print("The agent must ask before it runs `ladder suggest` and the like; `ladder install --allow` lets it.")
        if project:
            where = change.settings.parent.parent
            print(f"The client heeds these settings in {where} alone, not in sessions started in folders below it.")
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
        _name_data()
    else:
        print(f"{change.settings}\nThe hook is out of it; sessions that run now may still start it, and hear nothing.")
        _name_data()


def _name_data() -> None:
    """Say what of ladder stays, and how it is removed."""
    from ladder.lean.paths import cache_folder, data_folder, state_folder

    rows = [
        (cache_folder(), "indexes, can be made again"),
        (data_folder(), "what was mined and learned from your sessions"),
        (state_folder(), "what the hook did"),
    ]
    there = [(folder, what) for folder, what in rows if Path(folder).is_dir()]
    if there:
        print("These stay; delete them to be rid of all that ladder kept:")
        for folder, what in there:
            print(f"  {folder}: {what}")
    print("The notes are yours, and so is .ladder/ beside them: the only copy of former heads and of the ledger.")


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
    from ladder.install.install import IgnoredError, InstallError
    from notes import project_root

    if name not in CLIENTS:
        raise Failure(f"no client {name!r}; known: {', '.join(CLIENTS)}")
    if project and user:
        raise Failure("--project and --user exclude each other")
    where = project_root(Path.cwd()) if project else None
    try:
        return act(client=CLIENTS[name], project=where, dry_run=dry_run)
    except IgnoredError:
        raise
    except InstallError as error:
        raise Failure(str(error)) from None


def _announce(change: "Change", events: list[str]) -> None:
    """Say in plain words what an installation writes, and where."""
    from ladder.install.record import record_path

    rows = [(change.settings, f"an entry each for {', '.join(events)}; all else in it stays as it is")]
    if change.rules:
        named = ", ".join(change.rules)
        how = "so that the agent need not ask for what only reads; --no-allow leaves them out"
        rows.append((change.settings, f"{named} in permissions.allow, where you want it (--allow): {how}"))
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
