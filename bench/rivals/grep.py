"""An inverted index of lines, so that a replay can imitate grep over fifty million tokens quickly."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bench.rivals.pieces import order_of
from ladder.indexing.hash_table import PADDING, U32, U64, UNKNOWN, KeyTable, Places, keys_of
from ladder.indexing.term_counts import sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WORD = re.compile(r"\w{3,}")

#: Bytes of notes that are cut at a time.
PORTION = 1 << 19
#: Least bytes of a word. A word is `\w` in ASCII, in lower case; all else is a space.
_SHORTEST = 3
_LOWER = bytes(code if chr(code).isalnum() or code == ord("_") else 32 for code in bytes(range(128)).lower()).ljust(256)


class Lines:
    """All lines of all notes in file order, and for each lower-case word the numbers of the lines that hold it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Take the notes by name."""
        self._files = files
        self._names = list(files)
        self._table = KeyTable()
        self._words = 0
        starts: list[Places] = []
        words: list[U32] = []
        lines: list[Places] = []
        counts: list[int] = []
        portion: list[bytes] = []
        for data in files.values():
            portion.append(data)
            if sum(map(len, portion)) >= PORTION:
                self._add(portion, starts, words, lines, counts)
                portion = []
        self._add(portion, starts, words, lines, counts)
        #: The number of each note's first line, and of the one behind the last; where each line begins in its note.
        self._at: list[int] = sums(counts).tolist()
        self._starts = np.concatenate(starts)
        all_words, all_lines = np.concatenate(words), np.concatenate(lines)
        order = order_of(all_words)
        held, where = all_words[order], all_lines[order]
        once = np.ones(len(held), np.bool_)
        once[1:] = (held[1:] != held[:-1]) | (where[1:] != where[:-1])
        self._lines = where[once]
        self._begins = sums(np.bincount(held[once], minlength=self._words))

    def _add(
        self, notes: Sequence[bytes], starts: list[Places], words: list[U32], lines: list[Places], counts: list[int]
    ) -> None:
        """Note where lines begin, and which word stands in which line, for notes that follow those before."""
        first = sum(map(len, starts))
        text = b"\n".join([*notes, PADDING])
        codes = np.frombuffer(text, np.uint8)
        begins = np.concatenate(([0], np.flatnonzero(codes == ord("\n")) + 1))[:-1]  # without the padding's
        of_note = sums([len(data) + 1 for data in notes])
        own = np.searchsorted(begins, of_note)
        counts += np.diff(own).tolist()
        starts.append(begins - np.repeat(of_note[:-1], np.diff(own)))
        # Only lines in ASCII are cut here; the others have letters that numpy does not know.
        ends = np.append(begins[1:], of_note[-1])
        odd = np.unique(np.searchsorted(begins, np.flatnonzero(codes >= 0x80), "right") - 1)
        lower = bytearray(text.translate(_LOWER))
        found: list[tuple[int, list[str]]] = []
        for i in odd.tolist():
            begin, end = int(begins[i]), int(ends[i])
            found.append((i, words_of(text[begin:end].decode("utf-8", "replace"))))
            lower[begin:end] = b" " * (end - begin)
        plain = bytes(lower)
        keys, places = _keys(plain)
        words.append(self._numbers(keys))
        lines.append(np.searchsorted(begins, places, "right") - 1 + first)
        if found:
            keys = _keys_of_words([word for _, own_words in found for word in own_words])
            words.append(self._numbers(keys))
            lines.append(np.repeat([i + first for i, _ in found], [len(own_words) for _, own_words in found]))

    def _numbers(self, keys: U64) -> U32:
        """The words' numbers; new ones for new words."""
        found = self._table.find(keys)
        missing = np.flatnonzero(found == UNKNOWN)
        if len(missing):
            new = np.unique(keys[missing])
            self._table.keep(new, np.arange(self._words, self._words + len(new), dtype=np.uint32))
            self._words += len(new)
            found[missing] = self._table.find(keys[missing])
        return found

    def _holding(self, word: str) -> Places:
        """The lines that hold the word, ascending."""
        number = int(self._table.find(_keys_of_words([word]))[0])
        return self._lines[:0] if number == UNKNOWN else self._lines[self._begins[number] : self._begins[number + 1]]

    def rarest(self, words: Iterable[str], k: int) -> list[str]:
        """The k words that stand on the fewest lines, at least on one; ties alphabetically."""
        known = [(len(self._holding(word)), word) for word in set(words)]
        return [word for count, word in sorted(known) if count][:k]

    def grep(self, words: Iterable[str], limit: int) -> tuple[str, list[str]]:
        """What `grep -rniwE 'a|b'` prints, cut at `limit` characters before a line, and the notes that stand in it."""
        most = limit // (len(".md:1:") + _SHORTEST) + 2  # this many lines fill it for certain
        parts = [self._holding(word)[:most] for word in words]
        numbers: list[int] = np.sort(np.concatenate(parts)).tolist() if parts else []
        rows: list[str] = []
        names: dict[str, None] = {}
        length = 0
        for before, at in pairwise((-1, *numbers)):
            if at == before:
                continue
            note = bisect_right(self._at, at) - 1
            name, number = self._names[note], at - self._at[note] + 1
            row = f"{name}.md:{number}:{self._line(note, at)}"
            length += len(row) + 1
            if length > limit:
                break
            rows.append(row)
            names[name] = None
        return "\n".join(rows), list(names)

    def _line(self, note: int, at: int) -> str:
        data = self._files[self._names[note]]
        begin = int(self._starts[at])
        end = int(self._starts[at + 1]) - 1 if at + 1 < self._at[note + 1] else len(data)
        return data[begin:end].decode("utf-8", "replace").rstrip("\r")


def _keys(lower: bytes) -> tuple[U64, Places]:
    """The key of each word, and where it begins."""
    inside = np.frombuffer(lower, np.uint8) != ord(" ")
    borders = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    begins, sizes = borders[::2], np.diff(borders)[::2]
    long = sizes >= _SHORTEST
    begins, sizes = begins[long], sizes[long]
    return keys_of(lower + PADDING, begins, sizes), begins


def _keys_of_words(words: Sequence[str]) -> U64:
    data = [word.encode() for word in words]
    sizes: npt.NDArray[np.int64] = np.fromiter(map(len, data), np.int64, len(data))
    return keys_of(b"".join((*data, PADDING)), sums(sizes)[:-1], sizes)


def words_of(text: str) -> list[str]:
    """Lower-case words of three characters or more, as a person would give them to grep."""
    return WORD.findall(text.lower())
