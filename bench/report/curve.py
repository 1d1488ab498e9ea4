"""Hit rate over tokens: one altair specification, written as SVG, PNG or HTML. Needs the extra `report`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.table import Row

#: The families in the order of the legend, each with a shape and a colour all readers can tell apart.
FAMILIES: dict[str, tuple[str, str]] = {
    "ladder@N": ("#0072B2", "circle"),
    "ladder@N, learned": ("#003F6B", "circle"),
    "ladder@N, note given": ("#56B4E9", "circle"),
    "fragments@N, same query": ("#D55E00", "square"),
    "fragments@N, message": ("#E69F00", "square"),
    "fragments, same query": ("#CC79A7", "triangle-up"),
    "fragments, message": ("#B08A00", "triangle-up"),
    "routing, head + section": ("#009E73", "diamond"),
    "note given": ("#3FBF9B", "diamond"),
    "repair: rarest words": ("#999999", "cross"),
    "repair: paragraph, note": ("#8A8A8A", "cross"),
    "grep": ("#8C564B", "triangle-down"),
    "everything": ("#8A8A8A", "triangle-right"),
}
FORMATS = (".svg", ".png", ".html")
#: An altair chart. Altair is an extra, and its generated signatures are more than mypy can follow.
Chart = Any


def drawing() -> Any:  # noqa: ANN401 (a module that may be missing)
    """The altair module; ImportError without the extra `report`."""
    return importlib.import_module("altair")


def frontier(rows: Sequence[Row]) -> list[Row]:
    """The rows that no fair row beats in both: none has at least their hit rate for fewer tokens. Cheapest first."""
    best: list[Row] = []
    for row in sorted((row for row in rows if row.fair == "yes"), key=lambda row: (row.tokens, -row.hit.value)):
        if row.hit.value > (best[-1].hit.value if best else 0.0):
            best.append(row)
    return best


def points(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows as plain values for a chart: percent, not shares; rows without tokens can't stand on a log axis."""
    return [
        {
            "strategy": row.strategy,
            "family": row.family,
            "hit": round(100 * row.hit.value, 2),
            "low": round(100 * row.hit.low, 2),
            "high": round(100 * row.hit.high, 2),
            "tokens": round(row.tokens, 1),
            "p90": round(row.p90, 1),
            "calls": round(row.calls, 2),
            "n": row.hit.n,
        }
        for row in rows
        if row.tokens > 0
    ]


def _ticks(rows: Sequence[Row]) -> list[int]:
    """1, 2 and 5 times the powers of ten that the rows' tokens span."""
    spent = [row.tokens for row in rows if row.tokens > 0]
    every = [step * 10**power for power in range(8) for step in (1, 2, 5)]
    return [tick for tick in every if spent and min(spent) / 2 < tick < max(spent) * 2]


def curve(rows: Sequence[Row], title: str, subtitle: str, width: int = 720, height: int = 420) -> Chart:
    """The chart of one moment: curves by family, the fair Pareto frontier as a dashed step, intervals as thin rules."""
    alt = drawing()
    drawn = [row for row in rows if row.family in FAMILIES]
    present = [name for name in FAMILIES if any(row.family == name and row.tokens > 0 for row in drawn)]
    legend = alt.Legend(orient="bottom", columns=3, labelLimit=220, symbolSize=80, symbolOpacity=1)
    colour = alt.Color(
        "family:N",
        title=None,
        scale=alt.Scale(domain=present, range=[FAMILIES[name][0] for name in present]),
        legend=legend,
    )
    shape = alt.Shape(
        "family:N",
        title=None,
        scale=alt.Scale(domain=present, range=[FAMILIES[name][1] for name in present]),
        legend=legend,
    )
    x = alt.X(
        "tokens:Q",
        title="tokens a question (log)",
        scale=alt.Scale(type="log", nice=False, padding=16),
        axis=alt.Axis(format="~s", values=_ticks(drawn), grid=True),
    )
    y = alt.Y("hit:Q", title="hit rate, %", scale=alt.Scale(zero=True))
    base = alt.Chart(alt.Data(values=points(drawn)))
    tooltip = [
        alt.Tooltip("strategy:N"),
        alt.Tooltip("hit:Q", title="hit rate, %", format=".1f"),
        alt.Tooltip("low:Q", title="95 % from", format=".1f"),
        alt.Tooltip("high:Q", title="to", format=".1f"),
        alt.Tooltip("tokens:Q", title="tokens, mean", format=",.0f"),
        alt.Tooltip("p90:Q", title="tokens, p90", format=",.0f"),
        alt.Tooltip("calls:Q", format=".1f"),
        alt.Tooltip("n:Q"),
    ]
    edge = alt.Chart(alt.Data(values=points(frontier(drawn))))
    chart = alt.layer(
        edge.mark_line(interpolate="step-after", strokeDash=[5, 4], color="#888888", strokeWidth=2).encode(x=x, y=y),
        base.mark_rule(opacity=0.3).encode(x=x, y=alt.Y("low:Q", title="hit rate, %"), y2="high:Q", color=colour),
        base.mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, order=alt.Order("tokens:Q")),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip),
    )
    return chart.properties(
        width=width,
        height=height,
        title=alt.TitleParams(
            title, subtitle=[subtitle, "dashed: Pareto frontier of the fair strategies"], anchor="start"
        ),
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
