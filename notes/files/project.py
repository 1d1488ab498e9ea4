"""Which folder is the project: the same one from a sub-folder, and from every git worktree of it (R46).

Only files are read; git need not be installed.
"""

import os
import re
from pathlib import Path

CONFIG = "ladder.toml"


def project_root(cwd: Path) -> Path:
    """The project that `cwd` belongs to.

    The nearest folder upwards that holds `ladder.toml` or a git work tree; in a linked worktree, the same folder of the
    main work tree, so that notes have one identity. Without either, `cwd` itself.
    """
    cwd = Path(_one_drive(os.path.abspath(cwd)))  # noqa: PTH100 (resolve would follow links, and the person's own path is the project's name)
    config = next((p for p in (cwd, *cwd.parents) if (p / CONFIG).is_file()), None)
    top = next((p for p in (cwd, *cwd.parents) if (p / ".git").exists()), None)
    if top is None or (config is not None and top in config.parents and not (top / ".git").is_file()):
        return config or cwd
    main = _main_tree(top)
    if config is not None and top in config.parents:
        twin = main / config.relative_to(top)
        return twin if (twin / CONFIG).is_file() else config
    return main


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
    """The client's own memory folder of the project at `root`; need not exist."""
    return client_folder() / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(root)) / "memory"
