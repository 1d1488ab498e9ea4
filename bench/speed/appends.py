"""Measures appends a second of the note store against a plain locked `open(…, "a")` in the same run.

    python -m bench.speed.appends --appends 200

The plain writer holds the same kind of lock, writes the same text and flushes it to the disk once, as the least that an
append which survives a power cut costs. The store flushes three times (the note, its folder, the ledger) and reads the
note back before it answers; `plain, no fsync` shows what the disk itself takes.
"""

import argparse
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import filelock

from notes.writing.store import Place, append_entry

_NOTE = b"# Note\n\nhead\n\n## History\n\n### 2026-09-01 first\n\nwhat was\n"
_TEXT = "what happened, in a line or two of ordinary length, as people write them. " * 3


def store(path: Path) -> None:
    """One append by the store."""
    append_entry(Place(path.parent, path), _TEXT)


def plain(path: Path) -> None:
    """One append by `open(…, "a")` under a lock, flushed to the disk."""
    with filelock.FileLock(f"{path}.lock", poll_interval=0.01), path.open("a", encoding="utf-8") as file:
        file.write(f"\n### 2026-09-02\n\n{_TEXT}\n")
        file.flush()
        os.fsync(file.fileno())


def unflushed(path: Path) -> None:
    """The same, not flushed."""
    with filelock.FileLock(f"{path}.lock", poll_interval=0.01), path.open("a", encoding="utf-8") as file:
        file.write(f"\n### 2026-09-02\n\n{_TEXT}\n")


WAYS: dict[str, Callable[[Path], None]] = {"store": store, "plain with lock": plain, "plain, no fsync": unflushed}


def _many(way: str, paths: list[str], first: int, appends: int) -> None:
    for n in range(appends):
        WAYS[way](Path(paths[(first + n) % len(paths)]))


def rate(way: str, writers: int, notes: int, appends: int) -> float:
    """Appends a second of `writers` processes that make `appends` in all, over `notes` notes."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"n{n}.md" for n in range(notes)]
        for path in paths:
            path.write_bytes(_NOTE)
        names = [str(p) for p in paths]
        each = appends // writers
        running = [multiprocessing.Process(target=_many, args=(way, names, w, each)) for w in range(writers)]
        begun = time.perf_counter()
        for process in running:
            process.start()
        for process in running:
            process.join()
        seconds = time.perf_counter() - begun
        if any(process.exitcode for process in running):
            raise RuntimeError(f"a writer of {way} failed")
        return each * writers / seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--appends", type=int, default=160, help="appends in all, for each row")
    appends = parser.parse_args().appends
    print(f"{'way':<18}{'writers':>8}{'notes':>7}{'appends/s':>11}")  # noqa: T201 (this is a command)
    for writers, notes in ((1, 1), (1, 8), (16, 1), (16, 8)):
        for way in WAYS:
            print(f"{way:<18}{writers:>8}{notes:>7}{rate(way, writers, notes, appends):>11.0f}")  # noqa: T201 (this is a command)


if __name__ == "__main__":
    main()
