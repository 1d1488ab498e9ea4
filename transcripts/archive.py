"""Compressed copies of the logs that were read, for when the client has swept them. Off until asked for."""

import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from transcripts.private import write_private
from transcripts.sessions import Session
from transcripts.store import Store


def archive(store: Store, found: Sequence[Session], clean: Callable[[str], str] = str) -> int:
    """Copy each session's logs into the store's folder `archive`, where they changed; return the bytes that lie there.

    What the copies say is what the logs say, with `clean` applied to every text.
    """
    folder = store.folder / "archive"
    for session in found:
        name = store.path(session).stem
        for path in (session.file, *session.agents):
            beside = "" if path == session.file else f"-{path.stem}"
            target = folder / f"{name}{beside}.jsonl.gz"
            try:
                stat = path.stat()
                if target.exists() and target.stat().st_mtime >= stat.st_mtime:
                    continue
                packed = gzip.compress(b"".join(_cleaned(path, clean)), 6, mtime=0)
            except FileNotFoundError:
                continue  # swept since it was listed: the copy stays as it is
            write_private(target, [packed], end=b"")
    return sum(path.stat().st_size for path in folder.glob("*.gz")) if folder.is_dir() else 0


def _cleaned(path: Path, clean: Callable[[str], str]) -> Iterator[bytes]:
    with path.open("rb") as file:
        for raw in file:
            try:
                yield orjson.dumps(_walk(orjson.loads(raw), clean)) + b"\n"
            except (orjson.JSONDecodeError, TypeError):
                yield clean(raw.decode("utf-8", "replace")).encode()


def _walk(value: Any, clean: Callable[[str], str]) -> Any:  # noqa: ANN401 (any JSON value)
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_walk(item, clean) for item in value]
    if isinstance(value, dict):
        return {key: _walk(item, clean) for key, item in value.items()}
    return value
