"""Spends a budget of tokens on the most promising paragraphs of all candidates, each with its note and section.

    deploy/rollback (4100 tokens)
    #2026-08-30-canary-abort
    The canary aborted because …

The budget is spent greedily by promise a token; a paragraph also pays for the name and section lines that it needs and
that are not there yet. Only text of notes, names and costs are printed.
"""

from __future__ import annotations

from ladder.index.freshness import read_file
from ladder.ranking.dates import of_that_time
from ladder.ranking.passages import rank_passages
from ladder.ranking.survey import DEPTH, survey
from ladder.reading.excerpt import excerpt
from ladder.reading.lead_in import with_what_follows
from ladder.text.plain import clean, one_line
from notes.private import without_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.ranking.passages import Passage
    from ladder.ranking.search import Search

    #: note -> section -> paragraph -> the bytes of it that are shown
    _Chosen = dict[int, dict[int, dict[int, list[tuple[int, int]]]]]

#: Passages that are tried after the first one that does not fit.
_TRIES = 40
#: A budget below this is spent on nothing: no name and paragraph fit.
_LEAST = 20
#: A paragraph that does not fit is shown in part when its promise is at least this share of the best one's, and at
#: least this many tokens are left.
EXCERPT_FROM = 0.8
_EXCERPT_LEAST = 30
#: Stands where lines are left out.
CUT = "…"


class SpanRef:
    """Bytes `[start, end)` of note `note` that stand in a block."""

    __slots__ = ("end", "note", "start")

    def __init__(self, note: int, start: int, end: int) -> None:
        """Take the fields."""
        self.note = note
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"SpanRef({self.note}, {self.start}, {self.end})"


class Block:
    """What is put before the agent. `tokens` counts all of `text`; `notes` are in the order in which they stand."""

    __slots__ = ("notes", "spans", "text", "tokens")

    def __init__(self, text: str, tokens: int, spans: list[SpanRef], notes: list[int]) -> None:
        """Take the fields."""
        self.text = text
        self.tokens = tokens
        self.spans = spans
        self.notes = notes


def answer(
    index: Index,
    query: Query,
    budget: int,
    *,
    notes: list[int] | None = None,
    learned: Learned | None = None,
    read: Callable[[int], bytes | None] | None = None,
) -> Block:
    """Return the best paragraphs for `query` within `budget` tokens, an empty block when nothing fits.

    Only of `notes` when they are given. `read` gives a note's bytes, by default from its file.
    """
    search = survey(index, query, learned=learned)
    parts = of_that_time(search, DEPTH) if notes is None else None
    if parts is None:
        alive = None if notes is None else [n for n in notes if index.alive(n)]
        return spend(search, budget, alive, read=read)
    ranked = [each for each in rank_passages(search, list(parts)) if each.paragraph in parts[each.note]]
    return spend(search, budget, read=read, ranked=ranked)


def spend(
    search: Search,
    budget: int,
    notes: list[int] | None = None,
    *,
    read: Callable[[int], bytes | None] | None = None,
    ranked: list[Passage] | None = None,
) -> Block:
    """Return the block for a search that was surveyed already: of `notes`, by default of its candidates.

    `ranked` are their passages, where these are known.
    """
    index = search.index
    if budget < _LEAST:
        return Block("", 0, [], [])
    texts: dict[int, bytes | None] = {}
    said: set[bytes] = set()  # a text that stands in several notes is shown once
    chosen: _Chosen = {}
    spent = 0
    tries = 0
    least = 0.0
    for passage in rank_passages(search, notes) if ranked is None else ranked:
        n, s, p = passage.note, passage.section, passage.paragraph
        least = least or EXCERPT_FROM * passage.promise
        there = chosen.get(n, {}).get(s, {})
        if p in there:
            continue  # it came with what leads to it
        large = spent + passage.cost > budget
        if large and (passage.promise < least or budget - spent < _EXCERPT_LEAST):
            tries += 1
            if tries > _TRIES:
                break
            continue
        if n not in texts:
            texts[n] = told(read(n) if read else note_bytes(index, n))
        data = texts[n]
        passages = index.passages(n)
        if data is None or len(data) != passages.s_end[-1]:
            continue  # written to since the index looked at it: its paragraphs lie elsewhere now
        begins, ends = passages.p_start, passages.p_end
        own = data[begins[p] : ends[p]].strip()
        if own in said or says_nothing(own):
            continue
        labels = label_cost(_name(index, n)) if n not in chosen else 0
        if s and s not in chosen.get(n, {}):
            labels += label_cost(_section(index, n, s))
        together = [] if large else with_what_follows(passages, data, p)
        price = sum([passages.p_cost[each] for each in together if each not in there])
        parts = {each: [(begins[each], ends[each])] for each in together}
        if large or spent + labels + price > budget:
            parts = {}
            if len(together) < 2 and passage.promise >= least:
                begin = begins[p]
                text = data[begin : ends[p]]
                runs, price = excerpt(text, passage.cost, search.weighed.wide, budget - spent - labels)
                parts = {p: [(begin + a, begin + b) for a, b in runs]} if runs else {}
            if not parts:
                tries += 1
                if tries > _TRIES:
                    break
                continue
        there = chosen.setdefault(n, {}).setdefault(s, {})
        for each, where in parts.items():
            if each not in there:
                said.add(data[begins[each] : ends[each]].strip())
                there[each] = where
        spent += labels + price
    return _write(search, chosen, texts, spent)


