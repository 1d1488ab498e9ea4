"""Which folder is the project, without anything that takes time to import: the same answer as `notes.project_root`.

A test holds the two equal, for sub-folders, worktrees, submodules and folders without git.
"""

from __future__ import annotations

import os

from ladder.hook.session import read_private

CONFIG = "ladder.toml"


def root_of(cwd: str) -> str:
    """Return the project that `cwd` belongs to, absolute.

    The nearest folder upwards that holds `ladder.toml` or a git work tree; in a linked worktree the same folder of the
    main work tree. Without either, `cwd` itself.
    """
    path = os.path
    here = path.abspath(cwd)
    if here[1:2] == ":":  # some programs start others in `c:`
        here = here[0].upper() + here[1:]
    config = top = ""
    folder = here
    while True:
        if not config and path.isfile(path.join(folder, CONFIG)):
            config = folder
        if not top and path.exists(path.join(folder, ".git")):
            top = folder
        above = path.dirname(folder)
        if (config and top) or above == folder:
            break
        folder = above
    below = bool(config and top) and config != top and config.startswith(top.rstrip(os.sep) + os.sep)
    if not top or (below and not path.isfile(path.join(top, ".git"))):
        return config or here
    main = _main_tree(top)
    if below:
        twin = path.join(main, path.relpath(config, top))
        return twin if path.isfile(path.join(twin, CONFIG)) else config
    return main


def _main_tree(top: str) -> str:
    """Return the main work tree of the repository whose work tree is `top`; `top` where there is no other."""
    path = os.path
    pointer = path.join(top, ".git")
    if path.isdir(pointer):
        return top
    text = read_private(pointer, 4096).decode("utf-8", "replace")
    if not text.startswith("gitdir:"):
        return top
    folder = path.normpath(path.join(top, text[len("gitdir:") :].strip()))
    common = read_private(path.join(folder, "commondir"), 4096).decode("utf-8", "replace").strip()
    if not common:
        return top  # a submodule has no commondir: it is a project of its own
    shared = path.normpath(path.join(folder, common))
    main = path.dirname(shared)
    return main if path.basename(shared) == ".git" and path.isdir(main) else top
