"""Which folder is the project: the same one from a sub-folder; of every git worktree its own, with one identity (R46).

Only files are read; git need not be installed.
"""

import os
import re
from pathlib import Path

CONFIG = "ladder.toml"
_SLUG = 200  # characters of a path that the client makes a folder's name of


def project_root(cwd: Path) -> Path:
    """The project that `cwd` belongs to: the notes at hand are those in it.

    The nearest folder upwards that holds `ladder.toml`, inside the git work tree if there is one; else the work tree;
    without either, `cwd` itself. A linked worktree is a project folder of its own; see `main_root`.
    """
    cwd = Path(_one_drive(os.path.abspath(cwd)))  # noqa: PTH100 (resolve would follow links, and the person's own path is the project's name)
    config = next((p for p in (cwd, *cwd.parents) if (p / CONFIG).is_file()), None)
    top = _top(cwd)
    if config is not None and (top is None or top in config.parents):
        return config
    return top or cwd


def main_root(root: Path) -> Path:
    """The project's identity: of a folder in a linked worktree the same one in the main work tree, else `root` itself.

    What was learned, mined and logged, and the client's memory, belong to the project; its index to the folder at hand.
    """
    top = _top(root)
    return _main_tree(top) / root.relative_to(top) if top else root


def _top(folder: Path) -> Path | None:
    return next((p for p in (folder, *folder.parents) if (p / ".git").exists()), None)


def _one_drive(path: str) -> str:
    """An absolute path with its drive, where it has one, as a capital: some programs start others in `c:`."""
    return path[0].upper() + path[1:] if path[1:2] == ":" else path


def _main_tree(top: Path) -> Path:
    """The main work tree of the repository whose work tree is `top`; `top` where there is no other."""
    pointer = top / ".git"
    if pointer.is_dir():
        return top
    try:
        text = pointer.read_text(encoding="utf-8", errors="replace")
        if not text.startswith("gitdir:"):
            return top
        folder = Path(os.path.normpath(top / text[len("gitdir:") :].strip()))
        common = (folder / "commondir").read_text(encoding="utf-8", errors="replace").strip()
    except (OSError, ValueError):
        return top  # a submodule has no commondir: it is a project of its own
    shared = Path(os.path.normpath(folder / common))
    return shared.parent if shared.name == ".git" and shared.parent.is_dir() else top


def client_folder() -> Path:
    """The folder of the client's settings, logs and memory: `CLAUDE_CONFIG_DIR`, else `~/.claude` (R57)."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named).expanduser() if named else Path.home() / ".claude"


def client_memory(root: Path) -> Path:
    """The client's own memory folder of the project at `root`, one for all its worktrees; need not exist."""
    return client_folder() / "projects" / client_name(str(main_root(root))) / "memory"


def client_name(path: str) -> str:
    """What the client calls the folder in which it keeps what belongs to `path`.

    As Claude Code 2.1.197 does: all but letters and digits of ASCII become `-`; of more than 200 characters the first
    200, with a hash of the path behind them. It counts in UTF-16.
    """
    units = path.encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    name = re.sub(r"[^a-zA-Z0-9]", "-", "".join(chr(code) for code in codes))
    if len(name) <= _SLUG:
        return name
    mark = 0
    for code in codes:
        mark = (mark * 31 + code) & 0xFFFFFFFF
    mark = abs(mark - (1 << 32) if mark >> 31 else mark)
    digits = ""
    while mark:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[mark % 36] + digits
        mark //= 36
    return f"{name[:_SLUG]}-{digits or '0'}"
