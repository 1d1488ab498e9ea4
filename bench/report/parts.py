"""The parts of the report, in its order: facts, curves, routing, zones, trend, survival, notes, misses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.report import charts
from bench.report import curve as plot
from bench.report.page import Part, data, figure, plain, table, text
from bench.table import MOMENT_WORDS, ZONES, Row, by_zone, percent, points, rows, short
from bench.table import routing as routing_of
from bench.trend.misses import REASONS
from bench.trend.runs import headline
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.trend.story import Story

BELOW = "The table below holds the figures."


def facts(story: Story) -> str:
    """The few figures that come first."""
    wanted = {row.strategy: row for row in rows(story.replay) if row.moment == story.moment}
    cells = []
    for name, label in (
        (f"ladder@{story.budget}", f"ladder at {short(story.budget)} tokens"),
        (f"fragments@{story.budget}, same query", "fragments, same query and budget"),
        (f"ladder@{story.budget}, note given", "ladder, told the right note"),
    ):
        if name in wanted:
            hit = wanted[name].hit
            cells.append(
                (label, f"{100 * hit.value:.1f} %", f"95 %: {100 * hit.low:.1f} to {100 * hit.high:.1f}; n = {hit.n}")
            )
    cells.append(("pairs mined", str(story.counts.get("pairs", len(story.replay.questions))), _states(story)))
    items = "".join(f"<div><dt>{text(a)}</dt><dd>{text(b)}<small>{text(c)}</small></dd></div>" for a, b, c in cells)
    undecided = (
        ""
        if len(story.replay.questions) >= 100
        else "<p><strong>Fewer than 100 pairs: nothing here is decided.</strong></p>"
    )
    words = f'<p class="soft">Asked with {text(MOMENT_WORDS[story.moment])}, unless said otherwise.</p>'
    return f'{words}{undecided}<dl class="facts">{items}</dl>'


def _states(story: Story) -> str:
    return ", ".join(
        f"{story.counts[name]} {name}" for name in ("alive", "moved", "reworded", "gone") if name in story.counts
    )


def curves(story: Story, points_of: Sequence[Row]) -> Part:
    """Hit rate over tokens at each moment, as a chart and as a table; both worlds where there are two."""
    moments = story.replay.moments
    out = ["<fieldset><legend>What the question was asked with</legend>"]
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
        figure("routing", chart, label, "How often the right note is suggested.")
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
        figure("zones", chart, label, "Where the answer stood, and how often it was found there.")
        + table("Hits by zone", ("strategy", *ZONES), lines),
    )


def trend(story: Story) -> Part | None:
    """The figure of each run over time; None before the first run."""
    if not story.runs:
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
    label = f"Line chart: hit rate of each run. {BELOW}"
    return Part(
        "trend",
        "Trend",
        figure("trend", charts.trend(story.runs), label, "One point a run; the band is its 95 % interval.")
        + said
        + table("Runs, newest first", ("logs until", "hit rate (95 %)", "tokens", "n", "gone"), lines),
    )


def survival(story: Story) -> Part | None:
    """How long evidence lines stay; None where the notes have no history."""
    if not story.survival:
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


def notes(story: Story) -> Part:
    """What each note cost and gave, sortable."""
    head = ("note", "cost", "read", "evidence", "suggested first", "shown", "answered", "last changed")
    ordered = sorted(story.notes.items(), key=lambda item: (-item[1].shown, -item[1].read, item[0]))
    lines = [
        [
            (name, ""),
            (short(use.cost), str(use.cost)),
            *((str(value), str(value)) for value in (use.read, use.evidence, use.suggested, use.shown, use.answered)),
            (use.changed[:10] or "-", use.changed[:10]),
        ]
        for name, use in ordered
    ]
    words = (
        '<p class="soft">cost: tokens of the whole note. read: turns in which the agent opened it. '
        "evidence: pairs it answers. shown and answered: at the report's budget.</p>"
        '<div class="filters"><label>Filter by name '
        '<input id="find-note" type="search" autocomplete="off"></label></div>'
    )
    return Part(
        "notes",
        "Notes",
        words + table(f"{len(lines)} notes; a column's name sorts", head, lines, 'class="sortable" id="notes-table"'),
    )


def misses(story: Story) -> Part:
    """Each miss with its question, its answer and what was read instead, filterable."""
    items = []
    for miss in story.misses:
        answer = "".join(
            f'<div class="note-text" dir="auto"><span class="answer">{text(line)}</span></div>' for line in miss.lines
        )
        where = f"{miss.note}" + (f" > {miss.section}" if miss.section else "")
        instead = ", ".join(f"<bdi>{text(name)}</bdi>" for name in miss.instead) or "nothing"
        rank = f"suggested at rank {miss.rank}" if miss.rank else "not among the first ten suggestions"
        items.append(
            f'<li data-zone="{text(miss.zone)}" data-why="{text(miss.why)}"><dl>'
            f'<dt>asked <span class="tag">{text(miss.time[:16].replace("T", " "))}</span></dt>'
            f'<dd class="note-text" dir="auto">{text(miss.asked[:1500])}</dd>'
            f'<dt>answer stood in</dt><dd><bdi>{text(where)}</bdi> <span class="tag">{text(miss.zone)}</span> '
            f'<span class="tag">{text(rank)}</span></dd>'
            f"<dt>answer</dt><dd>{answer}</dd><dt>read instead</dt><dd>{instead}</dd>"
            f"<dt>why</dt><dd>{text(miss.why)}</dd></dl></li>"
        )
    zones = "".join(f"<option>{zone}</option>" for zone in ZONES)
    reasons = "".join(f"<option>{text(reason)}</option>" for reason in REASONS)
    words = (
        f'<p class="soft">What ladder@{story.budget} did not bring into view: '
        "here a person learns what to fix in the notes.</p>"
        '<form id="miss-filter" class="filters" role="search" aria-label="Filter the misses">'
        '<label>Words <input name="words" type="search" autocomplete="off"></label>'
        f'<label>Zone <select name="zone"><option value="">all</option>{zones}</select></label>'
        f'<label>Why <select name="why"><option value="">all</option>{reasons}</select></label>'
        f'<p id="miss-count" role="status" class="soft">{len(items)} misses</p></form>'
    )
    return Part("misses", "Misses", f'{words}<ol class="misses">{"".join(items)}</ol>')
