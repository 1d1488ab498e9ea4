"""`ladder hook`, `doctor`, `stats`: the hook and what it did; `mcp`: the rungs for agents without a shell."""

import sys
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import FOUND, NOTHING_FOUND, show_json, warn
from ladder.client.contract import CLAUDE_CODE

if TYPE_CHECKING:
    from ladder.hook.stats import Stats
    from ladder.index.reader import Index


def _hook(
    client: Annotated[str, typer.Option(help="Whose event it is, and whose form the answer has.")] = CLAUDE_CODE.name,
) -> None:
    """Answer one event of a client on stdin."""
    del client  # the hook reads it by itself: installed, it has no command line
    from ladder.hook.main import main

    main((sys.executable, "-P", "-m", "ladder"))


def _doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Try all that has to work together; say what to mend.

    The installed hook is run as the client would run it. Exit code 1 when something is wrong.
    """
    from ladder.doctor.checks import examine
    from notes import project_root

    found = examine(project_root(Path.cwd()))
    if as_json:
        show_json({"findings": [finding._asdict() for finding in found]})
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
    """Show how often the hook spoke, its cost, and what was read."""
    from ladder.flows.opened import opened_in
    from ladder.hook.stats import events_of, stats_of
    from ladder.index.format import IndexBroken
    from ladder.index.reader import open_index
    from ladder.lean.paths import index_file
    from notes import project_root

    root = project_root(Path.cwd())
    events = events_of(root, days)
    ids = [event.session for event in events if event.notes]
    try:
        with open_index(index_file(str(root))) as index:
            names = [index.note(n).name for n in range(index.count)]
            opened = opened_in(ids, name_of=lambda asked: _whole_name(index, asked))
    except IndexBroken:
        names, opened = [], opened_in(ids)
    found = stats_of(events, opened, names)
    if as_json:
        show_json(_as_objects(found))
        return FOUND if events else NOTHING_FOUND
    if not events:
        warn("the hook has answered nothing here yet; `ladder doctor` says whether it is installed")
        return NOTHING_FOUND
    print(f"since          {datetime.fromtimestamp(found.since).astimezone():%Y-%m-%d}")
    print(f"messages       {found.messages}, of which {found.spoke} with notes")
    for why, count in sorted(found.silent.items(), key=lambda item: -item[1]):
        print(f"  silent       {count}: {why}")
    if found.asked_meaning:
        print(f"by meaning     asked {found.asked_meaning} times, {found.spoke_by_meaning} with notes")
    print(f"tokens         {found.tokens} handed over")
    print(f"read through   {found.opened} of {found.checked} suggestions were opened ({found.read_through:.0%})")
    print(f"latency        {found.p50:.1f} / {found.p95:.1f} / {found.p99:.1f} ms (p50 / p95 / p99, after the start)")
    for what, count in sorted(found.wrong.items(), key=lambda item: -item[1]):
        print(f"  went wrong   {count}: {what}")
    print(f"never named    {len(found.never)} of {len(names)} notes; all with --json")
    return FOUND


def _whole_name(index: "Index", asked: str) -> str:
    """Return the name of the one note that a rung takes `asked` for, `asked` itself when there is none."""
    found = index.find(asked.partition("#")[0])
    return index.note(found[0]).name if len(found) == 1 else asked


def _as_objects(found: "Stats") -> dict[str, object]:
    """Return the figures as JSON says them: what is counted under a name as a list of objects, most first."""
    plain = {field.name: getattr(found, field.name) for field in fields(found)}
    counted = {
        key: [{name: what, "count": count} for what, count in sorted(plain[key].items(), key=lambda each: -each[1])]
        for key, name in (("events", "event"), ("silent", "why"), ("wrong", "what"))
    }
    return plain | counted | {"read_through": found.read_through}


def _mcp(
    append: Annotated[bool, typer.Option("--append", help="Also a tool that appends entries to notes.")] = False,
) -> None:
    """Serve the notes as tools over MCP, on stdin and stdout.

    A client starts it: `claude mcp add ladder -- ladder mcp`; in the settings of others,
    {"mcpServers": {"ladder": {"command": "ladder", "args": ["mcp"]}}}.
    """
    from ladder.serving.mcp import main

    main(["--append"] if append else [])


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("hook")(_hook)
    app.command("doctor")(_doctor)
    app.command("stats")(_stats)
    app.command("mcp")(_mcp)
