"""What one session has already been shown: a small private file a session, only ever appended to.

A line says `{"n": note, "v": version}` (named), `{"n": note, "p": "key key", "m": message, "z": log}` (passages shown),
`{"o": note}` (the agent opened it itself), `{"w": note}` (its whole read was made narrow) or `{"reset": why}` (the
conversation was compacted or cleared, so what was shown is gone from it). Lines are written with one `write` in append
mode: several hooks of one session, or of two sessions, run at once and need no lock. A broken line is skipped.
"""
# pathlib costs more to import than the whole answer:
# ruff: noqa: PTH108

from __future__ import annotations

import os
import time

from ladder.index.format import checksum
from ladder.lean.files import append_private, read_private, replace_private
from ladder.lean.json import from_json, to_json

#: Bytes at which a session's file is written anew, without what a reset made void.
SIZE_CAP = 64 * 1024

#: Sessions that are remembered at most, and for how many days.
SESSIONS_KEPT = 300
DAYS_KEPT = 30

#: Stands for "whatever its version": used for notes that are known to have been shown, but not in which state.
ANY_VERSION = "*"


class SessionState:
    """What is known about one session.

    `shown` maps a note's path to the version that was named, `passages` to the texts shown (key -> the message's, and
    the log's bytes then), `opened` holds the notes the agent read itself, `narrowed` those whose whole read was made
    narrow, `before` the notes that were in use before the last compaction, `fresh` is True when nothing has been
    written down yet.
    """

    __slots__ = ("before", "fresh", "narrowed", "opened", "passages", "path", "shown")

    def __init__(self, path: str) -> None:
        self.path = path
        self.shown: dict[str, str] = {}
        self.passages: dict[str, dict[str, tuple[str, int]]] = {}
        self.opened: dict[str, bool] = {}
        self.narrowed: dict[str, bool] = {}
        self.before: tuple[str, ...] = ()
        self.fresh = True

    def _take(self, line: bytes) -> None:
        try:
            record = from_json(line.decode("utf-8", "replace"))
        except ValueError:
            return
        if not isinstance(record, dict):
            return
        if "reset" in record:
            # What was in use is what a brief after a compaction names: opened before merely shown, newest first.
            shown = [*self.shown, *self.passages]
            self.before = tuple(dict.fromkeys((*reversed(self.opened), *reversed(shown), *self.before)))[:10]
            self.shown.clear()
            self.passages.clear()
            self.opened.clear()
            self.narrowed.clear()
        elif isinstance(record.get("n"), str) and isinstance(record.get("p"), str):
            size = record.get("z")
            mark = (str(record.get("m", "")), size if isinstance(size, int) else 0)
            self.passages.setdefault(record["n"], {}).update(dict.fromkeys(record["p"].split(), mark))
        elif isinstance(record.get("n"), str):
            self.shown.pop(record["n"], None)
            self.shown[record["n"]] = str(record.get("v", ""))
        elif isinstance(record.get("o"), str):
            self.opened.pop(record["o"], None)
            self.opened[record["o"]] = True
        elif isinstance(record.get("w"), str):
            self.narrowed[record["w"]] = True

    def knows(self, note: str, version: str) -> bool:
        """Say whether the session has this version of the note in view already, shown or read."""
        return note in self.opened or self.shown.get(note) in (version, ANY_VERSION)

    def show_passages(self, note: str, texts: list[bytes], message: str = "", log_size: int = 0) -> None:
        """Record that these texts of a note are shown now, with the message and the size of the log in bytes."""
        keys = " ".join([passage_key(text) for text in texts])
        said = passage_key(message.strip().encode("utf-8", "replace")) if message else ""
        self._append([{"n": note, "p": keys, "m": said, "z": log_size}])

    def begin(self, source: str) -> None:
        """Write down that the session began: one that never did is a fork of another."""
        if self.fresh:
            self._append([{"b": source}])

    def take_over(self, other: SessionState) -> None:
        """Write down what another session has in view; its messages are in no log of this one yet."""
        self._append([record | {"m": ""} if "p" in record else record for record in _records(other)])

    def show(self, notes: list[tuple[str, str]]) -> None:
        """Write down that these (note, version) pairs are shown now."""
        self._append([{"n": note, "v": version} for note, version in notes])

    def open(self, note: str) -> None:
        """Write down that the agent read this note itself."""
        if note not in self.opened:
            self._append([{"o": note}])

    def narrow(self, note: str) -> None:
        """Write down that a whole read of this note was made narrow."""
        self._append([{"w": note}])

    def reset(self, why: str) -> None:
        """Write down that what was shown is no longer in the conversation."""
        if self.shown or self.opened or self.passages or self.narrowed:
            self._append([{"reset": why}])

    def _append(self, records: list[dict[str, object]]) -> None:
        if not records:
            return
        lines = "".join([to_json(record) + "\n" for record in records]).encode("ascii")
        for line in lines.split(b"\n")[:-1]:
            self._take(line)
        self.fresh = False
        append_private(self.path, lines)


def passage_key(text: bytes) -> str:
    """Return what stands for a text that was shown."""
    return checksum(text.strip()).hex()


def state_file(folder: str, session: str) -> str:
    """Return the path of a session's file: its name tells nothing but the session's id, made safe."""
    safe = "".join([char if char.isascii() and (char.isalnum() or char in "-_") else "_" for char in session])[:80]
    return f"{folder}/{safe or '_'}.jsonl"


def load_state(folder: str, session: str) -> SessionState:
    """Return what is known of the session; an unreadable or missing file is an empty state."""
    state = SessionState(state_file(folder, session))
    data = read_private(state.path, 4 * SIZE_CAP)
    if data:
        state.fresh = False
        for line in data.split(b"\n"):
            if line:
                state._take(line)  # noqa: SLF001 (the class is of this file)
        if len(data) > SIZE_CAP:
            _rewrite(state)
    return state


def _rewrite(state: SessionState) -> None:
    records: list[dict[str, object]] = [{"o": note} for note in state.before[::-1]]
    if records:
        records.append({"reset": "trimmed"})
    records += _records(state)
    replace_private(state.path, "".join([to_json(record) + "\n" for record in records]).encode("ascii"))


def _records(state: SessionState) -> list[dict[str, object]]:
    """What a session has in view, the newest of each kind, as its file has it."""
    records: list[dict[str, object]] = []
    for note, keys in list(state.passages.items())[-300:]:
        together: dict[tuple[str, int], list[str]] = {}
        for key, mark in keys.items():
            together.setdefault(mark, []).append(key)
        records += [{"n": note, "p": " ".join(each), "m": said, "z": size} for (said, size), each in together.items()]
    records += [{"n": note, "v": version} for note, version in list(state.shown.items())[-300:]]
    records += [{"o": note} for note in list(state.opened)[-300:]]
    return records + [{"w": note} for note in list(state.narrowed)[-300:]]


def sweep(folder: str, now: float | None = None) -> int:
    """Delete the files of sessions long gone; returns how many. Runs at a session's start, never before a message."""
    moment = time.time() if now is None else now
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                [(entry.stat(follow_symlinks=False).st_mtime, entry.path) for entry in entries],
                reverse=True,
            )
    except OSError:
        return 0
    gone = 0
    for rank, (changed, path) in enumerate(found):
        if rank >= SESSIONS_KEPT or moment - changed > DAYS_KEPT * 86_400:
            try:
                os.unlink(path)
                gone += 1
            except OSError:  # taken by another hook, or in use
                continue
    return gone
