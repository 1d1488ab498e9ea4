"""`ladder bench nextnote`: where the note stands that the agent is about to open."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.bench.replay import Corpora, Logs, Notes, sessions_in
from ladder.cli.terminal import NOTHING_FOUND, Failure, show_json

if TYPE_CHECKING:
    from transcripts import Session


def nextnote(
    corpora: Corpora = None,
    logs: Logs = None,
    notes: Notes = None,
    moment: Annotated[
        list[str] | None, typer.Option(help="message, turn or read: what was known when it was asked. Default: all.")
    ] = None,
    learning: Annotated[
        bool, typer.Option("--learning/--no-learning", help="Learn from earlier sessions as time goes on.")
    ] = True,
    gate: Annotated[
        bool, typer.Option("--gate", help="The gate's curve instead: speaking for nothing against what is missed.")
    ] = False,
    calls: Annotated[
        bool,
        typer.Option("--calls", help="Instead: are the notes that the hook names at tool calls used later?"),
    ] = False,
    keep: Annotated[Path | None, typer.Option(help="Keep indexes in this folder for the next run.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Rank the note that the agent is about to open.

    For the first time in its session, as of that day. The notes' folder must be in git: its history says what stood in
    them then.
    """
    from bench.questions import MOMENTS

    moments = tuple(moment or MOMENTS)
    if unknown := [name for name in moments if name not in MOMENTS]:
        raise Failure(f"{unknown[0]}: a moment is {', '.join(MOMENTS)}")
    found: dict[str, tuple[list[Session], Path]] = {}
    for folder in corpora or []:
        found[folder.name] = (sessions_in([folder / "logs"]), folder / "notes")
    if logs and notes:
        found[notes.name] = (sessions_in(logs), notes)
    if not found:
        raise Failure("name --corpus FOLDER (with logs and notes in it), or --logs and --notes")
    with TemporaryDirectory(prefix="ladder-nextnote-") as place:
        if gate:
            _gate(found, keep or Path(place), learning=learning, json=json)
            return
        if calls:
            _calls(found, keep or Path(place), json=json)
            return
        from bench.tasks.next_note_table import lines, run_nextnote

        rows = run_nextnote(found, keep or Path(place), moments=moments, learning=learning)
    if not rows:
        raise Failure("no note was opened for the first time", NOTHING_FOUND)
    if json:
        show_json({"rows": [row.plain() for row in rows]})
    else:
        sys.stdout.write("\n".join(lines(rows)) + "\n")


def _gate(found: "dict[str, tuple[list[Session], Path]]", keep: Path, *, learning: bool, json: bool) -> None:
    from bench.corpus.versions import Versions
    from bench.tasks.gate_curve import curve, judge, lines
    from bench.tasks.next_note import Notes as Versioned
    from bench.tasks.next_note import look

    judged = []
    for name, (sessions, folder) in found.items():
        versions = Versioned(Versions(folder), keep / name)
        judged += judge(look(sessions, versions), versions, keep / f"{name}-learned", learning=learning)
    points = curve(judged)
    if not judged:
        raise Failure("no turn to judge", NOTHING_FOUND)
    if json:
        show_json({"points": [point.plain() for point in points]})
    else:
        sys.stdout.write("\n".join(lines(points)) + "\n")


def _calls(found: "dict[str, tuple[list[Session], Path]]", keep: Path, *, json: bool) -> None:
    from dataclasses import asdict

    from bench.corpus.versions import Versions
    from bench.tasks.next_note import Notes as Versioned
    from bench.tasks.tool_calls import named_at_calls, precision

    count, named = 0, []
    for name, (sessions, folder) in found.items():
        calls, here = named_at_calls(sessions, Versioned(Versions(folder), keep / name))
        count += calls
        named += here
    if not named:
        raise Failure("no note would have been named at a tool call", NOTHING_FOUND)
    if json:
        show_json({"figures": asdict(precision(count, named)), "named": [asdict(each) for each in named]})
    else:
        sys.stdout.write("\n".join(precision(count, named).lines()) + "\n")


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("nextnote")(nextnote)
