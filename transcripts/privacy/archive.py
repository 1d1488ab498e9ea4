"""Compressed copies of the logs that were read, for when the client has swept them. Off until asked for."""

import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from notes.atomic import write_private
from transcripts.logs.json_texts import changed, texts_in
from transcripts.logs.sessions import Session
from transcripts.mining.store import Store
from transcripts.turns.contexts import NOTE_NAME
from transcripts.turns.tombstones import Forgotten, read_stones


def archive(store: Store, found: Sequence[Session], clean: Callable[[str], str] = str) -> int:
    """Copy each session's logs into the store's folder `archive`, where they changed; return the bytes that lie there.

    What the copies say is what the logs say, with `clean` applied to every text, and without what the store is to
    forget: sessions, and lines in which a pattern or a note's path stands.
    """
    folder = store.folder / "archive"
    forgotten = read_stones(store.folder)
    for session in found:
        if forgotten.session(session.id):
            continue
        name = store.path(session).stem
        for path in (session.file, *session.agents):
            beside = "" if path == session.file else f"-{path.stem}"
            target = folder / f"{name}{beside}.jsonl.gz"
            try:
                stat = path.stat()
                if target.exists() and target.stat().st_mtime >= stat.st_mtime:
                    continue
                packed = gzip.compress(b"".join(_cleaned(path, clean, forgotten)), 6, mtime=0)
            except (FileNotFoundError, PermissionError):
                continue  # swept since it was listed, or not to be read: the copy stays as it is
            write_private(target, packed)
    return sum(path.stat().st_size for path in folder.glob("*.gz")) if folder.is_dir() else 0


def _cleaned(path: Path, clean: Callable[[str], str], forgotten: Forgotten) -> Iterator[bytes]:
    with path.open("rb") as file:
        for raw in file:
            try:
                value = orjson.loads(raw)
                line = orjson.dumps(changed(value, clean)) + b"\n"
            except (orjson.JSONDecodeError, TypeError):
                value = raw.decode("utf-8", "replace")
                line = clean(value).encode()
            if not forgotten or not any(_stands(text, forgotten) for text in texts_in(value)):
                yield line


def _stands(text: str, forgotten: Forgotten) -> bool:
    return (
        forgotten.text(text)
        or forgotten.session(text)
        or any(map(forgotten.note, dict.fromkeys(NOTE_NAME.findall(text))))
    )
