"""Finds the terms of a whole text at once, with numpy: what tokenise.byte_terms does word by word.

A hash table (keytable.py) knows the raw words met so far; only a new one is cut into terms (tokenise.cut).
"""

from array import array
from typing import NamedTuple

import numpy as np

from ladder.coldformat import term_hash
from ladder.keytable import U32, UNKNOWN, KeyTable, Places, keys_of
from ladder.tokenise import SPACES, cut

_INSIDE = bytes(int(code != 32) for code in SPACES)


class Text(NamedTuple):
    """A text cut into raw words, each known by its number."""

    starts: Places
    """Where each raw word begins."""
    words: U32
    """Its number in the vocabulary's table of raw words."""


class Vocabulary:
    """Terms by number, in the order in which they were met; lives as long as notes are prepared with it."""

    def __init__(self) -> None:
        """Begin without terms."""
        self.words: list[str] = []
        self.hashes = array("I")
        self._ids: dict[str, int] = {}
        self._raw = KeyTable()
        #: The terms of all raw words, and of each raw word where its terms begin and how many they are.
        self._terms, self._begins, self._sizes = array("I"), array("I"), array("I")

    def number(self, word: str) -> int:
        """The number of a term; a new one when it was not met before."""
        found = self._ids.get(word)
        if found is None:
            found = self._ids[word] = len(self.words)
            self.words.append(word)
            self.hashes.append(term_hash(word))
        return found

    def read(self, text: bytes) -> Text:
        """The raw words of UTF-8 text, which begins with a space and ends with PADDING; new ones are cut and kept."""
        # A border wherever what a word may hold begins or ends.
        inside = np.frombuffer(text.translate(_INSIDE), np.bool_)
        borders = np.flatnonzero(inside[1:] != inside[:-1])
        borders += 1
        starts, sizes = borders[::2], borders[1::2] - borders[::2]
        keys = keys_of(text, starts, sizes)
        found = self._raw.find(keys)
        missing = np.flatnonzero(found == UNKNOWN)
        if len(missing):
            new, first = np.unique(keys[missing], return_index=True)
            order = np.argsort(first)
            at = missing[first[order]]
            begin = len(self._begins)
            ids, terms = self._ids, self._terms
            for start, size in zip(starts[at].tolist(), sizes[at].tolist(), strict=True):
                found_terms = cut(text[start : start + size])
                self._begins.append(len(terms))
                self._sizes.append(len(found_terms))
                for term in found_terms:
                    terms.append(ids[term] if term in ids else self.number(term))
            self._raw.keep(new[order], np.arange(begin, begin + len(new), dtype=np.uint32))
            found[missing] = self._raw.find(keys[missing])
        return Text(starts, found)

    def terms(self) -> tuple[U32, U32, U32]:
        """The terms of all raw words; of each raw word, where its terms begin and how many they are.

        These are views: while one is held, no new word can be read.
        """
        return _view(self._terms), _view(self._begins), _view(self._sizes)


def _view(numbers: "array[int]") -> U32:
    return np.frombuffer(numbers, np.uint32) if numbers else np.zeros(0, np.uint32)
