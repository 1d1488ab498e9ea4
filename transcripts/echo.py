"""What words an agent used in a turn: from when on, and in which paragraphs."""

import re
from collections.abc import Iterable

from transcripts.words import words

PARAGRAPH_LINES = 12
PLACES = 60
"""Paragraphs kept for a word."""
_BLANK = re.compile(r"\n[ \t\r]*\n")


class Echo:
    """The words of a turn's texts of one kind, which come with the number of the event that each is."""

    def __init__(self, texts: Iterable[tuple[int, str]], *, where: bool) -> None:
        """`where`: keep steps and paragraphs too; a turn that read no note needs only the words."""
        self.first: dict[str, int] = {}
        """The event in which a word first stood: before it, it cannot be an echo."""
        self._places: dict[str, list[int]] = {}
        if not where:
            self.words = words("\n".join(text for _, text in texts))
            return
        number = 0
        for step, text in texts:
            for block in _BLANK.split(text):
                lines = block.split("\n")
                for start in range(0, len(lines), PARAGRAPH_LINES):
                    for word in words("\n".join(lines[start : start + PARAGRAPH_LINES])):
                        self._places.setdefault(word, []).append(number)
                        self.first.setdefault(word, step)
                    number += 1
        self.words = frozenset(self.first)

    def places(self, wanted: Iterable[str]) -> dict[str, list[int]]:
        """Return the paragraphs of each wanted word, counted from 0: what blank lines part, at most twelve lines."""
        return {word: self._places[word][:PLACES] for word in sorted(wanted)}
