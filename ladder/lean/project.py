"""Finds the project's folder without slow imports. Twin of `notes.files.project`.

A test holds the two equal, for sub-folders, worktrees, submodules and folders without git.
"""

from __future__ import annotations

import os

from ladder.lean.files import read_private

CONFIG = "ladder.toml"


def root_of(cwd: str) -> str:
    """Return the project that `cwd` belongs to, absolute.

    The nearest folder upwards that holds `ladder.toml`, inside the git work tree if there is one; else the work tree;
    without either, `cwd` itself.
    """
    path = os.path
    here = path.abspath(cwd)
    if here[1:2] == ":":  # some programs start others in `c:`
        here = here[0].upper() + here[1:]
    folder = here
    config = ""
    while True:
        if not config and path.isfile(path.join(folder, CONFIG)):
            config = folder
        if path.exists(path.join(folder, ".git")):
            return config or folder
        above = path.dirname(folder)
        if above == folder:
            return config or here
        folder = above


def main_of(root: str) -> str:
    """Return the project's identity: of a folder in a linked worktree the same one in the main work tree."""
    top = _top(root)
    main = _main_tree(top) if top else top
    return root if main == top else os.path.normpath(os.path.join(main, os.path.relpath(root, top)))  # noqa: PTH118 (pathlib costs more than the answer)


def trees_of(root: str) -> list[str]:
    """Return the project's folder in every work tree of its repository, `root` itself first; some may not exist."""
    path = os.path
    top = _top(root)
    if not top:
        return [root]
    main = _main_tree(top)
    kept = path.join(main, ".git", "worktrees")
    try:
        names = os.listdir(kept)  # noqa: PTH208 (pathlib costs more than the answer)
    except OSError:
        names = []
    tops = [top, main]
    for name in names:
        pointer = read_private(path.join(kept, name, "gitdir"), 4096).decode("utf-8", "replace").strip()
        if pointer:
            tops.append(path.dirname(path.normpath(path.join(kept, name, pointer))))
    inner = path.relpath(root, top)
    return list(dict.fromkeys([path.normpath(path.join(tree, inner)) for tree in tops]))


def _top(folder: str) -> str:
    """Return the work tree that holds `folder`, "" for none."""
    while not os.path.exists(os.path.join(folder, ".git")):  # noqa: PTH110, PTH118 (pathlib costs more than the answer)
        above = os.path.dirname(folder)  # noqa: PTH120 (as above)
        if above == folder:
            return ""
        folder = above
    return folder


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
