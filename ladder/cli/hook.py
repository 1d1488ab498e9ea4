"""`ladder install`, `uninstall`, `hook`, `doctor`, `stats`: the hook; `mcp`: the rungs for agents without a shell."""

import difflib
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.out import FOUND, NOTHING_FOUND, Failure, show_json, warn
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


def _doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Look at everything that has to work together, and say what to do about what does not."""
    from ladder.doctor import examine
    from notes import project_root

    found = examine(project_root(Path.cwd()))
    if as_json:
        show_json([finding._asdict() for finding in found])
    else:
        for finding in found:
            print(f"{'ok ' if finding.ok else '!! '} {finding.what}")
            if finding.remedy:
                print(f"    -> {finding.remedy}")
    return FOUND if all(finding.ok for finding in found) else NOTHING_FOUND


def _stats(
    days: Annotated[float, typer.Option(help="Only the last days; 0 for all that is kept.", min=0)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> int:
    """Show what the hook did in this project: how often it spoke, what that cost, and whether it was read."""
    from dataclasses import asdict

    from ladder.cli.opened import opened_in
    from ladder.cold import open_index
    from ladder.coldformat import IndexBroken
    from ladder.paths import index_file
    from ladder.stats import events_of, stats_of
    from notes import project_root

    root = project_root(Path.cwd())
    events = events_of(root, days)
    try:
        with open_index(index_file(str(root))) as index:
            names = [index.note(n).name for n in range(index.count)]
    except IndexBroken:
        names = []
    found = stats_of(events, opened_in(event.session for event in events if event.notes), names)
    if as_json:
        show_json(asdict(found) | {"read_through": found.read_through, "events": dict(found.events)})
        return FOUND if events else NOTHING_FOUND
    if not events:
        warn("the hook has answered nothing here yet; `ladder doctor` says whether it is installed")
        return NOTHING_FOUND
    print(f"since          {datetime.fromtimestamp(found.since).astimezone():%Y-%m-%d}")
    print(f"messages       {found.messages}, of which {found.spoke} with notes")
    for why, count in sorted(found.silent.items(), key=lambda item: -item[1]):
        print(f"  silent       {count}: {why}")
    print(f"tokens         {found.tokens} handed over")
    print(f"read through   {found.opened} of {found.checked} suggestions were opened ({found.read_through:.0%})")
    print(f"latency        {found.p50:.1f} / {found.p95:.1f} / {found.p99:.1f} ms (p50 / p95 / p99, after the start)")
    for what, count in sorted(found.wrong.items(), key=lambda item: -item[1]):
        print(f"  went wrong   {count}: {what}")
    print(f"never named    {len(found.never)} of {len(names)} notes; all with --json")
    return FOUND


def _mcp() -> None:
    """Serve the three rungs as tools to an agent that speaks MCP, on stdin and stdout."""
    try:
        from ladder.mcp_server import server

        made = server(Path.cwd())
    except ImportError as error:
        raise Failure(f"the package mcp is missing ({error.name}); install ladder-notes[mcp]") from None
    made.run()


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
    app.command("doctor")(_doctor)
    app.command("stats")(_stats)
    app.command("mcp")(_mcp)
