"""From the name that a person types to a note's file, and to the folder whose `.ladder/` holds its ledger."""

import os
import unicodedata
from pathlib import Path

from notes.files.find import NoteFile, find_notes, note_roots
from notes.files.settings import Settings
from notes.writing.store import Place


def place_of(settings: Settings, file: NoteFile) -> Place:
    """The note's file with the innermost notes' folder that holds it."""
    best = ""
    for root in note_roots(settings):
        folder = os.path.dirname(root.path) if os.path.isfile(root.path) else root.path  # noqa: PTH113, PTH120 (texts)
        inside = file.path.startswith(folder.rstrip(os.sep) + os.sep)
        if inside and len(folder) > len(best):
            best = folder
    return Place(Path(best or os.path.dirname(file.path)), Path(file.path))  # noqa: PTH120 (a text)


def first_folder(settings: Settings) -> Path:
    """Where a new note goes: the first configured folder that is one, else the first that may become one."""
    roots = [Path(r.path) for r in note_roots(settings)]
    folders = [r for r in roots if r.suffix != ".md"]
    return next((r for r in folders if r.is_dir()), folders[0] if folders else Path(settings.root))


def notes_called(settings: Settings, name: str) -> list[NoteFile]:
    """The notes that `name` may mean: exactly so called, else of that ending, else with that file name.

    Case, composition and `.md` do not matter, unless several names differ in nothing else. A path to a note's
    file is a name, too; a path to any other file is not.
    """
    if "\0" in name or not name.strip():
        return []
    files = find_notes(settings)
    wanted = _fold(name)
    path = os.path.normpath(os.path.join(os.getcwd(), name))  # noqa: PTH109, PTH118 (a text: it is compared, not opened)
    ending = "/" + wanted.lstrip("/")
    lists = (
        [f for f in files if f.path in (path, path + ".md")],
        [f for f in files if _fold(f.name) == wanted],
        [f for f in files if _fold(f.name).endswith(ending)] if ".." not in wanted.split("/") else [],
    )
    found = next((found for found in lists if found), [])
    if len(found) > 1:
        spelled = _composed(name)
        exact = [f for f in found if f.name == spelled] or [f for f in found if f.name.endswith("/" + spelled)]
        return exact or found
    return found


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("\\", "/")).removeprefix("./").removesuffix(".md")


def _fold(name: str) -> str:
    folded = unicodedata.normalize("NFC", name.replace("\\", "/")).casefold()
    return folded.removeprefix("./").removesuffix(".md")
