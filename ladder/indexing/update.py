"""Brings the index up to date with the files on disk: opens it when nothing changed, else builds it from the old one.

The command line and the background process use this. The hook uses overlay.py, which builds nothing.
"""

import dataclasses
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.index.checked import TICK
from ladder.index.format import IndexBroken
from ladder.index.freshness import config_mark, folder_mark
from ladder.index.overlay import SCANNED
from ladder.index.reader import Index, open_index
from ladder.indexing.laid_over import LAID_FROM, MOST_FOLDERS, announce, lay_over, update_command
from ladder.indexing.made_by import made_by
from ladder.indexing.sources import read_source, read_status
from ladder.indexing.token_counts import Costs, content_hash, estimated
from ladder.lean.paths import costs_file, index_file
from notes import NoteFile, Settings, find_notes, load_settings, main_root, note_roots
from notes.files.find import SKIPPED

if TYPE_CHECKING:
    from ladder.indexing.pipeline import Watch


@dataclasses.dataclass(frozen=True, slots=True)
class Change:
    """What an update found, in names of notes."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    rebuilt: str
    """Why the whole index was made anew; empty when it was not."""

    def __bool__(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.added or self.changed or self.gone or self.rebuilt)


def fresh_index(where: Path | Settings, *, watch: "Watch | None" = None, force: bool = False) -> Index:
    """The index of a project (its root, or its settings), up to date with the files as they are now.

    `watch` shows the progress of a build (see pipeline.Watch). With `force` everything is made anew.
    When the cache folder cannot be written to, the index lies in a temporary folder for this once.
    """
    return update_index(where, watch=watch, force=force)[0]


def update_index(
    where: Path | Settings, *, watch: "Watch | None" = None, force: bool = False, background: bool = False
) -> tuple[Index, Change]:
    """As `fresh_index`, and what had changed. The `background` merges where others leave it on top (laid_over.py)."""
    settings = load_settings(where) if isinstance(where, Path) else where
    variant = _variant(settings)
    target = Path(index_file(settings.root, variant))
    plain = _plain(settings)
    index, why = _usable(target, settings, plain)
    if index is not None and not force and index.count >= LAID_FROM:
        laid = lay_over(target, settings, own=not variant)
        if laid is not None and not (background and laid.due):
            index.close()
            laid.announce()
            if laid.due:
                laid.ask()
            added, changed, gone = laid.changes()
            return laid, Change(added, changed, gone, "")
        if laid is not None:
            laid.close()
    files = find_notes(settings)
    if force:
        why = why or "asked for"
    change = Change((), (), (), why) if why or index is None else _changes(index, files)
    if index is not None and not change and index.files()["surroundings"].get("config") == config_mark(settings.root):
        return index, change
    if index is not None and change and index.count > SCANNED:
        _announce(index, files, change)
    from ladder.indexing.parallel import WORTH_IT, workers  # noqa: PLC0415 (numpy: mostly nothing is built)
    from ladder.indexing.pipeline import PreparedNotes, build_index  # noqa: PLC0415 (as above)
    from ladder.indexing.reuse import reusable  # noqa: PLC0415 (as above)

    prepared = PreparedNotes(keep=False)
    if index is None and not force:
        old = reusable(_of_main_tree(settings, plain), prepared, root=settings.root)
    else:
        old = None if change.rebuilt else reusable(index, prepared)
    if old is None and index is not None:
        index.close()  # on Windows nothing can be put in its place while it is open
    costs = Costs(Path(costs_file(settings.root)))
    surroundings = surroundings_of(settings)

    def build(place: Path) -> None:
        build_index(
            files, place, root=settings.root, settings=plain, costs=costs, prepared=prepared, surroundings=surroundings,
            old=old, watch=watch, processes=workers() if len(files) >= WORTH_IT else 1,
        )  # fmt: skip

    try:
        build(target)
    except OSError:
        # Its folder is read-only, or on Windows somebody keeps the former index open.
        old = old if old is not None and old.open else None
        with tempfile.TemporaryDirectory(prefix="ladder-", ignore_cleanup_errors=True) as folder:
            build(Path(folder) / "index")
            return open_index(str(Path(folder) / "index")), change
    finally:
        if index is not None:
            index.close()
    return open_index(str(target)), change


def _announce(index: Index, files: Sequence[NoteFile], change: Change) -> None:
    """Tell hooks what changed, before a large store's new index is there after some seconds (see overlay.py)."""
    names = {index.note(n).name: n for n in range(index.count)} if change.changed or change.gone else {}
    added = set(change.added)
    numbers = [names[name] for name in (*change.changed, *change.gone) if name in names]
    announce(index, numbers, [(file.path, file.name) for file in files if file.name in added])


