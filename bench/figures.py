"""Writes docs/figures.md from docs/figures/F-NNN.json, one table each: `python -m bench.figures`.

A figure is what one command printed once. Documents and code cite its id, so that a number stands in one place.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
#: On which data a figure was made: that the choice was tuned on, that nobody tuned on, both together, or data for which
#: the question does not arise (times, counts of faults).
SAMPLES = {
    "tuned": "tuned on these data",
    "held": "held out: nobody tuned on these data",
    "both": "tuning data and held-out data, told apart in the table or together",
    "neither": "nothing is tuned to it",
}
_LEAD = """# Figures

Written by `python -m bench.figures` from `docs/figures/`. Each is what one command printed on the day that it names;
`$D` is the folder of unpacked session logs, which are not in this repository. Below n = 100 nothing is decided.
"""


class Figure(NamedTuple):
    """One table that a command printed, with all that is needed to read it.

    `made_by` is "command", or says that a script outside of the repository made it, which `command` then describes. `n`
    counts what the rates are shares of. `intervals` says what stands in brackets. `sample` is a key of SAMPLES.
    """

    id: str
    title: str
    made_by: str
    command: str
    data: str
    n: str
    intervals: str
    sample: str
    commit: str
    date: str
    remark: str
    columns: list[str]
    rows: list[list[str]]


def read(file: Path) -> Figure:
    """Return the figure in `file`; ValueError when a field is missing or unknown, or a row has not all columns."""
    fields = json.loads(file.read_text(encoding="utf-8"))
    try:
        figure = Figure(**fields)
    except TypeError as error:
        raise ValueError(f"{file.name}: {error}") from error
    if figure.id != file.stem or figure.sample not in SAMPLES:
        raise ValueError(f"{file.name}: the id is not the file's name, or the sample is none of {', '.join(SAMPLES)}")
    if not figure.rows or any(len(row) != len(figure.columns) for row in figure.rows):
        raise ValueError(f"{file.name}: a row must have {len(figure.columns)} cells")
    return figure


def figures(folder: Path = DOCS / "figures") -> list[Figure]:
    """Return all figures, by their ids."""
    return sorted((read(file) for file in folder.glob("F-*.json")), key=lambda figure: figure.id)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def section(figure: Figure) -> str:
    """Return a figure as Markdown."""
    facts = [
        f"`{figure.command}`" if figure.made_by == "command" else f"By {figure.made_by}: {figure.command}.",
        f"Data: {figure.data}. n: {figure.n}.",
        f"Intervals: {figure.intervals}. {SAMPLES[figure.sample].capitalize()}. {figure.date}, commit {figure.commit}.",
        figure.remark,
    ]
    table = [_row(figure.columns), "|" + "---|" * len(figure.columns), *map(_row, figure.rows)]
    return "\n\n".join([f"## {figure.id}: {figure.title}", *filter(None, facts), "\n".join(table)])


def page(every: list[Figure]) -> str:
    """Return the page of all figures."""
    return "\n\n".join([_LEAD.strip(), *map(section, every)]) + "\n"


def main() -> None:
    """Write the page."""
    (DOCS / "figures.md").write_text(page(figures()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
