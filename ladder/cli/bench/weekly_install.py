"""`ladder weekly install`: has the system run `ladder weekly` here every Monday."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import settings_of
from ladder.cli.terminal import Failure, show_json

Kind = Annotated[str | None, typer.Option(help="systemd, launchd, schtasks or crontab. Default: what is here.")]


def _plan(kind: str | None) -> "tuple[object, Path]":
    from bench.trend.schedule import kind_here, plan

    root = Path(settings_of(None).root)
    # -P: a folder of the project may be called ladder.
    command = (sys.executable, "-P", "-m", "ladder", "weekly")
    try:
        return plan(kind or kind_here(), root, command, Path.home()), root
    except ValueError as error:
        raise Failure(str(error)) from error


def install(
    kind: Kind = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take the weekly run away again.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show what would be done.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON; without --yes it only plans.")] = False,
) -> None:
    """Have the system run `ladder weekly` here every Monday.

    Shows first what it will do, and asks.
    """
    from bench.trend.schedule import Plan, set_up, shown, take_away

    found, _ = _plan(kind)
    assert isinstance(found, Plan)
    try:
        if json:
            if remove:
                did = take_away(found)
            elif did := yes and not show:
                set_up(found)
            done = {"removed" if remove else "installed": did}
            show_json({"name": found.name, "kind": found.kind, "plan": shown(found), **done})
            return
        if remove:
            sys.stdout.write(f"removed {found.name}\n" if take_away(found) else f"{found.name} was not installed\n")
            return
        sys.stdout.write(shown(found))
        if show:
            return
        if not yes and not typer.confirm("Set this up?"):
            raise typer.Abort
        set_up(found)
    except RuntimeError as error:
        raise Failure(str(error)) from error
    sys.stdout.write(f"installed; `ladder weekly install --remove --kind {found.kind}` takes it away\n")


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("install")(install)
