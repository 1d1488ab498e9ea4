"""Which files are notes: the settings' folders, searched fast. Links that lead out of a folder are not followed."""

import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from notes.files.globs import matcher
from notes.files.project import client_memory, main_root
from notes.files.settings import Settings

#: Folders that never hold notes of one's own.
SKIPPED = frozenset(
    (
        ".git",
        ".hg",
        ".svn",
        ".ladder",
        ".obsidian",
        ".trash",
        "node_modules",
        "bower_components",
        "vendor",
        "__pycache__",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".cache",
        "site-packages",
        "target",
        ".terraform",
        ".next",
        ".nuxt",
    )
)


#: Files and folders that are looked at to count the notes in a folder of SKIPPED.
_COUNTED = 20_000

_NOWHERE = "is a link that leads nowhere"
_OUT = "is a link that leads out of its folder, so it is not followed"
_UNREADABLE = "cannot be read"
_SKIPPED_AS = "is never searched unless `folders` names it"


class NoteFile(NamedTuple):
    """A note's file."""

    path: str
    """Absolute, spelled as on disk."""
    name: str
    """What the note is called: its path in its root, with `/`, without `.md`, in Unicode's composed form (R19)."""
    mtime_ns: int
    size: int
    """Bytes."""


class Found(NamedTuple):
    """A file that may be a note."""

    path: str
    relative: str
    """In its root, with `/`."""
    status: os.stat_result
    linked: bool
    """It is a link."""


class PassedOver(NamedTuple):
    """What lies among the notes under a note's name and is none."""

    path: str
    why: str
    """In words that follow the path: `is a link that leads nowhere`."""

    @property
    def broken(self) -> bool:
        """Whether something is wrong with it; else it is left out by rule."""
        return self.why in (_NOWHERE, _UNREADABLE)


class Root(NamedTuple):
    """A folder or file that holds notes, and what its notes' names begin with."""

    path: str
    prefix: str


def find_notes(settings: Settings) -> list[NoteFile]:
    """Every note of the settings, sorted by name; each file once, however many folders and links lead to it.

    A folder that does not exist or cannot be read holds no notes.
    """
    wanted = matcher(settings.globs)
    unwanted = matcher(settings.excludes) if settings.excludes else None
    found: dict[str, NoteFile] = {}
    seen: set[tuple[int, int] | str] = set()
    links: list[tuple[Root, Found]] = []

    def keep(root: Root, file: Found) -> None:
        # Two names of one file: by inode where the file system has them, else by real path.
        status = file.status
        identity = (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(file.path)
        if identity in seen:
            return
        seen.add(identity)
        name = _shown(root.prefix + _without_suffix(file.relative))
        if name in found:
            name = _shown(root.prefix + file.relative)
        found[name] = NoteFile(file.path, name, status.st_mtime_ns, status.st_size)

    for root in note_roots(settings):
        if not settings.configured and _leads_out(root.path, settings.root):
            continue
        single = os.path.isfile(root.path)  # noqa: PTH113 (this file is made of os calls: it is the fast path)
        for file in _one(root.path) if single else _walk(root.path, settings, wanted, unwanted):
            if file.linked:
                links.append((root, file))  # a file's own name goes before that of a link to it
            else:
                keep(root, file)
    for root, file in links:
        keep(root, file)
    return sorted(found.values(), key=lambda f: f.name)


def passed_over(settings: Settings, *, skipped: bool = False) -> list[PassedOver]:
    """What a person may miss among the notes: links not followed, files that cannot be read. Sorted by path.

    With `skipped` also each folder of SKIPPED that holds Markdown files, with their number.
    """
    wanted = matcher(settings.globs)
    unwanted = matcher(settings.excludes) if settings.excludes else None
    found: dict[str, PassedOver] = {}
    for root in note_roots(settings):
        if os.path.islink(root.path) and not os.path.exists(root.path):  # noqa: PTH110, PTH114 (see below)
            found[root.path] = PassedOver(root.path, _NOWHERE)
        elif os.path.isdir(root.path):  # noqa: PTH112 (see below)
            if not settings.configured and _leads_out(root.path, settings.root):
                found[root.path] = PassedOver(root.path, _OUT)
                continue
            passed: list[PassedOver] = []
            walked = _walk(root.path, settings, wanted, unwanted, passed, skipped=skipped)
            shut = [PassedOver(file.path, _UNREADABLE) for file in walked if not os.access(file.path, os.R_OK)]
            found.update((each.path, each) for each in passed + shut)
    return sorted(found.values())


def passed_over_as(settings: Settings, name: str) -> PassedOver | None:
    """What is passed over under this note's name, the end of it or its path."""
    wanted = _without_suffix(name.replace("\\", "/")).casefold().removeprefix("./")
    for each in passed_over(settings):
        path = _without_suffix(each.path.replace("\\", "/")).casefold()
        if wanted and (path == wanted or path.endswith("/" + wanted)):
            return each
    return None


def _leads_out(path: str, top: str) -> bool:
    """Whether a default folder of an unconfigured project is a link out of it: nobody has said that it may be read."""
    inside = path.startswith(top.rstrip(os.sep) + os.sep)
    if not inside or not os.path.islink(path):  # noqa: PTH114 (see above)
        return False
    return not os.path.realpath(path).startswith(os.path.realpath(top).rstrip(os.sep) + os.sep)


def note_roots(settings: Settings) -> list[Root]:
    """The folders and files that are searched, outer ones first, whether they exist or not.

    A single configured folder gives its notes names relative to itself; with several, names are relative to the
    project. The client's memory folder is `@memory`, the user-wide folder `@user`, another folder outside the project
    `@` and its own name. What a linked worktree lacks, since it is not under git, is that of the main work tree.
    """
    roots: list[Root] = []
    main = str(main_root(Path(settings.root)))
    single = len(settings.folders) == 1
    for folder in settings.folders:
        path = os.path.normpath(os.path.join(settings.root, os.path.expanduser(folder)))  # noqa: PTH118, PTH111 (see above)
        inside = path == settings.root or path.startswith(settings.root.rstrip(os.sep) + os.sep)
        shown = path
        if main != settings.root and inside and not os.path.lexists(path):
            twin = os.path.join(main, os.path.relpath(path, settings.root))  # noqa: PTH118 (see above)
            shown = twin if os.path.lexists(twin) else path
        if os.path.isfile(shown):  # noqa: PTH113 (see above)
            folder_path = os.path.dirname(path)  # noqa: PTH120 (see above)
            relative = os.path.relpath(folder_path, settings.root) if inside else os.path.basename(folder_path)  # noqa: PTH119 (see above)
        elif single:
            relative = "."
        else:
            relative = os.path.relpath(path, settings.root) if inside else "@" + os.path.basename(path)  # noqa: PTH119 (see above)
        prefix = "" if relative == "." else relative.replace(os.sep, "/") + "/"
        roots.append(Root(shown, prefix))
    if settings.client_memory:
        roots.append(Root(str(client_memory(Path(settings.root))), "@memory/"))
    if settings.user_folder:
        roots.append(Root(settings.user_folder, "@user/"))
    return roots


def _shown(name: str) -> str:
    """A name that can be printed and stored: composed; bytes of a file's name that are not UTF-8 come as U+FFFD.

    On Windows half a surrogate pair may stand there, which is no UTF-8 either.
    """
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = name.encode("utf-8", "surrogatepass")
    return unicodedata.normalize("NFC", data.decode("utf-8", "replace"))


def _inside(path: str, real_top: str) -> bool:
    """Whether what `path` leads to is the folder `real_top`, which ends in a separator, or lies in it."""
    return (os.path.realpath(path) + os.sep).startswith(real_top)


def _without_suffix(relative: str) -> str:
    return relative[:-3] if relative[-3:].lower() == ".md" else relative


def _markdown_below(top: str) -> int:
    """Count the Markdown files below a folder, of its first _COUNTED files and folders; hidden ones are left out."""
    count = looked = 0
    for _, folders, files in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith(".")]
        count += sum(name[-3:].lower() == ".md" for name in files)
        looked += len(folders) + len(files)
        if looked > _COUNTED:
            break
    return count


