"""`ladder bench`: replays mined pairs through ways of reading and prints hit rate against tokens."""

import datetime as dt
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.bench.said import SAMPLE_HINT, sample_said, verdict_of, write_paragraph
from ladder.cli.commands import BenchGroup
from ladder.cli.options import settings_of, whole
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, no_notes, progress, show_json, warn
from ladder.extra import missing_extra
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from bench.corpus.corpus import Corpus
    from bench.corpus.gather import Gathered
    from bench.replay import Replay
    from bench.scores import Rate
    from bench.trend.verdict import Verdict
    from transcripts import Session

bench = typer.Typer(cls=BenchGroup, invoke_without_command=True, rich_markup_mode=None)

#: Beside what was mined with --logs: the folder that was given.
LOGS_FILE = "logs.txt"

Logs = Annotated[list[Path] | None, typer.Option(help="Folder of session logs; may be given more than once.")]
Notes = Annotated[Path | None, typer.Option(help="Folder of notes; without it, the notes of this project.")]
Globs = Annotated[list[str] | None, typer.Option("--glob", help="Which files of the folder are notes.")]
Corpora = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="Folder with logs and notes in it; several are pooled by session."),
]
Level = Annotated[
    str, typer.Option(help="Where the evidence came back: reply, close (in one paragraph of it), wrote or any.")
]
ClientName = Annotated[str, typer.Option("--client", help="Only pairs from this client's logs; all count for words.")]
Share = Annotated[float, typer.Option(help="A word is uncommon in fewer than this share of the turns.")]


def sessions_in(folders: Sequence[Path]) -> "list[Session]":
    """The sessions of log folders."""
    from transcripts import sessions

    for folder in folders:
        if not folder.exists():
            raise Failure(f"{folder}: no such folder")
    return [session for folder in folders for session in sessions(whole(folder))]


def mined_folder(root: str, logs: Sequence[Path] | None) -> Path:
    """Where `ladder mine` keeps what it read of these logs (None: the project's own): `ladder forget` looks there."""
    from ladder.lean.paths import project_data, project_key

    data = Path(project_data(root))
    return data / f"mined-{project_key(chr(0).join(str(whole(folder)) for folder in logs))}" if logs else data / "mined"


def _mined_of_others(root: str) -> list[str]:
    """The folders of logs that `ladder mine --logs` was given for this project; a word for those it has not noted."""
    from ladder.lean.paths import project_data

    found = []
    for store in sorted(Path(project_data(root)).glob("mined-*")):
        try:
            found.append((store / LOGS_FILE).read_text(encoding="utf-8", errors="surrogateescape").strip())
        except OSError:
            found.append("the folder that `ladder mine` was given")
    return list(dict.fromkeys(found))


def corpora_of(
    corpora: Sequence[Path] | None,
    pairs: Path | None,
    logs: Sequence[Path] | None,
    notes: Path | None,
    globs: Sequence[str] | None,
    level: str,
    share: float,
    client: str = "",
) -> "list[Corpus]":
    """What the options name: corpora, a file of pairs, or logs and notes; else this project's own."""
    from bench.corpus import gather
    from bench.corpus.cache import Keep
    from bench.corpus.corpus import Corpus
    from bench.questions import LEVELS
    from ladder.lean.paths import cache_folder

    if level not in LEVELS:
        raise Failure(f"{level}: a level is {', '.join(LEVELS)}")
    from transcripts.clients.table import CLIENTS

    if client and client not in CLIENTS:
        raise Failure(f"{client}: a client is {', '.join(sorted(CLIENTS))}")
    keep = Keep(Path(cache_folder()) / "bench")
    found = []
    for folder in corpora or []:
        settings = settings_of(folder / "notes", globs)
        logged = sessions_in([folder / "logs"])
        gathered = gather.from_logs(logged, settings, share, mined=mined_folder(settings.root, [folder / "logs"]))
        found.append(Corpus(gathered, logged, keep, level))
    if not found:
        settings = settings_of(notes, globs)
        logged = sessions_in(logs) if logs else [] if pairs else gather.own_sessions(settings)
        if pairs is not None and not pairs.is_file():
            raise Failure(f"{pairs}: no such file")
        if pairs:
            try:
                gathered = gather.from_file(pairs, settings)
            except (ValueError, KeyError, TypeError, AttributeError):
                raise Failure(f"{pairs}: no file of pairs; `ladder mine` writes one") from None
            _same_notes(gathered, pairs)
        else:
            gathered = gather.from_logs(logged, settings, share, mined=mined_folder(settings.root, logs))
        found.append(Corpus(gathered, logged, keep, level))
    if not any(corpus.found.notes for corpus in found):
        raise Failure(no_notes(found[0].found.root), FOUND)
    if pairs is None and not any(corpus.sessions or corpus.found.pairs for corpus in found):
        from transcripts import projects_folder
        from transcripts.clients.table import folders

        places = [folder / "logs" for folder in corpora or []] or logs or folders() or [projects_folder()]
        said = f"no session logs of {found[0].found.root} in {', '.join(map(str, places))}"
        if not corpora and (others := _mined_of_others(str(found[0].found.root))):
            said += f"; pairs were mined from other logs: give --logs {' or '.join(others)}"
        else:
            said += f"; run it again once an agent has worked here. {sample_said()}"
        raise Failure(said, FOUND)
    if not client:
        return found
    its = [corpus.of_client(client) for corpus in found]
    if not any(corpus.sessions or corpus.found.pairs for corpus in its):
        raise Failure(f"no session of {CLIENTS[client].title} is among these logs", FOUND)
    return its


