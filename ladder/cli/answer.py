"""`ladder answer`: the block of a budget."""

import sys
from typing import Annotated

import typer

from ladder.cli.options import (
    Folder,
    Json,
    Log,
    Question,
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
        question: Question,
        budget: Annotated[int, typer.Option("--budget", "-b", min=1, help="Tokens at most, names included.")] = 1000,
        note: Annotated[list[str] | None, typer.Option("--note", help="Only of this note; may be repeated.")] = None,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Print what the notes say on it, within a budget of tokens.

        The best section first: its address, cost and words of the question, then those paragraphs of it that promise
        most, verbatim. It ends where the promise drops, also far below the budget; what else may hold the answer is
        named with its cost.
        """
        from ladder.meaning.use import meant
        from ladder.reading.best_first import best_first
        from ladder.reading.rungs import suggest as suggested

        index = index_of(notes, search=True)
        only = [number_of(index, name, notes) for name in note] if note else None
        query = meant(index, query_of(joined(question), log))
        found = best_first(index, query, budget, notes=only, learned=learned_of(index))
        if json:
            show_json({
                "tokens": found.tokens, "estimated": index.estimated, "text": found.text,
                "sections": [
                    {
                        "address": each.address, "note": each.note, "cost": each.cost, "shown": each.shown,
                        "words": each.words, "text": each.text,
                        "spans": [{"start": span.start, "end": span.end} for span in each.spans],
                    }
                    for each in found.pieces
                ],
                "weaker": [{"note": each.name, "cost": each.cost, "why": each.why} for each in found.weaker],
            })  # fmt: skip
        elif found.text:
            sys.stdout.write(found.text + "\n")
        elif only or suggested(index, query, learned=learned_of(index), most=1):
            warn(f"no paragraph of what answers fits in {budget} tokens")
        else:
            say_nothing_found(index, query)
        return FOUND if found.text else NOTHING_FOUND