def _one(path: str) -> Iterator[Found]:
    try:
        status = os.stat(path)  # noqa: PTH116 (see above)
    except OSError:
        return
    yield Found(path, os.path.basename(path), status, os.path.islink(path))  # noqa: PTH119, PTH114 (see above)


def _walk(
    top: str,
    settings: Settings,
    wanted: Callable[[str], bool],
    unwanted: Callable[[str], bool] | None,
    passed: list[PassedOver] | None = None,
    *,
    skipped: bool = False,
) -> Iterator[Found]:
    """Each wanted file, folders in order of their names; what is wanted and left out goes to `passed`.

    With `skipped` also the folders of SKIPPED that hold such files.

    A link is followed to a file that lies in `top`; links to folders never, so that no file is met twice or endlessly.
    """
    passed = [] if passed is None else passed
    real_top = os.path.realpath(top) + os.sep
    folders = [(top, "")]
    while folders:
        folder, prefix = folders.pop()
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda e: e.name)
        except OSError:
            if os.path.isdir(folder):  # noqa: PTH112 (see above)
                passed.append(PassedOver(folder, _UNREADABLE))
            continue
        inner: list[tuple[str, str]] = []
        for entry in listed:
            name = entry.name
            if name.startswith(".") and (not settings.hidden or name.startswith(".ladder-")):
                continue
            relative = prefix + name
            try:
                if entry.is_dir(follow_symlinks=False):
                    if unwanted and unwanted(relative + "/"):
                        continue
                    if name not in SKIPPED:
                        inner.append((entry.path, relative + "/"))
                    elif skipped and (count := _markdown_below(entry.path)):
                        passed.append(PassedOver(entry.path, f"{_SKIPPED_AS}; it holds {count} Markdown files"))
                    continue
                if not wanted(relative) or (unwanted and unwanted(relative)):
                    if entry.is_symlink() and entry.is_dir() and not _inside(entry.path, real_top):
                        passed.append(PassedOver(entry.path, _OUT))
                    continue
                if entry.is_symlink():
                    status = entry.stat()
                    if not _inside(entry.path, real_top):
                        passed.append(PassedOver(entry.path, _OUT))
                    elif stat.S_ISREG(status.st_mode):
                        yield Found(entry.path, relative, status, linked=True)
                    continue
                status = entry.stat(follow_symlinks=False)
            except OSError:  # gone since it was listed, or a link into nothing
                if os.path.islink(entry.path):  # noqa: PTH114 (see above)
                    passed.append(PassedOver(entry.path, _NOWHERE))
                continue
            if stat.S_ISREG(status.st_mode):
                yield Found(entry.path, relative, status, linked=False)
        folders.extend(reversed(inner))
