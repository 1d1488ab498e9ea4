"""Slugs: the part after `#` in `note#slug`. Computed here and nowhere else."""

import datetime as dt
import re
import unicodedata

#: What `note#head` says.
HEAD_SLUG = "head"
_LONGEST = 60  # characters
_ENTRY_WORDS = 6
_OTHER = re.compile(r"[^\w]+|_+(?=\W|$)")


def slug_of(text: str) -> str:
    """`text` as a slug: lower case, letters and digits of any script, hyphens between; "section" when none is left."""
    if text.isascii():
        lowered = text.lower()
    else:
        lowered = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    slug = _OTHER.sub("-", lowered).strip("-")
    if len(slug) > _LONGEST:
        cut = slug.rfind("-", 0, _LONGEST + 1)
        slug = slug[: cut if cut > _LONGEST // 2 else _LONGEST].strip("-")
    return slug or "section"


def entry_slug(date: dt.date | None, title: str) -> str:
    """`2026-09-02-canary-abort`: the day, then the first six words of the title."""
    words = " ".join(title.split()[:_ENTRY_WORDS])
    if date is None:
        return slug_of(words or "entry")
    slug = slug_of(words)
    return (
        date.isoformat()
        if slug == "section" and not words.casefold().startswith("section")
        else f"{date.isoformat()}-{slug}"
    )


class Slugs:
    """Hands out slugs so that no two are alike: `foo`, `foo-1`, `foo-2`."""

    __slots__ = ("_next", "_taken")

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, slug: str) -> str:
        """`slug`, or `slug-N` with the smallest N from 1 that is free."""
        if slug not in self._taken:
            self._taken.add(slug)
            return slug
        number = self._next.get(slug, 1)
        while f"{slug}-{number}" in self._taken:
            number += 1
        self._next[slug] = number + 1
        self._taken.add(f"{slug}-{number}")
        return f"{slug}-{number}"
