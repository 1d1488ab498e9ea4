"""File names for new notes: safe on every system, never hidden, never a name that exists (R17, R27)."""

import unicodedata
from collections.abc import Iterable

from notes.markdown.slugs import slug_of

#: Names that Windows keeps for devices, with or without a suffix.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"] + [f"{n}{k}" for n in ("com", "lpt") for k in "0123456789¹²³"]
)
_LONGEST = 180  # bytes of UTF-8; file systems take 255, and a temporary name is longer


class BadNameError(ValueError):
    """A title or name that no note can bear; the message says why."""


def file_name(title: str) -> str:
    """The name of a new note's file, with `.md`, made from its title.

    Letters and digits of any script stay; a title of symbols alone is spelled by their Unicode names (`🔥` is `fire`).

    Raises:
        BadNameError: the title holds nothing that a name can be made of.
    """
    if "\0" in title:
        raise BadNameError("a title cannot hold a NUL character")
    if not is_text(title):
        raise BadNameError(f"the title {title!r} is not UTF-8")
    parts = [p for p in title.replace("\\", "/").split("/") if p.strip()]
    absolute = title.startswith(("/", "\\")) or title[1:3] in (":/", ":\\")
    if ".." in (p.strip() for p in parts) or (absolute and len(parts) > 1):
        raise BadNameError(f"{title!r} is a path, not a title; name the folder with --in")
    stem = slug_of(title)
    if stem == "section" and "section" not in title.casefold():
        stem = slug_of(" ".join(unicodedata.name(c, "") for c in title if unicodedata.category(c).startswith("S")))
        if stem == "section":
            raise BadNameError(
                f"no file name can be made of the title {title!r}: it needs a letter, a digit or a symbol"
            )
    while len(stem.encode("utf-8")) > _LONGEST:
        stem = stem[:-1]
    stem = stem.strip("-_ .") or "note"
    if stem.split(".")[0] in _DEVICES:
        stem += "-note"
    return stem + ".md"


def folder_parts(folder: str) -> tuple[str, ...]:
    """The parts of a folder in which a note is to be made, relative to the notes' root.

    Raises:
        BadNameError: it leads out of the root, is absolute, or holds what a path cannot.
    """
    if "\0" in folder:
        raise BadNameError("a folder's name cannot hold a NUL character")
    if not is_text(folder):
        raise BadNameError(f"the folder's name {folder!r} is not UTF-8")
    parts = tuple(p for p in folder.replace("\\", "/").split("/") if p not in ("", "."))
    if folder.startswith(("/", "\\", "~")) or (len(folder) > 1 and folder[1] == ":") or ".." in parts:
        raise BadNameError(f"{folder!r} leads out of the notes' folder; name a folder inside it")
    for part in parts:
        if part.startswith(".") or part.rstrip(". ") != part or part.split(".")[0].casefold() in _DEVICES:
            raise BadNameError(f"{part!r} cannot be the name of a notes' folder")
    return parts


def is_text(name: str) -> bool:
    """Whether UTF-8 can hold `name`; an argument of other bytes it cannot."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def twin(name: str, existing: Iterable[str]) -> str | None:
    """The existing name that some file system takes for `name`: equal but for case or composition. None when free."""
    wanted = _fold(name)
    return next((other for other in existing if _fold(other) == wanted), None)


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
