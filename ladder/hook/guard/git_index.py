"""Which notes git would lose: what the work tree holds and git's index does not, read from the index's own file.

Starting git takes longer than the whole hook. Version 4 of the index, which shortens paths, and repositories whose
hashes are SHA-256 are not read: of these nothing is known, and nothing is said.
"""

from __future__ import annotations

try:
    import posix as _os
except ImportError:  # Windows
    import nt as _os  # type: ignore[import-not-found, no-redef, unused-ignore]

#: Bytes of an entry of the index before its path: ten numbers of 4 bytes, a SHA-1, 2 bytes of flags.
_FIXED = 62
#: An index larger than this is not read.
_LARGEST = 64 * 1024 * 1024


def git_top(folder: str) -> str:
    """The git work tree that holds `folder`, "" for none."""
    while folder:
        try:
            _os.stat(folder + "/.git")
        except (OSError, ValueError):
            folder = folder.rpartition("/")[0]
        else:
            return folder
    return ""


def git_index(top: str) -> bytes:
    """The bytes of the work tree's index; nothing where it cannot be read."""
    pointer = _read(top + "/.git")
    if pointer.startswith(b"gitdir:"):  # a linked worktree
        folder = pointer[7:].decode("utf-8", "surrogateescape").strip().replace("\\", "/")
        absolute = folder.startswith("/") or folder[1:2] == ":"
        data = _read((folder if absolute else f"{top}/{folder}") + "/index")
    else:
        data = _read(top + "/.git/index")
    return data if data[:4] == b"DIRC" and data[4:8] in (b"\0\0\0\2", b"\0\0\0\3") else b""


def git_keeps(index: bytes, relative: str, data: bytes) -> bool | None:
    """Whether the index holds `data` as the file `relative`; None when it knows no such file."""
    name = relative.encode("utf-8", "surrogateescape")
    at = index.find(name + b"\0")
    while at >= 0:
        start = at - _FIXED
        flags = int.from_bytes(index[at - 2 : at], "big")
        if start >= 12 and flags & 0xFFF == min(len(name), 0xFFF):
            from _sha1 import sha1  # type: ignore[import-not-found]  # noqa: PLC0415 (hashlib would load OpenSSL)

            return bool(sha1(b"blob %d\0" % len(data) + data).digest() == index[at - 22 : at - 2])
        at = index.find(name + b"\0", at + 1)
    return None


def _read(path: str) -> bytes:
    try:
        descriptor = _os.open(path, _os.O_RDONLY | getattr(_os, "O_NONBLOCK", 0) | getattr(_os, "O_BINARY", 0))
    except (OSError, ValueError):
        return b""
    parts: list[bytes] = []
    try:
        if _os.fstat(descriptor).st_size > _LARGEST:
            return b""
        while part := _os.read(descriptor, 1 << 20):
            parts.append(part)
    except OSError:  # a folder
        return b""
    finally:
        _os.close(descriptor)
    return b"".join(parts)
