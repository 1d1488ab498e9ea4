"""The one form of a folder: what is kept of a project lies under its path, and `../notes` is `/home/me/notes`."""

import os
from pathlib import Path


def whole(folder: Path) -> Path:
    """Return the folder's absolute path without `..` and `.`, links as the person named them.

    `Path.absolute` keeps `..`: what was mined as `--notes ../notes` would be forgotten of another folder.
    """
    return Path(os.path.abspath(folder))  # noqa: PTH100 (resolve would follow links)
