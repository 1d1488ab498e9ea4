"""`ladder weekly`: mines, replays and compares with earlier runs."""

import contextlib
import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.bench.replay import Corpora, Globs, Level, Logs, Notes, Share, corpora_of, watched, why_no_pair
from ladder.cli.bench.said import SAMPLE_HINT, verdict_of, write_paragraph
from ladder.cli.commands import WeeklyGroup
from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.terminal import Failure, progress, show_json, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.corpus import Corpus
    from bench.trend.runs import Run
    from bench.trend.weekly import Week

weekly = typer.Typer(cls=WeeklyGroup, invoke_without_command=True, rich_markup_mode=None)

FELL = 3
"""Exit code of `--gate` when the hit rate fell."""
Runs = Annotated[
    Path | None,
    typer.Option(
        help="Folder of earlier runs. Default: .ladder/runs of this project; of other notes or logs: in ladder's data."
    ),
]
Budget = Annotated[int, typer.Option(min=1, help="Tokens that the figure is judged at.")]


@weekly.callback()
def _weekly(
    context: typer.Context,
    logs: Logs = None,
    notes: Notes = None,
    globs: Globs = None,
    corpora: Corpora = None,
    runs: Runs = None,
    budget: Budget = 2000,
    level: Level = "reply",
    share: Share = 0.03,
    backfill: Annotated[
        int, typer.Option(help="First make the runs of the past, one every N days, from logs and git.")
    ] = 0,
    gate: Annotated[bool, typer.Option("--gate", help="Exit 3 when the hit rate fell by more than noise.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Print the lists of notes in full.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON.")] = False,
) -> None:
    """Mine, replay, compare with the run before; say what changed.

    Also which notes cost and do not answer, and which nobody reads.
    """
    if context.invoked_subcommand is not None:
        return
    from bench.trend import runs as keeping
    from bench.trend.weekly import make

    found = corpora_of(corpora, None, logs, notes, globs, level, share)
    if len(found) > 1:
        raise Failure("a weekly run is of one project; give one --corpus")
    corpus = found[0]
    if not corpus.asked_today:
        _show_empty(corpus, json=json)
        return
    folder = runs or runs_folder(corpus.found.root, own=not (corpora or notes or logs))
    earlier = keeping.load(folder)
    if backfill:
        from bench.trend.backtest import past_runs

        ends = progress(_backfill(corpus, backfill, earlier), "runs of the past")
        with told_of_ledger([folder.parent.parent]):  # the folder whose .ladder/ holds the runs
            for run in past_runs(corpus, ends, budget=budget, share=share):
                keeping.save(run, folder)
        earlier = keeping.load(folder)
    now = dt.datetime.now(dt.UTC)
    week = make(
        corpus,
        earlier,
        title="ladder weekly",
        command=" ".join(["ladder", *sys.argv[1:]]),
        now=now,
        budget=budget,
        watch=watched,
        sentence=lambda replay: verdict_of(found, replay, budget),
    )
    with told_of_ledger([folder.parent.parent]):  # the folder whose .ladder/ holds the runs
        keeping.save(week.run, folder)
    _show(week, everything=everything, json=json)
    if gate and week.fell:
        raise Failure(f"the hit rate at {budget} tokens fell by more than the interval allows", FELL)


def runs_folder(root: Path, *, own: bool) -> Path:
    """Return where runs are kept: small files beside a project's notes, to be committed with them.

    In the one `.ladder/` that lies beside them, with the ledger; runs that an earlier version kept at the project's
    root are moved there. In a folder that was only named to be looked at nothing is written: its runs lie in the user's
    data.
    """
    from ladder.lean.paths import project_data
    from notes import load_settings
    from notes.files.lookup import first_folder
    from notes.files.place import FOLDER

    if not own:
        return Path(project_data(str(root))) / "runs"
    beside = first_folder(load_settings(root))
    if not (beside.is_dir() and beside.is_relative_to(root)):
        beside = root
    runs, former = beside / FOLDER / "runs", root / FOLDER / "runs"
    if former != runs and former.is_dir() and not runs.exists():
        runs.parent.mkdir(exist_ok=True)
        former.rename(runs)
        with contextlib.suppress(OSError):  # the ledger of single files lies there too
            former.parent.rmdir()
    return runs


def _show_empty(corpus: "Corpus", *, json: bool) -> None:
    """Say what the sessions say without a pair, and why there is none; no run is kept of nothing."""
    from dataclasses import asdict

    said = verdict_of([corpus], None)
    warn(f"no pair to replay: {why_no_pair([corpus])}; {SAMPLE_HINT}")
    if json:
        show_json({"run": None, "change": None, "causes": None, "promote": [], "verdict": asdict(said)})
    else:
        write_paragraph(said)


def _show(week: "Week", *, everything: bool, json: bool) -> None:
    from dataclasses import asdict

    from bench.trend.weekly import said

    if json:
        story = week.story
        show_json(
            {
                "run": asdict(week.run),
                "change": asdict(week.change) if week.change else None,
                "causes": asdict(story.causes) if story.causes else None,
                "promote": week.promote,
                "verdict": asdict(story.said) if story.said else None,
            }
        )
    else:
        write_paragraph(week.story.said)
        sys.stdout.write("\n" + said(week, everything=everything))


def _backfill(corpus: "Corpus", every: int, earlier: "Sequence[Run]") -> "list[dt.datetime]":
    """When runs would have been made in the past, before the earliest that is there."""
    from bench.trend.backtest import days

    if not corpus.versions.versions:
        warn("no runs of the past: the notes are not in git")
        return []
    first = dt.datetime.fromisoformat(earlier[0].made) if earlier else None
    return [end for end in days(corpus.sessions, every)[:-1] if first is None or end < first]


def add(app: typer.Typer) -> None:
    """Add `ladder weekly`."""
    app.add_typer(weekly, name="weekly")
