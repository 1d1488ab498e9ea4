"""Which logged paths can have been notes although no such file is there today."""

from collections.abc import Callable
from pathlib import Path

from notes import Settings, git
from notes.files.globs import matcher


def scope_of(settings: Settings, root: Path) -> Callable[[str], bool]:
    """Return a test for paths relative to `root`: could this have been a note?

    Where the folder is under git, only what git has known at some time: plans and drafts that were never kept are no
    notes. Else what the settings' folders and globs name.
    """
    wanted = matcher(settings.globs)
    unwanted = matcher(settings.excludes) if settings.excludes else None
    folders = tuple(folder.replace("\\", "/").strip("/") for folder in settings.folders)
    tracked = ever_tracked(root)

    def named(path: str) -> bool:
        if not any(folder in (".", "") or path == folder or path.startswith(folder + "/") for folder in folders):
            return False
        below = next((path[len(f) + 1 :] for f in folders if f not in (".", "") and path.startswith(f + "/")), path)
        return wanted(below) and not (unwanted and unwanted(below))

    return (lambda path: path in tracked and named(path)) if tracked is not None else named


def ever_tracked(root: Path) -> frozenset[str] | None:
    """Return the paths, relative to `root`, that any commit of its repository added; None where git knows nothing."""
    log = ["log", "--all", "--pretty=", "--name-only", "--diff-filter=AR", "--relative", "-z", "--", "."]
    told = git.output(*log, folder=root, patience=git.HISTORY_PATIENCE)
    if told is None:
        return None
    return frozenset(name.strip("\n") for name in told.decode("utf-8", "replace").split("\0") if name.strip("\n"))
