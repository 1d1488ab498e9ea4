"""Gathers what the bench replays from folders of logs and notes: pairs, notes, and which notes were opened when."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.questions import note_name
from notes import NoteFile, Settings, find_notes, main_root, project_root
from notes.files.globs import matcher
from transcripts import Pair, Store, Tally, everywhere, read_pairs, redact, scope_of, working_folder
from transcripts.logs.locate import Locator, Today
from transcripts.mining.kept_turns import KeptTurns
from transcripts.mining.pairing import FLOOR, SHARE, pair_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from transcripts import Session
    from transcripts.mining.candidates import MinedTurn


@dataclass(frozen=True, slots=True)
class Opening:
    """A message after which the agent opened notes."""

    session: str
    time: str
    message: str
    cwd: str
    notes: tuple[str, ...]
    """Names of today's notes that were read in the turn."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the bench replays."""

    pairs: list[Pair]
    notes: list[NoteFile]
    root: Path
    """The folder that the notes are named from."""
    openings: list[Opening] = field(default_factory=list)
    tally: Tally | None = None
    """What the miner counted; None when the pairs come from a file."""
    newest: str = ""
    """ISO time of the newest turn in the logs; of the newest pair when the pairs come from a file."""

    @property
    def reads(self) -> Counter[str]:
        """For each note the number of turns in which it was read."""
        return Counter(name for opening in self.openings for name in opening.notes)

    @property
    def counts(self) -> dict[str, int]:
        """How many turns, reads and pairs, and how many pairs are alive, moved, gone."""
        states = Counter(pair.state for pair in self.pairs)
        found = {"pairs": len(self.pairs), **{name: states[name] for name in ("alive", "moved", "gone")}}
        if self.tally is not None:
            found |= {"sessions": self.tally.sessions, "turns": self.tally.turns, "reads": self.tally.reads}
        return found


def from_file(pairs: Path, settings: Settings) -> Gathered:
    """Pairs that were mined before; which notes were opened otherwise is then not known."""
    found = read_pairs(pairs)
    newest = max((pair.time for pair in found), default="")
    return Gathered(found, find_notes(settings), Path(settings.root), newest=newest)


def from_logs(
    found: Sequence[Session],
    settings: Settings,
    share: float = SHARE,
    floor: int = FLOOR,
    mined: Path | None = None,
) -> Gathered:
    """Mine these sessions against today's notes; in the folder `mined`, what was read is kept for the next run."""
    files = find_notes(settings)
    root = Path(settings.root)
    with TemporaryDirectory(prefix="ladder-bench-") as folder:
        store = Store(mined or Path(folder))
        with store.lock():
            for _ in store.update(found, redact):
                pass
            turns = KeptTurns(store.files())
            locator = Locator(files, root, turns.folders, scope_of(settings, root))
            pairs, tally = pair_up(turns, locator, Today(locator.notes, redact), share=share, floor=floor)
            return Gathered(pairs, files, root, openings(turns, locator), tally, turns.newest)


def own_sessions(settings: Settings) -> list[Session]:
    """This project's sessions in the clients' own folders: those that began in its root or below it."""
    root = Path(settings.root)
    unwanted = matcher(settings.mine_exclude) if settings.mine_exclude else None
    found = []
    for session in everywhere():
        cwd = working_folder(session, (root, main_root(root)))
        if not cwd or (unwanted and unwanted(cwd.replace("\\", "/").lstrip("/"))):
            continue
        folder = Path(cwd)
        if folder.is_relative_to(root) or (folder.is_dir() and main_root(project_root(folder)) == main_root(root)):
            found.append(session)
    return found


def openings(turns: Iterable[MinedTurn], locator: Locator) -> list[Opening]:
    """The messages after which notes of today were read."""
    found = []
    for turn in turns:
        names = dict.fromkeys(
            note_name(at.note) for path in turn.opened if (at := locator.find(path, turn.cwd)) and at.exists
        )
        if names and turn.message:
            found.append(Opening(turn.session, turn.time, turn.message, turn.cwd, tuple(names)))
    return found
