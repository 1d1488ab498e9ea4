"""Pieces of the report's page: text that stays text, charts as data, figures, tables."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.report.curve import Chart


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the page."""

    key: str
    title: str
    body: str


def figure(key: str, chart: Chart, label: str, caption: str, *, place: str = "") -> str:
    """A chart with its spoken label and a caption; `place` is an id by which the page redraws it."""
    spot = f' id="{place}"' if place else ""
    return (
        f'{data(f"spec-{key}", chart)}<figure><div class="chart"{spot} role="img" aria-label="{text(label)}" '
        f'data-spec="spec-{key}"></div><figcaption>{caption}</figcaption></figure>'
    )


def table(caption: str, head: Sequence[str], body: Iterable[Sequence[tuple[str, str]]], extra: str = "") -> str:
    """A table; a cell is its text and the value it is sorted by (empty: its text)."""
    button = "sortable" in extra
    heads = "".join(
        f'<th scope="col">{f"<button type=button>{text(name)}</button>" if button else text(name)}</th>'
        for name in head
    )
    lines = []
    for row in body:
        first, *rest = row
        cells = f'<th scope="row">{text(first[0])}</th>' if not button else f"<td>{text(first[0])}</td>"
        cells += "".join(
            f"<td{f' data-value={chr(34)}{text(value)}{chr(34)}' if value else ''}>{text(shown)}</td>"
            for shown, value in rest
        )
        lines.append(f"<tr>{cells}</tr>")
    return (
        f'<div class="scroll" role="region" aria-label="{text(caption)}" tabindex="0">'
        f"<table {extra}><caption>{text(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def soft(words: str) -> str:
    """A paragraph that explains what follows; `words` is ours, no markup."""
    return f'<p class="soft">{words}</p>'


def plain(*row: str) -> list[tuple[str, str]]:
    """Cells that are sorted by their text."""
    return [(cell, "") for cell in row]


def _visible(char: str) -> bool:
    return char in "\n\t" or (ord(char) >= 32 and not 127 <= ord(char) < 160)


def text(value: str) -> str:
    """Any text as HTML text: markup is shown, not obeyed; control characters become visible."""
    shown = "".join(c if _visible(c) else "\N{REPLACEMENT CHARACTER}" for c in value)
    return html.escape(shown.encode("utf-8", "replace").decode("utf-8"), quote=True)


def data(key: str, chart: Chart) -> str:
    """A chart's specification, to be drawn by the page; `<` is escaped so that no text of it can end the element."""
    spec = chart.to_dict()
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    # In JSON `<` stands in strings only.
    safe = orjson.dumps(spec).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{key}">{safe}</script>'
