"""`ladder note`: the group; its commands stand in the table of `commands.py`."""

import typer

from ladder.cli.commands import NoteGroup


def add(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        cls=NoteGroup, no_args_is_help=True, rich_markup_mode=None, help="Make, rewrite, append to and check notes."
    )
    app.add_typer(group, name="note")
