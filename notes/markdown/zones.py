"""Zones: which part of a note is head, which is history, and which headings and items are dated entries.

The order of decisions: title, history by name, history by dated siblings, dated lists, head, the cut at the head's
budget. What is left is body.
"""

import datetime as dt
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from notes.markdown.blocks import Block
from notes.markdown.head import Node, find_head
from notes.markdown.leading_dates import Dated, leading_date, trailing_date
from notes.markdown.model import Span
from notes.markdown.words import HISTORY_IF_DATED, HISTORY_NAMES, LAST_WORDS, plain


class Mark(NamedTuple):
    """Where an entry begins and ends."""

    span: Span
    date: dt.date | None
    title: str


class Division(NamedTuple):
    """A note's zones, before they are made into sections."""

    nodes: tuple[Node, ...]
    title: Block | None
    lead: Span
    """The lead, blank lines and comments before it left out."""
    head: Span
    cuts: tuple[tuple[int, str], ...]
    """Where a section is split, and the title of what is split off."""
    history: tuple[Span, ...]
    named: frozenset[int]
    """The nodes whose own section is history."""
    marks: tuple[Mark, ...]


def divide(data: bytes, floor: int, blocks: tuple[Block, ...], budget: int, count: Callable[[str], int]) -> Division:
    """Divide the note whose Markdown begins at `floor`. Pure."""
    headings = [b for b in blocks if b.kind == "heading"]
    title = _title(blocks, headings)
    nodes = _tree(floor, len(data), headings, title)
    inside = _blocks_by_node(nodes, blocks)
    names = [plain(node.heading.opening) if node.heading else "" for node in nodes]
    by_name = _named(nodes, names, inside)
    title_is_history = names[0] in HISTORY_NAMES or (_may_be_history(names[0]) and _dated_beside(nodes, by_name))
    by_title = frozenset(n for n, node in enumerate(nodes) if title_is_history and n and node.level > 1)
    named = by_title | by_name
    dated = _dated_siblings(nodes, named)
    marks: list[Mark] = []
    spans: list[Span] = []
    for n, node in enumerate(nodes):
        covered = bool(spans) and node.start < spans[-1].end
        if n in named or n in dated:
            if not covered:
                spans.append(Span(node.start, node.end))
                _collect(n, nodes, inside, marks, named=n in named, container=n in by_name)
        elif not covered and inside[n]:
            for mark in _item_marks(inside[n], node.own_end, named=n == 0 and title_is_history):
                marks.append(mark)
                spans.append(mark.span)
    history = _merge(data, spans)
    marks = [m._replace(span=_without_blank_end(data, m.span)) for m in marks]
    lead, head, cuts = find_head(data, nodes, inside, title, history, budget=budget, count=count)
    return Division(nodes, title, lead, head, cuts, history, named | dated, tuple(sorted(marks)))


def _title(blocks: tuple[Block, ...], headings: list[Block]) -> Block | None:
    """The first heading, if it is of level 1, has only comments before it, and is not one of a row of dates."""
    if not headings or headings[0].level != 1:
        return None
    for block in blocks:
        if block is headings[0]:
            break
        if block.kind not in ("html", "rule"):
            return None
    if leading_date(headings[0].opening) and sum(h.level == 1 for h in headings) > 1:
        return None
    return headings[0]


def _tree(floor: int, size: int, headings: list[Block], title: Block | None) -> tuple[Node, ...]:
    rest = [h for h in headings if h is not title]
    starts = [h.start for h in rest] + [size]
    top = title.level if title else 0
    content = title.end if title else floor
    levels = [h.level for h in rest]
    ends = [size] * len(rest)
    stack: list[int] = []
    parents = [0] * len(rest)
    for n, level in enumerate(levels):
        while stack and levels[stack[-1]] >= level:
            ends[stack.pop()] = starts[n]
        parents[n] = stack[-1] + 1 if stack else 0
        stack.append(n)
    nodes = [Node(title, top, -1, 0, content, starts[0], size, None)]
    for n, h in enumerate(rest):
        date = leading_date(h.opening)
        nodes.append(Node(h, h.level, parents[n], h.start, h.end, starts[n + 1], ends[n], date))
    return tuple(nodes)


def _blocks_by_node(nodes: tuple[Node, ...], blocks: tuple[Block, ...]) -> list[list[Block]]:
    inside: list[list[Block]] = [[] for _ in nodes]
    n = 0
    for block in blocks:
        if block.kind == "heading":
            continue
        while n + 1 < len(nodes) and nodes[n + 1].start <= block.start:
            n += 1
        inside[n].append(block)
    return inside


def _may_be_history(name: str) -> bool:
    """By a name that is also used for other things: only something dated in it decides."""
    return name in HISTORY_IF_DATED or name.rpartition(" ")[2] in LAST_WORDS


def _named(nodes: tuple[Node, ...], names: list[str], inside: list[list[Block]]) -> frozenset[int]:
    """The nodes that are history by their own name; `Changes` and `Rollout log` only with a date in it."""
    named: set[int] = set()
    dated_starts = [n.start for n in nodes if n.dated and n.dated.whole_day]
    for n, node in enumerate(nodes[1:], start=1):
        if names[n] in HISTORY_NAMES:
            named.add(n)
        elif _may_be_history(names[n]):
            k = bisect_right(dated_starts, node.start)
            below = k < len(dated_starts) and dated_starts[k] < node.end
            if below or _item_marks(inside[n], node.own_end, named=True, dated_only=True):
                named.add(n)
    return frozenset(named)


