"""`ladder install` and `ladder uninstall`: the hook into a client's settings and out again, told in plain words."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.install_told import announce, as_dict, installed, name_data, name_others, show_difference
from ladder.cli.terminal import NOTHING_FOUND, Failure, show_json, warn
from ladder.client.clients import CLIENTS
from ladder.client.contract import CLAUDE_CODE
from ladder.flows.first_index import first_index
from ladder.flows.git_sight import in_sight

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.install.install import Change

Agent = Annotated[str, typer.Argument(help=f"The client whose settings are meant: {', '.join(CLIENTS)}.")]
Every = Annotated[bool, typer.Option("--all", help="Every known client that is on this machine.")]
InProject = Annotated[bool, typer.Option("--project", help="This project's settings only, for Claude Code the local.")]
Own = Annotated[bool, typer.Option("--user", help="Your own settings, for all projects (the default).")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Show what would be written and where; write nothing.")]
Allow = Annotated[
    bool | None, typer.Option("--allow/--no-allow", help="Let Claude Code run ladder's reading commands unasked.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Say what was done as JSON; with --all as a list.")]
AgentsMd = Annotated[
    bool, typer.Option("--agents-md", help="Instead of a hook: a paragraph on ladder in this project's AGENTS.md.")
]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("install")(_install)
    app.command("uninstall")(_uninstall)


def _install(
    client: Agent = CLAUDE_CODE.name,
    every: Every = False,
    project: InProject = False,
    user: Own = False,
    allow: Allow = None,
    agents_md: AgentsMd = False,
    dry_run: Dry = False,
    as_json: AsJson = False,
) -> None:
    """Put the hook into the client's settings.

    It brings the right notes at each message, file and command, and guards dated entries from being rewritten where a
    project has a ladder.toml or a ledger. Claude Code asks before an agent runs `ladder suggest` and its siblings; on a
    terminal you are asked whether it may without, --allow says so at once. This project's index is built.
    """
    if agents_md:
        _paragraph(away=False, dry_run=dry_run, as_json=as_json)
        return
    names = _there(as_json) if every else [client]
    said = [_install_one(name, project, user, allow, dry_run, as_json) for name in names]
    if as_json:
        notes = None if dry_run else first_index(Path.cwd())
        said = [each | {"notes": notes} for each in said]
        show_json({"installed": said} if every else said[0])


def _there(quiet: bool) -> list[str]:
    """Return the clients that are on this machine: their program is on PATH, or their folder there."""
    from ladder.install.install import settings_path

    found = []
    for name, client in CLIENTS.items():
        folder = settings_path(client, None).parents[1 if client.plugin else 0]
        if shutil.which(client.program) or folder.is_dir():
            found.append(name)
    if not found:
        raise Failure(f"none of {', '.join(CLIENTS)} is on this machine")
    if not quiet:
        print(f"Here: {', '.join(found)}.")
    return found


def _install_one(
    name: str, project: bool, user: bool, allow: bool | None, dry_run: bool, as_json: bool
) -> dict[str, object]:
    from ladder.install.install import IgnoredError, install

    def act(**given: object) -> "Change":
        return install(**given, allow=wanted)  # type: ignore[arg-type]

    asks = sys.stdin.isatty() and not (dry_run or as_json)
    wanted = dry_run if allow is None else allow  # a dry run shows what may be had
    if asks and allow is None and (rules := _act(install, name, project, user, dry_run=True).rules):
        wanted = typer.confirm(f"{', '.join(rules)}\nMay the agent run these, which only read, without asking you?")
    try:
        change = _act(act, name, project, user, dry_run)
    except IgnoredError as error:
        if not asks:
            raise Failure(str(error)) from None
        warn(str(error))
        if not typer.confirm("Write the hook into it all the same?"):
            raise typer.Exit(NOTHING_FOUND) from None
        change = _act(lambda **given: act(**given, ignored=True), name, project, user, dry_run)
    where = _project(project)
    client = CLIENTS[name]
    for line in change.warnings:
        warn(line)
    if allow and client is not CLAUDE_CODE:
        warn(f"--allow is for Claude Code; {client.title} has its own rules for commands")
    if project and not dry_run and in_sight(change.settings):
        warn(f"{change.settings} names paths of this machine, and git would show it; keep it out of commits")
    if as_json:
        return {"client": name, **as_dict(change)}
    if not dry_run:
        first_index(Path.cwd())
    if not change.changed:
        print(f"The hook is in {change.settings} already; nothing changes there.")
    elif dry_run:
        announce(client, change, where)
        show_difference(change)
    else:
        installed(client, change, where)
    return {}


def _uninstall(
    client: Agent = CLAUDE_CODE.name,
    every: Every = False,
    project: InProject = False,
    user: Own = False,
    agents_md: AgentsMd = False,
    dry_run: Dry = False,
    as_json: AsJson = False,
) -> None:
    """Take the hook out of the client's settings.

    Its files are deleted when no settings name them any more. With --all it goes from every client's settings.
    """
    from ladder.install.install import uninstall

    if agents_md:
        _paragraph(away=True, dry_run=dry_run, as_json=as_json)
        return
    said = []
    for name in CLIENTS if every else [client]:
        change = _act(uninstall, name, project, user, dry_run)
        said.append({"client": name, **as_dict(change)})
        if as_json:
            continue
        if not change.changed:
            print(f"The hook is not in {change.settings}.")
            if not every:
                name_others(change.settings)
        elif dry_run:
            whole = "the plugin goes" if CLIENTS[name].plugin else "the hook's entries go, and nothing else in it"
            print(f"Without --dry-run, from {change.settings} {whole}:\n")
            show_difference(change)
        else:
            print(change.settings)
            print("The hook is out of it; sessions that run now may still start it, and hear nothing.")
    if as_json:
        show_json({"uninstalled": said} if every else said[0])
    elif any(each["changed"] for each in said):
        name_data()


def _paragraph(*, away: bool, dry_run: bool, as_json: bool) -> None:
    """Put the paragraph into AGENTS.md, or take it out."""
    from ladder.install.agents_md import add_paragraph, remove_paragraph
    from ladder.install.install import InstallError
    from notes import project_root

    root = project_root(Path.cwd())
    try:
        change = (remove_paragraph if away else add_paragraph)(root, dry_run=dry_run)
    except InstallError as error:
        raise Failure(str(error)) from None
    if as_json:
        show_json({"file": str(change.file), "changed": change.changed})
    elif not change.changed:
        print(f"The paragraph is {'not' if away else 'already'} in {change.file}; nothing changes there.")
    elif dry_run:
        print(change.difference())
    else:
        print(f"{change.file}\n{'It is out again.' if away else '`ladder uninstall --agents-md` takes it out again.'}")


def _project(project: bool) -> Path | None:
    from notes import project_root

    return project_root(Path.cwd()) if project else None


def _act(act: "Callable[..., Change]", name: str, project: bool, user: bool, dry_run: bool) -> "Change":
    from ladder.install.install import IgnoredError, InstallError

    if name not in CLIENTS:
        raise Failure(f"no client {name!r}; known: {', '.join(CLIENTS)}")
    if project and user:
        raise Failure("--project and --user exclude each other")
    try:
        return act(client=CLIENTS[name], project=_project(project), dry_run=dry_run)
    except IgnoredError:
        raise
    except InstallError as error:
        raise Failure(str(error)) from None
