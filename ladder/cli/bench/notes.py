"""`ladder bench notes`: your notes asked for lines of theirs, through ladder and through fragments. Needs no logs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.bench.sets import table
from ladder.cli.terminal import FOUND, Failure, progress, show_json


def own_notes(
    notes: Annotated[
        Path | None, typer.Option("--notes", help="Folder of Markdown notes; this project's by default.")
    ] = None,
    globs: Annotated[list[str] | None, typer.Option("--glob", help="Which files there are notes.")] = None,
    questions: Annotated[int, typer.Option(help="Lines asked for.", min=1)] = 200,
    words: Annotated[int, typer.Option(help="Words of the line in a question.", min=1)] = 4,
    others: Annotated[int, typer.Option(help="Words of other lines among them.", min=0)] = 3,
    seed: Annotated[int, typer.Option(help="What lines and words are drawn with.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Ask your notes for lines of theirs, by some words.

    A question has words of other lines too; ladder and fragments get the same. It says how well a line is found whose
    words are remembered, not how well one is that is asked for in other words. Intervals redraw notes.
    """
    from dataclasses import asdict

    from bench.corpus.cache import Keep
    from bench.corpus.snapshot import read_files
    from bench.public.as_notes.replay import replay
    from bench.tasks.known_lines import made
    from ladder.cli.options import settings_of
    from ladder.lean.paths import cache_folder
    from notes import find_notes

    settings = settings_of(notes, globs)
    files = read_files((file.name, Path(file.path)) for file in find_notes(settings))
    asked = made(files, questions=questions, words=words, others=others, seed=seed)
    if not asked.questions:
        raise Failure(f"{settings.root}: no line of a note there has {words} words and some more")
    found = replay(
        asked,
        Keep(Path(cache_folder()) / "bench"),
        half="all",
        watch=lambda each: progress(each, asked.name, len(each)),
    )
    if as_json:
        show_json(asdict(found))
    else:
        sys.stdout.write("\n".join(table(found)) + "\n")
    return FOUND


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("notes")(own_notes)
