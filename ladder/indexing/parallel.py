"""Prepares many notes in several processes, with the result and order of one process.

Each worker numbers terms as it meets them and returns the new ones; here they get the numbers of one vocabulary. Token
counts that a worker made come back with its notes and are kept here.
"""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ladder.indexing.pipeline import PreparedNotes
from ladder.indexing.prepare import Prepared
from ladder.indexing.sources import Source, read_source
from ladder.indexing.token_counts import Costs
from notes import NoteFile

#: Notes from which on a second process saves time.
WORTH_IT = 1500
#: Notes a worker is handed at a time.
PORTION = 100
#: More workers than this gain little: one process writes.
MOST_WORKERS = 4


class _Portion(NamedTuple):
    """What a worker hands back."""

    worker: int
    words: list[str]
    """The terms that this worker met for the first time, in the order of their numbers."""
    notes: list[tuple[Prepared, Source]]
    costs: dict[bytes, bytes]


_prepared: PreparedNotes | None = None
_costs: Costs | None = None
_told = 0


def workers() -> int:
    """How many processes pay: one a core, at most MOST_WORKERS."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_WORKERS)


def _work(files: Sequence[NoteFile], head_budget: int, costs_path: Path | None) -> _Portion:
    global _prepared, _costs, _told  # noqa: PLW0603 (a worker's memory between portions)
    if _prepared is None:
        _prepared = PreparedNotes(keep=False)
        _costs = Costs(costs_path)
    assert _costs is not None
    sources = filter(None, map(read_source, files))
    notes = [(note, source._replace(data=b"")) for note, source in _prepared.in_portions(sources, _costs, head_budget)]
    words = _prepared.vocabulary.words[_told:]
    _told += len(words)
    return _Portion(os.getpid(), words, notes, _costs.take_new())


def prepare_files(
    files: Sequence[NoteFile], prepared: PreparedNotes, costs: Costs | None, head_budget: int, processes: int
) -> Iterator[tuple[Prepared, Source]]:
    """The notes in `files` in their order, prepared by `processes` processes; unreadable files are left out."""
    portions = [files[at : at + PORTION] for at in range(0, len(files), PORTION)]
    numbers: dict[int, np.ndarray[tuple[int], np.dtype[np.uint32]]] = {}
    vocabulary = prepared.vocabulary
    path = costs.path if costs is not None else None
    # Started afresh rather than forked: the same on every system, and no thread of this process is copied half.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        futures = [pool.submit(_work, portion, head_budget, path) for portion in portions[: 2 * processes]]
        for at in range(len(portions)):
            done = futures[at].result()
            futures[at].cancel()
            if len(futures) < len(portions):
                futures.append(pool.submit(_work, portions[len(futures)], head_budget, path))
            new = np.array([vocabulary.number(word) for word in done.words], np.uint32)
            known = numbers.get(done.worker)
            known = numbers[done.worker] = new if known is None else np.concatenate((known, new))
            if costs is not None:
                costs.add(done.costs)
            for note, source in done.notes:
                yield replace(note, terms=known[note.terms], label_terms=known[note.label_terms]), source
            futures[at] = None  # type: ignore[call-overload]
