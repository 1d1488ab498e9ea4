"""Addresses inside a note: `slug`, `A > B`, a title, `head`. More than one answer is the reader's to settle (R8)."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar


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
_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}-")


def resolve(sections: Sequence[S], address: str) -> list[S]:
    """The sections that `address` may mean: none, one, or several when it is ambiguous.

    A path (`14.0 > Breaking`) leads to the sections whose own path ends so, or holds its parts in this order. A bare
    title that two sections bear is ambiguous, although the first has the plain slug; the slug with its number is not.
    """
    wanted = _steps(address.strip().removeprefix("#"))
    if not wanted:
        return []
    if len(wanted) > 1:
        # A title may hold the sign itself (`A -> B`): what is asked for and what there is are cut alike.
        paths = [(s, [step for title in s.path for step in _steps(title)]) for s in sections]
        exact = [s for s, path in paths if path[-len(wanted) :] == wanted]
        return exact or [s for s, path in paths if path[-1:] == wanted[-1:] and _in_order(wanted, path)]
    name = wanted[0]
    titled = [s for s in sections if _fold(s.title) == name]
    slugged = [s for s in sections if s.slug == name]
    if slugged and (len(titled) < 2 or address.strip().removeprefix("#") == slugged[0].slug != _fold(slugged[0].title)):
        return slugged
    if titled:
        return titled
    if name in ("head", "(head)"):
        return list(sections[:1])
    return _shortened(sections, name)


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
