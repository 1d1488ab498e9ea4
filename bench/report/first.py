"""The parts of the report that a person acts on: what all of it means, then each miss, then note by note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.report.page import Part, plain, soft, table, text
from bench.table import MOMENT_WORDS, ZONES, by_client, percent, rows, short
from bench.trend.misses import REASONS

if TYPE_CHECKING:
    from bench.trend.story import Story


def opening(story: Story) -> str:
    """The sentences, and the few figures that they rest on."""
    said = story.said
    sentences = [] if said is None else [said.read, said.named, said.held, said.expected]
    out = "".join(f"<p>{text(each)}</p>" for each in sentences if each)
    if said is not None:
        out += f"<p><strong>{text(said.decided)}</strong></p>"
    wanted = {row.strategy: row for row in rows(story.replay) if row.moment == story.moment}
    cells = []
    for name, label, meaning in (
        (f"ladder@{story.budget}", "ladder", f"what you get, at {short(story.budget)} tokens"),
        (f"fragments@{story.budget}, same query", "fragments", "the same words, the same tokens"),
        (f"ladder@{story.budget}, note given", "told the right note", "a bound: nobody tells it"),
    ):
        if name in wanted:
            hit = wanted[name].hit
            interval = f"95 %: {100 * hit.low:.1f} to {100 * hit.high:.1f}; n = {hit.n}"
            cells.append((label, f"{100 * hit.value:.1f} %", f"{meaning}; {interval}"))
    cells.append(("pairs mined", str(story.counts.get("pairs", len(story.replay.questions))), _states(story)))
    items = "".join(f"<div><dt>{text(a)}</dt><dd>{text(b)}<small>{text(c)}</small></dd></div>" for a, b, c in cells)
    terms = soft(
        "A pair is a question of yours and a line of a note that the agent read and whose uncommon words its reply "
        "used. The percentages say how often that line comes into view when the question is asked again, with "
        f"{text(MOMENT_WORDS[story.moment])}. Alive: the line stands where it stood; else it moved, was reworded or is "
        "gone."
    )
    lines = [
        plain(client, percent(ours), percent(theirs), str(ours.n))
        for client, ours, theirs in by_client(story.replay, story.budget)
    ]
    head = ("logs of", "ladder", "fragments", "n")
    clients = table(f"By the client whose logs they are, at {story.budget:,} tokens", head, lines) if lines else ""
    return f'<div class="said">{out}</div><dl class="facts">{items}</dl>{terms}{clients}'


def _states(story: Story) -> str:
    return ", ".join(
        f"{story.counts[name]} {name}" for name in ("alive", "moved", "reworded", "gone") if name in story.counts
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
        soft(
            "Which notes pay. Cost: tokens of the whole note. Read: turns in which the agent opened it. Evidence: "
            "pairs that it answers. Suggested first: questions for which it was ladder's first suggestion. Shown, "
            f"answered: questions for which ladder, at {story.budget:,} tokens, brought some of it into view; of these "
            "the answering line."
        )
        + '<div class="filters"><label>Filter by name '
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
        soft(
            f"The answering lines that ladder did not bring into view within {story.budget:,} tokens, and why: what is "
            "to be mended in the notes (a line that nobody would look for there, words that no question uses)."
        )
        + '<form id="miss-filter" class="filters" role="search" aria-label="Filter the misses">'
        '<label>Words <input name="words" type="search" autocomplete="off"></label>'
        f'<label>Zone <select name="zone"><option value="">all</option>{zones}</select></label>'
        f'<label>Why <select name="why"><option value="">all</option>{reasons}</select></label>'
        f'<p id="miss-count" role="status" class="soft">{len(items)} misses</p></form>'
    )
    return Part(
        "misses",
        "Misses",
        f'{words}<div class="tall" role="region" aria-label="Misses" tabindex="0">'
        f'<ol class="misses">{"".join(items)}</ol></div>',
    )
