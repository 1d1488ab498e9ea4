"""What of the notes is handed over for a message: the passage that answers, what must come with it, then no more.

    deploy/rollback.md#2026-08-30-canary-abort
    The canary aborted because …

    ops/alerts.md#paging (230 of 850 tokens)
    …

Passages are ordered by their promise and by how much of the question stands together there. A small section comes
whole, a large one gives the passage with what leads to it and what turns on it; the next one comes only while it
promises nearly as much as the first. Costs are those of what is shown.
"""

from __future__ import annotations

from ladder.ranking.passages import rank_passages
from ladder.reading.answer import CUT, label_cost, says_nothing, shown, told
from ladder.reading.excerpt import excerpt
from ladder.reading.lead_in import leads_on, turns_on
from ladder.speaking.coverage import Together
from ladder.speaking.weights import (
    FULL_COST,
    HANDED_HELD,
    HANDED_NEAR,
    HANDED_NEARLY,
    LONG,
    LONG_NEXT,
    PIECES,
    SMALL,
    SMALL_NEXT,
)
from ladder.text.plain import address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.index.reader import Passages
    from ladder.ranking.passages import Passage
    from ladder.ranking.search import Search
    from ladder.speaking.coverage import Part

    Runs = list[tuple[int, int]]

#: Passages that are looked at, best first.
LOOKED = 24
#: Paragraphs that lead to a passage or turn on it, on each side.
_AROUND = 2
#: A passage that does not fit is shown in part when at least this many tokens are left.
_LEAST = 30
#: Characters of all pieces: beyond ten thousand the client hides a hook's text.
MOST_CHARACTERS = 9_000


class Piece:
    """Text of one section. `address` is NOTE#SECTION, `cost` the section's tokens, `shown` those of `text`."""

    __slots__ = ("address", "cost", "keys", "note", "paragraphs", "section", "shown", "spans", "text", "whole")

    def __init__(self, note: int, section: int, address: str, cost: int) -> None:
        """Begin a piece; `section` counts from 0."""
        self.note = note
        self.section = section
        self.address = address
        self.cost = cost
        self.shown = 0
        self.whole = False
        self.text = ""
        self.spans: Runs = []
        #: The paragraphs shown, and the bytes of each.
        self.keys: list[int] = []
        self.paragraphs: list[bytes] = []

    @property
    def line(self) -> str:
        """The line above the text: the address, and of a section that is cut what is shown and its cost."""
        return self.address if self.whole else f"{self.address} ({self.shown} of {self.cost} tokens)"


def address_of(search: Search, note: int, section: int = -1) -> str:
    """The address of a note, or of a section of it (from 0), as it can be pasted: with the file's ending."""
    sections = search.index.passages(note).sections
    return address(search.index.note(note), sections[section].slug if 0 < section < len(sections) else "")


def named_in(search: Search) -> list[int]:
    """Return the notes that the message itself names, the best first."""
    return [n for n in search.candidates if search.totals[n].get("named")]


def ordered(search: Search, part: Part | None, notes: list[int] | None = None) -> list[tuple[float, Passage]]:
    """Return the best passages with what each comes to, the best first; `part` is what of the message is asked.

    Of `notes` when they are given, else of those that the message names, else of all candidates.
    """
    ranked = rank_passages(search, notes or named_in(search) or None)[:LOOKED]
    if not ranked:
        return []
    top = ranked[0].promise or 1.0
    found: list[tuple[float, Passage]] = []
    looked: dict[int, Together] = {}
    for passage in ranked:
        worth = passage.promise / top
        if part is not None and part.known:
            if passage.note not in looked:
                looked[passage.note] = Together(search, passage.note, part.known)
            there, whole = looked[passage.note], sum(part.known.values())
            for share, held in (
                (HANDED_HELD, there.at(passage.paragraph)), (HANDED_NEAR, there.near(passage.paragraph)),
            ):  # fmt: skip
                worth += share * sum([part.known[term] for term in held]) / whole
        found.append((worth, passage))
    found.sort(key=lambda pair: -pair[0])  # equal ones stay as they were ranked
    return found


