"""The three rungs, the index under them, the hook, the command line, and `open_notes` to ask from Python.

Importing it costs nothing: what it offers is loaded when it is asked for.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.api import NoteMap, OpenNotes, Reading, Suggested, open_notes
    from ladder.reading.rungs import Ambiguous, NoSuchNote, NoSuchSection
del TYPE_CHECKING

__all__ = [
    "Ambiguous",
    "NoSuchNote",
    "NoSuchSection",
    "NoteMap",
    "OpenNotes",
    "Reading",
    "Suggested",
    "open_notes",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'ladder' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (see above)

    from_rungs = name in ("Ambiguous", "NoSuchNote", "NoSuchSection")
    return getattr(import_module("ladder.reading.rungs" if from_rungs else "ladder.api"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
