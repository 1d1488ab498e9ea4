"""Measures whether the notes that the hook names at a tool call are used later in the session.

A note is used when a later call opens it (a Read tool or a shell command) or writes to it. The comparison is the same
notes at calls where the hook did not name them. A note that the session has read or been shown before counts on neither
side. Notes are as they stood that day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.questions import note_name
from bench.scores import Difference, Rate, difference, rate
from bench.tasks.next_note import located
from ladder.client.contract import FILE_TOOLS, SHELL_TOOLS
from ladder.hook.on_tool import NAMED
from ladder.speaking.mentions import mentions_of_command, mentions_of_file
from transcripts import session_turns, working_folder
from transcripts.logs.tool_reads import is_note
from transcripts.turns.openings import CHOSEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.tasks.next_note import Notes
    from ladder.index.reader import Index, NoteRow
    from ladder.speaking.mentions import Mention
    from transcripts import Session, Turn
    from transcripts.logs.locate import Locator


@dataclass(frozen=True, slots=True)
class Named:
    """A note that the hook would have named at a call."""

    session: str
    note: str
    tool: str
    value: str
    """The file or the command."""
    words: str
    """The words of the call by which the note was found."""
    text: str
    """The paragraph that mentions them."""
    used: bool
    base: float
    """Share of the calls without the note at which it was used later, over all sessions of the corpus."""


@dataclass(frozen=True, slots=True)
class Precision:
    """All figures."""

    calls: int
    spoke: int
    """Calls at which a note was named."""
    used: Rate
    """Of the notes named, those used later in the session."""
    silent: Rate
    """The same notes at calls where the hook did not name them."""
    gain: Difference

    def lines(self) -> list[str]:
        """The figures as text."""
        return [
            f"{self.calls} tool calls, {self.spoke} at which a note was named, {self.used.n} names",
            f"used later in the session: {_share(self.used)}",
            f"the same notes at calls where they were not named: {_share(self.silent)}",
            f"difference: {100 * self.gain.value:+.1f} ({100 * self.gain.low:+.1f} to {100 * self.gain.high:+.1f})",
        ]


def _share(found: Rate) -> str:
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} - {100 * found.high:.1f})"


@dataclass(slots=True)
class _Told:
    """A session: how many calls the hook saw, when each note was used, and what was named."""

    session: str
    calls: int
    used: dict[str, list[int]]
    """Note -> the numbers of the calls before which it was used."""
    named: list[tuple[int, str, str, str, str, str]]
    """Number of the call, note, tool, value, words, text."""


def named_at_calls(sessions: Sequence[Session], notes: Notes) -> tuple[int, list[Named]]:
    """Return how many calls there were, and every note that the hook would have named."""
    folders = {folder for session in sessions if (folder := working_folder(session))}
    locate = located(notes, folders)
    told = [each for session in sessions if (each := _told(session, notes, locate)) is not None]
    base = {note: _base(note, told) for note in {row[1] for each in told for row in each.named}}
    return sum(each.calls for each in told), [
        Named(each.session, note, tool, value, words, text, _later(each, note, call), base[note])
        for each in told
        for call, note, tool, value, words, text in each.named
    ]


def precision(calls: int, found: Sequence[Named]) -> Precision:
    """Return the shares of named notes that were used, with and without the hook."""
    sessions = [each.session for each in found]
    used, base = [float(each.used) for each in found], [each.base for each in found]
    return Precision(
        calls,
        len({(each.session, each.tool, each.value) for each in found}),
        rate(used, sessions),
        rate(base, sessions),
        difference(used, base, sessions),
    )


def _later(told: _Told, note: str, call: int) -> bool:
    return any(number > call for number in told.used.get(note, ()))


def _base(note: str, told: Sequence[_Told]) -> float:
    """The share of calls at which the note was neither named nor known and that were followed by its use."""
    calls = used = 0
    for each in told:
        first = min(each.used.get(note, [each.calls]))
        shown = min((row[0] for row in each.named if row[1] == note), default=each.calls)
        calls += min(first, shown)
        used += min(first, shown) * bool(each.used.get(note))
    return used / calls if calls else 0.0


def _told(session: Session, notes: Notes, locate: Callable[[Turn], Locator | None]) -> _Told:
    told = _Told(session.id, 0, {}, [])
    known: set[str] = set()
    root = working_folder(session) or ""
    for turn in session_turns(session):
        version, locator = notes.at(turn.time), locate(turn)
        if version is None or locator is None:
            continue
        index, files = notes.index(version.commit), notes.texts(version)
        uses = dict(_uses(turn, locator))
        for step, event in enumerate(turn.events):
            used = uses.get(step, set())
            for note in used:
                told.used.setdefault(note, []).append(told.calls)
            if event.kind == "called":
                value = event.path if event.tool in FILE_TOOLS else event.text if event.tool in SHELL_TOOLS else ""
                if value:
                    if not used:  # the call is about a note itself
                        for mention in _found(index, files, event.tool, value, root or turn.cwd, known):
                            row = index.note(mention.note)
                            place = index.passages(mention.note).paragraph(mention.paragraph)
                            text = files[row.name][place.start : place.end].decode("utf-8", "replace")
                            told.named.append((told.calls, row.name, event.tool, value, mention.words, text))
                            known.add(row.name)
                    told.calls += 1
            known |= used
    return told


def _uses(turn: Turn, locator: Locator) -> Iterator[tuple[int, set[str]]]:
    """Yield (number of the event, notes that it opened or wrote)."""
    found: dict[int, set[str]] = {}
    paths = [(read.step, path) for read in turn.reads if read.how in CHOSEN for path in read.paths]
    paths += [(step, event.path) for step, event in enumerate(turn.events) if event.kind == "called" and event.path]
    for step, path in paths:
        place = locator.find(path, turn.cwd) if is_note(path) else None
        if place is not None and place.exists and place.sure:
            found.setdefault(step, set()).add(note_name(place.note))
    yield from found.items()


def _found(
    index: Index, files: Mapping[str, bytes], tool: str, value: str, root: str, known: set[str]
) -> list[Mention]:
    """Return what the hook would say at a call, in a session that has `known` before it."""

    def read(row: NoteRow, start: int, end: int) -> bytes:
        return files[row.name][start:end]

    find = mentions_of_file if tool in FILE_TOOLS else mentions_of_command
    found: dict[int, Mention] = {}
    for mention in find(index, value, root, read):
        if index.note(mention.note).name not in known:
            found.setdefault(mention.note, mention)
    return list(found.values())[:NAMED]
