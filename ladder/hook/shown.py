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
                if line.startswith("- ") and " (" in line:
                    found[line[2 : line.rindex(" (", 0, _facts_at(line))]] = True
            at = text.find(OPEN, at + 1) if end >= 0 else -1
    return list(found)


def _facts_at(line: str) -> int:
    """Return where the facts of a note's line begin: the name itself may hold a bracket."""
    at = line.find(" (head ")
    return at + 2 if at >= 0 else len(line)