def why_no_pair(found: "list[Corpus]", *, then: bool = False) -> str:
    """Why no question can be asked of today's notes, or `then` of those as they stood."""
    gone = sum(len(corpus.found.pairs) for corpus in found)
    if not gone and not any(corpus.found.openings for corpus in found):
        roots = ", ".join(str(corpus.found.root) for corpus in found)
        return f"no note of {roots} was opened in these sessions; `ladder init` names the folders that agents read"
    if not gone or then:
        return "no line of a note that an agent read came back in its reply"
    return f"of {number_of(gone, 'pair')} no line stands in today's notes; `ladder bench --as-of` asks those of then"


def _same_notes(found: "Gathered", pairs: Path) -> None:
    """Say so when the pairs were mined with other notes than these: every question about a missing note is a miss."""
    from bench.questions import from_pairs

    asked = {question.note for question in from_pairs(found.pairs, "any")}
    there = asked & {file.name for file in found.notes}
    if asked and found.notes and not there:
        raise Failure(
            f"{pairs.name} asks for {number_of(len(asked), 'note')}, and none of them is in {found.root}: give the "
            "--notes (and --glob) that it was mined with",
            NOTHING_FOUND,
        )
    if 2 * len(there) < len(asked):
        warn(f"only {len(there)} of the {len(asked)} notes that {pairs.name} asks for are in {found.root}")


