"""Which lines of a read can be evidence: neither blank nor a title, a heading or a private key."""

import re
from collections.abc import Iterator
from functools import lru_cache

from transcripts.logs.tool_reads import Read
from transcripts.logs.words import words_of_lines

ENOUGH = 3
"""Words of a line that must come back."""
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_RULES = ("=", "-", " ", "\t")
"""How the line under a heading ends."""
_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY")
_TITLE = re.compile(r"(?:title|name)\s*:", re.IGNORECASE)


@lru_cache(maxsize=256)
def _body(lines: tuple[str, ...], first: int) -> tuple[tuple[int, str, str, list[str]], ...]:
    found = list(body_lines(lines, first))
    cut = words_of_lines([text for _, _, text in found])
    return tuple((*line, its) for line, its in zip(found, cut, strict=True) if len(its) >= ENOUGH) if found else ()


def body(read: Read) -> tuple[tuple[int, str, str, list[str]], ...]:
    """Return number, heading above, text and words of each line of a read, remembered: notes are read again and again.

    Blank lines, titles, headings, private keys and lines of fewer than three words are left out.
    """
    return _body(read.lines, read.first)


def body_lines(lines: tuple[str, ...], start: int) -> Iterator[tuple[int, str, str]]:
    """Yield number, heading above and text of each line; `start` is the number of the first one, 0 when unknown."""
    heading = ""
    fenced = key = False
    front = start <= 1 and bool(lines) and lines[0].rstrip() == "---"
    for index, raw in enumerate(lines):
        text = raw.strip()
        if key or ("-----BEGIN" in text and _KEY.search(text)):
            key = "-----END" not in text
            continue
        if front:
            front = not index or text not in ("---", "...")
            if index and front and text and not _TITLE.match(text):
                yield (start + index if start else 0), "", text
            continue
        if text.startswith(("```", "~~~")):
            fenced = not fenced
        if not text:
            continue
        if not fenced:
            if text[0] == "#" and _HEADING.match(raw):
                heading = text.strip("#").strip()
                continue
            following = lines[index + 1] if index + 1 < len(lines) else ""
            if following[-1:] in _RULES and _UNDERLINE.match(following) and not text.startswith(("-", "|")):
                heading = text
                continue
        yield (start + index if start else 0), heading, text
