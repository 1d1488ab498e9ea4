"""Times and sizes of files and folders, and reading a file: for the hook, with `os` alone."""
# pathlib costs more to import than all that is done here:
# ruff: noqa: PTH116, PTH118, PTH208

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def folder_mark(path: str) -> int:
    """What tells whether files came to a folder or went: its time; 0 when there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def config_mark(root: str) -> tuple[int, int]:
    """What tells whether the project's settings changed: size and time of `ladder.toml`; zeros when there is none."""
    try:
        status = os.stat(os.path.join(root, "ladder.toml"))
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def read_file(path: str) -> bytes | None:
    """A regular file's bytes; None when it is gone or something else stands in its place."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if status.st_mode & 0o170000 != 0o100000:
            return None
        return os.read(descriptor, status.st_size + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def changed_at(path: str) -> int:
    """When the file was last changed, in seconds since 1970; 0 when it is gone."""
    try:
        return int(os.stat(path).st_mtime)
    except OSError:
        return 0


def new_notes(folder: str, known: set[str], surroundings: dict[str, Any], folders: set[str]) -> list[str]:
    """Notes in `folder` that are not known, and in folders below it that are new."""
    found = []
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    for name in names:
        path = os.path.join(folder, name)
        if path in known or path in folders or (name[:1] == "." and not surroundings["hidden"]):
            continue
        try:
            mode = os.lstat(path).st_mode & 0o170000
        except OSError:
            continue
        if mode == 0o100000 and name.endswith((".md", ".MD")):
            found.append(path)
        elif mode == 0o040000 and name not in surroundings["skipped"]:
            found += new_notes(path, known, surroundings, folders)
    return found


def name_in(path: str, roots: list[tuple[str, str]]) -> str:
    """What a note at `path` is called; empty when it lies in no root."""
    for root, prefix in roots:
        inside = root.rstrip(os.sep) + os.sep
        if path.startswith(inside):
            name = prefix + path[len(inside) : -3].replace(os.sep, "/")
            if not name.isascii():
                import unicodedata  # noqa: PLC0415 (a C module that few names need)

                name = unicodedata.normalize("NFC", name)
            return name
    return ""