def pieces(
    search: Search,
    best: list[tuple[float, Passage]],
    budget: int,
    read: Callable[[int], bytes | None],
    known: Callable[[int, bytes], bool] | None = None,
) -> list[Piece]:
    """Return what to hand over of the passages `best` within `budget` tokens; `known` says what was shown before."""
    made: list[Piece] = []
    texts: dict[int, bytes | None] = {}
    said: set[bytes] = set()  # a text that stands in several notes is shown once
    left = budget
    characters = 0
    first = 0.0
    for worth, passage in best:
        if len(made) >= PIECES or worth < HANDED_NEARLY * first:
            break
        if worth < first * (HANDED_NEARLY + (1 - HANDED_NEARLY) * passage.cost / FULL_COST):
            continue
        n, s, p = passage.note, passage.section, passage.paragraph
        if n not in texts:
            texts[n] = told(read(n))
        data = texts[n]
        view = search.index.passages(n)
        if data is None or len(data) != view.s_end[-1]:
            continue  # written to since the index looked at it: its paragraphs lie elsewhere now
        if any([piece.note == n and p in piece.keys for piece in made]):  # noqa: C419 (a list costs the hook less)
            continue
        own = data[view.p_start[p] : view.p_end[p]]
        if own.strip() in said or says_nothing(own):
            continue
        # What was shown before still says what the others come to beside it.
        first = first or worth
        if known is not None and known(n, own):
            said.add(own.strip())
            continue
        piece = next((each for each in made if each.note == n and each.section == s), None)
        begun = piece is not None
        if piece is None:
            sections = view.sections
            cost = sections[s].cost if 0 <= s < len(sections) else passage.cost
            piece = Piece(n, s, address_of(search, n, s), cost)
        room = left - (0 if begun else label_cost(piece.line) + 6)
        if not _fill(piece, search, view, data, p, room, first=not made):
            continue
        if characters + len(piece.text) > MOST_CHARACTERS:
            break
        characters += len(piece.text)
        said.add(own.strip())
        left -= piece.shown + label_cost(piece.line)
        if not begun:
            made.append(piece)
    return made


def _fill(piece: Piece, search: Search, view: Passages, data: bytes, p: int, room: int, *, first: bool) -> bool:
    """Put paragraph `p`, and what comes with it, into the piece; False when it does not fit in `room` tokens."""
    inside = [each for each in range(view.count) if view.p_section[each] == piece.section + 1]
    small = SMALL if first else SMALL_NEXT
    together = [p]
    if piece.cost <= small and piece.cost <= room and not piece.keys:
        together = inside
    else:
        around = _with_it(view, data, p)
        if sum([view.p_cost[each] for each in around]) <= room:
            together = around
    price = sum([view.p_cost[each] for each in together if each not in piece.keys])
    runs: dict[int, Runs] = {}
    most = LONG if first else LONG_NEXT
    if together != inside and view.p_cost[p] > most and not piece.keys:
        begin = view.p_start[p]
        found, cut = excerpt(data[begin : view.p_end[p]], view.p_cost[p], search.weighed.wide, min(room, most))
        if found:
            together, price, runs = [p], cut, {p: [(begin + a, begin + b) for a, b in found]}
    if price > room:
        if room < _LEAST:
            return False
        begin = view.p_start[p]
        found, price = excerpt(data[begin : view.p_end[p]], view.p_cost[p], search.weighed.wide, room)
        if not found:
            return False
        together, runs = [p], {p: [(begin + a, begin + b) for a, b in found]}
    piece.shown += price
    piece.keys = sorted({*piece.keys, *together})
    piece.whole = not runs and len(piece.keys) == len(inside)
    _write(piece, view, data, runs)
    return True


def _write(piece: Piece, view: Passages, data: bytes, runs: dict[int, Runs]) -> None:
    """Write the piece's text: its paragraphs, with a mark where some are left out between them or lines are cut."""
    lines: list[str] = []
    before = -1
    piece.spans = []
    piece.paragraphs = [data[view.p_start[p] : view.p_end[p]] for p in piece.keys]
    for p in piece.keys:
        begin, end = view.p_start[p], view.p_end[p]
        at = begin
        for start, stop in runs.get(p, [(begin, end)]):
            if start > at or (before >= 0 and p > before + 1 and at == begin):
                lines.append(CUT)
            elif before >= 0 and at == begin:
                lines.append("")
            lines.append(shown(data, begin, end, start, stop))
            piece.spans.append((start, stop))
            at = stop + 2
        if at < end:
            lines.append(CUT)
        before = p
    piece.text = "\n".join(lines)


def _with_it(view: Passages, data: bytes, p: int) -> list[int]:
    """Return paragraph `p` with those of its section that lead to it or that it leads to, and those that turn on it."""
    owner, begins, ends = view.p_section, view.p_start, view.p_end

    def text(i: int) -> bytes:
        return data[begins[i] : ends[i]]

    def here(i: int) -> bool:
        return 0 <= i < view.count and owner[i] == owner[p]

    first = last = p
    while p - first < _AROUND and here(first - 1) and (turns_on(text(first)) or leads_on(text(first - 1))):
        first -= 1
    while last - p < _AROUND and here(last + 1) and (leads_on(text(last)) or turns_on(text(last + 1))):
        last += 1
    return list(range(first, last + 1))
