"""`ladder answer`: the block of a budget."""

import sys
from typing import Annotated

import typer

from ladder.cli.options import Folder, Json, Log, Question, joined, log_of, opened, say_nothing_found, told
from ladder.cli.terminal import FOUND, NOTHING_FOUND, show_json, warn


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
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
        asked = joined(question)
        at_hand = opened(notes)
        with told(at_hand):
            found = at_hand.answer(asked, budget=budget, notes=note or (), log=log_of(log))
        if json:
            show_json({
                "tokens": found.tokens, "estimated": found.estimated, "text": found.text,
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
        elif note or found.weaker:
            warn(f"no paragraph of what answers fits in {budget} tokens")
        else:
            say_nothing_found(at_hand, asked, log_of(log))
        return FOUND if found.text else NOTHING_FOUND
