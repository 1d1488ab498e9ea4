"""Compressed copies of the logs that were read, for when the client has swept them. Off until asked for."""

import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import orjson

from notes.atomic import write_private
from transcripts.clients.client import UnreadableError
from transcripts.clients.table import client_of, stamp
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
                changed_at = stamp(session, path).mtime_ns
                if target.exists() and target.stat().st_mtime_ns >= changed_at:
                    continue
                packed = gzip.compress(b"".join(_cleaned(_lines(session, path), clean, forgotten)), 6, mtime=0)
            except (FileNotFoundError, PermissionError, UnreadableError):
                continue  # swept since it was listed, or not to be read: the copy stays as it is
            write_private(target, packed)
    return sum(path.stat().st_size for path in folder.glob("*.gz")) if folder.is_dir() else 0


def _lines(session: Session, path: Path) -> Iterator[bytes]:
    """Yield a log's lines; of a log that has none, its records in the one form."""
    if client_of(session).goes_on:
        with path.open("rb") as file:
            yield from file
    else:
        for record in client_of(session).records(path):
            yield orjson.dumps(record.data) + b"\n"


def _cleaned(lines: Iterator[bytes], clean: Callable[[str], str], forgotten: Forgotten) -> Iterator[bytes]:
    for raw in lines:
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
