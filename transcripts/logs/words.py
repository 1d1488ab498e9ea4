"""What counts as a word when a reply is held against a note's line."""

import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, filterfalse

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
_SEPARATED_LINES = _SEPARATED[:10] + b"\n" + _SEPARATED[11:]


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text: case-folded, compatibility forms united, function words left out."""
    return frozenset(tokens(text)) - STOP


def tokens(text: str) -> list[str]:
    """Return what `words` returns, in no order, some twice, function words among them."""
    raw = text.encode("utf-8", "replace").translate(_SEPARATED)
    return raw.decode().split() if raw.isascii() else _united(raw)


def words_of_lines(lines: Iterable[str]) -> list[list[str]]:
    """Return the words of each line, function words among them and some twice: for comparing with some that are not.

    No line may hold a line feed.
    """
    joined = "\n".join(lines).encode("utf-8", "replace").translate(_SEPARATED_LINES)
    if joined.isascii():
        return [line.split() for line in joined.decode().split("\n")]
    return [line.decode().split() if line.isascii() else _united(line) for line in joined.split(b"\n")]


def _united(raw: bytes) -> list[str]:
    """Cut a separated text, distinct words only; those beyond ASCII are cut further, compatibility forms united."""
    cut = set(raw.split())
    beyond = list(filterfalse(bytes.isascii, cut))
    cut.difference_update(beyond)
    found = b" ".join(cut).decode().split()
    found.extend(chain.from_iterable(map(_beyond_ascii, beyond)))
    return found


def words_among(text: str, wanted: frozenset[str]) -> frozenset[str]:
    """Return those of `wanted` that are among `words(text)`; function words must not be wanted."""
    if not text.isascii():
        return words(text) & wanted
    return wanted.intersection(text.encode().translate(_SEPARATED).decode().split())


def loose_words_among(text: str, wanted: frozenset[bytes]) -> frozenset[bytes]:
    """Return those of `wanted` that are words of a long text, fast.

    It is cut at all of ASCII that is no letter or digit, ASCII is put in lower case: equal to `words_among` on ASCII
    text; beyond ASCII it is where `words` begins.
    """
    return wanted.intersection(text.encode("utf-8", "replace").translate(_SEPARATED).split())


@lru_cache(maxsize=50_000)
def _beyond_ascii(token: bytes) -> tuple[str, ...]:
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", token.decode()).casefold()):
        if _UNSPACED.search(word):
            found.extend(_pairs(word))
        else:
            found.append(word)
    return tuple(found)


@lru_cache(maxsize=200_000)
def line_words(line: str) -> frozenset[str]:
    """Return `words(line)`, remembered: the same notes are read again and again."""
    return words(line)


def short_key(text: str) -> str:
    """Return eight bytes of a text's hash, as hex: enough to know a copy of a record or a line by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class _Numbers(dict[str, int]):
    """Remembers the number of each word: a look-up without a call when it is known."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[word] = zlib.crc32(word.encode("utf-8", "replace"))
        return found


_REMEMBERED = 500_000
_NUMBERS = _Numbers()


def number(word: str) -> int:
    """Return the number that stands for a word where only its frequency matters (32 bits).

    What is kept on disk of all words of a conversation is these numbers: they count as well as the words and say less.
    """
    return _NUMBERS[word]


def numbers(found: Iterable[str]) -> list[int]:
    """Return the numbers of words, in their order."""
    return list(map(_NUMBERS.__getitem__, found))


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