def _name(index: Index, n: int) -> str:
    row = index.note(n)
    return f"{one_line(row.name)} ({'~' if row.estimated else ''}{row.cost} tokens)"


def _section(index: Index, n: int, s: int) -> str:
    return "#" + one_line(index.passages(n).sections[s].slug)


def _write(search: Search, chosen: _Chosen, texts: dict[int, bytes | None], spent: int) -> Block:
    index = search.index
    parts: list[str] = []
    spans: list[SpanRef] = []
    for n, sections in chosen.items():
        parts.append(_name(index, n))
        begins, ends = index.passages(n).p_start, index.passages(n).p_end
        data = texts[n] or b""
        for s in sorted(sections):
            if s:
                parts.append(_section(index, n, s))
            before = -2
            for p in sorted(sections[s]):
                at = begins[p]
                for start, end in sections[s][p]:
                    if start > at:
                        parts.append(CUT)
                    if before == p - 1 and start == begins[p]:
                        spans[-1].end = end
                        parts.append("")
                    else:
                        spans.append(SpanRef(n, start, end))
                    parts.append(shown(data, begins[p], ends[p], start, end))
                    at = end + 2
                whole = at >= ends[p]
                if not whole:
                    parts.append(CUT)
                before = p if whole else -2
    return Block("\n".join(parts), spent, spans, list(chosen))


def told(data: bytes | None) -> bytes | None:
    """Return a note's bytes without what its owner keeps private; all else stays where it is."""
    return None if data is None else without_private(data, b"\0")


def says_nothing(text: bytes) -> bool:
    """Whether a reader of the page sees nothing of a paragraph: it is private, or all of it is comments."""
    text = text.strip(b"\0 \r\n\t")
    while text[:4] == b"<!--" and (end := text.find(b"-->")) >= 0:
        text = text[end + 3 :].strip(b"\0 \r\n\t")
    return not text


def shown(data: bytes, begin: int, finish: int, start: int, end: int) -> str:
    """Return the text from `start` to `end`, of a paragraph from `begin` to `finish`, as it is handed over: masked.

    The paragraph is looked at as a whole: half a secret would no longer look like one.
    """
    from notes.secrets import masked_bytes  # noqa: PLC0415 (mostly nothing is shown)

    text = masked_bytes(data[begin:finish])[start - begin : end - begin]
    return clean(text.decode("utf-8", "replace")).strip("\n")


def label_cost(line: str) -> int:
    """Return about how many tokens a name, slug or number takes with its line end, rather too many than too few.

    cl100k_base takes digits three at a time, a mark by itself or with the word behind it, a short word whole.
    """
    total = 1
    run = 0
    kind = ""
    for char in line + "\n":
        now = "digit" if char.isdigit() else "word" if char.isascii() and char.isalpha() else ""
        if now == kind and now:
            run += 1
            continue
        total += (run + 2) // 3 if kind == "digit" else (run + 4) // 5
        kind, run = now, 1 if now else 0
        if not now and char != " ":
            total += 1 if char.isascii() else 3
    return total


def note_bytes(index: Index, n: int) -> bytes | None:
    """Return the bytes of a note's file; None when it is gone or is no regular file."""
    return read_file(index.note(n).path)
