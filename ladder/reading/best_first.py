"""What `ladder answer` and the tool `answer` hand over: sections, the best first, each with address, cost and words.

    best: deploy/rollback#2026-08-30-canary-abort (95 tokens) <- canary, abort
    The canary aborted because …

    weaker: ops/alerts 2217, deploy/canary 850

Passages are added while they promise enough beside the best one, within the budget; what else may hold the answer is
named with its cost. An address can be pasted into `ladder read`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ladder.ranking.dates import of_that_time
from ladder.ranking.explain import Suggestion, suggestions, written_terms
from ladder.ranking.passages import rank_passages
from ladder.ranking.survey import DEPTH, survey
from ladder.reading.answer import label_cost, spend
from ladder.text.plain import one_line
from ladder.text.tokenizer import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.ranking.passages import Passage
    from ladder.ranking.search import Search
    from ladder.reading.answer import SpanRef

#: A passage is handed over when its promise is at least this share of the best one's. The figures of the plain
#: questions with it and without stand in docs/decisions.
DROP = 0.6
#: Words of the question that a section is marked with; notes that are named as weaker.
WORDS = 6
WEAKER = 4
#: Between the cost of a piece and its label: brackets, "of", "tokens", the arrow.
_MARKS = 8


class Piece(NamedTuple):
    """Text of one section."""

    address: str
    """NOTE#SLUG; the note's name alone for what stands above its first heading."""
    note: str
    text: str
    cost: int
    """Tokens of the whole section."""
    shown: int
    """Tokens of what of it is shown."""
    words: tuple[str, ...]
    """Words of the question that stand in `text`, the weightiest first."""
    spans: tuple[SpanRef, ...]

    def line(self, estimated: bool) -> str:
        """Return what stands above the text."""
        about = "~" if estimated else ""
        part = f"{self.shown} of " if self.shown < self.cost else ""
        words = f" <- {', '.join(self.words)}" if self.words else ""
        return f"{self.address} ({about}{part}{self.cost} tokens){words}"


class Answer(NamedTuple):
    """The pieces, the best first, and the notes that are only named."""

    pieces: tuple[Piece, ...]
    weaker: tuple[Suggestion, ...]
    tokens: int
    """Tokens of the pieces with their lines."""
    text: str
    """All of it, as it is printed; empty when there is no piece."""
    estimated: bool
    """Whether tokens are estimated, because the vocabulary is missing."""


def best_first(
    index: Index,
    query: Query,
    budget: int,
    *,
    notes: list[int] | None = None,
    learned: Learned | None = None,
    read: Callable[[int], bytes | None] | None = None,
) -> Answer:
    """Return what to hand over for `query` within `budget` tokens; only of `notes` when they are given.

    `read` gives a note's bytes, by default from its file.
    """
    search = survey(index, query, learned=learned)
    parts = of_that_time(search, DEPTH) if notes is None else None
    if parts is None:
        ranked = rank_passages(search, None if notes is None else [n for n in notes if index.alive(n)])
    else:
        ranked = [each for each in rank_passages(search, list(parts)) if each.paragraph in parts[each.note]]
    pieces = _pieces(search, ranked, budget, read)
    shown = {piece.note for piece in pieces}
    near = suggestions(search, WEAKER + len(shown), parts) if notes is None else []
    weaker = tuple(each for each in near if each.name not in shown)[:WEAKER]
    tokens = sum(each.shown + _label(each.address) for each in pieces)
    return Answer(tuple(pieces), weaker, tokens, _text(index, pieces, weaker), index.estimated)


def _pieces(
    search: Search, ranked: Sequence[Passage], budget: int, read: Callable[[int], bytes | None] | None
) -> list[Piece]:
    if not ranked:
        return []
    strong = [each for each in ranked if each.promise >= DROP * ranked[0].promise]
    chosen = spend(search, budget, ranked=strong, read=read).spans
    sections: dict[tuple[int, int], list[Passage]] = {}
    for passage in strong:
        begins, ends = search.index.passages(passage.note).p_start, search.index.passages(passage.note).p_end
        start, end = begins[passage.paragraph], ends[passage.paragraph]
        if any(span.note == passage.note and span.start < end and start < span.end for span in chosen):
            sections.setdefault((passage.note, passage.section), []).append(passage)
    written = written_terms(search.query.message)
    found: list[Piece] = []
    said: set[str] = set()
    left = budget
    for (n, s), passages in sections.items():
        row, own = search.index.note(n), search.index.passages(n).sections
        name = one_line(row.name)
        address = f"{name}#{one_line(own[s].slug)}" if s > 0 else name
        # `spend` writes the note's name and the section's above the text, and counts them.
        block = spend(search, left, ranked=passages, read=read)
        text = "\n".join(block.text.split("\n")[2 if s > 0 else 1 :])
        if not text.strip() or text in said:
            continue
        said.add(text)
        cost = row.head_cost if s <= 0 and own[0].zone == "head" else own[max(s, 0)].cost
        above = label_cost(block.text.split("\n", 1)[0]) + (label_cost("#" + own[s].slug) if s > 0 else 0)
        inside = {*terms(text), *(terms(own[s].title) if s > 0 else ())}
        words: list[str] = []
        for _, term in search.weighed.terms:
            word = written.get(term, term)
            if term in inside and not any(word in longer for longer in words):
                words.append(word)
        tokens = max(block.tokens - above, 1)
        spans = tuple(block.spans)
        found.append(Piece(address, row.name, text, max(cost, tokens), tokens, tuple(words[:WORDS]), spans))
        left -= tokens + _label(address)
    return found


def _label(address: str) -> int:
    """Return about what the line above a piece costs."""
    return label_cost(address) + _MARKS


def _text(index: Index, pieces: Sequence[Piece], weaker: Sequence[Suggestion]) -> str:
    about = "~" if index.estimated else ""
    parts = [
        f"{'best: ' if n == 0 and len(pieces) > 1 else ''}{piece.line(index.estimated)}\n{piece.text}"
        for n, piece in enumerate(pieces)
    ]
    if parts and weaker:
        parts.append("weaker: " + ", ".join(f"{one_line(each.name)} {about}{each.cost}" for each in weaker))
    return "\n\n".join(parts)
