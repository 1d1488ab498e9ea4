"""Which notes a block of the hook named: read back from a log when nothing else remembers it."""

from __future__ import annotations

from ladder.hook.block import CLOSE, OPEN


def notes_in_blocks(texts: list[str]) -> list[str]:
    """Return the names of the notes that stand in the hook's own blocks in `texts`, each once, in their order.

    A note's line begins with `- NAME (`; see `hookblock.note_line`.
    """
    found: dict[str, bool] = {}
    for text in texts:
        at = text.find(OPEN)
        while at >= 0:
            end = text.find(CLOSE, at)
            for line in text[at : end if end >= 0 else len(text)].split("\n"):
                at_facts = _facts_at(line) if line.startswith("- ") else -1
                if at_facts > 0:
                    found[line[2:at_facts]] = True
            at = text.find(OPEN, at + 1) if end >= 0 else -1
    return list(found)


def _facts_at(line: str) -> int:
    """Return where the facts of a note's line begin, -1 in any other, such as a bullet of a note's own text."""
    at = line.find(" (head ")
    while at >= 0:
        costs = line[at + len(" (head ") :].lstrip("~")
        digits = len(costs) - len(costs.lstrip("0123456789"))
        if digits and costs.startswith(", all ", digits):
            return at
        at = line.find(" (head ", at + 1)
    return -1
