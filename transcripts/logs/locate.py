"""Which note a logged path means, and where a logged line stands in the notes of today."""

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from notes import Note, NoteFile, Zone, parse

_WORKTREE = re.compile(r"(?:^|/)(?:\.claude/|\.git/)?worktrees?/[^/]+/")


class Located(NamedTuple):
    """What a logged path means."""

    note: str
    """The note's path relative to the notes root, with `.md`."""
    exists: bool
    """There is such a note today."""
    sure: bool
    """False: the path lies outside of the project, so only a line that is found word for word proves it."""


class Place(NamedTuple):
    """Where a line stands in a note."""

    note: str
    offset: int
    """Byte offset of the line."""
    zone: Zone
    section: str
    """The title of its section."""
    path: tuple[str, ...]
    """The titles from the top down to it."""


class Locator:
    """Maps logged paths to notes.

    The logs may have been written on another machine and in worktrees that are gone, so a path is tried relative to the
    working folder first, then by its longest ending that is a note's path. `folders` are all working folders that the
    logs name: the outermost ones are taken for the projects' roots.
    """

    def __init__(
        self,
        notes: Sequence[NoteFile],
        root: Path,
        folders: Iterable[str],
        in_scope: Callable[[str], bool] | None = None,
    ) -> None:
        """`in_scope` tells whether a path relative to the root could be a note's although there is none today."""
        self.notes: dict[str, NoteFile] = {}
        self._absolute: dict[str, str] = {}
        self._by_path: dict[str, str] = {}
        prefix = normal(str(root)).rstrip("/") + "/"
        for file in notes:
            name = (
                file.name
                if file.name.lower().endswith((".md", ".mdx", ".markdown"))
                else file.name + Path(file.path).suffix
            )
            self.notes[name] = file
            path = normal(file.path)
            self._absolute[path] = name
            self._by_path[path.removeprefix(prefix) if path.startswith(prefix) else name] = name
        self._in_scope = in_scope or _anything
        normals = sorted({normal(folder) for folder in folders if folder})
        self._roots: list[str] = []
        for folder in normals:
            if not any(folder == top or folder.startswith(top.rstrip("/") + "/") for top in self._roots):
                self._roots.append(folder)
        self._memo: dict[tuple[str, str], Located | None] = {}

    def find(self, path: str, cwd: str) -> Located | None:
        """Return the note that a logged path means, None when it means none."""
        key = (path, cwd)
        if key not in self._memo:
            self._memo[key] = self._find(path, cwd)
        return self._memo[key]

    def _find(self, path: str, cwd: str) -> Located | None:
        folder = normal(cwd)
        full = normal(path)
        if not full.startswith(("/", "~")) and not re.match(r"[a-z]:/", full):
            full = normal(posixpath.join(folder, full))
        if full in self._absolute:
            return Located(self._absolute[full], exists=True, sure=True)
        relative = _below(full, folder)
        if relative in self._by_path:
            return Located(self._by_path[relative], exists=True, sure=True)
        root = next((top for top in self._roots if _below(full, top)), "")
        inside = _below(full, root) if root else ""
        within = _WORKTREE.split(inside)[-1] if inside else ""
        for ending in _endings(within or full):
            if ending in self._by_path:
                return Located(
                    self._by_path[ending], exists=True, sure=bool(within) and (ending == within or "/" in ending)
                )
        if not within:
            return None
        below = _below(full, _outer(folder, root)) or within
        below = _WORKTREE.split(below)[-1]
        return Located(below, exists=False, sure=True) if self._in_scope(below) else None


class Today:
    """The notes as they stand: where a line is found word for word, blanks around it aside."""

    def __init__(self, notes: dict[str, NoteFile], clean: Callable[[str], str]) -> None:
        """`clean` is what has been done to the mined lines: a line with a secret is looked up without it."""
        self._notes = notes
        self._clean = clean
        self._lines: dict[str, dict[str, int]] = {}
        self._parsed: dict[str, Note] = {}
        self._everywhere: dict[str, list[str]] | None = None

    def offset(self, note: str, line: str) -> int | None:
        """Return the byte offset at which a line first stands in a note, None when it does not."""
        return self._of(note).get(line)

    def elsewhere(self, line: str) -> list[str]:
        """Return the notes that hold a line."""
        if self._everywhere is None:
            self._everywhere = {}
            for note in self._notes:
                for text in self._of(note):
                    self._everywhere.setdefault(text, []).append(note)
        return self._everywhere.get(line, [])

    def place(self, note: str, offset: int) -> Place:
        """Return zone and section of a place in a note."""
        if note not in self._parsed:
            file = self._notes[note]
            self._parsed[note] = parse(_bytes(file.path), file.path)
        parsed = self._parsed[note]
        section = next((s for s in reversed(parsed.sections) if s.span.start <= offset), parsed.sections[0])
        zone = Zone.HISTORY if any(span.start <= offset < span.end for span in parsed.history) else section.zone
        return Place(note, offset, zone, section.title, section.path)

    def _of(self, note: str) -> dict[str, int]:
        if note not in self._lines:
            found: dict[str, int] = {}
            at = 0
            data = _bytes(self._notes[note].path) if note in self._notes else b""
            whole = data.decode("utf-8", "replace")
            clean = self._clean if self._clean(whole) != whole else str
            for raw in data.split(b"\n"):
                text = raw.decode("utf-8", "replace").strip().removeprefix("\ufeff")
                if text:
                    found.setdefault(clean(text), at)
                at += len(raw) + 1
            self._lines[note] = found
        return self._lines[note]


def normal(path: str) -> str:
    """Return a path with `/`, a small drive letter (`/d/x` of a Unix shell on Windows is `d:/x`), no `.` and `..`."""
    path = path.replace("\\", "/")
    if match := re.match(r"/?([A-Za-z]):(?=/|\Z)", path):
        path = f"{match[1].lower()}:{path[match.end() :]}"
    elif match := re.match(r"/([a-z])/(?=\S)", path):
        path = f"{match[1]}:/{path[match.end() :]}"
    return posixpath.normpath(path) if path else ""


def _anything(_: str) -> bool:
    return True


def _below(path: str, folder: str) -> str:
    """Return a path relative to a folder that it lies in, "" when it does not."""
    top = folder.rstrip("/") + "/"
    return path[len(top) :] if folder and path.startswith(top) else ""


def _outer(folder: str, root: str) -> str:
    """Return the project's root: the outermost working folder that holds this one."""
    return root or folder


def _endings(path: str) -> list[str]:
    parts = path.lstrip("/").split("/")
    return ["/".join(parts[i:]) for i in range(len(parts))]


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
