"""`python -m bench.golden write|check|sensitivity`: what the product says today, kept, compared, put to the proof."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.golden import product
from bench.golden.cases import GROUPS
from bench.golden.compare import report
from bench.golden.data_cases import DATA_GROUPS
from bench.golden.lines import line_of, written
from bench.golden.run import all_records
from bench.golden.sensitivity import all_witnesses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.golden.lines import Parts

#: Where the lines lie in a checkout, and there the witnesses of the weights.
FOLDER = Path(__file__).parents[2] / "tests" / "golden"
WITNESSES = "witnesses.json"


def read(file: Path) -> list[Parts]:
    """The records of a file; none when there is no such file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line] if file.is_file() else []


def write(file: Path, records: Iterable[Parts]) -> None:
    """Write records to a file, one a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(written(each) + "\n" for each in records), encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 1 when something differs, or when a weight has no witness."""
    given = _arguments(arguments)
    if given.action == "sensitivity":
        return _sensitivity(given.processes)
    wanted = given.group or (*GROUPS, *(DATA_GROUPS if given.data else ()))
    groups = [group for group in wanted if group in GROUPS]
    of_data = [group for group in wanted if group in DATA_GROUPS]
    if of_data and not given.data:
        sys.stderr.write(f"{of_data[0]}: give --data, or set LADDER_DATA\n")
        return 2
    made = all_records(groups, of_data, given.data, given.processes)
    differs: list[str] = []
    differing = 0
    for group, records in made.items():
        now = records if given.full else [line_of(each) for each in records]
        file = (given.full or (FOLDER if group in GROUPS else given.keep)) / f"{group}.jsonl"
        if given.action == "write":
            write(file, now)
        elif not file.is_file():
            differs.append(f"{group}: there is no {file}; `write` makes it")
            differing += len(now)
        else:
            lines, count = report(group, read(file), json.loads(json.dumps(now)))
            differs += lines
            differing += count
    for line in differs:
        sys.stdout.write(line + "\n")
    cases = sum(map(len, made.values()))
    if differs:
        sys.stdout.write(f"{differing} of {cases} cases differ\n")
    else:
        sys.stdout.write(f"{cases} cases {'written' if given.action == 'write' else 'are equal'}\n")
    return bool(differs)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    data = os.environ.get("LADDER_DATA")
    parser = argparse.ArgumentParser(prog="python -m bench.golden", description=__doc__)
    parser.add_argument("action", choices=("write", "check", "sensitivity"))
    parser.add_argument(
        "--full", type=Path, metavar="FOLDER", help="whole records, every number exact, in a folder of yours"
    )
    parser.add_argument(
        "--group", action="append", choices=(*GROUPS, *DATA_GROUPS), help="only this group (again for another)"
    )
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="groups that run at once (2)")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", default=Path(data) if data else None,
        help="unpacked data sets (LADDER_DATA); with them, more groups",
    )  # fmt: skip
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", default=product.kept_folder(),
        help="where the lines of these groups lie, which hold other people's text (%(default)s)",
    )  # fmt: skip
    return parser.parse_args(arguments)


def _sensitivity(processes: int) -> int:
    found = all_witnesses(processes)
    (FOLDER / WITNESSES).write_text(
        json.dumps({name: case for name, case in found.items() if case}, indent=0, ensure_ascii=False) + "\n",
        encoding="utf-8", newline="\n",
    )  # fmt: skip
    silent = [name for name, case in found.items() if not case]
    for name in silent:
        sys.stdout.write(f"no case notices {name}\n")
    sys.stdout.write(f"{len(found) - len(silent)} of {len(found)} weights are noticed when doubled or halved\n")
    return bool(silent)


if __name__ == "__main__":
    raise SystemExit(main())
