"""Session logs to pairs: each session on its own, on all cores, and the threshold at the end."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from notes import NoteFile
from notes.gc_pause import no_circles
from transcripts.logs.locate import Locator, Today
from transcripts.logs.records import Skipped
from transcripts.logs.redact import Cleaner, as_it_is
from transcripts.logs.sessions import Session
from transcripts.mining.kept_turns import KeptTurns
from transcripts.mining.pairing import FLOOR, SHARE, pair_up
from transcripts.mining.pairs import Pair, Tally
from transcripts.mining.store import Store


class Mined(NamedTuple):
    """What a run of mining found."""

    pairs: list[Pair]
    tally: Tally
    skipped: list[Skipped]
    size: int
    """Bytes of logs."""
    delivered: list[Pair]
    """Pairs of lines that ladder itself had handed over (`Pair.by`): the agent used them."""


def mine(
    found: Sequence[Session],
    notes: Sequence[NoteFile],
    root: Path,
    *,
    store: Store | None = None,
    share: float = SHARE,
    floor: int = FLOOR,
    in_scope: Callable[[str], bool] | None = None,
    processes: int | None = None,
    clean: Cleaner = as_it_is,
    all_sessions: bool = False,
) -> Mined:
    """Mine sessions against the notes of today; see `pair_up` for the rule.

    `root` is the folder from which the notes' paths are named. With a `store`, only what is new is read, and what it
    holds of sessions that are not in `found` counts too. `all_sessions`: those that programs ran too.
    """
    with TemporaryDirectory(prefix="ladder-mine-") as folder:
        kept = store or Store(Path(folder))
        with kept.lock():
            for _ in kept.update(found, clean, processes):
                pass
            return paired(
                kept, notes, root, share=share, floor=floor, in_scope=in_scope, clean=clean, all_sessions=all_sessions
            )


def paired(
    store: Store,
    notes: Sequence[NoteFile],
    root: Path,
    *,
    share: float = SHARE,
    floor: int = FLOOR,
    in_scope: Callable[[str], bool] | None = None,
    clean: Cleaner = as_it_is,
    all_sessions: bool = False,
) -> Mined:
    """Return the pairs of what a store holds, looked up in the notes of today. Hold the store's lock."""
    with no_circles():
        turns = KeptTurns(store.files(), all_sessions=all_sessions)
        names = Locator(notes, root, turns.folders, in_scope)
        used: list[Pair] = []
        pairs, tally = pair_up(turns, names, Today(names.notes, clean), share=share, floor=floor, delivered=used)
    return Mined(pairs, tally, turns.skipped, turns.size, used)
