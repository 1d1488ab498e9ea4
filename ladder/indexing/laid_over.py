"""A large store's index with the notes on top that changed since: a change costs a command what changed, not a rebuild.

The hook does the same (overlay.py). Commands differ in two ways: they look at every file, however many, and they parse
what changed as the index would. Once enough has changed, or an hour after the index was made, the background merges it.
"""

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.index.background import ask_update
from ladder.index.format import SEAL, IndexBroken, checksum, pack_values, unpack_values
from ladder.index.freshness import changed_at, config_mark, folder_mark, read_file
from ladder.index.overlay import LOOK_AGAIN, FreshIndex, changes_file
from ladder.index.reader import Index
from ladder.indexing.sources import is_utf8
from notes import Settings, find_notes, folder_settings
from notes.atomic import write_private

if TYPE_CHECKING:
    from ladder.index.provisional_note import CutNote

#: Notes in the smallest store in which changes are laid on top; in smaller ones building from the old index is as fast.
LAID_FROM = 2000
#: Files that are laid on top at most, and their bytes: what is more is built into a new index at once.
MOST_FILES = 256
MOST_BYTES = 2_000_000
#: From so many files or bytes on the background merges: the hook takes in no more than overlay.CUT_BYTES.
DUE_FILES = 64
DUE_BYTES = 200_000
#: Seconds after which the background merges, however little has changed.
DUE_AFTER = 3600.0
#: Folders whose times are kept, so that new notes in them are noticed.
MOST_FOLDERS = 4000


class TooMuchChangedError(Exception):
    """More changed than is laid on top."""


