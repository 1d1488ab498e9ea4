"""Writes a file that only its owner can read, in one step."""

import os
from contextlib import suppress
from pathlib import Path

from ladder.lean.paths import make_folder
from notes.atomic import rename_over


def write_private(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put a file in place: who reads it meanwhile sees the old or the new. Its folder is made if it is missing.

    `durable`: wait until it is on the disk; what can be made again need not.

    Raises:
        OSError: it could not be written; what stood there stands there still, and nothing else is left.
    """
    make_folder(path.parent)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        rename_over(temporary, path)
    except BaseException:
        with suppress(OSError):  # the folder may be none
            temporary.unlink(missing_ok=True)
        raise
