"""`ladder merge`: git's merge driver for notes and ledgers. `ladder.entry` runs it without the command line."""

from typing import Annotated

import typer


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def merge(
        files: Annotated[
            list[str],
            typer.Argument(help="Base, ours, theirs, size of a mark, path, two labels: as git gives them."),
        ],
    ) -> int:
        """Merge two versions of a note or a ledger; git runs it.

        Entries of both by date, each once; heads and bodies as git merges text; front matter by key; the ledger keeps
        every line of both. The result goes into the second file. Exit code 1 when a conflict is left in it.
        `ladder init --team` tells git to run it.
        """
        from notes.merging.driver import main

        return main(files)
