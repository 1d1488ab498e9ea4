"""The patch of `apply_patch`: which files it names, and what it writes into each."""

import re
from typing import Any, NamedTuple

_FILE = re.compile(r"\*\*\* (?:Update|Add|Delete) File: (.+?)\s*")
_MOVED = re.compile(r"\*\*\* Move to: (.+?)\s*")


class Part(NamedTuple):
    """What a patch does to one file."""

    path: str
    """As the patch names it; of a moved file the new path, the old one is a part of its own."""
    added: str
    """The lines that it writes."""


def parts_of(patch: str) -> list[Part]:
    """Return what a patch does to each file, in its order; [] for a text that is no patch."""
    found: list[tuple[str, list[str]]] = []
    for line in patch.split("\n"):
        if match := _FILE.fullmatch(line) or _MOVED.fullmatch(line):
            found.append((match[1], []))
        elif found and line.startswith("+"):
            found[-1][1].append(line[1:])
    return [Part(path, "\n".join(added)) for path, added in found]


def calls_of(parts: list[Part], identity: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that a patch stands for, by id: one a file, the first with the patch's own id and all paths.

    The one result that a patch has is the first call's, which so answers for all files.
    """
    calls = []
    for number, part in enumerate(parts):
        paths = {} if number else {"paths": [each.path for each in parts]}
        name = f"{identity}#{number}" if number else identity
        calls.append((name, {"file_path": part.path, "new_string": part.added, **paths}))
    return calls
