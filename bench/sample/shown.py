"""Renews what the README shows of the sample, as typed and as printed: `python -m bench.sample.shown`.

The first `console` block: each `$ ladder …` in it is run in a copy of the sample. The table between the `sample`
comments: rows of `ladder bench --sample --json`.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.sample import ROOT

_README = ROOT.parents[1] / "README.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(?<=<!-- sample -->\n).*?(?=<!-- /sample -->)", re.DOTALL)
_MOMENT = "turn"
_DAY = 1_788_000_000
"""29 August 2026, seconds since 1970."""
#: The rows that are shown: the strategy's name in the bench, and what the README calls it.
_ROWS = {
    "ladder@1000": "ladder, 1,000 tokens",
    "ladder@2000": "ladder, 2,000 tokens",
    "fragments@1000": "fragments, 1,000 tokens",
    "fragments@2000": "fragments, 2,000 tokens",
    "fragments@2000, same query": "fragments, 2,000 tokens, with ladder's query",
    "routing, 2 notes": "two routed notes: head and best section",
    "grep with the question's words": "`grep` with the question's words",
    "everything": "load everything",
}


def _ladder(words: list[str], folder: Path) -> str:
    command = [sys.executable, "-m", "ladder", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def _copy(source: str, target: str) -> str:
    """Copy a note and give it the sample's own day: what changed lately ranks higher, and a checkout is all new."""
    shutil.copyfile(source, target)
    os.utime(target, (_DAY, _DAY))
    return target


def typed(page: str) -> str:
    """The page with what the commands of its first `console` block print today."""
    found = _BLOCK.search(page)
    if found is None:
        raise ValueError("no console block")
    shown = ""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "notes", Path(folder) / "notes", copy_function=_copy)
        for line in found[1].split("\n"):
            if line.startswith("$ ladder "):
                shown += line + "\n" + _ladder(shlex.split(line[9:]), Path(folder)).rstrip("\n") + "\n"
    return page[: found.start(1)] + shown + page[found.end(1) :]


def figures(page: str) -> str:
    """The page with the sample's figures of today."""
    rows = {
        row["strategy"]: row
        for row in json.loads(_ladder(["bench", "--sample", "--json"], ROOT))["today"]["rows"]
        if row["moment"] == _MOMENT
    }
    lines = ["| strategy | hit rate (95 %) | tokens a question | n |", "|---|---|---|---|"]
    for name, title in _ROWS.items():
        row = rows[name]
        hit = row["hit"]
        rate = f"{hit['value']:.1%} ({hit['low']:.1%} to {hit['high']:.1%})".replace("%", " %")
        lines.append(f"| {title} | {rate} | {row['tokens']:,.0f} | {hit['n']} |")
    return _TABLE.sub(lambda _: "\n".join(lines) + "\n", page)


def main() -> None:
    """Rewrite the README; with anything on the command line but `--help`, refuse."""
    about = "Renews the example and the table of README.md in this checkout; takes half a minute."
    argparse.ArgumentParser(prog="python -m bench.sample.shown", description=about).parse_args()
    page = _README.read_text(encoding="utf-8")
    _README.write_text(figures(typed(page)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
