"""`ladder bench compare`: which questions a run of `ladder bench public` won and lost against another."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.terminal import FOUND, Failure, show_json


def compared(
    before: Annotated[Path, typer.Argument(help="Results that `ladder bench public --out` wrote.")],
    after: Annotated[Path, typer.Argument(help="Results of a later run.")],
    measure: Annotated[str, typer.Option(help="By which measure.")] = "R@5 any",
    as_json: Annotated[bool, typer.Option("--json", help="Print the questions as JSON.")] = False,
) -> int:
    """Show which questions a run won and lost against another."""
    from bench.public.results import compare

    try:
        changes, shared = compare(before, after, measure)
    except (OSError, ValueError) as error:
        raise Failure(str(error)) from error
    if as_json:
        show_json({"measure": measure, "shared": shared, "changes": [asdict(change) for change in changes]})
        return FOUND
    won = sum(change.after > change.before for change in changes)
    sys.stdout.write(f"{measure}: {won} won, {len(changes) - won} lost, of {shared} that both runs have\n")
    for change in sorted(changes, key=lambda one: one.after - one.before):
        sys.stdout.write(f"{change.before:6.2f} -> {change.after:.2f}  {change.system}  {change.question}\n")
    return FOUND


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compared)
