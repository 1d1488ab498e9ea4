"""The notes as the agent itself read them: for replays as of a turn where no git knows the notes of that day."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from transcripts.logs.locate import Locator
from transcripts.turns.turn import Turn


class AsRead(NamedTuple):
    """A note's whole text at the time at which it was read."""

    time: str
    """ISO in UTC, of the call that read it."""
    key: str
    """Of the turn in which it was read."""
    text: str
    """Line feeds at the ends of its lines, whatever the file has."""


class ReadTexts:
    """What whole texts of notes stand in sessions, by note and time."""

    def __init__(self, turns: Iterable[Turn], locator: Locator) -> None:
        """Take in the turns of any number of sessions, in any order; partial reads are passed over."""
        self._texts: dict[str, list[AsRead]] = {}
        for turn in turns:
            for read in turn.reads:
                if not read.whole or not read.lines or not read.path:
                    continue
                found = locator.find(read.path, turn.cwd)
                if found is None or not found.sure:
                    continue
                time = turn.events[read.step].time if read.step < len(turn.events) else turn.time
                text = "\n".join(read.lines) + "\n"
                self._texts.setdefault(found.note, []).append(AsRead(time or turn.time, turn.key, text))
        for texts in self._texts.values():
            texts.sort(key=lambda text: text.time)

    def notes(self) -> list[str]:
        """Return the notes of which some text is known, by path relative to the notes root."""
        return sorted(self._texts)

    def before(self, note: str, time: str) -> AsRead | None:
        """Return the last text of a note that was read before a time (the turn's, for the note as of the turn)."""
        texts = self._texts.get(note, [])
        at = bisect_right(texts, time, key=lambda text: text.time)
        return texts[at - 1] if at else None

    def during(self, note: str, key: str) -> AsRead | None:
        """Return the text that the agent read first in a turn: what answered, when it was a whole read that did."""
        return next((text for text in self._texts.get(note, []) if text.key == key), None)
