"""The report's smaller charts: routing, hits by zone, trend, survival. Needs the extra `report`."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from bench.report.curve import Chart, drawing
from bench.trend.runs import Run, headline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.scores import Rate
    from bench.trend.survival import Point

#: Colours that stay apart for colour-blind readers (Okabe and Ito 2008), on white and on near-black alike.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
_HEIGHT = 260
_DAYS = 20
#: A label in lines of its own, for a phone's width: `note given: head + best section` in three.
_IN_LINES = "split(replace(replace(datum.label, /[:,] /g, '|'), / [+] /g, '|+ '), '|')"


def _share(name: str, title: str) -> Chart:
    alt = drawing()
    return alt.Y(name, title=title, scale=alt.Scale(zero=True))


def _legend() -> Any:  # noqa: ANN401 (altair's)
    # Channels of one field share a legend only when they ask for the same one.
    return drawing().Legend(orient="bottom", symbolOpacity=1)


def bars(values: Mapping[str, Mapping[str, Rate]], group: str, kind: str) -> Chart:
    """Grouped bars with their 95 % intervals; the outer keys are groups, the inner ones kinds."""
    alt = drawing()
    data = [
        {
            group: outer,
            kind: inner,
            "share": round(100 * value.value, 1),
            "low": round(100 * value.low, 1),
            "high": round(100 * value.high, 1),
            "n": value.n,
        }
        for outer, line in values.items()
        for inner, value in line.items()
        if value.n
    ]
    kinds = list(dict.fromkeys(row[kind] for row in data))
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X(
            f"{group}:N",
            title=None,
            sort=list(values),
            axis=alt.Axis(labelAngle=0, labelLimit=200, labelExpr=_IN_LINES),
        ),
        xOffset=alt.XOffset(f"{kind}:N", sort=kinds),
    )
    colour = alt.Color(
        f"{kind}:N",
        title=None,
        sort=kinds,
        scale=alt.Scale(domain=kinds, range=COLOURS),
        legend=_legend(),
    )
    tooltip = [f"{group}:N", f"{kind}:N", "share:Q", "low:Q", "high:Q", "n:Q"]
    return alt.layer(
        base.mark_bar().encode(y=_share("share:Q", "%"), color=colour, tooltip=tooltip),
        base.mark_rule(strokeWidth=2, color="#888888").encode(y=_share("low:Q", "%"), y2="high:Q"),
    ).properties(height=_HEIGHT)


def trend(runs: Sequence[Run]) -> Chart:
    """Hit rate of each run at its budget, of the rival at the same budget, and with the right note given."""
    alt = drawing()
    data: list[dict[str, Any]] = []
    for run in runs:
        names = {
            headline(run): "ladder",
            f"{run.moment}/fragments@{run.budget}, same query": "fragments, same query",
            f"{headline(run)}, note given": "ladder, note given",
        }
        for name, label in names.items():
            value = run.rates.get(name)
            if value and value["n"]:
                data.append(
                    {
                        "until": run.until[:19],
                        "strategy": label,
                        "hit": round(100 * value["value"], 1),
                        "low": round(100 * value["low"], 1),
                        "high": round(100 * value["high"], 1),
                        "n": value["n"],
                        "tokens": value["tokens"],
                    }
                )
    labels = ["ladder", "fragments, same query", "ladder, note given"]
    days = sorted(dt.date.fromisoformat(row["until"][:10]) for row in data)
    # Left to itself, the axis of a few days counts hours, and each day's name stands there several times.
    few = bool(days) and 0 < (days[-1] - days[0]).days < _DAYS
    ticks = {"tickCount": {"interval": "day", "step": 1}} if few else {}
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X(
            "until:T",
            title="newest turn in the logs",
            axis=alt.Axis(format="%Y-%m-%d", labelOverlap=True, **ticks),
        )
    )
    colour = alt.Color("strategy:N", title=None, scale=alt.Scale(domain=labels, range=COLOURS), legend=_legend())
    tooltip = ["until:T", "strategy:N", "hit:Q", "low:Q", "high:Q", "n:Q", "tokens:Q"]
    return alt.layer(
        base.mark_area(opacity=0.15).encode(y=_share("low:Q", "hit rate, %"), y2="high:Q", color=colour),
        base.mark_line(strokeWidth=2).encode(y=_share("hit:Q", "hit rate, %"), color=colour),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            y=_share("hit:Q", "hit rate, %"),
            color=colour,
            shape=alt.Shape("strategy:N", title=None, scale=alt.Scale(domain=labels), legend=_legend()),
            tooltip=tooltip,
        ),
    ).properties(height=_HEIGHT)


def survival(points: Sequence[Point], last: float) -> Chart:
    """Share of evidence lines that still stand, by days, drawn as steps up to day `last`."""
    alt = drawing()
    data = [
        {
            "kind": point.kind,
            "days": round(point.days, 2),
            "share": round(100 * point.share, 1),
            "low": round(100 * point.low, 1),
            "high": round(100 * point.high, 1),
            "watched": point.watched,
        }
        for point in points
    ]
    # A step runs on to the last day that anything was watched, else the curve ends at its last fall.
    ends = {point.kind: (point, row) for point, row in zip(points, data, strict=True)}
    data.extend({**row, "days": round(last, 2)} for point, row in ends.values() if point.days < last)
    kinds = list(dict.fromkeys(row["kind"] for row in data))
    base = alt.Chart(alt.Data(values=data)).encode(x=alt.X("days:Q", title="days after the question"))
    colour = alt.Color("kind:N", title=None, scale=alt.Scale(domain=kinds, range=COLOURS), legend=_legend())
    tooltip = ["kind:N", "days:Q", "share:Q", "low:Q", "high:Q", "watched:Q"]
    return alt.layer(
        base.mark_area(opacity=0.12, interpolate="step-after").encode(
            y=_share("low:Q", "lines that still stand, %"), y2="high:Q", color=colour
        ),
        base.mark_line(strokeWidth=2, interpolate="step-after").encode(
            y=_share("share:Q", "lines that still stand, %"),
            color=colour,
            strokeDash=alt.StrokeDash("kind:N", title=None, scale=alt.Scale(domain=kinds), legend=_legend()),
        ),
        base.mark_point(filled=True, size=30).encode(
            y=_share("share:Q", "lines that still stand, %"), color=colour, tooltip=tooltip
        ),
    ).properties(height=_HEIGHT)
