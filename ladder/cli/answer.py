"""`ladder answer`: the block of a budget; `ladder why`: a ranking explained, signal by signal."""

import sys
from typing import Annotated

import typer

from ladder.cli.asked import (
    Log,
    Message,
    Most,
    index_of,
    learned_of,
    mended,
    number_of,
    query_of,
    say_nothing_found,
)
from ladder.cli.columns import on_one_line, table
from ladder.cli.options import Folder, Json
from ladder.cli.terminal import FOUND, NOTHING_FOUND, show_json, warn


def add(app: typer.Typer) -> None:
    """Add the commands."""
    _add_answer(app)
    _add_why(app)


def _add_answer(app: typer.Typer) -> None:
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
        query = meant(index, query_of(message, log))
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


def _add_why(app: typer.Typer) -> None:
    @app.command()
    @mended
    def why(
        message: Message,
        most: Most = 5,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Explain a ranking: what each signal added to each note's score.

        And the terms that were looked for, with their weights and how many notes hold them; at the end, whether the
        hook would speak at this message, and why not.
        """
        from ladder.meaning.use import meant
        from ladder.query.dates.calendar import days_shown
        from ladder.ranking.dates import of_that_time
        from ladder.ranking.explain import suggestions
        from ladder.ranking.features import FEATURES
        from ladder.ranking.survey import survey
        from ladder.speaking.verdict import verdict

        index = index_of(notes, search=True)
        query = meant(index, query_of(message, log))
        learned = learned_of(index)
        search = survey(index, query, learned=learned)
        found = suggestions(search, most, of_that_time(search, most))
        hook = verdict(index, query_of(message, log, search=False), learned)
        terms = [(term, round(weight, 4), index.df(term)[0]) for weight, term in search.weighed.terms]
        if json:
            show_json({
                "notes": [
                    {"note": each.name, "score": each.score, "why": each.why, "signals": each.signals} for each in found
                ],
                "terms": [{"term": term, "weight": weight, "notes": df} for term, weight, df in terms],
                "dates": search.dates,
                "hook": hook.plain(),
            })  # fmt: skip
            return FOUND if found else NOTHING_FOUND
        used = [row.name for row in FEATURES if any(row.name in each.signals for each in found)]
        if not found:
            say_nothing_found(index, query)
        else:
            cells = [
                (on_one_line(each.name), f"{each.score:.2f}", *(f"{each.signals.get(name, 0.0):.2f}" for name in used))
                for each in found
            ]
            table(("NOTE", "SCORE", *(name.upper() for name in used)), cells, right=tuple(range(1, len(used) + 2)))
        listed = ", ".join(f"{term} {weight:.2f} (in {df})" for term, weight, df in terms[:20])
        sys.stdout.write(f"Terms: {listed or 'none that any note holds'}\n")
        if search.dates:
            sys.stdout.write("Dates: " + ", ".join(days_shown(first, last) for first, last in search.dates) + "\n")
        sys.stdout.write(on_one_line(hook.line) + "\n")
        return FOUND if found else NOTHING_FOUND
