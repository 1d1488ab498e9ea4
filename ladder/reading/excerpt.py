"""A paragraph that does not fit is shown in part: the lines of it that hold most of what was asked.

A list of forty rules, a table or a listing is one paragraph, and often one line of it is the answer. Whole lines only,
since a line is what is looked for and quoted.
"""

from __future__ import annotations

from ladder.text.tokenizer import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Factor on an excerpt's share of the paragraph's bytes: lines differ in tokens, and the marks of cuts cost some.
_RATE = 1.15
_MORE = 3
#: Share of what the paragraph holds of the question's weight that must be in the lines shown.
EXCERPT_SHARE = 0.6
#: Of the runs that hold nearly as much as the best one, the shortest is shown.
EXCERPT_NEAR = 0.9


def excerpt(text: bytes, cost: int, weights: Mapping[str, float], room: int) -> tuple[list[tuple[int, int]], int]:
    """Return the byte ranges of the lines of paragraph `text` to show for at most `room` tokens, and their cost.

    `cost` is that of all of `text`; `weights` is term -> weight. One run of lines, before it the head of a table. No
    ranges when no run that fits holds most of what the paragraph holds.
    """
    lines: list[tuple[int, int]] = []
    at = 0
    for line in text.split(b"\n" if b"\n" in text else b"\r"):
        lines.append((at, at + len(line.rstrip(b"\r"))))
        at += len(line) + 1
    rate = cost * _RATE / max(len(text), 1)
    head = _head_of_table(text, lines)
    room -= _MORE + int(rate * (lines[head - 1][1] if head else 0)) + 1
    held: list[dict[str, float]] = []
    every: dict[str, float] = {}
    for start, end in lines[head:]:
        found = {term: weights[term] for term in terms(text[start:end].decode("utf-8", "replace")) if term in weights}
        held.append(found)
        every.update(found)
    runs = _runs(held, lines[head:], rate, room)
    most = max([value for value, _, _ in runs], default=0.0)
    if not most or most < EXCERPT_SHARE * sum(every.values()):
        return [], 0
    _, run = min([(size, run) for value, size, run in runs if value >= EXCERPT_NEAR * most])
    whole = [(0, lines[head - 1][1]), run] if head else [run]
    return whole, int(rate * sum([b - a for a, b in whole])) + _MORE + 1


def _runs(
    held: list[dict[str, float]], lines: list[tuple[int, int]], rate: float, room: float
) -> list[tuple[float, float, tuple[int, int]]]:
    """The weight, tokens and bytes of each run of lines that fits, begins and ends with a line that holds something."""
    found = []
    for first in range(len(held)):
        together: dict[str, float] = {}
        for last in range(first, len(held) if held[first] else 0):
            size = rate * (lines[last][1] - lines[first][0])
            if size > room:
                break
            if held[last]:
                together.update(held[last])
                found.append((sum(together.values()), size, (lines[first][0], lines[last][1])))
    return found


def _head_of_table(text: bytes, lines: list[tuple[int, int]]) -> int:
    """How many lines at the top are a table's head: two, else none."""
    if len(lines) < 3 or text.lstrip()[:1] != b"|":
        return 0
    ruler = text[lines[1][0] : lines[1][1]]
    return 2 if ruler.strip() and not ruler.strip(b"|-: \t") else 0
