"""Where ladder keeps its files: a folder a project in each of cache, data and state. Twin of platformdirs.

    cache   index, token counts: a shadow of the notes, may be deleted at any time
    data    mined pairs, learned routing, the installed hook: made from the person's logs, worth keeping
    state   what the hook did and said

The places are those of platformdirs (a test holds them equal), found with `os` alone, because the hook needs them too.
Folders are made for their owner only (0700), files likewise (0600).
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_APP = "ladder"
_keys: dict[str, str] = {}
#: Bytes of the file that keeps projects' names; when it is full, no more are added.
_KEPT = 65_536


def cache_folder() -> str:
    """The user's cache folder of ladder."""
    return _folder("XDG_CACHE_HOME", "~/.cache", "~/Library/Caches", "Cache")


def data_folder() -> str:
    """The user's data folder of ladder."""
    return _folder("XDG_DATA_HOME", "~/.local/share", "~/Library/Application Support", "")


def state_folder() -> str:
    """The user's state folder of ladder (logs of the hook)."""
    if sys.platform in ("win32", "darwin") and not os.environ.get("XDG_STATE_HOME", "").startswith("/"):
        return data_folder() if sys.platform == "win32" else _home("~/Library/Application Support")
    return _folder("XDG_STATE_HOME", "~/.local/state", "", "")


def _home(folder: str) -> str:
    return _absolute(folder) + "/" + _APP


def _absolute(folder: str) -> str:
    """The folder under the user's home; without an absolute home, a path at which nothing can exist.

    Otherwise a folder called `~` would be made in the client's working folder.
    """
    found = os.path.expanduser(folder)  # noqa: PTH111 (pathlib is too slow for the hook)
    return found if os.path.isabs(found) else os.devnull  # noqa: PTH117 (as above)


def _folder(variable: str, linux: str, mac: str, windows: str) -> str:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or _absolute("~\\AppData\\Local")
        parts = [os.path.normpath(local), _APP, windows]
        return "\\".join([part for part in parts if part])
    named = os.environ.get(variable, "")
    if named.startswith("/"):
        return named.rstrip("/") + "/" + _APP
    return _home(mac if sys.platform == "darwin" else linux)


def project_key(root: str) -> str:
    """A folder name for the project at `root`: its own name, for people, and 64 bits of the whole path, for ladder.

    Names that were worked out are kept in a file of the cache: loading the hash takes longer than reading it.
    """
    found = _keys.get(root)
    if found is not None:
        return found
    whole = os.path.normcase(root).rstrip("/\\") or root
    line = b"\n" + whole.encode("utf-8", "surrogateescape") + b"\t"
    kept = cache_folder() + "/keys"
    known = _known(kept)
    at = known.find(line)
    found, end, _ = known[at + len(line) :].decode("ascii", "replace").partition("\n") if at >= 0 else ("", "", "")
    if not end or len(found) < 18 or found[-17] != "-" or not found.replace("-", "").replace("_", "").isalnum():
        own = whole.replace("\\", "/").rpartition("/")[2]
        shown = "".join([c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in own])[:40] or "root"
        from _blake2 import blake2b  # noqa: PLC0415 (hashlib would load OpenSSL)

        found = f"{shown}-{blake2b(line[1:-1], digest_size=8).hexdigest()}"
        if whole.isprintable() and len(known) < _KEPT:
            _keep(kept, line + found.encode("ascii") + b"\n")
    _keys[root] = found
    return found


def _known(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    try:
        return os.read(descriptor, _KEPT)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _keep(path: str, line: bytes) -> None:
    """Add a line in one write, where there is a cache already."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError:
        return
    try:
        os.write(descriptor, line)
    except OSError:
        pass  # it is worked out again next time
    finally:
        os.close(descriptor)


def project_cache(root: str) -> str:
    """The folder of the project's index and counts; need not exist."""
    return os.path.join(cache_folder(), project_key(root))  # noqa: PTH118 (pathlib is too slow for the hook)


def project_data(root: str) -> str:
    """The folder of what was mined and learned from the project's sessions, in all its worktrees; need not exist."""
    return os.path.join(data_folder(), "projects", _paths_project(root))  # noqa: PTH118 (as above)


def project_state(root: str) -> str:
    """The folder of the hook's logs in the project, in all its worktrees; need not exist."""
    return os.path.join(state_folder(), "projects", _paths_project(root))  # noqa: PTH118 (as above)


def _paths_project(root: str) -> str:
    from ladder.lean.project import main_of  # noqa: PLC0415 (it asks for files, and so for this)

    return project_key(main_of(root))


def index_file(root: str, variant: str = "") -> str:
    """The project's index; `variant` sets one apart whose settings are not the project's own."""
    return os.path.join(project_cache(root), f"index{variant}.ladder")  # noqa: PTH118 (as above)


def costs_file(root: str) -> str:
    """The project's token counts."""
    return os.path.join(project_cache(root), "costs.ladder")  # noqa: PTH118 (as above)


def make_folder(folder: "str | Path") -> None:
    """Make a folder and those above it, each for its owner only; no error when it is there."""
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102 (pathlib is too slow for the hook)
    except FileNotFoundError:
        above = os.path.dirname(folder)  # noqa: PTH120 (as above)
        if above == folder:  # a drive that is not there
            raise
        make_folder(above)
        try:
            os.mkdir(folder, 0o700)  # noqa: PTH102 (as above)
        except FileExistsError:  # another process was faster
            if not os.path.isdir(folder):  # noqa: PTH112 (as above)
                raise
    except OSError:
        if not os.path.isdir(folder):  # noqa: PTH112 (as above)
            raise
