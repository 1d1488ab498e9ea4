"""`ladder note promote`: proposes for the head what the history keeps answering; writes nothing without a yes."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.bench.replay import Corpora, Globs, Level, Logs, Notes, Share, corpora_of
from ladder.cli.bench.weekly import Budget
from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.options import settings_of
from ladder.cli.terminal import NOTHING_FOUND, Failure, show_json
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from bench.corpus.corpus import Corpus
    from bench.trend.promote import Promotion
    from notes import Settings


def add(app: typer.Typer) -> None:
    """Add `ladder note promote`."""
    app.command()(promote)


def promote(
    logs: Logs = None,
    notes: Notes = None,
    globs: Globs = None,
    corpora: Corpora = None,
    budget: Budget = 2000,
    level: Level = "any",
    share: Share = 0.03,
    least: Annotated[int, typer.Option(min=1, help="Questions that an entry must have answered.")] = 2,
    write: Annotated[bool, typer.Option("--write", help="Ask for each note, and rewrite its head on a yes.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the proposals as JSON.")] = False,
) -> None:
    """Propose dated entries that keep being the answer for the head.

    From earlier sessions, replayed on later ones. Nothing is written without --write and a yes to each.
    """
    from dataclasses import asdict

    from bench.trend.promote import promote as proposed

    found = corpora_of(corpora, None, logs, notes, globs, level, share)
    if len(found) > 1:
        raise Failure("promotion is for one project; give one --corpus")
    corpus = found[0]
    made = proposed(corpus.asked_today, corpus.today, corpus.keep, budget=budget, moment="read", least=least)
    if json:
        show_json(asdict(made))
    elif made.proposals:
        _show(made, budget)
    if not made.proposals:
        raise Failure(f"no dated entry answered {number_of(least, 'question')} of the earlier sessions", NOTHING_FOUND)
    if write:
        _write(settings_of(corpora[0] / "notes" if corpora else notes, globs), corpus, made)


def _show(made: "Promotion", budget: int) -> None:
    from bench.table import points

    for each in made.proposals:
        sys.stdout.write(
            f"{each.note}#{each.entry}: answered {number_of(each.times, 'question')}; adds {each.cost} tokens to a "
            f"head of {each.head_cost}; later sessions: {each.before} of {each.asked_later} found without, "
            f"{each.after} with\n"
        )
        for line in each.lines:
            sys.stdout.write(f"    {line}\n")
    change = made.change
    asked = number_of(change.n, "later question")
    sys.stdout.write(f"all of them, on {asked} at {budget} tokens: {points(change)} points\n")


def _write(settings: "Settings", corpus: "Corpus", made: "Promotion") -> None:
    from notes.files.lookup import place_of
    from notes.writing.store import StoreError, replace_head

    for name, text in made.heads.items():
        sys.stdout.write(f"\n{name}: the new head:\n{text}\n")
        if not typer.confirm("Write it?"):
            continue
        place = place_of(settings, next(file for file in corpus.found.notes if file.name == name))
        try:
            with told_of_ledger([place.root]):
                replace_head(place, text, seen=corpus.today.files[name])
        except StoreError as error:
            raise Failure(str(error)) from error
