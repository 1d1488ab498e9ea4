"""What is never to be mined again, kept so that the file itself gives nothing away.

A pattern is kept as salted hashes of its first word and of its words in a row, a session and a note as hashes of their
names: enough to know them by when they come again.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import orjson

from notes.atomic import write_private_lines
from transcripts.logs.locate import normal
from transcripts.turns.turn import Turn, excerpt

FILE = "forgotten.jsonl"
_WORD = re.compile(r"[^\W_]+")


class Tombstone(NamedTuple):
    """One thing that is not to come back."""

    kind: Literal["pattern", "session", "note"]
    salt: str
    first: str
    """Hash of a pattern's first word; "" for the other kinds."""
    whole: str
    """Hash of the words in a row, of the session's id, or of the note's path."""
    length: int
    """Words of a pattern; 0 for the other kinds."""


class Forgotten:
    """The tombstones of a store. Empty ones cost nothing."""

    def __init__(self, stones: Iterable[Tombstone] = ()) -> None:
        """`stones` in any order."""
        self.stones = list(stones)
        self._patterns = [stone for stone in self.stones if stone.kind == "pattern"]
        self._others = [stone for stone in self.stones if stone.kind != "pattern"]

    def __bool__(self) -> bool:
        return bool(self.stones)

    def session(self, name: str) -> bool:
        """Tell whether a session is forgotten."""
        return any(stone.kind == "session" and _hash(stone.salt, name) == stone.whole for stone in self._others)

    def note(self, path: str) -> bool:
        """Tell whether a logged path ends in the path of a forgotten note."""
        stones = [stone for stone in self._others if stone.kind == "note"]
        if not stones or not path:
            return False
        parts = normal(path).split("/")
        endings = ["/".join(parts[i:]).casefold() for i in range(len(parts))]
        return any(_hash(stone.salt, ending) == stone.whole for stone in stones for ending in endings)

    def text(self, text: str) -> bool:
        """Tell whether a forgotten pattern stands in a text."""
        if not self._patterns:
            return False
        found = _ordered(text)
        distinct = set(found)
        for stone in self._patterns:
            begins = {word for word in distinct if _hash(stone.salt, word) == stone.first}
            if begins and any(
                _hash(stone.salt, " ".join(found[i : i + stone.length])) == stone.whole
                for i, word in enumerate(found)
                if word in begins
            ):
                return True
        return False

    def left_of(self, turn: Turn) -> Turn | None:
        """Return a turn without its reads of forgotten notes; None when a forgotten pattern stands in it."""
        if not self.stones:
            return turn
        if self._patterns and any(self.text(text) for text in _kept(turn)):
            return None
        return turn._replace(reads=tuple(read for read in turn.reads if not self.note(read.path)))


NOTHING = Forgotten()
"""Nothing was forgotten."""


def pattern_stones(pattern: str, texts: Iterable[str]) -> list[Tombstone]:
    """Return tombstones for a pattern, and for the whole words around it wherever it stands in `texts`.

    A pattern may be a part of a word: what comes again is then known by the words that it was found in.
    """
    wanted = {tuple(_ordered(pattern))}
    inside = re.compile(rf"[^\W_]*{re.escape(pattern)}[^\W_]*", re.IGNORECASE)
    for text in texts:
        wanted.update(tuple(_ordered(match.group())) for match in inside.finditer(text))
    return [_stone("pattern", words) for words in sorted(wanted) if words]


def name_stone(kind: Literal["session", "note"], name: str) -> Tombstone:
    """Return a tombstone for a session's id or a note's path."""
    return _stone(kind, (normal(name).casefold() if kind == "note" else name,))


def read_stones(folder: Path) -> Forgotten:
    """Return the tombstones of a store's folder."""
    path = folder / FILE
    if not path.exists():
        return Forgotten()
    return Forgotten(Tombstone(**orjson.loads(line)) for line in path.read_bytes().split(b"\n") if line)


def add_stones(folder: Path, stones: Iterable[Tombstone]) -> None:
    """Add tombstones to a store's folder."""
    write_private_lines(
        folder / FILE, [orjson.dumps(stone._asdict()) for stone in (*read_stones(folder).stones, *stones)]
    )


def _stone(kind: Literal["pattern", "session", "note"], words: tuple[str, ...]) -> Tombstone:
    salt = secrets.token_hex(16)
    first = _hash(salt, words[0]) if kind == "pattern" else ""
    return Tombstone(kind, salt, first, _hash(salt, " ".join(words)), len(words) if kind == "pattern" else 0)


def _hash(salt: str, text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), key=salt.encode(), digest_size=16).hexdigest()


def _ordered(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _kept(turn: Turn) -> Iterator[str]:
    yield turn.message
    for event in turn.events:
        yield excerpt(event.text) if event.kind == "result" else event.text
        if event.wrote:
            yield event.wrote
    for read in turn.reads:
        yield "\n".join(read.lines)
