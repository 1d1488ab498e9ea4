"""`ladder bench speed`, `whole`, `fuzz-index`: the index beside its peers, a bench over many notes, damaged files."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import FOUND, NOTHING_FOUND, show_json, warn

if TYPE_CHECKING:
    from bench.speed.index import Speed


def speed(
    sizes: Annotated[
        list[int] | None, typer.Option("--notes", help="How many notes; 220 by default, may be given again.")
    ] = None,
    rounds: Annotated[int, typer.Option(help="Rounds in which all processes are run in turn.", min=1)] = 40,
    asked: Annotated[int, typer.Option("--questions", help="Questions to replay.", min=1)] = 2000,
    seed: Annotated[int, typer.Option(help="Another corpus and other questions.")] = 8,
    keep: Annotated[
        Path | None, typer.Option(help="Also keep the run in this folder, as DATE-MACHINE/speed.json.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Measure building, asking and replaying beside other engines.

    bm25s, SQLite FTS5, tantivy and ripgrep, in one run, as ratios.
    """
    from bench.speed.index import run_speed

    found = run_speed(sizes or (220,), rounds=rounds, asked=asked, seed=seed, say=warn)
    if keep is not None:
        import orjson

        folder = keep / f"{found.made}-{found.versions['machine']}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "speed.json").write_bytes(orjson.dumps(found.as_dict(), option=orjson.OPT_INDENT_2) + b"\n")
    if as_json:
        show_json(found.as_dict())
    else:
        _show(found)
    return FOUND


def _show(found: "Speed") -> None:
    units = {"ask": "ms", "build": "cpu s", "replay": "q/s"}
    group = ""
    for row in found.rows:
        if f"{row.group} {row.notes}" != group:
            group = f"{row.group} {row.notes}"
            print(f"\n{row.group}, {row.notes:,} notes {'':16} {units[row.group]:>9} {'ratio':>7} {'MiB':>6}")
        print(f"{row.name:34} {row.value:9,.1f} {row.ratio:7.2f} {row.mib:6.0f}  {row.remark}")
    print(f"\n{found.corpus}; " + ", ".join(f"{name} {value}" for name, value in found.versions.items()))
    if found.missing:
        print(f"not installed, left out: {', '.join(found.missing)} (extra bench-peers; ripgrep from its own site)")


def whole(
    notes: Annotated[int, typer.Option(help="Notes to make up.", min=1)] = 10_000,
    pairs: Annotated[int, typer.Option(help="Questions to make up and ask.", min=1)] = 2000,
    seed: Annotated[int, typer.Option(help="Other notes and other questions.")] = 8,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Time a whole bench over made-up notes and pairs.

    What `ladder bench` does once logs are mined: index, every strategy at every moment, table. The table is printed
    too, to show that the work was done; its rates are of made-up questions and say nothing of real ones.
    """
    from bench.speed.whole import run_whole
    from ladder.cli.bench.replay import watched

    found = run_whole(notes, pairs, seed=seed, say=warn, watch=watched)
    if as_json:
        show_json(found.as_dict())
        return FOUND
    print(found.table)
    print(f"{notes:,} notes ({found.corpus}), {pairs:,} pairs made up; terms of a query in the median: ", end="")
    print(", ".join(f"{moment} {count:.0f}" for moment, count in found.terms.items()))
    print(f"{'':22} {'seconds':>8} {'processor seconds':>18}")
    for part, seconds in found.seconds.items():
        print(f"{part:22} {seconds:8.1f} {found.worked[part]:18.1f}")
    print(f"{'in all':22} {sum(found.seconds.values()):8.1f} {sum(found.worked.values()):18.1f}")
    return FOUND


def fuzz_index(
    count: Annotated[int, typer.Option(help="Damaged files to try.", min=1)] = 100_000,
    seed: Annotated[int, typer.Option(help="Other damage.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Damage an index file in many ways; each must be noticed."""
    from dataclasses import asdict

    from bench.speed.fuzz import fuzz, sample_notes

    with tempfile.TemporaryDirectory(prefix="ladder-fuzz-") as folder:
        result = fuzz(Path(folder), *sample_notes(), count, seed)
    if as_json:
        show_json(asdict(result))
    else:
        print(f"{result.files:,} damaged files: {result.noticed:,} noticed, {result.harmless:,} harmless")
        for line in result.wrong[:20]:
            print(f"wrong: {line}")
    return NOTHING_FOUND if result.wrong else FOUND


def add(app: typer.Typer) -> None:  # noqa: ARG001 (the group is already there)
    """Add `speed`, `whole` and `fuzz-index` to the group `bench`."""
    from ladder.cli.bench.replay import bench

    bench.command("speed")(speed)
    bench.command("whole")(whole)
    bench.command("fuzz-index")(fuzz_index)
