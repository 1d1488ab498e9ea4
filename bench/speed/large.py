"""Measures what a store's size costs: building, then `ladder suggest` and the hook, before and after one note changed.

    python -m bench.speed.large --notes 220 --notes 10000 --notes 100000

Whole processes, in turn with a bare interpreter; medians over rounds. Notes are made of the machine's own text
(corpus.py). With `--checkout` the same is measured of another checkout of ladder.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.speed.corpus import machine_corpus, questions
from bench.speed.hook_between import imported_from, way_of
from bench.speed.hook_replay import Client
from bench.speed.hook_times import Way, once
from ladder.index.checked import TICK
from ladder.install.interpreter import base_interpreter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Bytes of a note that its size is drawn from: notes of about 4.2 kB, 1,000 tokens, as many small stores have.
NOTE_BYTES = 3000


@dataclass(frozen=True, slots=True)
class Row:
    """One measured thing."""

    notes: int
    name: str
    wall: float
    """Median, milliseconds."""
    processor: float
    """Median of user and system time, milliseconds; 0 where it is not known."""
    ratio: float
    """Median of the processor time's ratios to a bare interpreter in the same round; 0 where there is none."""
    rounds: int
    remark: str = ""


def measured(notes: int, ways: Sequence[Way], rounds: int) -> list[Row]:
    """Run every way once a round, the first being the bare interpreter; a round before warms the caches."""
    wall: dict[str, list[float]] = {way.name: [] for way in ways}
    worked: dict[str, list[float]] = {way.name: [] for way in ways}
    said: dict[str, int] = {}
    for number in range(rounds + 1):
        for way in ways:
            if way.before is not None:
                way.before()
            seconds, processor, output = once(way, number)
            said[way.name] = way.count(output)
            if number:
                wall[way.name].append(seconds * 1000)
                worked[way.name].append(processor * 1000)
    rows = []
    for way in ways:
        pairs = zip(worked[way.name], worked[ways[0].name], strict=True)
        ratios = [mine / bare for mine, bare in pairs if bare]
        rows.append(
            Row(
                notes, way.name, statistics.median(wall[way.name]), statistics.median(worked[way.name]),
                statistics.median(ratios) if ratios else 0.0, rounds, f"says {said[way.name]} lines",
            )
        )  # fmt: skip
    return rows


def run_size(count: int, folder: Path, rounds: int, seed: int) -> list[Row]:
    """Make `count` notes in `folder`, build, and measure."""
    place = folder / "notes"
    client = Client(folder / "home", place, anywhere=True)
    made: list[tuple[str, str]] = []
    size = 0
    for name, text in machine_corpus(seed).notes(count, NOTE_BYTES):
        file = place / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        size += len(text)
        if len(made) < 3 * rounds + 50:
            made.append((name, text))
    time.sleep(TICK + 1)  # notes as old as the index are read again to be sure; real ones are older
    ladder = [sys.executable, "-P", "-m", "ladder"]

    def way(name: str, command: Sequence[str], before: Callable[[], None] | None = None) -> Way:
        return Way(name, command, lambda _: b"", lambda out: out.count(b"\n"), client.env, before)

    built = subprocess.run(
        [*ladder, "index", str(client.notes), "--json"], env=client.env, capture_output=True, check=True
    )
    told = json.loads(built.stdout)
    disk = Path(told["file"]).stat().st_size / 1e6
    remark = f"{told['tokens']:,} tokens, {size / 1e6:,.0f} MB of notes, index {disk:,.0f} MB"
    rows = [Row(count, "build", told["seconds"] * 1000, 0.0, 0.0, 1, remark)]
    asked = questions(made[:50], 1, seed)[0][0]
    bare = way("python -I -S -c pass", [str(base_interpreter()), "-I", "-S", "-c", "pass"])
    # `--notes` would be another index than the hook's: the project is the current folder.
    program = "import os, sys; os.chdir(sys.argv[1]); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
    inside = [sys.executable, "-I", "-S", "-c", program, str(client.notes), "-P", "-m", "ladder", "suggest"]
    event: dict[str, object] = {"hook_event_name": "UserPromptSubmit", "prompt": f"what do the notes say of {asked}?"}
    log = folder / "log.jsonl"
    log.touch()
    given = way_of(client, event, log)

    def hook(name: str) -> Way:
        return Way(name, given.command, given.data, lambda out: int(bool(out)), given.env)

    rows += measured(count, [bare, way("suggest, nothing changed", [*inside, asked]), hook("hook")], rounds)
    numbers = iter(made)

    def edit() -> None:
        file = place / f"{next(numbers)[0]}.md"
        with file.open("a", encoding="utf-8") as note:
            note.write(f"\nA quokka landed at {time.time_ns()}.\n")

    changed = [
        way("suggest, one more note changed", [*inside, "quokka landed"], edit),
        hook("hook, these changed"),
    ]
    return rows + measured(count, [bare, *changed], rounds)[1:]


def lines(rows: Sequence[Row]) -> list[str]:
    """The table: a heading for each number of notes, then its rows."""
    out = []
    size = -1
    for row in rows:
        if row.notes != size:
            size = row.notes
            out.append(f"\n{size:,} notes {'':22} {'wall ms':>9} {'cpu ms':>8} {'x bare':>7}")
        out.append(f"{row.name:34} {row.wall:9,.0f} {row.processor:8,.0f} {row.ratio:7.1f}  {row.remark}")
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.large", description=__doc__)
    parser.add_argument("--notes", type=int, action="append", metavar="N", help="how many notes (again for another)")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="rounds, each process once in each (7)")
    parser.add_argument("--seed", type=int, default=8, metavar="N", help="another corpus")
    parser.add_argument("--checkout", type=Path, metavar="FOLDER", help="measure that checkout of ladder")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    rows: list[Row] = []
    with imported_from(given.checkout.resolve()) if given.checkout else nullcontext():
        for count in given.notes or (220, 10_000):
            folder = Path(tempfile.mkdtemp(prefix="ladder-bench-")).resolve()
            try:
                rows += run_size(count, folder, given.rounds, given.seed)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            sys.stderr.write("\n".join(lines([row for row in rows if row.notes == count])) + "\n")
    written = json.dumps([asdict(row) for row in rows], indent=2) if given.json else "\n".join(lines(rows))
    sys.stdout.write(written + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
