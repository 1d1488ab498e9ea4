"""What words an agent used in a turn: from when on, and in which paragraphs."""

import re
from collections.abc import Iterable
from functools import cached_property

from transcripts.words import numbers, words, words_among

PARAGRAPH_LINES = 12
PLACES = 60
"""Paragraphs kept for a word."""
TOGETHER = 3
"""Words of the wanted ones that a paragraph must have to be kept."""
_BLANK = re.compile(r"\n[ \t\r]*\n")


class Echo:
    """The words of a turn's texts of one kind, which come with the number of the event that each is."""

    def __init__(self, texts: Iterable[tuple[int, str]]) -> None:
        """`texts` in the order of their events."""
        self._texts = [(step, text, words(text)) for step, text in texts]

    @cached_property
    def first(self) -> dict[str, int]:
        """The event in which each word first stood: before it, it cannot be an echo."""
        found: dict[str, int] = {}
        for step, _, present in reversed(self._texts):
            found.update(dict.fromkeys(present, step))
        return found

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of all words, in the order of `first`."""
        return numbers(self.first)

    def since(self, step: int, among: frozenset[str]) -> frozenset[str]:
        """Return those of some of its words that first stood in event `step` or later."""
        first = self.first
        return frozenset([word for word in among if first[word] >= step])

    def places(self, wanted: frozenset[str]) -> dict[str, list[int]]:
        """Return the paragraphs of each wanted word, as numbers that stand for no more than themselves.

        A paragraph is what blank lines part, at most twelve lines; one with fewer than three wanted words is left out.
        """
        found: dict[str, list[int]] = {}
        number = 0
        for _, text, present in self._texts:
            if len(present & wanted) < TOGETHER:
                continue
            for block in _BLANK.split(text):
                lines = block.split("\n")
                for start in range(0, len(lines), PARAGRAPH_LINES):
                    here = words_among("\n".join(lines[start : start + PARAGRAPH_LINES]), wanted)
                    if len(here) >= TOGETHER:
                        for word in here:
                            found.setdefault(word, []).append(number)
                        number += 1
        return {word: found[word][:PLACES] for word in sorted(found)}
