"""The conversation before a question, at three moments, bounded in size: the keys of `ladder.query.query.Context`."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, TypedDict

from transcripts.logs.tool_reads import is_note
from transcripts.turns.turn import Event, Turn, excerpt

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
    begun: bool
    """Whether the turn is under way: the agent is before a tool call."""


class Excerpt:
    """A part of a conversation as a context shows it: cut and cleaned when it is first looked at; most never are."""

    __slots__ = ("_cut", "_text")

    def __init__(self, text: str, cut: Callable[[str], str] | None = None) -> None:
        """`cut` makes of `text` what is shown; None: it is that already."""
        self._text, self._cut = text, cut

    @property
    def text(self) -> str:
        """What is shown."""
        if self._cut:
            self._text, self._cut = self._cut(self._text), None
        return self._text


class Cutter:
    """Cuts texts to what a context shows, cleaned before they are cut; remembers what it has cut."""

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        """`clean` takes secrets out of a text."""
        self._clean = clean
        self._commands: dict[str, Excerpt] = {}
        self._results: dict[str, Excerpt] = {}

    def tail(self, text: str) -> Excerpt:
        """Return the last 2,000 characters of a text."""
        return Excerpt(text[-SAID_CHARACTERS - _BEYOND :], self._tail)

    def commands(self, events: Sequence[Event]) -> list[Excerpt]:
        """Return the last shell commands among events."""
        found = _last((event.text for event in reversed(events) if event.kind == "called" and event.text), COMMANDS)
        return [_once(self._commands, text[: COMMAND_CHARACTERS + _BEYOND], self._command) for text in found]

    def results(self, events: Sequence[Event], *, notes: bool = True) -> list[Excerpt]:
        """Return the last tool results among events, without those that are the text of a note unless `notes`."""
        shown = (e.text for e in reversed(events) if e.kind == "result" and (notes or not is_note(e.path)))
        return [_once(self._results, text, self._result) for text in _last(shown, RESULTS)]

    def _tail(self, text: str) -> str:
        return self._clean(text)[-SAID_CHARACTERS:]

    def _command(self, text: str) -> str:
        return self._clean(text)[:COMMAND_CHARACTERS]

    def _result(self, text: str) -> str:
        return excerpt(text, self._clean)


def _once(known: dict[str, Excerpt], text: str, cut: Callable[[str], str]) -> Excerpt:
    if text not in known:
        known[text] = Excerpt(text, cut)
    return known[text]


@dataclass(slots=True)
class Past:
    """What came before a turn, as much of it as a context can show."""

    said: list[tuple[str, Excerpt]] = field(default_factory=list)
    """At most two entries (role, text) a turn, flattened: see `turns`."""
    turns: list[int] = field(default_factory=list)
    """How many entries of `said` each of the last turns has."""
    touched: list[str] = field(default_factory=list)
    commands: list[Excerpt] = field(default_factory=list)
    results: list[Excerpt] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def kept(self) -> "Past":
        """Return a copy that what follows does not change."""
        return Past(list(self.said), list(self.turns), self.touched, self.commands, self.results, self.opened)

    def plain(self) -> dict[str, Any]:
        """Return it as JSON can hold it, secrets out."""
        return {
            "said": [[role, its.text] for role, its in self.said],
            "turns": self.turns,
            "touched": self.touched,
            "commands": [its.text for its in self.commands],
            "results": [its.text for its in self.results],
            "opened": self.opened,
        }

    @classmethod
    def of(cls, plain: dict[str, Any]) -> "Past":
        """Return what `plain` was made of."""
        shown = {key: list(map(Excerpt, plain[key])) for key in ("commands", "results")}
        return cls(**plain | shown | {"said": [(role, Excerpt(text)) for role, text in plain["said"]]})

    def add(self, turn: Turn, cutter: Cutter) -> None:
        """Move on by one turn."""
        entries = [(role, cutter.tail(text)) for role, text in (("user", turn.message), ("agent", turn.reply)) if text]
        self.said.extend(entries)
        self.turns.append(len(entries))
        while len(self.turns) > SAID_TURNS:
            del self.said[: self.turns.pop(0)]
        self.touched = last_distinct([*self.touched, *turn.touched], TOUCHED)
        self.commands = [*self.commands, *cutter.commands(turn.events)][-COMMANDS:]
        self.results = [*self.results, *cutter.results(turn.events)][-RESULTS:]
        self.opened = last_distinct([*self.opened, *opened(turn)], OPENED)


def _last(backwards: Iterable[str], count: int) -> list[str]:
    return list(islice(backwards, count))[::-1]


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
        message=message,
        said=[],
        touched=[],
        commands=[],
        results=[],
        opened=[],
        cwd=cwd,
        branch=branch,
        now=now,
        begun=False,
    )


def at_turn(past: Past, turn: Turn) -> Said:
    """Return message and conversation before it: what a hook has when the message is sent."""
    return Said(
        message=turn.message,
        said=[[role, its.text] for role, its in past.said],
        touched=list(past.touched),
        commands=[its.text for its in past.commands],
        results=[its.text for its in past.results],
        opened=list(past.opened),
        cwd=turn.cwd,
        branch=turn.branch,
        now=turn.time,
        begun=False,
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
    now = turn.events[step].time if step < len(turn.events) and turn.events[step].time else turn.time
    return During(
        agent=masked(cutter.tail(agent).text),
        touched=last_distinct(touched, TOUCHED),
        commands=[masked(its.text) for its in cutter.commands(events)],
        results=[masked(its.text) for its in cutter.results(events, notes=False)],
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
        begun=True,
    )


@lru_cache(maxsize=2_000)
def masked(text: str) -> str:
    """Return a text with the file names of notes in it replaced by `[note]`."""
    return NOTE_NAME.sub(MASK, text) if ".m" in text or ".M" in text else text


def _base(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()
