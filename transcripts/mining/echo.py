"""What words an agent used in a turn: from when on, and in which paragraphs."""

import re
from collections.abc import Iterable
from functools import cached_property

from transcripts.logs.words import STOP, numbers, tokens, words_of_lines

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
        self._texts = [(step, text, frozenset(tokens(text))) for step, text in texts]
        self._passed = 0

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Each word once."""
        return tuple(frozenset[str]().union(*(present for _, _, present in self._texts)) - STOP)

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of `words`, in their order."""
        return numbers(self.words)

    def before(self, step: int) -> list[frozenset[str]]:
        """Return the words of the texts before event `step` that no call before has returned: they are no echo now."""
        start = self._passed
        while self._passed < len(self._texts) and self._texts[self._passed][0] < step:
            self._passed += 1
        return [present for _, _, present in self._texts[start : self._passed]]

    def places(self, wanted: frozenset[str]) -> dict[str, list[int]]:
        """Return the paragraphs of each wanted word, as numbers that stand for no more than themselves.

        A paragraph is what blank lines part, at most twelve lines; one with fewer than three wanted words is left out.
        """
        found: dict[str, list[int]] = {}
        number = 0
        for _, text, present in self._texts:
            here = wanted & present
            if len(here) < TOGETHER:
                continue
            paragraphs = list(_paragraphs(text))
            parts = [here] if len(paragraphs) == 1 else map(here.intersection, words_of_lines(paragraphs))
            for part in parts:
                if len(part) >= TOGETHER:
                    for word in part:
                        found.setdefault(word, []).append(number)
                    number += 1
        return {word: found[word][:PLACES] for word in sorted(found)}


def _paragraphs(text: str) -> Iterable[str]:
    """Yield a text's paragraphs, each as one line."""
    for block in _BLANK.split(text):
        lines = block.split("\n")
        for start in range(0, len(lines), PARAGRAPH_LINES):
            yield " ".join(lines[start : start + PARAGRAPH_LINES])
