"""Which messages of a log the person took back: `/rewind`, and Esc before an answer, leave their records behind.

Every record names the one before it (`parentUuid`). A message whose parent stands before an earlier message begins
another branch, and the branch that the last message stands on is the conversation. Calls that run side by side and a
compaction fork or begin chains within one message, so only messages are asked where they come from. A parent that the
log lacks or that comes later (a cycle has one) says nothing, nor does none at all: such a message follows the one
before it in the file.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from transcripts.clients.table import client_of
from transcripts.logs.records import BUFFER, Skipped, mended, named
from transcripts.logs.sessions import CLAUDE_CODE, Session
from transcripts.logs.speech import message_of
from transcripts.logs.words import short_key

NO_PARENT = "its parent is in no record before it: taken in the order of the file"
"""Why the place of a message is not certain; no line is lost."""

_IDENTITY = re.compile(rb'"uuid"\s*:\s*"([^"\\]{1,100})"')
_OF_USER = re.compile(rb'"type"\s*:\s*"user"')


class Branches(NamedTuple):
    """The messages of a log that are not part of its conversation."""

    abandoned: frozenset[str]
    """Keys (`words.short_key`) of the records that began what was taken back."""
    loose: tuple[Skipped, ...]
    """Messages that name a parent which is not there."""


WHOLE = Branches(frozenset(), ())
"""Of a log without any fork."""


def left_behind(session: Session) -> Branches:
    """Return what of a session's log was left behind, as its client says it."""
    if session.client == CLAUDE_CODE:
        return branches(session.file)
    found = client_of(session).left_behind(session.file)
    return Branches(found, ()) if found else WHOLE


def branches(path: Path) -> Branches:
    """Return what of a log was left behind; the last message decides."""
    parents: list[int] = []
    """For each message the number of the one that it stands on, from 0; -1 for none."""
    keys: list[str] = []
    stands: dict[str, int] = {}
    """The number of the message under which each record stands."""
    loose: list[Skipped] = []
    with path.open("rb", buffering=BUFFER) as file:
        for line, raw in enumerate(file, 1):
            for record in _of_user(raw):
                identity, parent = record.get("uuid"), record.get("parentUuid")
                if not isinstance(identity, str) or identity in stands:
                    continue  # a copy
                if not begins(record):
                    stands[identity] = len(keys) - 1
                    continue
                number = len(keys) - 1
                if isinstance(parent, str) and parent:
                    if parent in stands:
                        number = stands[parent]
                    elif keys:
                        loose.append(Skipped(named(path), line, NO_PARENT))
                parents.append(number)
                keys.append(short_key(identity))
                stands[identity] = len(keys) - 1
            for found in _IDENTITY.findall(raw):
                stands.setdefault(found.decode("utf-8", "replace"), len(keys) - 1)
    alive: set[int] = set()
    at = len(keys) - 1
    while at >= 0:
        alive.add(at)
        at = parents[at]
    return Branches(frozenset(key for number, key in enumerate(keys) if number not in alive), tuple(loose))


def begins(record: dict[str, Any]) -> bool:
    """Tell whether a record is a message of the person that can be asked where it comes from."""
    return record.get("type") == "user" and isinstance(record.get("uuid"), str) and bool(message_of(record)[0])


def _of_user(raw: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects of a line among which there may be a message."""
    if not _OF_USER.search(raw) or (b'"tool_use_id":' in raw and b"}{" not in raw):
        return
    try:
        found = [orjson.loads(raw)]
    except orjson.JSONDecodeError:
        found, _ = mended(raw)
    for record in found:
        if isinstance(record, dict):
            yield record