@bench.callback()
def _bench(
    context: typer.Context,
    pairs: Annotated[Path | None, typer.Option(help="Pairs that `ladder mine` wrote, instead of logs.")] = None,
    logs: Logs = None,
    notes: Notes = None,
    globs: Globs = None,
    corpora: Corpora = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Replay the invented sample that ships with ladder.")
    ] = False,
    moment: Annotated[
        list[str] | None, typer.Option(help="message, turn or read: what was known when it was asked. Default: all.")
    ] = None,
    level: Level = "reply",
    share: Share = 0.03,
    client: ClientName = "",
    as_of: Annotated[bool, typer.Option("--as-of", help="Also of the notes as they stood when it was asked.")] = False,
    learned: Annotated[
        bool, typer.Option("--learned", help="Also the ladder with what earlier sessions have taught it.")
    ] = False,
    hook: Annotated[bool, typer.Option("--hook", help="Also the small budgets that a hook has.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    plot: Annotated[list[Path] | None, typer.Option(help="Write the curves to FILE.svg, .png or .html.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every row, moment and zone.")] = False,
    shared: Annotated[
        Path | None, typer.Option("--shared", help="Pool what `ladder share` wrote into this folder, instead.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", help="With --shared: file with the team's key.")] = None,
) -> None:
    """Say what your past sessions prove: hit rate against tokens."""
    if context.invoked_subcommand is not None:
        return
    if shared is not None:
        from ladder.cli.share import show_pool

        show_pool(shared, notes, key, json=json)
        return
    from bench.corpus.corpus import older_measure, replay_then, replay_today
    from bench.questions import MOMENTS
    from bench.report.curve import FORMATS
    from bench.strategies import strategies

    moments = tuple(moment or MOMENTS)
    if unknown := [name for name in moments if name not in MOMENTS]:
        raise Failure(f"{unknown[0]}: a moment is {', '.join(MOMENTS)}")
    for target in plot or []:
        if target.suffix.lower() not in FORMATS:
            raise Failure(f"{target.name}: a plot is written as {', '.join(FORMATS)}")
    if sample:
        from bench.sample import ROOT

        corpora = [ROOT]
    found = corpora_of(corpora, pairs, logs, notes, globs, level, share, client)
    chosen = strategies(hook=hook, learned=learned)
    results = {"today": replay_today(found, chosen, moments, watched)[0]}
    if as_of:
        results["as of the turn"] = replay_then(found, chosen, moments, watched)[0]
    asked = [result for result in results.values() if result.questions]
    said = verdict_of(found, asked[-1] if asked else None)
    if not asked:
        warn(f"no pair to replay: {why_no_pair(found, then=as_of)}; {SAMPLE_HINT}")
    _show(found, results, older_measure(found), said, everything=everything, json=json)
    if plot and results["today"].questions:
        _plot(results["today"], moments[-1], plot)


def _show(
    found: "list[Corpus]",
    results: "dict[str, Replay]",
    older: "Rate | None",
    said: "Verdict",
    *,
    everything: bool,
    json: bool,
) -> None:
    from dataclasses import asdict

    from bench import table

    if json:
        value: dict[str, Any] = {name: table.as_json(result) for name, result in results.items()}
        value["verdict"] = asdict(said)
        value["older_measure"] = asdict(older) if older is not None else None
        value["mined"] = [corpus.found.counts for corpus in found]
        value["sources"] = [dict(corpus.source or {}) for corpus in found]
        show_json(value)
        return
    write_paragraph(said)
    if not everything:
        for name, result in results.items():
            if result.questions:
                sys.stdout.write(f"\nnotes {name}\n{table.brief(result)}")
        return
    for corpus in found:
        counted = ", ".join(f"{value} {name}" for name, value in corpus.found.counts.items())
        sys.stdout.write(f"\nmined: {counted}; {len(corpus.found.notes)} notes\n")
    for name, result in results.items():
        sys.stdout.write(f"\n== notes {name} ==\n\n")
        zoned = ("note given: head + best section", "ladder@2000, note given", "ladder@2000")
        sys.stdout.write(table.text(result, zones_for=zoned))
    for corpus in found:
        if corpus.source:
            counted = ", ".join(f"{name} {times}" for name, times in corpus.source.most_common())
            sys.stdout.write(f"as of the turn, source of the notes: {counted}\n")
    if older is not None:
        sys.stdout.write(
            "\nolder measure, which flatters (of the messages after which notes were opened, those whose first four\n"
            f"suggestions name one of them): {table.percent(older).strip()}, n = {older.n}\n"
        )


def watched(order: Sequence[int]) -> Any:  # noqa: ANN401 (an iterator over the same numbers)
    """Show progress over the questions."""
    return progress(order, "replaying", len(order))


def _plot(result: "Replay", moment: str, targets: Sequence[Path]) -> None:
    from bench.report import curve as plot
    from bench.table import MOMENT_WORDS, rows

    try:
        import altair as alt  # noqa: F401 (an extra: without it the table is still printed)
        import vl_convert  # noqa: F401 (the same)
    except ImportError as error:
        raise Failure(missing_extra("the curve", "report")) from error
    day = dt.datetime.now(dt.UTC).date()
    known = f"asked with {MOMENT_WORDS[moment]}; n = {number_of(len(result.questions), 'pair')}"
    chart = plot.curve(
        [row for row in rows(result) if row.moment == moment],
        "Hit rate against tokens",
        f"{known}, {number_of(len(set(result.sessions)), 'session')}; {day}",
    )
    for target in targets:
        plot.write(chart, target)


def add(app: typer.Typer) -> None:
    """Add `ladder bench`, whose other commands stand in `commands.py`."""
    app.add_typer(bench, name="bench")