def _usable(target: Path, settings: Settings, plain: dict[str, object]) -> tuple[Index | None, str]:
    """The index that is there, when it can be used; else why not."""
    try:
        index = open_index(str(target))
    except IndexBroken as error:
        return None, "there was none" if isinstance(error.__cause__, FileNotFoundError) else str(error)
    if index.root != settings.root or index.settings != plain:
        why = "the settings changed"
    elif index.made_by != made_by():
        why = "it was made by another version of ladder"
    elif index.estimated and not estimated():
        why = "costs can be counted now"
    else:
        return index, ""
    index.close()
    return None, why


def _of_main_tree(settings: Settings, plain: dict[str, object]) -> Index | None:
    """The index of the main work tree, for a linked one that has none: most of its notes are the same."""
    root = settings.root
    main = str(main_root(Path(root)))
    if main == root:
        return None
    try:
        index = open_index(index_file(main))
    except IndexBroken:
        return None
    if index.made_by == made_by() and index.settings.get("head_budget") == plain["head_budget"]:
        return index
    index.close()
    return None


def _variant(settings: Settings) -> str:
    """Empty for the project's own settings; what sets the index of others apart (`--notes FOLDER --glob …`)."""
    if not settings.configured or settings == load_settings(Path(settings.root)):
        return ""
    return "-" + content_hash(repr(settings).encode("utf-8", "surrogatepass"))[:6].hex()


def _plain(settings: Settings) -> dict[str, object]:
    """The settings as plain values, for readers of the index that do not import the notes package."""
    return {
        field.name: getattr(settings, field.name) for field in dataclasses.fields(settings) if field.name != "other"
    }


def _changes(index: Index, files: Sequence[NoteFile]) -> Change:
    """Compare the files with what the index saw; contents are read where times cannot tell."""
    try:
        seen = index.files()
        sizes = memoryview(seen["size"]).cast("q")
        mtimes = memoryview(seen["mtime"]).cast("Q")
        inodes = memoryview(seen["inode"]).cast("Q")
        numbers = {path: n for n, path in enumerate(seen["paths"])}
        added, changed = [], []
        for file in files:
            n = numbers.pop(file.path, None)
            if n is None:
                added.append(file.name)
                continue
            status = read_status(file.path)
            same = status is not None and tuple(status[0]) == (sizes[n], mtimes[n], inodes[n])
            if same and status and status[1] + TICK < index.begun and index.note(n).name == file.name:
                continue
            source = read_source(file) if index.note(n).name == file.name else None
            if source is None or content_hash(source.data) != seen["hash"][n * 16 : n * 16 + 16] or not same:
                changed.append(file.name)
        gone = [index.note(n).name for n in numbers.values()]
    except (IndexBroken, KeyError, TypeError, ValueError, IndexError) as error:
        return Change((), (), (), str(error))
    return Change(tuple(added), tuple(changed), tuple(gone), "")


def surroundings_of(settings: Settings) -> dict[str, object]:
    """What the hook compares to notice new notes and new settings, and the command that updates the index."""
    roots = note_roots(settings)
    folders: list[str] = []
    for root in roots:
        if os.path.isfile(root.path):  # noqa: PTH113 (as in notes.files.find)
            continue
        folders.append(root.path)
        for folder, inner, _ in os.walk(root.path):
            inner[:] = [
                name for name in inner if name not in SKIPPED and (settings.hidden or not name.startswith("."))
                and not os.path.islink(os.path.join(folder, name))  # noqa: PTH114, PTH118 (as in notes.files.find)
            ]  # fmt: skip
            folders += [os.path.join(folder, name) for name in inner]  # noqa: PTH118 (as in notes.files.find)
            if len(folders) > MOST_FOLDERS:
                break
    marks = [(folder, folder_mark(folder)) for folder in dict.fromkeys(folders)][:MOST_FOLDERS]
    return {
        "folders": marks,
        "roots": [(root.path, root.prefix) for root in roots],
        "plain": settings.globs == ("**/*.md",) and not settings.excludes,
        "hidden": settings.hidden,
        "skipped": sorted(SKIPPED),
        "config": config_mark(settings.root),
        "command": update_command(settings),
    }
