"""What counts as a word when a reply is held against a note's line."""

import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterator
from functools import lru_cache

# Runs of letters and digits; scripts written without spaces give pairs of characters instead of whole runs.
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")

_FUNCTION_WORDS = (
    "a about above after again all also am an and any are as at be because been before being below between both "
    "but by can could did do does doing don down during each few for from further get got had has have having he "
    "her here hers him his how i if in into is it its itself just let like ll may me might more most must my no "
    "nor not now of off on once one only or other our out over own re same shall she should so some such than that "
    "the their them then there these they this those through to too under until up us use used using ve very was "
    "we well were what when where which while who whom why will with would yes yet you your"
)
STOP = frozenset(_FUNCTION_WORDS.split())
"""English function words: never uncommon in any conversation, so they are no evidence in a short one either."""


_SEPARATED = bytes(c if c >= 0x80 or chr(c).isalnum() else 0x20 for c in range(256)).lower()


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text: case-folded, compatibility forms united, function words left out."""
    found = set(text.encode("utf-8", "replace").translate(_SEPARATED).decode("utf-8").split())
    if not text.isascii():
        for token in [token for token in found if not token.isascii()]:
            found.remove(token)
            found.update(_beyond_ascii(token))
    return frozenset(found - STOP)


def loose_words(text: str) -> set[bytes]:
    """Return the words of a long text, fast: cut at all of ASCII that is no letter or digit, ASCII in lower case.

    Equal to `words` on ASCII text, function words aside; beyond ASCII it is where `words` begins.
    """
    return set(text.encode("utf-8", "replace").translate(_SEPARATED).split())


def _beyond_ascii(token: str) -> Iterator[str]:
    for word in _WORD.findall(unicodedata.normalize("NFKC", token).casefold()):
        if _UNSPACED.search(word):
            yield from _pairs(word)
        else:
            yield word


@lru_cache(maxsize=200_000)
def line_words(line: str) -> frozenset[str]:
    """Return `words(line)`, remembered: the same notes are read again and again."""
    return words(line)


def short_key(text: str) -> str:
    """Return eight bytes of a text's hash, as hex: enough to know a copy of a record or a line by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@lru_cache(maxsize=500_000)
def number(word: str) -> int:
    """Return the number that stands for a word where only its frequency matters (32 bits).

    What is kept on disk of all words of a conversation is these numbers: they count as well as the words and say less.
    """
    return zlib.crc32(word.encode("utf-8", "replace"))


def _pairs(run: str) -> list[str]:
    """Cut 認証システムv2 into its overlapping pairs of characters, and what is written with spaces as it is."""
    found: list[str] = []
    at = 0
    for match in _UNSPACED.finditer(run):
        if match.start() > at:
            found.append(run[at : match.start()])
        piece = match.group()
        found.extend([piece[i : i + 2] for i in range(len(piece) - 1)] or [piece])
        at = match.end()
    if at < len(run):
        found.append(run[at:])
    return found
