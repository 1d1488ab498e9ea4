"""Finds the terms of a whole text at once, with numpy: what tokenizer.byte_terms does word by word.

A hash table (hash_table.py) knows the raw words met so far; only a new one is cut into terms (tokenizer.cut).
"""

from _imp import source_hash
from array import array
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from ladder.index.format import HASH_KEY
from ladder.indexing.hash_table import U32, U64, UNKNOWN, KeyTable, Places, keys_of
from ladder.text.tokenizer import SPACES, cut

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
        self._ids = _Numbers()
        self.words = self._ids.words
        self._hashes: U64 = np.zeros(1 << 14, np.uint64)
        self._hashed = 0
        self._raw = KeyTable()
        #: The terms of all raw words, and of each raw word where its terms begin and how many they are.
        self._terms, self._begins, self._sizes = array("I"), array("I"), array("I")

    def number(self, word: str) -> int:
        """The number of a term; a new one when it was not met before."""
        return self._ids[word]

    def known(self, word: str) -> int | None:
        """The number of a term; None when it was not met."""
        return self._ids.get(word)

    def hashes(self) -> U64:
        """The checksums of all terms, as they lie in the file; see `short_hashes`."""
        if new := self.words[self._hashed :]:
            many = len(self.words)
            if many > len(self._hashes):
                self._hashes = np.concatenate((self._hashes, np.zeros(2 * many - len(self._hashes), np.uint64)))
            found = b"".join([source_hash(HASH_KEY, word.encode("utf-8", "replace")) for word in new])
            self._hashes[self._hashed : many] = np.frombuffer(found, np.uint64)
            self._hashed = many
        return self._hashes[: self._hashed]

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
            ends = starts[at] + sizes[at]
            fresh = [cut(text[start:end]) for start, end in zip(starts[at].tolist(), ends.tolist(), strict=True)]
            counts = list(map(len, fresh))
            self._begins.extend(accumulate(counts[:-1], initial=len(self._terms)))
            self._sizes.extend(counts)
            self._terms.extend(map(self._ids.__getitem__, chain.from_iterable(fresh)))
            self._raw.keep(new[order], np.arange(begin, begin + len(new), dtype=np.uint32))
            found[missing] = self._raw.find(keys[missing])
        return Text(starts, found)

    def terms(self) -> tuple[U32, U32, U32]:
        """The terms of all raw words; of each raw word, where its terms begin and how many they are.

        These are views: while one is held, no new word can be read.
        """
        return _view(self._terms), _view(self._begins), _view(self._sizes)


class _Numbers(dict[str, int]):
    """Terms to their numbers; gives the next one to a term that it does not know."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self.words)
        self.words.append(word)
        return number


def short_hashes(hashes: U64) -> U32:
    """What format.term_hash gives: the first four bytes of each checksum as a number."""
    return hashes.view("<u8").astype(np.uint32)


def _view(numbers: "array[int]") -> U32:
    return np.frombuffer(numbers, np.uint32) if numbers else np.zeros(0, np.uint32)
