"""Spends a budget of tokens where the answer is: paragraphs of all likely notes, each with its name and section.

    deploy/rollback (4100 tokens)
    #2026-08-30-canary-abort
    The canary aborted because …

A knapsack, filled greedily by promise a token; a paragraph is charged for the name and section lines that it needs and
that are not there yet. Facts only: what is printed is note text, names and costs.
"""

from __future__ import annotations

from ladder.filemarks import read_file
from ladder.hookblock import clean, one_line
from ladder.leadin import with_what_follows
from ladder.passages import rank_passages
from ladder.route import CANDIDATES, Scene, survey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.cold import Index
    from ladder.context import Query
    from ladder.learned import Learned
    from ladder.passages import Passage

#: Passages that are tried after the first that does not fit any more.
_ANSWER_TRIES = 40
#: A budget below this is spent on nothing: no name and paragraph fit.
_ANSWER_LEAST = 20


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
    from ladder.onlytime import keep_that_time  # noqa: PLC0415 (the hook does not come by here)

    scene = survey(index, query, learned=learned)
    if notes is not None:
        scene.only(notes)
    else:
        keep_that_time(scene, CANDIDATES)
    return spend(scene, budget, read=read)


def spend(
    scene: Scene,
    budget: int,
    *,
    read: Callable[[int], bytes | None] | None = None,
    ranked: list[Passage] | None = None,
) -> Block:
    """Return the block for a scene that was surveyed already; `ranked` are its passages, where these are known."""
    index = scene.index
    if budget < _ANSWER_LEAST:
        return Block("", 0, [], [])
    texts: dict[int, bytes | None] = {}
    said: set[bytes] = set()  # a text that stands in several notes is shown once
    chosen: dict[int, dict[int, list[int]]] = {}
    spent = 0
    tries = 0
    for passage in rank_passages(scene) if ranked is None else ranked:
        n, s = passage.note, passage.section
        there = chosen.get(n, {}).get(s, [])
        if passage.paragraph in there:
            continue  # it came with what leads to it
        if spent + passage.cost > budget:
            tries += 1
            if tries > _ANSWER_TRIES:
                break
            continue
        if n not in texts:
            texts[n] = read(n) if read else note_bytes(index, n)
        data = texts[n]
        if data is None:
            continue
        passages = index.passages(n)
        same = data[passages.p_start[passage.paragraph] : passages.p_end[passage.paragraph]].strip()
        if same in said:
            continue
        together = with_what_follows(passages, data, passage.paragraph)
        price = sum([passages.p_cost[p] for p in together if p not in there])
        if n not in chosen:
            price += label_cost(_answer_name(index, n))
        if s and s not in chosen.get(n, {}):
            price += label_cost(_answer_section(index, n, s))
        if spent + price > budget:
            tries += 1
            if tries > _ANSWER_TRIES:
                break
            continue
        there = chosen.setdefault(n, {}).setdefault(s, [])
        for p in together:
            if p not in there:
                said.add(data[passages.p_start[p] : passages.p_end[p]].strip())
                there.append(p)
        spent += price
    return _answer_write(scene, chosen, texts, spent)


def _answer_name(index: Index, n: int) -> str:
    row = index.note(n)
    return f"{one_line(row.name)} ({'~' if row.estimated else ''}{row.cost} tokens)"


def _answer_section(index: Index, n: int, s: int) -> str:
    return "#" + one_line(index.passages(n).sections[s].slug)


def _answer_write(
    scene: Scene, chosen: dict[int, dict[int, list[int]]], texts: dict[int, bytes | None], spent: int
) -> Block:
    index = scene.index
    parts: list[str] = []
    spans: list[SpanRef] = []
    for n, sections in chosen.items():
        parts.append(_answer_name(index, n))
        passages = index.passages(n)
        data = texts[n] or b""
        for s in sorted(sections):
            if s:
                parts.append(_answer_section(index, n, s))
            before = -2
            for p in sorted(sections[s]):
                start, end = passages.p_start[p], passages.p_end[p]
                text = clean(data[start:end].decode("utf-8", "replace")).strip("\n")
                if before == p - 1:
                    spans[-1].end = end
                    parts.append("")
                else:
                    spans.append(SpanRef(n, start, end))
                parts.append(text)
                before = p
    return Block("\n".join(parts), spent, spans, list(chosen))


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
