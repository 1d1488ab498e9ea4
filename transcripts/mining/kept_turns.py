"""The turns that a store holds, read from the disk as often as they are asked for and never all in memory."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from transcripts.mining.candidates import MinedTurn
from transcripts.mining.log_state_file import StateLines, turn_of

if TYPE_CHECKING:
    from transcripts.logs.records import Skipped


class _Place(NamedTuple):
    """Where a turn is kept."""

    session: str
    number: int
    file: int
    line: int


class KeptTurns:
    """All turns of a store's sessions, copies left out, and what is counted over them.

    A resumed session repeats the records of the old one. Of several copies the fullest counts, and among equals the
    first: the order of the files changes nothing but that. Iterating gives the turns by session and number.
    """

    def __init__(self, files: Sequence[Path], *, all_sessions: bool = False) -> None:
        """`files` are the states of sessions (`Store.files`); hold the store's lock for as long as this is used.

        Turns that programs began are left out, unless `all_sessions`.
        """
        programs: set[str] = set()
        self._files = files
        self.frequency: Counter[int] = Counter()
        """In how many turns' messages and replies each word stands, by `words.number`."""
        self.tools: Counter[int] = Counter()
        """In how many more it stands in what the agent wrote into tools."""
        self.copies = 0
        self.logs = 0
        """Logs that have been read."""
        self.size = 0
        """Their bytes."""
        self.skipped: list[Skipped] = []
        self.folders: set[str] = set()
        """All working folders that the logs name."""
        self.newest = ""
        """ISO time of the newest turn, "" when there is none."""
        best: dict[str, tuple[int, _Place]] = {}
        beaten: list[_Place] = []
        for file, path in enumerate(files):
            state = StateLines.read(path)
            if state is None:
                continue
            self.logs += 1
            self.size += state.size
            self.skipped.extend(state.skipped)
            for line, turn in enumerate(state.turns()):
                if turn["by_program"] and not all_sessions:
                    programs.add(turn["session"])
                    continue
                self._count(turn, 1)
                self.folders.add(turn["cwd"])
                self.newest = max(self.newest, turn["time"])
                place, events, key = _Place(turn["session"], turn["number"], file, line), turn["events"], turn["key"]
                known = best.get(key)
                if known is None or events > known[0]:
                    best[key] = events, place
                if known is not None:
                    self.copies += 1
                    beaten.append(known[1] if events > known[0] else place)
        for file, places in groupby(sorted(beaten, key=lambda place: place.file), key=lambda place: place.file):
            lines = {place.line for place in places}
            for line, turn in enumerate(self._turns(file)):
                if line in lines:
                    self._count(turn, -1)
        self.programs = len(programs)
        """Sessions that were left out, in whole or in part, because a program ran them."""
        self._places = sorted((place for _, place in best.values()), key=lambda place: place[:2])

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[MinedTurn]:
        for _, places in groupby(self._places, key=lambda place: place.session):
            chosen = list(places)
            files = {file: list(self._turns(file)) for file in {place.file for place in chosen}}
            for place in chosen:
                yield turn_of(files[place.file][place.line])

    def _turns(self, file: int) -> Iterator[dict[str, Any]]:
        state = StateLines.read(self._files[file])
        assert state is not None
        return state.turns()

    def _count(self, turn: dict[str, Any], times: int) -> None:
        for counter, key in ((self.frequency, "vocabulary"), (self.tools, "tools")):
            if times > 0:
                counter.update(turn[key])
            else:
                counter.subtract(turn[key])