def _dated_beside(nodes: tuple[Node, ...], named: frozenset[int]) -> bool:
    """Whether a heading bears a date that is not in a history of its own: of `named`, those do not date the note."""
    covered = 0
    for n, node in enumerate(nodes):
        if n in named:
            covered = max(covered, node.end)
        elif node.dated and node.start >= covered:
            return True
    return False


def _dated_siblings(nodes: tuple[Node, ...], named: frozenset[int]) -> frozenset[int]:
    """The nodes whose headings begin with a date, where their parent has two or more such of one level."""
    groups: dict[tuple[int, int], list[int]] = {}
    for n, node in enumerate(nodes):
        if node.dated and n not in named:
            groups.setdefault((node.parent, node.level), []).append(n)
    return frozenset(n for group in groups.values() if len(group) > 1 for n in group)


def _collect(
    n: int, nodes: tuple[Node, ...], inside: list[list[Block]], marks: list[Mark], *, named: bool, container: bool
) -> None:
    """Add the entries of the history node `n`: itself, or what it contains."""
    todo = [(n, named, container)]
    while todo:
        at, by_name, top = todo.pop()
        node = nodes[at]
        assert node.heading is not None  # node 0 is never history as a whole
        date = node.dated or (trailing_date(node.heading.opening) if by_name else None)
        children = _children(at, nodes)
        items = _item_marks(inside[at], node.own_end, named=by_name and top)
        inner = any(m.date for m in items) or any((c := nodes[k].dated) and c.whole_day for k in children)
        if not (top and date is None) and (not inner or (date is not None and date.whole_day)):
            title = date.title if date else node.heading.opening
            marks.append(Mark(Span(node.start, node.end), date.date if date else None, title[:120]))
            continue
        marks.extend(items)
        todo.extend((k, by_name, False) for k in reversed(children))


def _children(n: int, nodes: tuple[Node, ...]) -> list[int]:
    found = []
    k = n + 1
    while k < len(nodes) and nodes[k].start < nodes[n].end:
        if nodes[k].parent == n:
            found.append(k)
        k += 1
    return found


def _item_marks(blocks: list[Block], end: int, *, named: bool, dated_only: bool = False) -> list[Mark]:
    """Entries among the blocks of one section, which ends at `end`.

    List items that begin with a day: two in one list make it a history, under a history's name one does. There dated
    paragraphs and table rows count too, and items without a date are entries without one.
    """
    starts: list[tuple[int, int, dt.date | None, str]] = []
    for block in blocks:
        if (block.kind == "list" and (named or len(block.parts) > 1)) or (named and block.kind == "table"):
            dates = [_item_date(p.opening, named=named and block.kind == "list") for p in block.parts]
            if sum(d is not None for d in dates) < (1 if named else 2):
                dates = [None] * len(dates)
                if not named or dated_only or block.kind == "table":
                    continue
            begun = named and block.kind == "list"
            for part, date in zip(block.parts, dates, strict=True):
                begun = begun or date is not None
                if begun:
                    title = date.title if date else part.opening
                    starts.append((part.start, block.end, date.date if date else None, title[:120]))
        elif named and block.kind == "text" and (date := leading_date(block.opening)) and date.whole_day:
            starts.append((block.start, end, date.date, date.title[:120]))
    if not starts:
        return []
    if dated_only:
        starts = [s for s in starts if s[2] is not None]
    nexts = [*(s[0] for s in starts[1:]), end][: len(starts)]
    return [
        Mark(Span(s, min(e, following)), date, title)
        for (s, e, date, title), following in zip(starts, nexts, strict=True)
    ]


def _item_date(opening: str, *, named: bool) -> Dated | None:
    """The day an item begins with or, under a history's name, ends its first line with."""
    if is_task(opening):
        return None
    date = leading_date(opening)
    if date is None and named:
        date = trailing_date(opening)
    return date if date and date.whole_day else None


def is_task(opening: str) -> bool:
    """Whether an item begins with a box (`[ ] call the bank`): it is ticked and moved, so its day dates no entry."""
    return opening[:1] == "[" and opening[2:4] in ("] ", "]\t") and opening[1] in " xX-/>!?<*"


def _merge(data: bytes, spans: list[Span]) -> tuple[Span, ...]:
    """Spans in order, joined where only blank lines lie between them, blank lines at their ends left out.

    So an append at a span's end leaves what was the history a prefix of what is.
    """
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and (span.start <= merged[-1].end or not data[merged[-1].end : span.start].strip()):
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return tuple(_without_blank_end(data, span) for span in merged)


def _without_blank_end(data: bytes, span: Span) -> Span:
    end = span.start + len(data[span.start : span.end].rstrip(b" \t\r\n"))
    ends = [at + 1 for c in (b"\n", b"\r") if (at := data.find(c, end, span.end)) >= 0]
    if not ends:
        return span
    end = min(ends)
    crlf = data[end - 1 : end + 1] == b"\r\n" and end < span.end
    return Span(span.start, end + 1 if crlf else end)
