"""Addresses inside a note: `slug`, `A > B`, a title, `head`. More than one answer is the reader's to settle (R8)."""

import re
import unicodedata
import urllib.parse
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from notes.markdown.slugs import slug_of


class Addressed(Protocol):
    """What an address leads to: a section, or a row of the index that says the same."""

    @property
    def slug(self) -> str:
        """Unique in the note."""

    @property
    def title(self) -> str:
        """The heading's text."""

    @property
    def path(self) -> tuple[str, ...]:
        """The titles from the top to this one."""


S = TypeVar("S", bound=Addressed)
#: What GitHub leaves out of a heading when it makes an anchor of it; spaces become hyphens there.
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}-")


def resolve(sections: Sequence[S], address: str) -> list[S]:
    """The sections that `address` may mean: none, one, or several when it is ambiguous.

    `#slug`, as everything that prints addresses writes it, is the section of that slug. A path (`14.0 > Breaking`)
    leads to the sections whose own path ends so, or holds its parts in this order. Without `#` a title goes before a
    slug: one that two sections bear is ambiguous, although the first has the plain slug. An anchor as GitHub and others
    make it (`#-goals`, `#c--c`) leads to the section that it names there, where it is no slug here.
    """
    given = address.strip()
    bare = given.removeprefix("#")
    slugged = [s for s in sections if s.slug == bare]
    if slugged and given != bare:
        return slugged
    wanted = _steps(bare)
    if not wanted:
        return _foreign(sections, bare) if bare else []
    if len(wanted) > 1:
        # A title may hold the sign itself (`A -> B`): what is asked for and what there is are cut alike.
        paths = [(s, [step for title in s.path for step in _steps(title)]) for s in sections]
        exact = [s for s, path in paths if path[-len(wanted) :] == wanted]
        return exact or [s for s, path in paths if path[-1:] == wanted[-1:] and _in_order(wanted, path)]
    name = wanted[0]
    titled = [s for s in sections if _fold(s.title) == name]
    if titled:
        exactly = [s for s in titled if s.title == bare]
        return exactly or titled
    if slugged := slugged or [s for s in sections if s.slug == name]:
        return slugged
    if name in ("head", "(head)"):
        return list(sections[:1])
    return _foreign(sections, bare) or _shortened(sections, name)


def _foreign(sections: Sequence[S], anchor: str) -> list[S]:
    """The section of an anchor made by GitHub's rule, else the sections whose slug has the anchor's words."""
    anchor = urllib.parse.unquote(anchor).casefold()
    seen: Counter[str] = Counter()
    for section in sections:
        theirs = _NOT_IN_ANCHORS.sub("", section.title.casefold()).replace(" ", "-")
        if anchor == (f"{theirs}-{seen[theirs]}" if seen[theirs] else theirs):
            return [section]
        seen[theirs] += 1
    words = slug_of(anchor)
    return [s for s in sections if s.slug == words] if words != "section" else []


def _shortened(sections: Sequence[S], name: str) -> list[S]:
    """The sections of which `name` is the slug as a map cuts it (`2026-11-24-a-customer-…`), or without its day."""
    cut = name.endswith("…")
    return [s for s in sections if (s.slug.startswith(name[:-1]) if cut else _DAY.sub("", s.slug) == name)]


def address_parts(address: str, is_note: Callable[[str], bool]) -> tuple[str, str]:
    """Cut `note#section` in two; a note's name may hold the sign itself (`c#`, `#ideas`), which `is_note` settles."""
    address = address.strip()
    at = len(address)
    while at > 0:
        if is_note(address[:at]):
            return address[:at], address[at + 1 :]
        at = address.rfind("#", 0, at)
    name, _, inside = address.partition("#")
    return (name, inside) if name else (address, "")


def _steps(path: str) -> list[str]:
    return [_fold(step) for step in re.split(r"\s*>\s*", path) if step.strip()]


def _in_order(wanted: list[str], path: list[str]) -> bool:
    rest = iter(path)
    return all(part in rest for part in wanted)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip()).casefold()
