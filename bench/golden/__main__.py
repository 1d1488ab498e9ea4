"""`python -m bench.golden write|check`: what the product says today, kept or compared."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.golden.cases import GROUPS
from bench.golden.compare import report
from bench.golden.lines import line_of, written
from bench.golden.run import all_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.golden.lines import Parts

#: Where the lines lie in a checkout.
FOLDER = Path(__file__).parents[2] / "tests" / "golden"


def read(file: Path) -> list[Parts]:
    """The records of a file; none when there is no such file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line] if file.is_file() else []


def write(file: Path, records: Iterable[Parts]) -> None:
    """Write records to a file, one a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(written(each) + "\n" for each in records), encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 1 when something differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.golden", description=__doc__)
    parser.add_argument("action", choices=("write", "check"))
    parser.add_argument(
        "--full", type=Path, metavar="FOLDER", help="whole records with every number exact, in a folder of yours"
    )
    parser.add_argument("--group", action="append", choices=tuple(GROUPS), help="only this group (again for another)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="run so many groups at once (2)")
    given = parser.parse_args(arguments)
    made = all_records(tuple(given.group or GROUPS), given.processes)
    folder = given.full or FOLDER
    differs = []
    for group, records in made.items():
        now = records if given.full else [line_of(each) for each in records]
        file = folder / f"{group}.jsonl"
        if given.action == "write":
            write(file, now)
        else:
            differs += report(group, read(file), json.loads(json.dumps(now)))
    for line in differs:
        sys.stdout.write(line + "\n")
    cases = sum(map(len, made.values()))
    sys.stdout.write(
        f"{cases} cases {'written' if given.action == 'write' else 'differ' if differs else 'are equal'}\n"
    )
    return bool(differs)


if __name__ == "__main__":
    raise SystemExit(main())
