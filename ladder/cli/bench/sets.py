"""`ladder bench sets`: published question sets, rendered as notes, through the ladder and through fragments."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import FOUND, Failure, progress, show_json

if TYPE_CHECKING:
    from bench.public.as_notes.replay import Found


def published(
    name: Annotated[str, typer.Argument(metavar="SET", help="locomo, qmsum, qmsum-no-heads or lifebench.")],
    folder: Annotated[
        Path, typer.Option("--data", envvar="LADDER_DATA", help="The set's file or folder, or a folder of sets.")
    ],
    half: Annotated[str, typer.Option(help="held (never tuned on), tune or all.")] = "held",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Ask a published set's questions of notes made from it.

    Both get the same query. Intervals redraw conversations, meetings or months.
    """
    from dataclasses import asdict

    from bench.corpus.cache import Keep
    from bench.public.as_notes.replay import SETS, replay
    from bench.public.catalogue import sets
    from ladder.lean.paths import cache_folder

    if name not in SETS:
        raise Failure(f"no set {name!r}; there are {', '.join(SETS)}")
    if half not in ("held", "tune", "all"):
        raise Failure(f"{half!r}: a half is held, tune or all")
    listed, read = SETS[name]
    if (place := sets()[listed].find(folder)) is None:
        raise Failure(f"{name} is not in {folder}; `ladder bench public --list` says how to get it")
    try:
        made = read(place)
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        raise Failure(f"{place}: {name} can't be read as notes ({type(error).__name__}: {error})") from error
    if not made.questions and (hint := getattr(made.left_out, "hint", "")):
        raise Failure(f"{place}: holds no question of {name} that can be read ({hint})")
    found = replay(
        made,
        Keep(Path(cache_folder()) / "bench"),
        half=half,
        watch=lambda asked: progress(asked, name, len(asked)),
    )
    if json:
        show_json(asdict(found))
    else:
        sys.stdout.write("\n".join(table(found)) + "\n")
    return FOUND


def table(found: "Found") -> list[str]:
    """Return the lines that say what was found."""
    left = ", ".join(f"{count} {why}" for why, count in found.left_out.items() if count)
    lines = [
        f"{found.name}, {'all' if found.half == 'all' else found.half + ' half'}: {found.questions} questions,"
        f" {found.notes} notes" + (f"; left out of the set: {left}" if left else ""),
        "",
        "| tokens | ladder (95 %) | fragments, same query (95 %) | ladder - fragments (95 %) | used |",
        "|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.tokens} | {100 * row.ladder.value:.1f} ({100 * row.ladder.low:.1f} - {100 * row.ladder.high:.1f})"
        f" | {100 * row.fragments.value:.1f} ({100 * row.fragments.low:.1f} - {100 * row.fragments.high:.1f})"
        f" | {100 * row.gain.value:+.1f} ({100 * row.gain.low:+.1f} to {100 * row.gain.high:+.1f})"
        f" | {row.spent:.0f} |"
        for row in found.budgets
    ]
    placed = ", ".join(
        f"among {depth} {100 * share.value:.1f} % ({100 * share.low:.1f} - {100 * share.high:.1f})"
        for depth, share in found.first.items()
    )
    given = found.given
    lines += [
        "",
        f"Note with evidence suggested: {placed}.",
        f"Note given, 2,700 tokens: {100 * given.value:.1f} % ({100 * given.low:.1f} - {100 * given.high:.1f}).",
    ]
    return lines


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sets")(published)
