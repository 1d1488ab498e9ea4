"""A question of the benchmark: what was asked, what was known when it was asked, and the lines that answered it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: The same pair can be asked with three queries: the message, all before it, all before the read.
MOMENTS = ("message", "turn", "read")


@dataclass(frozen=True, slots=True)
class Question:
    """One pair, as the bench asks it. Public question sets make these too."""

    id: str
    session: str
    time: str
    """ISO date and time of the message; empty when not known."""
    text: str
    """The user's message."""
    contexts: Mapping[str, Mapping[str, Any]]
    """For each moment the context, with the keys of `ladder.context.Context`."""
    note: str
    """The name of the note that holds the evidence, relative to the notes root, without `.md`."""
    lines: tuple[str, ...]
    """Evidence: lines, stripped of white space at both ends. One of them in view is a hit."""
    zone: str = "body"
    level: str = "reply"
    state: str = "alive"


def note_name(path: str) -> str:
    """The name of a note from its path relative to the notes root: forward slashes, no `.md`, NFC."""
    name = unicodedata.normalize("NFC", path.replace("\\", "/"))
    return name.removesuffix(".md")


def from_pairs(pairs: Iterable[Any]) -> list[Question]:
    """Questions from mined pairs (`transcripts.Pair`, or anything with its fields), in the order given."""
    return [
        Question(
            id=pair.id,
            session=pair.session,
            time=pair.time,
            text=pair.question,
            contexts=pair.contexts,
            note=note_name(pair.note),
            lines=tuple(line.strip() for line in pair.lines if line.strip()),
            zone=str(pair.zone),
            level=str(pair.level),
            state=str(pair.state),
        )
        for pair in pairs
    ]
