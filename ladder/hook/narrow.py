"""A whole read of a long note made narrow: its head, a map with lines and costs, and what of it bears on the work.

    Of docs/deploy.md (12,400 tokens) only lines 1 to 24 come with this call (`read = "narrow"` in ladder.toml).
    Any lines come with offset and limit, all of it with a second call like this one.
    Its sections, by their lines (tokens):
    25-80 Canary (850)
    ...
    On what is being done:
    #canary
    The canary aborted because …

The client reads only the lines that the hook names and does not tell the agent so; this text does. Nothing is lost:
each section can be read by its lines, and the same call made again in the session reads the whole file.
"""

from __future__ import annotations

from ladder.hook.block import tokens_of, wrap
from ladder.index.freshness import read_file
from ladder.text.plain import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.hook.event import Moment
    from ladder.index.reader import Index, Passages

#: A note of at most this many tokens is read whole: what would take its place costs most of that.
WHOLE = 3_000
#: Tokens of the note's first lines, which hold its head; of the passages that bear on the work.
FIRST = 400
BEARING = 1_600
#: Rows of the map at most, and characters of a title in it.
ROWS = 40
_FEW = 5
_TITLE = 80
SETTING = '(`read = "narrow"` in ladder.toml)'


def narrowed(moment: Moment, index: Index, n: int, given: dict[str, object]) -> str:
    """Have a whole read of note `n` made narrow; return what the agent is told instead, "" when it stays whole."""
    row = index.note(n)
    if row.cost <= WHOLE or given.get("offset") or given.get("limit") or moment.reply.says is not None:
        return ""
    state = moment.state
    if row.name in state.opened or row.name in state.narrowed:
        return ""  # asked for again: it is wanted whole
    data = read_file(row.path)
    view = index.passages(n)
    if not data or len(data) != view.s_end[-1]:
        return ""  # written to since the index looked at it
    shown = _first(view)
    if shown + 1 >= view.count:
        return ""
    last = _line(data, view.p_end[shown] - 1)
    bearing, parts = _bearing(moment, index, n, shown)
    about = "~" if row.estimated else ""
    lines = [
        f"Of {one_line(row.name)} ({about}{row.cost} tokens) only lines 1 to {last} come with this call {SETTING}.",
        "Any lines come with offset and limit, all of it with a second call like this one.",
        "Its sections, by their lines (tokens):",
        *_map(view, data, about),
    ]
    if bearing:
        lines += ["On what is being done:", bearing]
    text = wrap(lines)
    if sum(list(view.p_cost[: shown + 1])) + tokens_of(text) >= row.cost:
        return ""  # notes of very many short sections
    state.narrow(row.name)
    state.show_passages(row.name, [data[view.p_start[p] : view.p_end[p]] for p in (*range(shown + 1), *parts)])
    moment.record["w"] = "narrow"
    moment.record["n"] = [[row.name, 1, "narrow"]]
    moment.reply.change({**given, "offset": 1, "limit": last})
    return text


def _first(view: Passages) -> int:
    """Return the last of the note's first paragraphs that come: of its first section, within FIRST tokens."""
    spent = 0
    last = 0
    for p in range(view.count):
        spent += view.p_cost[p]
        if p and (spent > FIRST or view.p_section[p] != view.p_section[0]):
            break
        last = p
    return last


def _line(data: bytes, at: int) -> int:
    """Return the number, from 1, of the line that byte `at` belongs to."""
    return data.count(b"\n", 0, max(at, 0)) + 1


def _map(view: Passages, data: bytes, about: str) -> list[str]:
    """Return a line a section; where there are too many, deeper ones, and the last, count with the one above them."""
    sections = view.sections
    deepest = 0
    for level in sorted({section.level for section in sections}):
        rows_then = sum([section.level <= level for section in sections])
        if rows_then <= ROWS or sum([section.level <= deepest for section in sections]) < _FEW:
            deepest = level
    rows: list[tuple[str, int, int]] = []  # title, first byte, tokens
    for section in sections:
        if rows and (section.level > deepest or len(rows) == ROWS):
            title, start, cost = rows[-1]
            rows[-1] = (title, start, cost + section.cost)
        else:
            rows.append((one_line(section.title)[:_TITLE], section.start, section.cost))
    ends = [start for _, start, _ in rows[1:]] + [len(data)]
    return [
        f"{_line(data, start)}-{_line(data, end - 1)} {title or '(head)'} ({about}{cost})"
        for (title, start, cost), end in zip(rows, ends)  # noqa: B905 (one for each)
    ]


def _bearing(moment: Moment, index: Index, n: int, shown: int) -> tuple[str, list[int]]:
    """Return the passages of the note, beyond its first ones, that bear on message and work; and their numbers."""
    from ladder.query.log_tail import context  # noqa: PLC0415 (few calls read a long note)
    from ladder.query.query import query  # noqa: PLC0415 (as above)
    from ladder.ranking.passages import rank_passages  # noqa: PLC0415 (as above)
    from ladder.ranking.survey import survey  # noqa: PLC0415 (as above)
    from ladder.reading.answer import spend  # noqa: PLC0415 (as above)

    if not moment.log:
        return "", []
    asked = query(context(moment.log, None, cwd=moment.cwd, now=moment.now))
    search = survey(index, asked, learned=moment.learned())
    ranked = [each for each in rank_passages(search, [n]) if each.paragraph > shown]
    block = spend(search, BEARING, [n], ranked=ranked)
    view = index.passages(n)
    parts = [p for p in range(view.count) for span in block.spans if view.p_start[p] == span.start]
    return block.text.partition("\n")[2], parts
