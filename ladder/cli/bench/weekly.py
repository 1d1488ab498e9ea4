"""`ladder weekly`: mines, replays and compares with earlier runs; `ladder weekly install` has the system do it."""

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.bench.replay import Corpora, Globs, Level, Logs, Notes, Share, corpora_of, settings_of, watched
from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.terminal import Failure, progress, show_json, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.corpus import Corpus
    from bench.trend.runs import Run
    from bench.trend.weekly import Week

weekly = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

FELL = 3
"""Exit code of `--gate` when the hit rate fell."""
Runs = Annotated[
    Path | None,
    typer.Option(
        help="Folder of earlier runs. Default: .ladder/runs of this project; of other notes or logs: in ladder's data."
    ),
]
Budget = Annotated[int, typer.Option(min=1, help="Tokens that the figure is judged at.")]
Kind = Annotated[str | None, typer.Option(help="systemd, launchd, schtasks or crontab. Default: what is here.")]


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
        int, typer.Option(help="First make the runs of the past, one every so many days, from logs and git.")
    ] = 0,
    gate: Annotated[bool, typer.Option("--gate", help="Exit 3 when the hit rate fell by more than noise.")] = False,
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
    folder = runs or runs_folder(corpus.found.root, own=not (corpora or notes or logs))
    earlier = keeping.load(folder)
    if backfill:
        from bench.trend.backtest import past_runs

        ends = progress(_backfill(corpus, backfill, earlier), "runs of the past")
        with told_of_ledger([corpus.found.root]):
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
    )
    with told_of_ledger([corpus.found.root]):
        keeping.save(week.run, folder)
    _show(week, json=json)
    if gate and week.fell:
        raise Failure(f"the hit rate at {budget} tokens fell by more than the interval allows", FELL)


def runs_folder(root: Path, *, own: bool) -> Path:
    """Return where runs are kept: small files beside a project's notes, to be committed with them.

    In a folder that was only named to be looked at nothing is written: its runs lie in the user's data.
    """
    from ladder.lean.paths import project_data
    from notes.files.place import FOLDER

    return (root / FOLDER if own else Path(project_data(str(root)))) / "runs"


def _show(week: "Week", *, json: bool) -> None:
    from dataclasses import asdict

    from bench.trend.weekly import said

    if json:
        show_json(
            {"run": asdict(week.run), "change": asdict(week.change) if week.change else None, "promote": week.promote}
        )
    else:
        sys.stdout.write(said(week))


def _backfill(corpus: "Corpus", every: int, earlier: "Sequence[Run]") -> "list[dt.datetime]":
    """When runs would have been made in the past, before the earliest that is there."""
    from bench.trend.backtest import days

    if not corpus.versions.versions:
        warn("no runs of the past: the notes are not in git")
        return []
    first = dt.datetime.fromisoformat(earlier[0].made) if earlier else None
    return [end for end in days(corpus.sessions, every)[:-1] if first is None or end < first]


def _plan(kind: str | None) -> "tuple[object, Path]":
    from bench.trend.schedule import kind_here, plan

    root = Path(settings_of(None, None).root)
    # -P: a folder of the project may be called ladder.
    command = (sys.executable, "-P", "-m", "ladder", "weekly")
    try:
        return plan(kind or kind_here(), root, command, Path.home()), root
    except ValueError as error:
        raise Failure(str(error)) from error


@weekly.command()
def install(
    kind: Kind = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take the weekly run away again.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show what would be done.")] = False,
) -> None:
    """Have the system run `ladder weekly` here every Monday.

    Shows first what it will do, and asks.
    """
    from bench.trend.schedule import Plan, set_up, shown, take_away

    found, _ = _plan(kind)
    assert isinstance(found, Plan)
    try:
        if remove:
            sys.stdout.write(f"removed {found.name}\n" if take_away(found) else f"{found.name} was not installed\n")
            return
        sys.stdout.write(shown(found))
        if show:
            return
        if not yes and not typer.confirm("Set this up?"):
            raise typer.Abort
        set_up(found)
    except RuntimeError as error:
        raise Failure(str(error)) from error
    sys.stdout.write(f"installed; `ladder weekly install --remove --kind {found.kind}` takes it away\n")


def add(app: typer.Typer) -> None:
    """Add `ladder weekly`."""
    app.add_typer(weekly, name="weekly")
