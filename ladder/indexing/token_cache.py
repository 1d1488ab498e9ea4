r"""Counts the tokens of many texts: exactly, but each stretch between two words only the first time it is met.

cl100k_base cuts a text by a pattern before it looks for tokens. Whatever stands around it, the pattern cuts before a
space that follows a printable ASCII character, and between a line end and a printable ASCII character: no branch of it
matches over either place, and none looks back. So the tokens of a text are those of the stretches between such places
added up, and most stretches are a space and a word that was met before. (Two branches look ahead, `\s+(?!\S)` and
`\s++$`. They see the same in a stretch as in the text: it ends in a printable character, or in a line end up to which
`\s*[\r\n]` takes all white space, or with its text.)
"""

from collections.abc import Callable, Sequence

import numpy as np

from ladder.indexing.hash_table import PADDING, UNKNOWN, KeyTable, keys_of

_PRINTABLE = bytes(int(0x20 < code < 0x7F) for code in range(256))
_LINE_END = bytes(int(code in b"\r\n") for code in range(256))
_SPACE = np.uint8(0x20)


class ChunkCounts:
    """Remembers the tokens of stretches; lives as long as the process."""

    def __init__(self, encode: Callable[[str], Sequence[int]]) -> None:
        """`encode` gives the tokens of a text, special ones as ordinary text."""
        self._encode = encode
        self._known = KeyTable()

    def count(self, texts: Sequence[bytes]) -> list[int]:
        """Tokens of each text; bytes that are no UTF-8 count as U+FFFD, text by text."""
        found = [0] * len(texts)
        plain = [i for i, text in enumerate(texts) if text and b"\0" not in text]
        joined = b"".join([texts[i] for i in plain])
        begins = np.zeros(len(plain) + 1, np.int64)
        np.cumsum([len(texts[i]) for i in plain], out=begins[1:])
        codes = np.frombuffer(joined + PADDING, np.uint8)
        if not _is_utf8(joined) or (codes[begins[:-1]] & 0xC0 == 0x80).any():
            return [self._one(text) for text in texts]
        if plain:
            for i, tokens in zip(plain, self._counted(joined, begins), strict=True):
                found[i] = tokens
        for i, text in enumerate(texts):
            if b"\0" in text:
                found[i] = self._one(text)
        return found

    def _one(self, text: bytes) -> int:
        return len(self._encode(text.decode("utf-8", "replace")))

    def _counted(self, joined: bytes, begins: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> list[int]:
        text = joined + PADDING
        codes = np.frombuffer(text, np.uint8)[: len(joined)]
        printable = np.frombuffer(joined.translate(_PRINTABLE), np.bool_)
        line_end = np.frombuffer(joined.translate(_LINE_END), np.bool_)
        border = np.zeros(len(joined), np.bool_)
        border[1:] = printable[:-1] & (codes[1:] == _SPACE) | line_end[:-1] & printable[1:]
        border[begins[:-1]] = True
        starts = np.flatnonzero(border)
        keys = keys_of(text, starts, np.diff(starts, append=len(joined)))
        counts = self._known.find(keys)
        missing = np.flatnonzero(counts == UNKNOWN)
        if len(missing):
            new, first = np.unique(keys[missing], return_index=True)
            at = missing[first]
            ends = np.append(starts, len(joined))[at + 1]
            encode = self._encode
            fresh = [len(encode(joined[a:b].decode())) for a, b in zip(starts[at].tolist(), ends.tolist(), strict=True)]
            self._known.keep(new, np.array(fresh, np.uint32))
            counts[missing] = self._known.find(keys[missing])
        totals = np.append(0, np.cumsum(counts, dtype=np.int64))
        found: list[int] = np.diff(totals[np.searchsorted(starts, begins)]).tolist()
        return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
