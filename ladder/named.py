"""Notes that the message names itself: by name, path, title or alias."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.route import Scene

#: A name that this many notes bear is a word, not a name.
_NAMED_MOST = 3
#: Words of a message that are looked at; a longer one is a pasted text.
_NAMED_WORDS = 400
_NAMED_EDGE = "()[]{}<>\"'`*,;:!?"


def named_notes(scene: Scene) -> dict[int, float]:
    """1 for each note that a path or name in the message means; a bare word must look like a name to count."""
    found: dict[int, float] = {}
    for raw in scene.query.message.split(None, _NAMED_WORDS)[:_NAMED_WORDS]:
        word = raw.strip(_NAMED_EDGE).partition("#")[0].rstrip(".")
        if len(word) < 3 or word.isalnum():
            continue
        notes = scene.index.find(word)
        if len(notes) <= _NAMED_MOST:
            for n in notes:
                found[n] = 1.0
    for phrase in scene.query.quoted:
        notes = scene.index.find(phrase)
        if len(notes) <= _NAMED_MOST:
            for n in notes:
                found[n] = 1.0
    return found
