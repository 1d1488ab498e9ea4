"""`ladder answer`: the block of a budget."""

import sys
from typing import Annotated

import typer

from ladder.cli.options import (
    Folder,
    Json,
    Log,
    Message,
    index_of,
    joined,
    learned_of,
    mended,
    number_of,
    query_of,
    say_nothing_found,
)
from ladder.cli.terminal import FOUND, NOTHING_FOUND, show_json, warn


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    @mended
    def answer(
        message: Message,
        budget: Annotated[int, typer.Option("--budget", "-b", min=1, help="Tokens at most, names included.")] = 1000,
        note: Annotated[list[str] | None, typer.Option("--note", help="Only of this note; may be repeated.")] = None,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Print what the notes say on it, within a budget of tokens.

        Those paragraphs that promise most, verbatim, each under the name of its note and section.
        """
        from ladder.meaning.use import meant
        from ladder.reading.answer import answer as answered
        from ladder.reading.rungs import suggest as suggested

        index = index_of(notes, search=True)
        only = [number_of(index, name, notes) for name in note] if note else None
        query = meant(index, query_of(joined(message), log))
        block = answered(index, query, budget, notes=only, learned=learned_of(index))
        if json:
            show_json({
                "tokens": block.tokens, "estimated": index.estimated, "text": block.text,
                "notes": [index.note(n).name for n in block.notes],
                "spans": [
                    {"note": index.note(span.note).name, "start": span.start, "end": span.end} for span in block.spans
                ],
            })  # fmt: skip
        elif block.text:
            sys.stdout.write(block.text + "\n")
        elif only or suggested(index, query, learned=learned_of(index), most=1):
            warn(f"no paragraph of what answers fits in {budget} tokens")
        else:
            say_nothing_found(index, query)
        return FOUND if block.text else NOTHING_FOUND
