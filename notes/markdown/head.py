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
    pieces = list(spoken)
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
        spent = 0
        for n, piece in enumerate(p for block in pieces for p in (block.parts or (block,))):
            if piece.start >= head.end:
                break
            spent += count(data[piece.start : piece.end].decode("utf-8", "replace"))
            if spent > budget and n:
                in_state = state is not None and piece.start >= state.start
                if not (state and piece.start <= state.content and in_state):
                    cuts.append((piece.start, "(lead)"))
                head = _trim(
                    data, head.start, state.start if state and in_state and piece is inside[1][0] else piece.start
                )
                break
    return lead, head, tuple(sorted(set(cuts)))


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
