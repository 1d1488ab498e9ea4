"""What a turn is: one message of the person, and all that the agent did until the next."""

import datetime as dt
from collections.abc import Callable
from typing import Literal, NamedTuple

from transcripts.logs.speech import Kind
from transcripts.logs.tool_reads import Read

EXCERPT = 300
"""Characters kept of each end of a tool's result."""
_BEYOND = 300


class Event(NamedTuple):
    """One thing that happened in a turn, in the order of the log."""

    kind: Literal["said", "called", "result"]
    text: str
    """What the agent said; the command it ran ("" for other tools); the text of a tool's result."""
    path: str
    """The file that a tool's call names, or whose text a result is; "" for none."""
    tool: str
    offset: int
    """Byte offset of the record."""
    time: str
    wrote: str = ""
    """What the agent wrote into the tool's input."""


class Turn(NamedTuple):
    """One message of the person, and all that the agent did until the next."""

    session: str
    number: int
    """From 1, in the order of the log."""
    time: str
    """ISO, as logged (UTC)."""
    message: str
    """What the person said; of a slash command `/name arguments`."""
    kind: Kind
    events: tuple[Event, ...]
    reads: tuple[Read, ...]
    notes_written: tuple[str, ...]
    """Paths of note files that the agent wrote in this turn, as logged."""
    outputs: tuple[tuple[str, str], ...]
    """Whole text of each tool's result, with the path of the note it is the text of ("" for other results)."""
    injected: frozenset[str]
    """Lines that ladder itself has put into this session so far, by `words.short_key`."""
    cwd: str
    branch: str
    file: str
    offset: int
    """Byte offset of the message's record."""
    line: int
    """Its line number."""
    key: str
    """The record's `uuid`, or a hash of time and text where it has none: the same in every copy of the log."""
    by_program: bool
    """A program began it and no person: the log names the entry point of a library (`speech.PROGRAMS`)."""
    usage: int
    """Output tokens, counted once for each API message, from its last line."""

    @property
    def reply(self) -> str:
        """All that the agent said, its texts parted by an empty line."""
        return "\n\n".join(event.text for event in self.events if event.kind == "said")

    @property
    def wrote(self) -> tuple[str, ...]:
        """What the agent wrote into tools."""
        return tuple(event.wrote for event in self.events if event.wrote)

    @property
    def touched(self) -> tuple[str, ...]:
        """Files named in tool calls, oldest first, distinct."""
        return tuple(dict.fromkeys(event.path for event in self.events if event.kind == "called" and event.path))

    @property
    def commands(self) -> tuple[str, ...]:
        """Shell commands, oldest first."""
        return tuple(event.text for event in self.events if event.kind == "called" and event.text)

    @property
    def results(self) -> tuple[str, ...]:
        """Excerpts of tool results, oldest first."""
        return tuple(excerpt(event.text) for event in self.events if event.kind == "result")


def excerpt(text: str, clean: Callable[[str], str] = str) -> str:
    """Return a text's first and last 300 characters, or all of a short one.

    `clean` is applied before the cut, and sees some way beyond it: half a secret would no longer look like one.
    """
    if len(text) <= 2 * EXCERPT:
        return clean(text)
    begin, end = clean(text[: EXCERPT + _BEYOND]), clean(text[-EXCERPT - _BEYOND :])
    return f"{begin[:EXCERPT]}\n…\n{end[-EXCERPT:]}"


def local_day(time: str) -> dt.date | None:
    """Return the day on which something was logged, in the reader's own time zone; None where no time was logged.

    Times are kept as they were logged (UTC) and turned into days only when somebody looks: the same log read in another
    zone gives other days, as a calendar on the wall there would.
    """
    try:
        return dt.datetime.fromisoformat(time).astimezone().date()
    except ValueError:
        return None
