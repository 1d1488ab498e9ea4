"""About how many tokens a text is, where there is no vocabulary: cut as cl100k_base cuts, each piece by its kind.

The weights are what cl100k_base takes for texts of that kind; a test holds each kind within a third of the truth.
"""

import re

#: Small letters, a capital with those behind it, capitals, figures, blanks, line ends, signs, and what is not ASCII.
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[ \t]+|[\r\n]+|[!-/:-@\[-`{-~]+|[^\x00-\x7f]+|[\x00-\x1f\x7f]")
_VOWELS = re.compile(r"[aeiouyAEIOUY]")
_WORD = 8  # letters of a word that is mostly one token
_FIGURES = 3  # figures that are one token
_JOINED = 0.4  # of a token, which a sign before a word (`/srv`, `.name`) shares with it on average
_BLANKS = 80  # blanks that are one token
#: Tokens a character: its script's last character, and how many. Greek and Hebrew letters are mostly one each,
#: Cyrillic ones two a token; scripts that the vocabulary was not made from take two or three tokens a letter.
_SCRIPTS = (
    ("\u00bf", 0.7), ("\u024f", 0.9), ("\u036f", 1.0), ("\u03ff", 0.95), ("\u052f", 0.5), ("\u058f", 1.5),
    ("\u05ff", 1.0), ("\u06ff", 0.8), ("\u08ff", 1.5), ("\u097f", 1.05), ("\u0dff", 1.7), ("\u0e7f", 0.95),
    ("\u0eff", 2.0), ("\u0fff", 2.0), ("\u109f", 2.0), ("\u10ff", 1.6), ("\u11ff", 1.5), ("\u13ff", 2.8),
    ("\u1dff", 2.5), ("\u1eff", 1.1), ("\u27ff", 1.3), ("\u2fff", 2.0), ("\u30ff", 0.85), ("\u4dff", 1.5),
    ("\u9fff", 1.05), ("\uabff", 2.5), ("\ud7ff", 1.1), ("\ufdff", 1.5), ("\ufe0f", 1.5), ("\uffff", 1.2),
    ("\U0001ffff", 2.7), ("\U0010ffff", 3.0),
)  # fmt: skip
_KNOWN: dict[str, float] = {}


def rough_count(text: str) -> int:
    """About how many tokens; 0 for no text, else at least 1."""
    total = 0.0
    before = ""
    lone_sign = False
    for piece in _PIECES.findall(text):
        first = piece[0]
        if first > "\x7f":
            total += sum([_KNOWN.get(char) or _of(char) for char in piece])
        elif first.isalpha():
            total += _letters(piece, glued=before.isalnum()) - (_JOINED if lone_sign else 0)
        elif first.isdigit():
            total += (len(piece) + _FIGURES - 1) // _FIGURES
        elif first in " \t":  # the last blank belongs to the word behind it
            total += (len(piece) - 1 + _BLANKS - 1) // _BLANKS
        elif first in "\r\n":  # it belongs to the sign before it
            total += 0 if before and not before.isalnum() and before not in " \t" and before < "\x7f" else 1
        else:
            total += 1 if len(set(piece)) == 1 else (len(piece) + 1) // 2
        before = piece[-1]
        lone_sign = len(piece) == 1 and not piece.isalnum() and "!" <= piece <= "~"
    return max(round(total), 1) if text else 0


def _letters(word: str, *, glued: bool) -> float:
    """Of letters: a word, or a piece of an identifier, or letters drawn by lot, which no token holds."""
    size = len(word)
    if size <= 2:
        return 1.0 if not glued or size > 1 else 0.85
    vowels = len(_VOWELS.findall(word))
    if vowels * 5 < size:  # no word
        return size / 2
    return 1.0 if size <= _WORD else 1 + (size - _WORD) / 5


def _of(char: str) -> float:
    found = next(weight for last, weight in _SCRIPTS if char <= last)
    _KNOWN[char] = found
    return found
