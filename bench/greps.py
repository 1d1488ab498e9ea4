"""Which lines of the notes hold which words, so that grep over a million tokens takes no time in a replay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

WORD = re.compile(r"\w{3,}")


class Lines:
    """All lines of all notes in file order, and for each lower-case word the numbers of the lines that hold it."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Take the texts by note name."""
        self.rows: list[tuple[str, int, str]] = []
        self.holding: dict[str, list[int]] = {}
        for name, text in texts.items():
            for number, line in enumerate(text.split("\n"), 1):
                for word in set(words_of(line)):
                    self.holding.setdefault(word, []).append(len(self.rows))
                self.rows.append((name, number, line.rstrip("\r")))

    def rarest(self, words: Iterable[str], k: int) -> list[str]:
        """The k words that stand on the fewest lines, at least on one; ties alphabetically."""
        known = [(len(self.holding[word]), word) for word in set(words) if word in self.holding]
        return [word for _, word in sorted(known)[:k]]

    def grep(self, words: Iterable[str], limit: int) -> tuple[str, list[str]]:
        """What `grep -rniwE 'a|b'` prints, cut at `limit` characters before a line, and the notes that stand in it."""
        numbers = sorted({number for word in words for number in self.holding.get(word, [])})
        rows: list[str] = []
        names: dict[str, None] = {}
        length = 0
        for at in numbers:
            name, number, line = self.rows[at]
            row = f"{name}.md:{number}:{line}"
            length += len(row) + 1
            if length > limit:
                break
            rows.append(row)
            names[name] = None
        return "\n".join(rows), list(names)


def words_of(text: str) -> list[str]:
    """Lower-case words of three characters or more, as a person would give them to grep."""
    return WORD.findall(text.lower())
