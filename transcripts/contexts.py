"""The conversation before a question, at three moments, bounded in size: the keys of `ladder.context.Context`."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypedDict

from transcripts.reads import is_note
from transcripts.turn import Event, Turn, excerpt

SAID_TURNS = 6
SAID_CHARACTERS = 2_000
TOUCHED = 40
COMMANDS = 15
COMMAND_CHARACTERS = 300
RESULTS = 8
OPENED = 100
_BEYOND = 300
"""Characters beyond a cut that are looked at for secrets: half a secret no longer looks like one."""

NOTE_NAME = re.compile(r"(?<![^\s\"'`()<>\[\]{}|,;])[^\s\"'`()<>\[\]{}|,;]*\.(?:md|mdx|markdown)\b", re.IGNORECASE)
"""A note's file name or path, wherever it stands in a text."""
MASK = "[note]"


class Said(TypedDict):
    """What a conversation looks like to a search. All lists are oldest first."""

    message: str
    said: list[list[str]]
    """`[role, text]`, role `user` or `agent`, of the six turns before, then what the agent said in this one.

    One entry a turn and role (the agent's texts of a turn are joined by an empty line), each cut to its last 2,000
    characters; a turn without words of a role has no entry for it.
    """
    touched: list[str]
    """Files named in the agent's tool calls, each once, where it was named last; the last 40."""
    commands: list[str]
    """Shell commands, the last 15, each cut to its first 300 characters."""
    results: list[str]
    """Tool results, the last 8, each cut to its first and last 300 characters."""
    opened: list[str]
    """Notes read so far in this session, as the log names them, each once, where it was read last; the last 100."""
    cwd: str
    branch: str
    now: str
    """ISO, as logged."""


class Cutter:
    """Cuts texts to what a context shows, cleaned before they are cut; remembers what it has cut."""

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        """`clean` takes secrets out of a text."""
        self._clean = clean
        self._commands: dict[str, str] = {}
        self._results: dict[str, str] = {}

    def tail(self, text: str) -> str:
        """Return the last 2,000 characters of a text."""
        return self._clean(text[-SAID_CHARACTERS - _BEYOND :])[-SAID_CHARACTERS:]

    def commands(self, events: Sequence[Event]) -> list[str]:
        """Return the last shell commands among events."""
        found = [event.text for event in events if event.kind == "called" and event.text][-COMMANDS:]
        for text in found:
            if text not in self._commands:
                self._commands[text] = self._clean(text[: COMMAND_CHARACTERS + _BEYOND])[:COMMAND_CHARACTERS]
        return [self._commands[text] for text in found]

    def results(self, events: Sequence[Event]) -> list[str]:
        """Return the last tool results among events."""
        found = [event.text for event in events if event.kind == "result"][-RESULTS:]
        for text in found:
            if text not in self._results:
                self._results[text] = excerpt(text, self._clean)
        return [self._results[text] for text in found]


@dataclass(slots=True)
class Past:
    """What came before a turn, as much of it as a context can show."""

    said: list[list[str]] = field(default_factory=list)
    """One list of at most two entries `[role, text]` a turn, flattened: see `turns`."""
    turns: list[int] = field(default_factory=list)
    """How many entries of `said` each of the last turns has."""
    touched: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def kept(self) -> "Past":
        """Return a copy that what follows does not change."""
        return Past(list(self.said), list(self.turns), self.touched, self.commands, self.results, self.opened)

    def add(self, turn: Turn, cutter: Cutter) -> None:
        """Move on by one turn."""
        said = (("user", cutter.tail(turn.message)), ("agent", cutter.tail(turn.reply)))
        entries = [[role, text] for role, text in said if text]
        self.said.extend(entries)
        self.turns.append(len(entries))
        while len(self.turns) > SAID_TURNS:
            del self.said[: self.turns.pop(0)]
        self.touched = last_distinct([*self.touched, *turn.touched], TOUCHED)
        self.commands = [*self.commands, *cutter.commands(turn.events)][-COMMANDS:]
        self.results = [*self.results, *cutter.results(turn.events)][-RESULTS:]
        self.opened = last_distinct([*self.opened, *opened(turn)], OPENED)


def last_distinct(items: Iterable[str], count: int) -> list[str]:
    """Return the last `count` distinct items in the order of their last appearance."""
    found = list(dict.fromkeys(reversed(list(items))))
    return found[:count][::-1]


def opened(turn: Turn, until: int | None = None) -> list[str]:
    """Return the notes that a turn's Read calls and attachments opened, before event `until`."""
    return [
        read.path
        for read in turn.reads
        if read.how in ("Read", "nested_memory", "attachment")
        and is_note(read.path)
        and (until is None or read.step < until)
    ]


def at_message(turn: Turn) -> Said:
    """Return the message alone: what the published study searched with."""
    return alone(turn.message, turn.cwd, turn.branch, turn.time)


def alone(message: str, cwd: str, branch: str, now: str) -> Said:
    """Return the context that has a message and nothing before it."""
    return Said(
        message=message, said=[], touched=[], commands=[], results=[], opened=[], cwd=cwd, branch=branch, now=now
    )


def at_turn(past: Past, turn: Turn) -> Said:
    """Return message and conversation before it: what a hook has when the message is sent."""
    return Said(
        message=turn.message,
        said=[list(entry) for entry in past.said],
        touched=list(past.touched),
        commands=list(past.commands),
        results=list(past.results),
        opened=list(past.opened),
        cwd=turn.cwd,
        branch=turn.branch,
        now=turn.time,
    )


class During(TypedDict):
    """What a turn added before one of its events."""

    agent: str
    touched: list[str]
    commands: list[str]
    results: list[str]
    opened: list[str]
    now: str


def during(turn: Turn, step: int, note: str = "", cutter: Cutter | None = None) -> During:
    """Return what the agent said, ran and saw in this turn before event `step`.

    The way to `note` is masked: file names of notes in texts become `[note]`, texts of notes among the results are
    left out, and `note` itself is among neither the files touched nor the notes opened.
    """
    cutter = cutter or Cutter()
    events = turn.events[:step]
    hide = _base(note)
    agent = "\n\n".join(event.text for event in events if event.kind == "said")
    touched = [e.path for e in events if e.kind == "called" and e.path and _base(e.path) != hide]
    shown = [event for event in events if not is_note(event.path)]
    now = turn.events[step].time if step < len(turn.events) and turn.events[step].time else turn.time
    return During(
        agent=masked(cutter.tail(agent)),
        touched=last_distinct(touched, TOUCHED),
        commands=[masked(text) for text in cutter.commands(events)],
        results=[masked(text) for text in cutter.results(shown)],
        opened=last_distinct((path for path in opened(turn, step) if _base(path) != hide), OPENED),
        now=now,
    )


def at_read(before: Said, added: During) -> Said:
    """Return the context of the turn's start with what the turn added until a note was opened."""
    agent = [["agent", added["agent"]]] if added["agent"] else []
    return Said(
        message=before["message"],
        said=[*before["said"], *agent],
        touched=last_distinct([*before["touched"], *added["touched"]], TOUCHED),
        commands=[*before["commands"], *added["commands"]][-COMMANDS:],
        results=[*before["results"], *added["results"]][-RESULTS:],
        opened=last_distinct([*before["opened"], *added["opened"]], OPENED),
        cwd=before["cwd"],
        branch=before["branch"],
        now=added["now"],
    )


@lru_cache(maxsize=2_000)
def masked(text: str) -> str:
    """Return a text with the file names of notes in it replaced by `[note]`."""
    return NOTE_NAME.sub(MASK, text) if ".m" in text or ".M" in text else text


def _base(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()
