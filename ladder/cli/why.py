"""`ladder suggest --why`: a ranking explained, signal by signal; `ladder why` is its former name."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ladder.api import OpenNotes, learned_of, plain_query
from ladder.cli.options import Folder, Json, Log, Most, Question, joined, log_of, opened, say_nothing_found
from ladder.cli.terminal import FOUND, NOTHING_FOUND, on_one_line, show_json, table

if TYPE_CHECKING:
    from ladder.index.reader import Index


def add(app: typer.Typer) -> None:
    """Add the former name."""

    @app.command()
    def why(question: Question, most: Most = 5, log: Log = None, notes: Folder = None, json: Json = False) -> int:
        """Explain a ranking, signal by signal.

        The former name of `ladder suggest --why`.
        """
        return explain(joined(question), most, log, notes, json=json)


def explain(message: str, most: int, log: Path | None, notes: Path | None, *, json: bool) -> int:
    """Print what each signal added to the scores, the terms, and whether the hook would speak; return the exit code."""
    at_hand = opened(notes)
    return at_hand.ask(lambda index: _explained(at_hand, index, message, most, log_of(log), json=json))


def _explained(at_hand: OpenNotes, index: "Index", message: str, most: int, log: Path | None, *, json: bool) -> int:
    from ladder.meaning.use import meant
    from ladder.query.dates.calendar import days_shown
    from ladder.ranking.dates import of_that_time
    from ladder.ranking.explain import suggestions
    from ladder.ranking.features import FEATURES
    from ladder.ranking.survey import survey
    from ladder.speaking.verdict import verdict

    query = at_hand.query(index, message, log)
    learned = learned_of(index)
    search = survey(index, query, learned=learned)
    found = suggestions(search, most, of_that_time(search, most))
    asked = plain_query(message, log, search=False)
    hook = verdict(index, asked, learned, lambda index, query: meant(index, query).near)
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
        say_nothing_found(at_hand, message, log)
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
