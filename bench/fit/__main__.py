"""The command `python -m bench.fit`: collect, fit, print, and write where that is asked for."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import fit as about
from bench.corpus.cache import Keep
from bench.fit.asked import SETS
from bench.fit.delivered import delivered, first_right
from bench.fit.kept import Sets, kept
from bench.fit.search import fit
from bench.fit.tables import WEIGHTS, Vectors, Weight, vectors, weights_of_tables, with_weight, written
from bench.scores import difference, mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.fit.kept import Kept


def table(sets: Sets, before: Vectors, after: Vectors) -> list[str]:
    """What the weights deliver on the held half, before and after, with paired intervals."""
    lines = [f"{'SET':10} {'HALF':6} {'N':>5} {'BEFORE':>7} {'AFTER':>7}  {'GAIN (95 %)':24} NOTE FIRST"]
    for half in ("tuned", "held"):
        for name, rows in sets.half(held=half == "held").items():
            old, new = delivered(rows, *before), delivered(rows, *after)
            change = difference(new, old, [one.group for one in rows])
            told = f"{100 * change.value:+.1f} ({100 * change.low:+.1f} to {100 * change.high:+.1f})"
            first = f"{100 * first_right(rows, before[0]):.1f} -> {100 * first_right(rows, after[0]):.1f}"
            lines.append(
                f"{name:10} {half:6} {len(rows):5} {100 * mean(old):7.1f} {100 * mean(new):7.1f}  {told:24} {first}"
            )
    return lines


def without_each(sets: Mapping[str, Sequence[Kept]], both: Vectors, weights: Sequence[Weight]) -> list[str]:
    """What each weight brings: points of each set that are lost when it is 0."""
    whole = {name: delivered(rows, *both) for name, rows in sets.items()}
    lines = [f"{'WITHOUT':14} {'WEIGHT':>7} " + " ".join(f"{name:>10}" for name in sets)]
    for weight in weights:
        now = float(both[0 if weight.of_notes else 1][weight.at])
        bare = with_weight(both, weight, 0.0)
        lost = [100 * (mean(delivered(rows, *bare)) - mean(whole[name])) for name, rows in sets.items()]
        lines.append(f"{weight.name:14} {now:7g} " + " ".join(f"{each:+10.1f}" for each in lost))
    return lines


def collected(names: Sequence[str], data: Path | None, every: int, tell: Callable[[str], None]) -> Sets:
    """Put every N-th question of the sets to the product (N is `every`)."""
    found = Sets()
    with TemporaryDirectory(prefix="ladder-fit-") as folder:
        keep = Keep(Path(folder) / "kept")
        for name in names:
            asked = SETS[name](data, keep, Path(folder) / name)
            rows = [kept(world, each) for at, (world, each) in enumerate(asked) if at % every == 0]
            found.kept[name] = [row for row in rows if row is not None]
            lost = sum(not row.answer.any() for row in found.kept[name])
            tell(f"{name}: {len(found.kept[name])} questions, in {lost} of them no candidate holds the answer")
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Collect, fit, print; write where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit", description=str(about.__doc__).partition("\n")[0])
    parser.add_argument("--set", action="append", choices=tuple(SETS), help="only this set (again for another)")
    parser.add_argument("--data", type=Path, default=os.environ.get("LADDER_DATA"), help="default: LADDER_DATA")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th question (1)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="what the product said, read when it is there")
    parser.add_argument("--write", action="store_true", help="write the fitted values into ranking/weights.py")
    given = parser.parse_args(words)
    data = Path(given.data) if given.data else None
    names = given.set or (list(SETS) if data else ["sample"])
    if data is None and names != ["sample"]:
        parser.error("where the data sets lie: --data or LADDER_DATA")

    def tell(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    if given.keep and given.keep.is_file():
        sets = pickle.loads(given.keep.read_bytes())  # noqa: S301 (written by this command, for this person)
        sets.kept = {name: sets.kept[name] for name in names if name in sets.kept}
    else:
        sets = collected(names, data, given.every, tell)
        if given.keep:
            given.keep.write_bytes(pickle.dumps(sets))
    before, all_weights = vectors(), weights_of_tables()
    after = fit(sets.half(held=False), before, all_weights, tell)
    for line in (*table(sets, before, after), "", *without_each(sets.kept, before, all_weights)):
        tell(line)
    if given.write:
        WEIGHTS.write_text(written(WEIGHTS.read_text(encoding="utf-8"), all_weights, after), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