class LaidOver(FreshIndex):
    """An index with all that changed since on top, each changed note as an index would hold it; costs are estimates."""

    def __init__(self, path: str, settings: Settings, command: list[str]) -> None:
        """Open the file; nothing is looked at yet. `command` merges in the background."""
        super().__init__(path)
        self._settings = settings
        self._command = command
        self._new: dict[int, tuple[str, str, bytes]] = {}
        #: Files that are not as they were, those that had to be read to know, and the bytes of those laid on top.
        self._odd = self._read = self._bytes = 0
        self._all: dict[str, str] | None = None

    def lay(self) -> None:
        """Look at every file and lay on top what changed.

        Raises:
            TooMuchChangedError: a new index is made sooner.
        """
        self.scan()
        if self._new:
            from ladder.indexing.parsed_note import NewText, parsed_notes  # noqa: PLC0415 (numpy: mostly nothing changed)

            texts = [NewText(name, path, changed_at(path), data) for path, name, data in self._new.values()]
            head_budget = self._settings.head_budget
            # As CutNote to the reader, which asks both the same.
            parsed: Any = parsed_notes(texts, head_budget)
            found: dict[int, CutNote] = dict(zip(self._new, parsed, strict=True))
            self.cut.update(found)
            changed = {path for path, _, _ in self._new.values()}
            odd = [path for path, _, data in self._new.values() if not is_utf8(data)]
            self.not_utf8 = [*[path for path in self.not_utf8 if path not in changed], *odd]
        if self.taken:
            self._count_paragraphs()

    def _count_paragraphs(self) -> None:
        """Take what changed into the numbers of paragraphs and sections; scores of notes stay by the old means."""
        before = [super(FreshIndex, self).passages(n) for n in self._replaced()]
        now = list(self.cut.values())
        terms = self.mean_paragraph * self.paragraph_count
        terms += sum([sum(each.p_length) for each in now]) - sum([sum(each.p_length) for each in before])
        self.paragraph_count += sum([each.count for each in now]) - sum([each.count for each in before])
        self.section_count += sum([each.section_count for each in now]) - sum([each.section_count for each in before])
        self.mean_paragraph = terms / self.paragraph_count if self.paragraph_count else 0.0

    @property
    def due(self) -> bool:
        """Whether what is on top should be merged."""
        if self.files()["surroundings"].get("config") != config_mark(self.root):
            return True
        if not self.stale:
            return False
        many = max(self._odd, self._read) > DUE_FILES or self._bytes > DUE_BYTES
        return many or not 0 <= time.time() - self.begun < DUE_AFTER

    def changes(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The names of notes that came, that changed and that have gone."""
        added = [cut.row.name for n, cut in self.cut.items() if n >= self._base]
        changed = [cut.row.name for n, cut in self.cut.items() if n < self._base]
        return tuple(sorted(added)), tuple(sorted(changed)), tuple(sorted([self.note(n).name for n in self.gone]))

    def announce(self) -> None:
        """Tell hooks what changed (see overlay.py); again when that is as old as they believe it."""
        notes = sorted([*[n for n in self.cut if n < self._base], *self.gone])
        added = [(cut.row.path, cut.row.name) for n, cut in self.cut.items() if n >= self._base]
        told = self._announced()
        if (told["notes"], told["added"]) == (notes, added):
            recent = abs(time.time() - told["looked"]) < LOOK_AGAIN / 2
            if recent or not (notes or added):
                return
        announce(self, notes, added)

    def _announced(self) -> dict[str, Any]:
        """What hooks are told now."""
        data = read_file(changes_file(self.path))
        if data is not None and len(data) > SEAL and checksum(data[SEAL:]) == data[:SEAL]:
            with suppress(IndexBroken):
                told = unpack_values(data[SEAL:])
                if isinstance(told, dict) and told.get("index") == self.begun:
                    return told
        return {"notes": [], "added": [], "looked": 0.0}

    def ask(self) -> None:
        """Have the background merge what is on top; nobody waits for it."""
        ask_update(self.root, self._command)

    # --- looking at the files ---------------------------------------------------------------------------------------

    def _same(self, n: int) -> tuple[bool, bool]:
        same, racy = super()._same(n)
        if racy:
            self._read += 1
        else:
            self._count(1, 0)
        return same, racy

    def _count(self, files: int, size: int) -> None:
        self._odd += files
        self._bytes += size
        if self._odd > MOST_FILES or self._bytes > MOST_BYTES:
            raise TooMuchChangedError

    def _take(self, n: int) -> None:
        path = self._look()["paths"][n]
        self.stale = True
        data = read_file(path) if not self._through_link(path) or path in self._search() else None
        if data is None:
            self._count(1, 0)
            self.gone.add(n)
            return
        self._count(0, len(data))
        self._new[n] = path, self.note(n).name, data

    def _add(self, path: str, name: str) -> None:
        data = read_file(path)
        if data is None:
            return
        self.stale = True
        self._count(1, len(data))
        self._new[self.count] = path, name, data
        self.count += 1

    def _arrived(self, files: dict[str, Any]) -> list[tuple[str, str]]:
        surroundings = files["surroundings"]
        folders = surroundings["folders"]
        moved = [path for path, mtime in folders if folder_mark(path) != mtime]
        if len(folders) < MOST_FOLDERS and not moved:
            return []
        known = set(files["paths"])
        if surroundings["plain"] and len(folders) < MOST_FOLDERS:
            old = {path for path, _ in folders}
            if not any(_linked_in(folder, known, old) for folder in moved):
                return [(path, name) for path, name in super()._arrived(files) if name]
        found = self._search()
        # A folder that was moved away and is a link to there now: its files are as they were.
        for n, path in enumerate(files["paths"]):
            if path not in found and n not in self.gone:
                self._new.pop(n, None)
                self._count(1, 0)
                self.stale = True
                self.gone.add(n)
        return [(path, name) for path, name in found.items() if path not in known]

    def _search(self) -> dict[str, str]:
        """The names of all notes by path: every folder is searched, once."""
        if self._all is None:
            self._all = {file.path: file.name for file in find_notes(self._settings)}
        return self._all

    def _through_link(self, path: str) -> bool:
        """Whether a link leads to the file: then the settings decide whether it is a note."""
        roots = {os.path.normpath(root) for root, _ in self._look()["surroundings"]["roots"]}
        while path not in roots:
            if os.path.islink(path):  # noqa: PTH114 (as in notes.files.find)
                return True
            above = os.path.dirname(path)  # noqa: PTH120 (as in notes.files.find)
            if above == path:
                return True
            path = above
        return False


def _linked_in(folder: str, notes: set[str], folders: set[str]) -> bool:
    """Whether a link that is no known note stands in `folder`, or in folders below it that are new."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    if entry.path not in notes:
                        return True
                elif entry.path not in folders and entry.is_dir() and _linked_in(entry.path, notes, folders):
                    return True
    except OSError:
        return False
    return False


def lay_over(target: Path, settings: Settings, *, own: bool) -> LaidOver | None:
    """Open the usable index of a large store with what changed on top; None when a new index has to be made.

    `own` says that these are the project's own settings (see `update_command`).
    """
    command = update_command(settings, own=own)
    if not command:
        return None
    index = LaidOver(str(target), settings, command)
    try:
        index.lay()
    except (TooMuchChangedError, IndexBroken, KeyError, TypeError, ValueError, IndexError):
        index.close()
        return None
    except BaseException:
        index.close()
        raise
    return index


def announce(index: Index, notes: Sequence[int], added: Sequence[tuple[str, str]]) -> None:
    """Write down what of an index changed: numbers of notes, and (path, name) of those that came."""
    payload = pack_values({"index": index.begun, "notes": list(notes), "added": list(added), "looked": time.time()})
    with suppress(OSError):  # a full disk: the new index will say so
        write_private(Path(changes_file(index.path)), checksum(payload) + payload, durable=False)


def update_command(settings: Settings, *, own: bool = True) -> list[str]:
    """The command that updates the index in the background; [] when no command can name these settings.

    `own` says that they are the project's own, else they may be those of `--notes FOLDER --glob …`.
    """
    command = [sys.executable, "-P", "-m", "ladder", "index", "--background"]
    if own:
        return [*command, settings.root]
    if settings != folder_settings(Path(settings.root), settings.globs):
        return []
    globs = [word for glob in settings.globs for word in ("--glob", glob)]
    return [*command, "--notes", settings.root, *globs]
