"""Writes a file whole or not at all: into a file beside it, which then takes its name.

Who reads the file meanwhile sees the old one or the new one. The one place for it outside of the hook, whose twin is
`ladder.lean.files.replace_private` (no pathlib); what only a note needs (its owner, its ledger) is in
`notes.writing.disk`.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

#: Seconds between attempts: a reader holds a file for milliseconds. Elsewhere open files are in nobody's way.
WAITS = (0.01, 0.03, 0.1, 0.3, 0.6) if os.name == "nt" else ()


def rename_over(temporary: Path, target: Path) -> None:
    """Rename `temporary` to `target`, which may exist, also on Windows, which refuses while somebody has it open.

    Raises:
        OSError: it cannot be done; `temporary` is where it was.
    """
    for wait in WAITS:
        try:
            temporary.replace(target)
        except PermissionError:
            time.sleep(wait)
        else:
            return
    temporary.replace(target)


@contextlib.contextmanager
def replacing(path: Path, *, mode: int | None = 0o600, durable: bool = True) -> Iterator[BinaryIO]:
    """Give a file to write to, which takes the place of `path` when the block is left without an error.

    `mode` None is what the umask leaves. `durable`: wait until it is on the disk; what can be made again need not.

    Raises:
        OSError: it could not be written; what stood there stands there still, and nothing else is left.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o666 if mode is None else 0o600), "wb", buffering=1 << 20) as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if mode not in (None, 0o600):
            temporary.chmod(mode)
        rename_over(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):  # the folder may be none
            temporary.unlink(missing_ok=True)
        raise


def private_folder(folder: Path) -> None:
    """Make a folder and the missing ones above it, each of mode 0700: `Path.mkdir` gives that to the last alone."""
    for one in reversed([folder, *folder.parents]):
        if not one.is_dir():
            one.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put a file of mode 0600 in place; its folder is made if it is missing. Raises as `replacing`."""
    private_folder(path.parent)
    with replacing(path, durable=durable) as file:
        file.write(data)


def write_private_lines(path: Path, lines: Iterable[bytes], *, durable: bool = True) -> None:
    """Put lines, each ended, into a file of mode 0600, as `write_private` does; they may be made one by one."""
    private_folder(path.parent)
    with replacing(path, durable=durable) as file:
        for line in lines:
            file.write(line + b"\n")
