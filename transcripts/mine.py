"""Session logs to pairs: each session on its own, on all cores, and the threshold at the end."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from notes import NoteFile
from transcripts.candidates import History, MinedTurn, mined
from transcripts.locate import Locator, Today
from transcripts.pairs import FLOOR, SHARE, Pair, Tally, pair_up
from transcripts.records import Skipped
from transcripts.sessions import Session
from transcripts.turns import turns

WORTH_TWO = 48_000_000
"""Bytes of logs from which a second process pays for its start."""


class Mined(NamedTuple):
    """What a run of mining found."""

    pairs: list[Pair]
    tally: Tally
    skipped: list[Skipped]
    size: int
    """Bytes of logs."""


def plain(text: str) -> str:
    """Return the text as it is."""
    return text


def mine_session(session: Session, clean: Callable[[str], str] = plain) -> tuple[list[MinedTurn], list[Skipped]]:
    """Return what is kept of a session's turns, and the lines that gave no record."""
    skipped: list[Skipped] = []
    history = History()
    return [mined(turn, history, clean) for turn in turns(session, skipped)], skipped


def mine(
    found: Sequence[Session],
    notes: Sequence[NoteFile],
    root: Path,
    *,
    share: float = SHARE,
    floor: int = FLOOR,
    in_scope: Callable[[str], bool] | None = None,
    processes: int | None = None,
    clean: Callable[[str], str] = plain,
) -> Mined:
    """Mine sessions against the notes of today; see `pair_up` for the rule.

    `root` is the folder from which the notes' paths are named.
    """
    kept: list[MinedTurn] = []
    skipped: list[Skipped] = []
    for part, damage in each_session(found, clean, processes):
        kept.extend(part)
        skipped.extend(damage)
    names = Locator(notes, root, {turn.cwd for turn in kept}, in_scope)
    pairs, tally = pair_up(kept, names, Today(names.notes, clean), share=share, floor=floor)
    return Mined(pairs, tally, skipped, sum(size_of(session) for session in found))


def each_session(
    found: Sequence[Session], clean: Callable[[str], str] = plain, processes: int | None = None
) -> Iterator[tuple[list[MinedTurn], list[Skipped]]]:
    """Yield `mine_session` of each session, in order, on several processes where that pays."""
    count = processes or min(os.cpu_count() or 1, 8, len(found))
    if count < 2 or sum(size_of(session) for session in found) < WORTH_TWO:
        for session in found:
            yield mine_session(session, clean)
        return
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(mine_session, found, [clean] * len(found), chunksize=1)


def size_of(session: Session) -> int:
    """Return the bytes of a session's logs."""
    return sum(path.stat().st_size for path in (session.file, *session.agents))
