"""Hit rate over tokens: one altair specification, written as SVG, PNG or HTML. Needs the extra `report`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.table import Row

#: What is drawn, in the order of the legend: family -> its name there, a colour and a shape all readers can tell apart.
#: Every other way of reading stands in the table.
FAMILIES: dict[str, tuple[str, str, str]] = {
    "ladder@N": ("ladder", "#0072B2", "circle"),
    "ladder@N, learned": ("ladder, learned", "#003F6B", "circle"),
    "fragments@N, same query": ("fragments", "#D55E00", "square"),
    "grep": ("grep", "#8C564B", "triangle-down"),
    "everything": ("every note whole", "#8A8A8A", "diamond"),
    "ladder@N, note given": ("told the right note (a bound)", "#8A8A8A", "circle"),
}
#: The family that nobody can reach: drawn as a dotted line.
BOUND = FAMILIES["ladder@N, note given"][0]
FORMATS = (".svg", ".png", ".html")
#: An altair chart. Altair is an extra, and its generated signatures are more than mypy can follow.
Chart = Any


def drawing() -> Any:  # noqa: ANN401 (a module that may be missing)
    """The altair module; ImportError without the extra `report`."""
    return importlib.import_module("altair")


def points(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows that are drawn as plain values: percent, not shares; without tokens none can stand on a log axis."""
    return [
        {
            "strategy": row.strategy,
            "family": FAMILIES[row.family][0],
            "budget": _budget(row.size) if "@" in row.strategy else "",
            "hit": round(100 * row.hit.value, 2),
            "low": round(100 * row.hit.low, 2),
            "high": round(100 * row.hit.high, 2),
            "tokens": round(row.tokens, 1),
            "p90": round(row.p90, 1),
            "calls": round(row.calls, 2),
            "n": row.hit.n,
        }
        for row in rows
        if row.family in FAMILIES and row.tokens > 0
    ]


def _budget(size: int) -> str:
    return str(size) if size % 1000 else f"{size // 1000}k"


def _ticks(rows: Sequence[Row]) -> list[int]:
    """1, 2 and 5 times the powers of ten that the rows' tokens span."""
    spent = [row.tokens for row in rows if row.family in FAMILIES and row.tokens > 0]
    every = [step * 10**power for power in range(8) for step in (1, 2, 5)]
    return [tick for tick in every if spent and min(spent) / 2 < tick < max(spent) * 2]


def curve(rows: Sequence[Row], title: str, subtitle: str, width: int = 720, height: int = 420) -> Chart:
    """The chart of one moment: a line a family with its budgets at the points, intervals as thin rules."""
    alt = drawing()
    values = points(rows)
    present = [
        (name, colour, shape)
        for name, colour, shape in FAMILIES.values()
        if any(value["family"] == name for value in values)
    ]
    names = [name for name, _, _ in present]
    legend = alt.Legend(orient="bottom", columns=3, labelLimit=240, symbolSize=80, symbolOpacity=1)
    colour = alt.Color(
        "family:N", title=None, scale=alt.Scale(domain=names, range=[each for _, each, _ in present]), legend=legend
    )
    shape = alt.Shape(
        "family:N", title=None, scale=alt.Scale(domain=names, range=[each for _, _, each in present]), legend=legend
    )
    x = alt.X(
        "tokens:Q",
        title="tokens a question (log)",
        scale=alt.Scale(type="log", nice=False, padding=24),
        axis=alt.Axis(format="~s", values=_ticks(rows), grid=True),
    )
    y = alt.Y("hit:Q", title="answers in view, %", scale=alt.Scale(zero=True))
    base = alt.Chart(alt.Data(values=values))
    is_bound = alt.datum.family == BOUND
    tooltip = [
        alt.Tooltip("strategy:N"),
        alt.Tooltip("hit:Q", title="answers in view, %", format=".1f"),
        alt.Tooltip("low:Q", title="95 % from", format=".1f"),
        alt.Tooltip("high:Q", title="to", format=".1f"),
        alt.Tooltip("tokens:Q", title="tokens, mean", format=",.0f"),
        alt.Tooltip("p90:Q", title="tokens, p90", format=",.0f"),
        alt.Tooltip("calls:Q", format=".1f"),
        alt.Tooltip("n:Q"),
    ]
    order = alt.Order("tokens:Q")
    by_interval = alt.Y("low:Q", title="answers in view, %")
    chart = alt.layer(
        base.mark_rule(opacity=0.3).encode(x=x, y=by_interval, y2="high:Q", color=colour),
        base.transform_filter(is_bound)
        .mark_line(strokeDash=[2, 4], strokeWidth=1.5)
        .encode(x=x, y=y, color=colour, order=order),
        base.transform_filter(~is_bound).mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, order=order),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip),
        base.transform_filter(~is_bound).mark_text(dy=-12, fontSize=11).encode(x=x, y=y, text="budget:N", color=colour),
    )
    return chart.properties(
        width=width, height=height, title=alt.TitleParams(title, subtitle=[subtitle], anchor="start")
    )


def write(chart: Chart, target: Path) -> None:
    """Write the chart in the format that the file's name asks for.

    Raises:
        ValueError: the name ends in none of the formats.
    """
    import vl_convert  # noqa: PLC0415 (an extra)

    spec = chart.to_dict()
    kind = target.suffix.lower()
    if kind == ".svg":
        target.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    elif kind == ".png":
        target.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))
    elif kind == ".html":
        target.write_text(vl_convert.vegalite_to_html(spec, bundle=True), encoding="utf-8")
    else:
        raise ValueError(f"{target.name}: a plot is written as {', '.join(FORMATS)}")
