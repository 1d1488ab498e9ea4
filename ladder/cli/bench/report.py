"""`ladder report`: the bench's figures as one HTML file."""

import datetime as dt
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.bench.replay import (
    ClientName,
    Globs,
    Level,
    Logs,
    Notes,
    Share,
    corpora_of,
    watched,
    why_no_pair,
)
from ladder.cli.bench.said import SAMPLE_HINT, verdict_of, write_paragraph
from ladder.cli.bench.weekly import Budget, Runs, runs_folder
from ladder.cli.terminal import Failure, show_json, warn
from ladder.extra import missing_extra


def add(app: typer.Typer) -> None:
    """Add `ladder report`."""
    app.command()(report)


def report(
    out: Annotated[Path, typer.Argument(help="The HTML file to write.")] = Path("ladder-report.html"),
    logs: Logs = None,
    notes: Notes = None,
    globs: Globs = None,
    corpora: Annotated[
        list[Path] | None, typer.Option("--corpus", help="Folder with logs and notes in it; a report is of one.")
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Report on the invented sample that ships with ladder.")
    ] = False,
    runs: Runs = None,
    budget: Budget = 2000,
    level: Level = "reply",
    share: Share = 0.03,
    client: ClientName = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write the bench's curves, tables and misses into one HTML file.

    Also routing, zones, trend, survival, and what each note cost and gave. The file loads nothing from elsewhere.
    """
    from bench.trend import runs as keeping
    from bench.trend.weekly import make

    try:
        import altair as alt  # noqa: F401 (an extra: say so before the work)
        import vl_convert  # noqa: F401 (the same)
    except ImportError as error:
        raise Failure(missing_extra("the report", "report")) from error
    from bench.report.report import render

    if sample:
        from bench.sample import ROOT

        corpora = [ROOT]
    if corpora and len(corpora) > 1:
        raise Failure("a report is of one project; give one --corpus")
    found = corpora_of(corpora, None, logs, notes, globs, level, share, client)
    corpus = found[0]
    if not corpus.asked_today:
        warn(f"no page is written, no pair to report on: {why_no_pair(found)}; {SAMPLE_HINT}")
        said = verdict_of(found, None)
        if json:
            show_json({"file": None, "verdict": asdict(said)})
        else:
            write_paragraph(said)
        return
    week = make(
        corpus,
        keeping.load(runs or runs_folder(corpus.found.root, own=not (corpora or notes or logs))),
        title=f"{project_of(corpus.found.root, sample=sample)}: what ladder finds in its notes",
        command=" ".join(["ladder", *sys.argv[1:]]),
        now=dt.datetime.now(dt.UTC),
        budget=budget,
        both_worlds=True,
        watch=watched,
        sentence=lambda replay: verdict_of(found, replay, budget),
    )
    # The file holds messages and notes: for its owner alone, from the first byte.
    with os.fdopen(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(render(week.story).encode("utf-8"))
    if json:
        show_json({"file": str(out), "verdict": asdict(week.story.said) if week.story.said else None})
    else:
        write_paragraph(week.story.said)
        sys.stdout.write(f"{out}\n")


def project_of(root: Path, *, sample: bool = False) -> str:
    """Return the project's name: of the folder that holds the notes, where their own folder says nothing."""
    if sample:
        return "The invented sample"
    whole = Path(root).resolve()
    return whole.parent.name or whole.name if whole.name.lower() in ("notes", "docs", "doc") else whole.name
