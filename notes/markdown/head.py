"""Where the head begins and ends: the lead, joined by a first section named as a state, up to history and budget."""

from collections.abc import Callable
from typing import NamedTuple

from notes.markdown.blocks import Block
from notes.markdown.leading_dates import Dated
from notes.markdown.model import Span
from notes.markdown.words import STATE_NAMES, plain


class Node(NamedTuple):
    """A heading in the tree of headings; node 0 is the file itself, with the title if there is one."""

    heading: Block | None
    level: int
    parent: int
    start: int
    """Where its section begins."""
    content: int
    """Where its heading ends."""
    own_end: int
    """Where the next heading begins."""
    end: int
    """Where the next heading of its level or above begins."""
    dated: Dated | None


def find_head(
    data: bytes,
    nodes: tuple[Node, ...],
    inside: list[list[Block]],
    title: Block | None,
    history: tuple[Span, ...],
    *,
    budget: int,
    count: Callable[[str], int],
) -> tuple[Span, Span, tuple[tuple[int, str], ...]]:
    """(lead, head, cuts): the lead, joined by a first section named as a state; ends at history and at the budget."""
    top = nodes[0]
    cuts: list[tuple[int, str]] = []
    spoken = [b for b in inside[0] if (title is None or b.start >= title.end) and not _is_comment(data, b)]
    lead = _trim(data, spoken[0].start, top.own_end) if spoken else _trim(data, top.content, top.content)
    if not spoken:
        after = max([top.content, *(b.end for b in inside[0])])
        lead = Span(after, after)
    state = nodes[1] if len(nodes) > 1 and plain(nodes[1].heading.opening) in STATE_NAMES else None  # type: ignore[union-attr]
    if state and any(s.start <= state.start < s.end for s in history):
        state = None
    first = spoken[0].start if spoken else top.own_end
    pieces = [b for b in inside[0] if b.start >= first]  # comments between them count: they are read, too
    if state:
        begin = lead.start if spoken else state.content
        head = _trim(data, begin, state.own_end)
        pieces += inside[1]
    else:
        head = lead
    for span in history:
        if head.start <= span.start < head.end:
            cuts.append((span.start, "(history)"))
            head = _trim(data, head.start, span.start)
    if head.end - head.start > budget:
        at = _over_budget(data, head, pieces, state, budget=budget, count=count)
        if at < head.end:
            in_state = state is not None and at >= state.start
            if not (state and in_state and at <= state.content):
                cuts.append((at, "(lead)"))
            opens_state = state is not None and in_state and inside[1] and at <= inside[1][0].start
            head = _trim(data, head.start, state.start if state and opens_state else at)
    return lead, head, tuple(sorted(set(cuts)))


def _over_budget(
    data: bytes, head: Span, pieces: list[Block], state: Node | None, *, budget: int, count: Callable[[str], int]
) -> int:
    """Where what a head may have ends: before the first piece, or what lies between two, that is too much.

    Between them lie definitions of links, which are no blocks. The first piece stays whole, whatever it costs.
    """
    spent, last = 0, head.start
    parts = [part for block in pieces for part in (block.parts or (block,)) if part.start < head.end]
    for n, (start, end) in enumerate([*((part.start, part.end) for part in parts), (head.end, head.end)]):
        if state and last < state.content <= start:  # the state's own heading costs nothing
            between = _trim(data, last, state.start)
            last = state.content
        else:
            between = _trim(data, last, start)
        spent += count(data[between.start : between.end].decode("utf-8", "replace"))
        if spent > budget and n and between.start < between.end:
            return between.start
        spent += count(data[start:end].decode("utf-8", "replace"))
        if spent > budget and n:
            return start
        last = max(last, end)
    return head.end


def _is_comment(data: bytes, block: Block) -> bool:
    return block.kind == "rule" or (block.kind == "html" and data[block.start : block.start + 4] == b"<!--")


def _trim(data: bytes, start: int, end: int) -> Span:
    """The span without blank lines at its start and white space at its end."""
    text = data[start:end]
    kept = text.rstrip(b" \t\r\n")
    if not kept:
        return Span(start, start)
    lead = len(kept) - len(kept.lstrip(b" \t\r\n"))
    line = max(kept.rfind(b"\n", 0, lead), kept.rfind(b"\r", 0, lead)) + 1
    return Span(start + line, start + len(kept))
