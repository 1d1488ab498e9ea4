"""Finds the terms of a whole text at once, with numpy: what tokenise.byte_terms does word by word.

A raw word becomes a 64-bit key, read eight bytes at a time out of the text; a hash table of keys knows the raw words
met so far, and only a new one is cut into terms (tokenise.cut). Keys of words up to eight bytes are one to one; of
longer ones, two of a million would share a key once in some thirty million such vocabularies.
"""

from array import array
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ladder.coldformat import checksum, term_hash
from ladder.tokenise import SPACES, cut

U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

_INSIDE = bytes(int(code != 32) for code in SPACES)
#: _LOW_BYTES[n] keeps the first n bytes of eight, as this machine reads them.
_LOW_BYTES = np.frombuffer(b"".join(b"\xff" * n + bytes(8 - n) for n in range(9)), np.uint64)
#: Odd numbers with well spread bits (MurmurHash3's last step, Appleby 2011).
_SPREAD, _SPREAD_AGAIN = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(32)
#: Longer raw words are hashed one by one.
_LONG = 512
_UNKNOWN = 0xFFFFFFFF


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
        self._bits = 14
        self._keys: U64 = np.zeros(1 << self._bits, np.uint64)
        self._numbers: U32 = np.full(1 << self._bits, _UNKNOWN, np.uint32)
        self._terms = array("I")
        self._begins = array("I", [0])

    def number(self, word: str) -> int:
        """The number of a term; a new one when it was not met before."""
        found = self._ids.get(word)
        if found is None:
            found = self._ids[word] = len(self.words)
            self.words.append(word)
            self.hashes.append(term_hash(word))
        return found

    def read(self, text: bytes) -> Text:
        """The raw words of UTF-8 text, which must begin with a space and end with eight; new ones are cut and kept."""
        # A border wherever what a word may hold begins or ends.
        inside = np.frombuffer(text.translate(_INSIDE), np.bool_)
        borders = np.flatnonzero(inside[1:] != inside[:-1])
        borders += 1
        starts, sizes = borders[::2], borders[1::2] - borders[::2]
        keys = _keys(text, starts, sizes)
        found = self._find(keys)
        missing = np.flatnonzero(found == _UNKNOWN)
        if len(missing):
            new, first = np.unique(keys[missing], return_index=True)
            order = np.argsort(first)
            at = missing[first[order]]
            begin = len(self._begins) - 1
            ids, terms, begins = self._ids, self._terms, self._begins
            for start, size in zip(starts[at].tolist(), sizes[at].tolist(), strict=True):
                for term in cut(text[start : start + size]):
                    terms.append(ids[term] if term in ids else self.number(term))
                begins.append(len(terms))
            self._keep(new[order], np.arange(begin, begin + len(new), dtype=np.uint32))
            found[missing] = self._find(keys[missing])
        return Text(starts, found)

    def terms(self) -> tuple[U32, U32]:
        """The terms of all raw words, and where each raw word's begin (and the last one's end); copies."""
        return np.array(self._terms, np.uint32), np.array(self._begins, np.uint32)

    def _find(self, keys: U64) -> U32:
        """Numbers of raw words; _UNKNOWN for new ones."""
        slots = (keys >> np.uint64(64 - self._bits)).astype(np.int64)
        there = self._keys[slots]
        wrong = np.flatnonzero((there != keys) & (there != 0))
        while len(wrong):
            slots[wrong] = (slots[wrong] + 1) & (len(self._keys) - 1)
            there = self._keys[slots[wrong]]
            wrong = wrong[(there != keys[wrong]) & (there != 0)]
        return self._numbers[slots]

    def _keep(self, keys: U64, numbers: U32) -> None:
        """Put new keys into the table, which is never more than half full."""
        if len(self._begins) * 2 > len(self._keys):
            held = np.flatnonzero(self._keys)
            keys, numbers = np.concatenate((self._keys[held], keys)), np.concatenate((self._numbers[held], numbers))
            while len(self._begins) * 2 > 1 << self._bits:
                self._bits += 2
            self._keys = np.zeros(1 << self._bits, np.uint64)
            self._numbers = np.full(1 << self._bits, _UNKNOWN, np.uint32)
        slots = (keys >> np.uint64(64 - self._bits)).astype(np.int64)
        left = np.arange(len(keys))
        while len(left):
            free = left[self._keys[slots[left]] == 0]
            self._keys[slots[free]] = keys[free]  # of two that want the same slot the last one has it
            placed = self._keys[slots[left]] == keys[left]
            self._numbers[slots[left[placed]]] = numbers[left[placed]]
            left = left[~placed]
            slots[left] = (slots[left] + 1) & (len(self._keys) - 1)


def _keys(text: bytes, starts: Places, sizes: Places) -> U64:
    """A 64-bit number for each raw word, never 0."""
    eight = np.ndarray((len(text) - 7,), np.uint64, text, strides=(1,))
    keys: U64 = eight[starts] & _LOW_BYTES[np.minimum(sizes, 8)]
    keys *= _SPREAD
    keys ^= keys >> _HALF
    longer = np.flatnonzero(sizes > 8)
    huge = longer[sizes[longer] > _LONG]
    for at in huge.tolist():
        start = int(starts[at])
        keys[at] = int.from_bytes(checksum(text[start : start + int(sizes[at])]), "little")
    if len(huge):
        longer = longer[sizes[longer] <= _LONG]
    done = 8
    while len(longer):
        more = eight[starts[longer] + done] & _LOW_BYTES[np.minimum(sizes[longer] - done, 8)]
        more += keys[longer]
        more *= _SPREAD_AGAIN
        more ^= more >> _HALF
        keys[longer] = more
        done += 8
        longer = longer[sizes[longer] > done]
    keys *= _SPREAD
    return np.maximum(keys, np.uint64(1))
