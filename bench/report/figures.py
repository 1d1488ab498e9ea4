"""The parts of the report that show figures: curves, routing, zones, trend, survival of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.report import charts
from bench.report import curve as plot
from bench.report.page import Part, data, figure, plain, soft, table, text
from bench.table import MOMENT_WORDS, ZONES, Row, by_zone, percent, points, short
from bench.table import routing as routing_of
from bench.trend.causes import said_of
from bench.trend.runs import headline
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.trend.story import Story

BELOW = "The table below holds the figures."
#: Points that a curve over time needs.
_CURVE = 2


def curves(story: Story, points_of: Sequence[Row]) -> Part:
    """Hit rate over tokens at each moment, as a chart and as a table; both worlds where there are two."""
    moments = story.replay.moments
    out = [
        soft(
            "Each point is a way of reading: how often the answering line came into view, against the tokens that were "
            "read for a question. Up and left is better. Fragments: the notes cut into pieces of equal length, the "
            "best k of them handed over. Told the right note: a bound, since nobody tells."
        ),
        "<fieldset><legend>What the question was asked with</legend>",
    ]
    labels = {moment: _spoken(moment, points_of) for moment in moments}
    for moment in moments:
        checked = " checked" if moment == story.moment else ""
        out.append(
            f'<label><input type="radio" name="moment" value="{moment}" data-label="{text(labels[moment])}"{checked}> '
            f"{text(MOMENT_WORDS[moment])}</label>"
        )
    out.append("</fieldset>")
    # The chosen moment's chart is drawn; the others' specifications wait beside it.
    for moment in moments:
        chart = plot.curve([row for row in points_of if row.moment == moment], "", "", height=380).properties(title="")
        if moment == story.moment:
            caption = "Hover a point for its figures. Dashed: the best that fair strategies reach (Pareto frontier)."
            out.append(figure(f"curve-{moment}", chart, labels[moment], caption, place="curve"))
        else:
            out.append(data(f"spec-curve-{moment}", chart))
    for moment in moments:
        hidden = "" if moment == story.moment else " hidden"
        lines = [
            plain(
                row.strategy + ("" if row.fair == "yes" else " *"),
                percent(row.hit),
                short(row.tokens),
                short(row.p90),
                f"{row.calls:.1f}",
                short(row.fixed),
                str(row.hit.n),
            )
            for row in points_of
            if row.moment == moment
        ]
        head = ("strategy", "hit rate (95 %)", "tokens", "p90", "calls", "fixed", "n")
        caption = f"Asked with {MOMENT_WORDS[moment]}. * = told the right note; fixed = tokens once a session."
        out.append(f'<div data-moment-panel="{moment}"{hidden}><details><summary>All strategies as a table</summary>')
        out.append(table(caption, head, lines))
        out.append("</details></div>")
    if story.sides:
        lines = [
            plain(
                side.strategy,
                percent(side.today),
                percent(side.as_of),
                str(side.as_of.n),
                percent(side.all_as_of),
                str(side.all_as_of.n),
            )
            for side in story.sides
        ]
        heads = ("strategy", "today", "as of the turn", "n", "as of the turn, all", "n")
        out.append("<h3>Today's notes, and the notes as they stood when the question was asked</h3>")
        out.append(
            table("On the pairs that both worlds hold; then on all, also those whose answer is gone", heads, lines)
        )
    return Part("curves", "Hit rate against tokens", "".join(out))


def _spoken(moment: str, points_of: Sequence[Row]) -> str:
    best = [
        row
        for row in plot.frontier([row for row in points_of if row.moment == moment and row.family in plot.FAMILIES])
        if row.tokens > 0
    ]
    said = "; ".join(f"{row.strategy} {100 * row.hit.value:.0f} % for {short(row.tokens)} tokens" for row in best)
    asked = f"Chart of hit rate over tokens, asked with {MOMENT_WORDS[moment]}."
    return f"{asked} Frontier: {said or 'none'}. {BELOW}"


def routing(story: Story) -> Part:
    """How often the right note is suggested, at each moment."""
    found = routing_of(story.replay)
    chart = charts.bars(
        {moment: {k: v for k, v in line.items() if k != "MRR"} for moment, line in found.items()}, "asked with", "rank"
    )
    lines = [
        plain(MOMENT_WORDS[moment], *(percent(value) for value in line.values())) for moment, line in found.items()
    ]
    head = ("asked with", *next(iter(found.values())))
    label = f"Bar chart: how often the right note is suggested first, among four, among ten. {BELOW}"
    return Part(
        "routing",
        "Routing",
        soft(
            "The first step: whether the note that holds the answering line is suggested first, among four, among ten."
        )
        + figure("routing", chart, label, "How often the right note is suggested.")
        + table("Right note suggested", head, lines),
    )


def zones(story: Story) -> Part:
    """Hits by the zone that the answer stood in, told the right note and not."""
    names = [f"ladder@{story.budget}, note given", "note given: head + best section", f"ladder@{story.budget}"]
    present = [name for name in names if any(strategy.name == name for strategy in story.replay.strategies)]
    found = {name: by_zone(story.replay, name, story.moment) for name in present}
    lines = [
        plain(
            name,
            *(
                f"{value.value * value.n:.0f} of {value.n}"
                + (f" ({100 * value.low:.0f} - {100 * value.high:.0f} %)" if value.n else "")
                for value in line.values()
            ),
        )
        for name, line in found.items()
    ]
    label = f"Bar chart: hits by the zone that the answer stood in. {BELOW}"
    chart = charts.bars(found, "strategy", "zone")
    return Part(
        "zones",
        "Hits by zone",
        soft("Zones of a note: its head (rewritten as things change), its body, its history (dated entries).")
        + figure("zones", chart, label, "Where the answer stood, and how often it was found there.")
        + table("Hits by zone", ("strategy", *ZONES), lines),
    )


def trend(story: Story) -> Part | None:
    """The figure of each run over time; None where there is but one."""
    if len(story.runs) < _CURVE:
        return None
    lines = []
    for run in reversed(story.runs):
        name = headline(run)
        value = run.rates.get(name)
        if value:
            rate = f"{100 * value['value']:.1f} % ({100 * value['low']:.1f} - {100 * value['high']:.1f})"
            gone = run.counts.get("gone", 0)
            lines.append(plain(run.until[:10], rate, short(value["tokens"]), str(int(value["n"])), str(gone)))
    said = ""
    if story.compared is not None:
        clear = "more than noise" if story.compared.clear else "no more than noise"
        shared = f"Last run against the one before, on {number_of(story.compared.n, 'shared pair')}"
        said = f"<p>{shared}: {text(points(story.compared))} points; {clear}.</p>"
    if story.causes is not None and (why := said_of(story.causes)):
        said += f"<p>{text(why[:1].upper() + why[1:])}.</p>"
    label = f"Line chart: hit rate of each run. {BELOW}"
    return Part(
        "trend",
        "Trend",
        figure("trend", charts.trend(story.runs), label, "One point a run; the band is its 95 % interval.")
        + said
        + table("Runs, newest first", ("logs until", "hit rate (95 %)", "tokens", "n", "gone"), lines),
    )


def survival(story: Story) -> Part | None:
    """How long evidence lines stay; None where the notes have no history, or nothing of it was lost or moved yet."""
    if len({point.days for point in story.survival}) < _CURVE:
        return None
    lines = [
        plain(
            f"{point.kind}, day {point.days:.1f}",
            f"{100 * point.share:.1f} % ({100 * point.low:.1f} - {100 * point.high:.1f})",
            str(point.watched),
        )
        for point in story.survival
        if point.days > 0
    ]
    label = f"Step chart: share of evidence lines that still stand after so many days. {BELOW}"
    caption = (
        "How long the lines that answered stay: in their note, anywhere verbatim, anywhere in nearly the same words."
    )
    return Part(
        "survival",
        "Survival of evidence",
        figure("survival", charts.survival(story.survival, story.last_day), label, caption)
        + "<details><summary>The curves as a table</summary>"
        + table("Lines that still stand (Kaplan-Meier)", ("kind, days", "share (95 %)", "watched"), lines)
        + "</details>",
    )
