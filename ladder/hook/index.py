"""The project's index as the hook sees it: opened if it is there and whole, brought up to date where that is quick."""

from __future__ import annotations

import os
import time

from ladder.index.background import ask_update, asked_file
from ladder.index.format import IndexBroken
from ladder.index.overlay import FreshIndex, open_fresh
from ladder.lean.files import read_private
from ladder.lean.json import from_json
from ladder.lean.paths import data_folder, index_file
from ladder.lean.project import CONFIG, main_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import NoteRow


#: Seconds that a session's start, and its first message, wait for a project's very first index: of a new work tree it
#: takes about one, for most notes are those of the main tree.
FIRST_WAIT = 1.2
#: Seconds after which who asked for the first index is taken not to get it.
_IN_VAIN = 5.0
_LOOK_AGAIN = 0.02


def current_index(root: str, itself: tuple[str, ...] = (), *, patient: bool = False) -> FreshIndex | None:
    """Return the index of the project at `root`, None when there is none that can be used.

    Where there is none, or it is behind, `ladder index` is started in the background. Nobody waits for it, but who is
    `patient` for the first one of a project in which notes are kept for sure. `itself`: see hook/main.py.
    """
    file = index_file(root)
    try:
        index = open_fresh(file)
    except IndexBroken:
        since = _seconds_since(asked_file(root))
        started = ask_update(root, _index_command(root, itself))
        hoped = started if since is None else since < _IN_VAIN
        if not (patient and hoped and not os.path.exists(file) and _has_notes(root)):  # noqa: PTH110 (pathlib is too slow for the hook)
            return None
        awaited = _awaited(file)
        if awaited is None:
            return None
        index = awaited
    if index.stale:
        command = index.files()["surroundings"].get("command")
        ask_update(root, command if isinstance(command, list) else [])
    return index


def _seconds_since(path: str) -> float | None:
    """Return how long ago a file was written, None where there is none."""
    try:
        return time.time() - os.stat(path).st_mtime  # noqa: PTH116 (pathlib is too slow for the hook)
    except OSError:
        return None


def _has_notes(root: str) -> bool:
    """Whether somebody has set ladder up here, or in the main work tree: elsewhere there may be no note to wait for."""
    path = os.path
    if path.isfile(path.join(root, CONFIG)):
        return True
    main = main_of(root)
    return main != root and path.isfile(index_file(main))


def _awaited(file: str) -> FreshIndex | None:
    """Return the index when it comes in time: a file is put in its place whole."""
    end = time.perf_counter() + FIRST_WAIT
    while time.perf_counter() < end:
        time.sleep(_LOOK_AGAIN)
        try:
            return open_fresh(file)
        except IndexBroken:
            continue
    return None


def _index_command(root: str, itself: tuple[str, ...]) -> list[str]:
    """Return the command that makes an index, as the installer wrote it down; [] when nobody knows one."""
    if itself:
        return [*itself, "index", "--background", root]
    try:
        record = from_json(read_private(data_folder() + "/hook/installed.json", 1 << 20).decode("utf-8", "replace"))
    except ValueError:
        return []
    command = record.get("command") if isinstance(record, dict) else None
    if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
        return []
    return [*command, "index", "--background", root]


def version_of(row: NoteRow) -> str:
    """Return what tells one state of a note from another: when its file was changed."""
    return str(row.changed)
