"""Which notes each turn opened for the first time in its session, and what the conversation looked like just before."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from transcripts.logs.locate import Locator
from transcripts.logs.tool_reads import is_note
from transcripts.turns.contexts import Cutter, Past, Said, at_read, at_turn, during, masked
from transcripts.turns.turn import Turn

CHOSEN = ("Read", "Bash", "PowerShell")
"""How an agent opens a note by its own choice."""
_IN_VIEW = (*CHOSEN, "nested_memory", "attachment")
"""How a note gets before the agent: these, and what the client loads by itself. A search that shows a line does not."""


class Opened(NamedTuple):
    """The first opening of a note in a session."""

    note: str
    """The note's path relative to the notes root, with `.md`."""
    how: str
    before: Said
    """The context just before; names of notes are masked in it, and `opened` is what the session had seen."""


class OpeningTurn(NamedTuple):
    """A turn, and the notes that it opened first."""

    turn: Turn
    past: Past
    """What came before it."""
    known: tuple[str, ...]
    """The notes that the session had seen before."""
    opened: tuple[Opened, ...]
    met: bool
    """Any note came before the agent or was written in this turn, for the first time or not."""

    @property
    def start(self) -> Said:
        """The context when the message was sent; names of notes are masked outside of the message."""
        return hidden(at_turn(self.past, self.turn), self.known)


def openings(
    stream: Iterable[Turn], locate: Callable[[Turn], Locator | None], clean: Callable[[str], str] = str
) -> Iterator[OpeningTurn]:
    """Yield a session's turns with what they opened; `locate` gives the notes as of a turn (None: left out)."""
    following = Openings(clean)
    for turn in stream:
        found = following.next(turn, locate(turn))
        if found is not None:
            yield found


class Openings:
    """What a session's turns open, told turn after turn."""

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        """`clean` takes secrets out of the contexts."""
        self._past, self._cutter = Past(), Cutter(clean)
        self._known: dict[str, None] = {}

    def next(self, turn: Turn, locator: Locator | None) -> OpeningTurn | None:
        """Return the session's next turn with what it opened of the notes that `locator` knows; None without one."""
        found = _turn(turn, self._past, self._known, locator, self._cutter) if locator is not None else None
        self._past.add(turn, self._cutter)
        return found


def _turn(turn: Turn, past: Past, known: dict[str, None], locator: Locator, cutter: Cutter) -> OpeningTurn:
    begun = OpeningTurn(turn, past.kept(), tuple(known), (), met=False)
    acts = [(read.step, 1, read.how, path) for read in turn.reads if read.how in _IN_VIEW for path in read.paths]
    acts += [
        (step, 0, "", event.path)
        for step, event in enumerate(turn.events)
        if event.kind == "called" and event.path and event.tool in ("Write", "Edit", "MultiEdit")
    ]
    found: list[Opened] = []
    met = False
    for step, _, how, path in sorted(acts):
        place = locator.find(path, turn.cwd) if is_note(path) else None
        if place is None or not place.exists or not place.sure:
            continue
        met = True
        if place.note in known:
            continue
        if how in CHOSEN:
            before = at_read(at_turn(past, turn), during(turn, step, path, cutter))
            found.append(Opened(place.note, how, hidden(before, known)))
        known[place.note] = None
    return begun._replace(opened=tuple(found), met=met)


def hidden(said: Said, opened: Iterable[str]) -> Said:
    """Return a context with the names of notes masked everywhere but in the message, and `opened` as given."""
    return Said(
        message=said["message"],
        said=[[role, masked(text)] for role, text in said["said"]],
        touched=[path for path in said["touched"] if not is_note(path)],
        commands=[masked(text) for text in said["commands"]],
        results=[masked(text) for text in said["results"]],
        opened=list(opened),
        cwd=said["cwd"],
        branch=said["branch"],
        begun=said["begun"],
        now=said["now"],
    )
