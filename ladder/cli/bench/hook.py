"""`ladder bench hook`: what the hook costs, and real messages replayed through it."""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, progress, show_json

if TYPE_CHECKING:
    from bench.speed.hook_replay import Replayed
    from bench.speed.hook_times import Timed


def hook(
    sizes: Annotated[
        list[int] | None, typer.Option("--size", help="Made-up notes to measure with; 220 by default.")
    ] = None,
    rounds: Annotated[int, typer.Option(help="Rounds; all ways are run in turn in each.", min=1)] = 40,
    corpora: Annotated[
        list[Path] | None,
        typer.Option("--corpus", help="Folder with logs and notes in it, to replay instead of measuring."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Messages replayed of each session at most.", min=1)] = 60,
    at_once: Annotated[int, typer.Option(help="Sessions that run at once.", min=1)] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Measure the installed hook, or replay real logs through it.

    Both happen in a home of their own that is thrown away. A corpus is replayed as a client would: several sessions at
    once, each answer judged by the client's rules.
    """
    if corpora:
        return _replays(corpora, limit, at_once, as_json=as_json)
    found = {size: _times(size, rounds) for size in sizes or [220]}
    if as_json:
        show_json({"sizes": {size: [_timed(row) for row in rows] for size, rows in found.items()}})
        return FOUND
    for size, rows in found.items():
        print(f"{size} made-up notes, {rounds} rounds; ratios to the first row, medians within rounds")
        print(f"{'':30} {'ms':>8} {'ratio':>7} {'cpu':>7} {'MiB':>6} {'found':>6}")
        for row in rows:
            print(f"{row.name:30} {row.ms:8.1f} {row.ratio:7.2f} {row.cpu:7.2f} {row.rss:6.1f} {row.found:6}")
    return FOUND


def _times(size: int, rounds: int) -> "list[Timed]":
    from bench.speed.hook_replay import Client
    from bench.speed.hook_times import made_log, made_notes, made_question, measure, ways_to_answer
    from ladder.index.checked import TICK

    with tempfile.TemporaryDirectory(prefix="ladder-bench-") as place:
        folder = Path(place)
        texts = made_notes(size)
        for name, text in texts.items():
            file = folder / "notes" / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        time.sleep(TICK + 1)  # notes as old as the index are read again to be sure; real ones are older
        client = Client(folder / "home", folder / "notes", anywhere=True)
        made_log(folder / "log.jsonl", texts)
        ways = ways_to_answer(client, texts, made_question(texts), folder, folder / "log.jsonl")
        return list(measure(ways, rounds))


def _timed(row: "Timed") -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(row)


def _replays(corpora: Sequence[Path], limit: int, at_once: int, *, as_json: bool) -> int:
    from bench.speed.hook_replay import Replayed

    total = Replayed()
    for corpus in progress(corpora, "Replaying", len(corpora)):
        if not (corpus / "logs").is_dir() or not (corpus / "notes").is_dir():
            raise Failure(f"{corpus}: holds no folders logs and notes")
        total.join(_replay(corpus, limit, at_once))
    if not total.messages:
        raise Failure(f"no messages in the logs of {', '.join(map(str, corpora))}", NOTHING_FOUND)
    if as_json:
        show_json(_replayed(total))
    else:
        _show(total)
    return NOTHING_FOUND if total.faults else FOUND


def _replay(corpus: Path, limit: int, at_once: int) -> "Replayed":
    from bench.speed.hook_replay import Client, replay_all
    from transcripts import sessions

    with tempfile.TemporaryDirectory(prefix="ladder-bench-") as place:
        client = Client(Path(place), (corpus / "notes").absolute(), anywhere=True)
        return replay_all(client, sessions(corpus / "logs"), at_once=at_once, limit=limit)


def _replayed(total: "Replayed") -> dict[str, Any]:
    return {
        "messages": total.messages,
        "slash": total.slash,
        "runs": dict(total.runs),
        "spoke": dict(total.spoke),
        "denied": total.denied,
        "faults": dict(total.faults),
        "longest": total.longest,
        "ms": {
            event: {f"p{share * 100:.0f}": round(total.milliseconds(event, share), 1) for share in (0.5, 0.95, 0.99)}
            for event in total.seconds
        },
    }


def _show(total: "Replayed") -> None:
    print(
        f"{total.messages} messages, {total.slash} of them slash commands; {sum(total.runs.values())} runs of the hook"
    )
    for event, count in total.runs.items():
        p50, p95, p99 = (total.milliseconds(event, share) for share in (0.5, 0.95, 0.99))
        print(f"  {event:17} {count:6} runs, {total.spoke[event]:5} spoke, {p50:6.1f} / {p95:.1f} / {p99:.1f} ms")
    print(f"denied calls {total.denied}, longest text {total.longest} characters")
    print(f"faults {sum(total.faults.values())}")
    for fault, count in total.faults.most_common(20):
        print(f"  {count}: {fault}")


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("hook")(hook)
