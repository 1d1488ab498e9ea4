"""The hook's own log: what it suggested, why, and how long it took; private, bounded, and without anybody's words.

One JSON object a line: `t` (epoch s), `e` (event), `s` (session), `ms` (from the hook's
first line to its answer), `cpu` (ms of processor time of the whole process), `k` (tokens handed over), `n` (notes:
name, score, why), `q` (why silent), `x` (what went wrong). Messages and note text never stand here.
"""
# pathlib costs more to import than the whole answer:
# ruff: noqa: PTH116, PTH105

from __future__ import annotations

import os

from ladder.lean.files import append_private, read_private
from ladder.lean.json import from_json, to_json

#: When the log has this many bytes it becomes the former log, which is then overwritten: at most twice as much is kept.
LOG_CAP = 2 * 1024 * 1024


def write_log(path: str, record: dict[str, object]) -> None:
    """Append one record; a log that cannot be written is no reason to fail."""
    try:
        if os.stat(path).st_size > LOG_CAP:
            os.replace(path, path + ".1")
    except OSError:
        # Not there yet, or another hook has just moved it.
        pass
    append_private(path, (to_json(record) + "\n").encode("ascii"))


def read_log(path: str) -> list[dict[str, object]]:
    """Return the records kept, oldest first; broken lines are left out."""
    out: list[dict[str, object]] = []
    for part in (path + ".1", path):
        for line in read_private(part, 2 * LOG_CAP).split(b"\n"):
            if not line:
                continue
            try:
                record = from_json(line.decode("utf-8", "replace"))
            except ValueError:
                continue
            if isinstance(record, dict):
                out.append(record)
    return out
