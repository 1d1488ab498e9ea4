"""Writing a file that only its owner can read, whole or not at all."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from notes.atomic import rename_over


def private_folder(folder: Path) -> None:
    """Make a folder and the missing ones above it, each of mode 0700: `Path.mkdir` gives that to the last alone."""
    for one in reversed([folder, *folder.parents]):
        if not one.is_dir():
            one.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, lines: Iterable[bytes], *, durable: bool = True, end: bytes = b"\n") -> None:
    """Write lines, each with `end`, to a file of mode 0600: into a file beside it first, which then takes its place.

    `durable`: wait until it is on the disk; what can be made again need not.
    """
    private_folder(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            for line in lines:
                file.write(line + end)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        rename_over(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):  # the folder may be none
            beside.unlink(missing_ok=True)
        raise
