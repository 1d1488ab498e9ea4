"""When the agent opened which note, from the session logs: what `ladder stats` holds the hook's own log against."""

import shlex
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from transcripts import Session, Turn, everywhere, session_turns, sessions


def opened_in(
    wanted: Iterable[str], folder: Path | None = None, name_of: Callable[[str], str] = str
) -> dict[str, list[tuple[float, str]]]:
    """Return, for each session id in `wanted` whose log is there, when the agent opened which note.

    `name_of` gives the whole name of the note that a rung was asked for: a shorter one, a title or an alias will do.
    """
    ids = set(wanted)
    if not ids or (folder and not folder.is_dir()):
        return {}
    found = sessions(folder) if folder else everywhere()
    return {session.id: _opened(session, name_of) for session in found if session.id in ids}


def _opened(session: Session, name_of: Callable[[str], str]) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    for turn in session_turns(session):
        when = _seconds(turn.time)
        found += [(when, path) for read in turn.reads for path in read.paths if read.how != "hook"]
        found += [(when, name_of(name)) for name in _asked(turn)]
    return found


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote that is not closed, as in a here-document
        return command.split()


def _asked(turn: Turn) -> list[str]:
    """Return what the agent gave to `ladder read` and `ladder map`, typed or over MCP."""
    served = [
        text
        for event in turn.events
        if event.tool.startswith("mcp__") and "ladder" in event.tool and event.tool.endswith(("__read", "__map"))
        for text in event.wrote.split("\n")
        if text
    ]
    words = [_words(command) for command in turn.commands if "ladder" in command]
    return served + [
        line[at + 2].strip("'\"")
        for line in words
        for at, word in enumerate(line[:-2])
        if word.endswith("ladder") and line[at + 1] in ("read", "map")
    ]


def _seconds(iso: str) -> float:
    try:
        return datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return 0.0
