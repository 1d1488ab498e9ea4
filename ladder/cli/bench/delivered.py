"""`ladder bench delivered`: whole sessions through the hook; what reached the agent, when, for how many tokens."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from ladder.cli.terminal import NOTHING_FOUND, Failure, progress, show_json


def delivered(
    corpora: Annotated[list[Path], typer.Option("--corpus", help="Folder with logs and notes in it.")],
    budget: Annotated[list[int] | None, typer.Option(help="Also with this `hook_budget`; may be repeated.")] = None,
    gate: Annotated[list[float] | None, typer.Option(help="Also with this `gate`; may be repeated.")] = None,
    moment: Annotated[
        list[str] | None, typer.Option(help="Also at this moment (as in the setting) alone; may be repeated.")
    ] = None,
    narrow: Annotated[bool, typer.Option("--narrow", help='Also with `read = "narrow"`.')] = False,
    half: Annotated[str, typer.Option(help="Sessions by time: all, early or late.")] = "all",
    learned: Annotated[
        bool, typer.Option("--learned", help="With what earlier sessions have taught; a second reading of the logs.")
    ] = False,
    level: Annotated[str, typer.Option(help="Where the evidence came back: reply, wrote or any.")] = "any",
    share: Annotated[float, typer.Option(help="A word is uncommon in fewer than this share of the turns.")] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Replay whole sessions: what reached the agent.

    Of the mined pairs: a line of the evidence handed over before the agent opened the note. The notes are those of
    the day; their folder must be in git.
    """
    from dataclasses import asdict

    from bench.tasks.delivered import replay
    from bench.tasks.delivered_table import lines, rows, yardsticks
    from bench.tasks.handed import Replayed, Variant
    from bench.tasks.next_note import Notes
    from ladder.cli.bench.replay import corpora_of
    from ladder.hook.event import MOMENTS

    if half not in ("all", "early", "late"):
        raise Failure(f"{half}: a half is all, early or late")
    if unknown := [name for name in moment or [] if name not in MOMENTS]:
        raise Failure(f"{unknown[0]}: a moment is {', '.join(MOMENTS)}")
    variants = [
        Variant(),
        *[Variant(budget=each) for each in budget or []],
        *[Variant(gate=each) for each in gate or []],
        *[Variant(moments=(each,)) for each in moment or []],
        *[Variant(read="narrow")] * narrow,
    ]
    found: list[Replayed] = []
    with TemporaryDirectory(prefix="ladder-delivered-") as place:
        for number, corpus in enumerate(corpora_of(corpora, None, None, None, None, level, share)):
            notes = Notes(corpus.versions, Path(place) / f"indexes-{number}")
            each = replay(corpus, notes, Path(place) / str(number), variants, learning=learned, half=half)
            found += progress(each, f"Replaying {corpora[number].name}", len(corpus.sessions))
    if not found:
        raise Failure("no session to replay: are the notes in git?", NOTHING_FOUND)
    made = rows(found, variants)
    if as_json:
        own, least = yardsticks(found)
        show_json({"rows": [asdict(row) for row in made], "own_reading": own, "oracle": least})
    else:
        sys.stdout.write("\n".join(lines(made, found)) + "\n")
    return 0


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("delivered")(delivered)
