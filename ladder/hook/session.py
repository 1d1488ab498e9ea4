"""What one session has already been shown: a small private file a session, only ever appended to.

A line says `{"n": note, "v": version}` (named), `{"n": note, "p": "key key", "m": message, "z":
log}` (passages shown), `{"o": note}` (the agent
opened it itself) or `{"reset": why}` (the
conversation was compacted or cleared, so what was shown is gone from it). Lines are written with one `write` in append
mode: several hooks of one session, or of two sessions, run at once and need no lock. A broken line is skipped.
"""
# pathlib costs more to import than the whole answer:
# ruff: noqa: PTH102, PTH105, PTH108, PTH116

from __future__ import annotations

import os
import time

from ladder.index.format import checksum
from ladder.lean.json import from_json, to_json

#: A session's file is written anew, without what a reset made void, when it has grown to so many bytes.
SIZE_CAP = 64 * 1024

#: So many sessions are remembered, for so many days.
SESSIONS_KEPT = 300
DAYS_KEPT = 30

#: Stands for "whatever its version": used for notes that are known to have been shown, but not in which state.
ANY_VERSION = "*"


class SessionState:
    """What is known about one session.

    `shown` maps a note's path to the version that was named, `passages` to the texts shown (key -> the message's, and
    the log's bytes then), `opened` holds the notes the agent read itself, `before`
    the notes that were in use before the last compaction, `fresh` is True when nothing has been written down yet.
    """

    __slots__ = ("before", "fresh", "opened", "passages", "path", "shown")

    def __init__(self, path: str) -> None:
        self.path = path
        self.shown: dict[str, str] = {}
        self.passages: dict[str, dict[str, tuple[str, int]]] = {}
        self.opened: dict[str, bool] = {}
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

    def knows(self, note: str, version: str) -> bool:
        """Say whether the session has this version of the note in view already, shown or read."""
        return note in self.opened or self.shown.get(note) in (version, ANY_VERSION)

    def show_passages(self, note: str, texts: list[bytes], message: str = "", log_size: int = 0) -> None:
        """Write down that these texts of a note are shown now, with the message and when the log had so many bytes."""
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

    def reset(self, why: str) -> None:
        """Write down that what was shown is no longer in the conversation."""
        if self.shown or self.opened or self.passages:
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
    return records + [{"o": note} for note in list(state.opened)[-300:]]


def replace_private(path: str, data: bytes) -> bool:
    """Put new content in a private file's place in one step; False where that cannot be done, and nothing changed."""
    temporary = f"{path}.{os.getpid()}.new"
    try:
        if not append_private(temporary, data):
            return False
        os.replace(temporary, path)
    except OSError:  # read-only, or in use on Windows: the next hook tries again
        try:  # noqa: SIM105 (contextlib is one import more)
            os.unlink(temporary)
        except OSError:  # read-only
            pass
        return False
    return True


def read_private(path: str, limit: int, end: int | None = None) -> bytes:
    """Return the last `limit` bytes of a plain file (before byte `end`), or nothing; never waits, also for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return b""
    try:
        status = os.fstat(descriptor)
        if status.st_mode & 0o170000 != 0o100000:
            return b""
        last = status.st_size if end is None else min(end, status.st_size)
        first = max(0, last - limit)
        if first:
            os.lseek(descriptor, first, 0)
        parts: list[bytes] = []
        left = limit if end is None else last - first
        while left > 0:
            part = os.read(descriptor, left)
            if not part:
                break
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def append_private(path: str, data: bytes) -> bool:
    """Append to a file that only its owner can read, in one write; make it and its folder if missing. True if done."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_BINARY", 0)
    for _attempt in (1, 2):
        try:
            descriptor = os.open(path, flags, 0o600)
        except FileNotFoundError:
            if not make_private_folder(path.rpartition("/")[0]):
                return False
            continue
        except (OSError, ValueError):
            return False
        try:
            return os.write(descriptor, data) == len(data)
        except OSError:
            return False
        finally:
            os.close(descriptor)
    return False


def make_private_folder(path: str) -> bool:
    """Make a folder and those above it; what is made can be entered by its owner only. True when it is there."""
    missing: list[str] = []
    while path and not _is_folder(path):
        missing.append(path)
        path = path.rpartition("/")[0]
    try:
        for folder in reversed(missing):
            os.mkdir(folder, 0o700)
    except FileExistsError:  # another hook was faster
        return _is_folder(missing[0])
    except (OSError, ValueError):
        return False
    return True


def _is_folder(path: str) -> bool:
    try:
        return os.stat(path).st_mode & 0o170000 == 0o040000
    except (OSError, ValueError):
        return False


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
