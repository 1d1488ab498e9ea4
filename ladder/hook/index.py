"""The project's index as the hook sees it: opened if it is there and whole, brought up to date where that is quick."""

from __future__ import annotations

from ladder.index.background import ask_update
from ladder.index.format import IndexBroken
from ladder.index.overlay import FreshIndex, open_fresh
from ladder.lean.files import read_private
from ladder.lean.json import from_json
from ladder.lean.paths import data_folder, index_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.index.reader import NoteRow


def current_index(root: str) -> FreshIndex | None:
    """Return the index of the project at `root`, None when there is none that can be used.

    Where there is none, or it is behind, `ladder index` is started in the background; nobody waits for it.
    """
    try:
        index = open_fresh(index_file(root))
    except IndexBroken:
        ask_update(root, _index_command(root))
        return None
    if index.stale:
        command = index.files()["surroundings"].get("command")
        ask_update(root, command if isinstance(command, list) else [])
    return index


def _index_command(root: str) -> list[str]:
    """Return the command that makes an index, as the installer wrote it down; [] when nothing is installed."""
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
