"""A hash table in numpy from short byte strings to numbers, for millions of look-ups at a time.

A string is known by a 64-bit key, read eight bytes at a time out of the text in which it stands. Keys of strings up to
eight bytes are one to one; of longer ones, two of a million would share a key once in some thirty million such tables.
"""

import numpy as np
import numpy.typing as npt

from ladder.index.format import checksum

U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

#: What a text must end with before keys are read out of it.
PADDING = bytes(8)
#: The value of a key that is not in the table.
UNKNOWN = 0xFFFFFFFF
#: _LOW_BYTES[n] keeps the first n bytes of eight, as this machine reads them.
_LOW_BYTES = np.frombuffer(b"".join(b"\xff" * n + bytes(8 - n) for n in range(9)), np.uint64)
#: Odd numbers with well spread bits (MurmurHash3's last step, Appleby 2011).
_SPREAD, _SPREAD_AGAIN = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_HALF = np.uint64(32)
#: Longer strings are hashed one by one.
_LONG = 512


class KeyTable:
    """Keys and their values, both arrays; never more than half full."""

    def __init__(self) -> None:
        """Begin without keys."""
        self._bits = 14
        self._held = 0
        self._keys: U64 = np.zeros(1 << self._bits, np.uint64)
        self._values: U32 = np.full(1 << self._bits, UNKNOWN, np.uint32)

    def find(self, keys: U64) -> U32:
        """The keys' values; UNKNOWN for new ones."""
        slots = (keys >> np.uint64(64 - self._bits)).astype(np.int64)
        there = self._keys[slots]
        wrong = np.flatnonzero((there != keys) & (there != 0))
        while len(wrong):
            slots[wrong] = (slots[wrong] + 1) & (len(self._keys) - 1)
            there = self._keys[slots[wrong]]
            wrong = wrong[(there != keys[wrong]) & (there != 0)]
        return self._values[slots]

    def keep(self, keys: U64, values: U32) -> None:
        """Put in keys that are all different and not there yet."""
        self._held += len(keys)
        if self._held * 2 > 1 << self._bits:
            held = np.flatnonzero(self._keys)
            keys, values = np.concatenate((self._keys[held], keys)), np.concatenate((self._values[held], values))
            while self._held * 2 > 1 << self._bits:
                self._bits += 2
            self._keys = np.zeros(1 << self._bits, np.uint64)
            self._values = np.full(1 << self._bits, UNKNOWN, np.uint32)
        slots = (keys >> np.uint64(64 - self._bits)).astype(np.int64)
        left = np.arange(len(keys))
        while len(left):
            free = left[self._keys[slots[left]] == 0]
            self._keys[slots[free]] = keys[free]  # of two that want the same slot the last one has it
            placed = self._keys[slots[left]] == keys[left]
            self._values[slots[left[placed]]] = values[left[placed]]
            left = left[~placed]
            slots[left] = (slots[left] + 1) & (len(self._keys) - 1)


def keys_of(text: bytes, starts: Places, sizes: Places) -> U64:
    """A key, never 0, for each of the strings in `text`, which ends with PADDING; no string holds a zero byte."""
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
