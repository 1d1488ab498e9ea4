"""OpenCode (and Kilo, of the same schema): a SQLite database of sessions, messages and parts of messages.

The database belongs to a running program and may be large: it is opened for reading alone, and of each session only its
own rows are read. A session's log is named by the database's path with the session's id as a further part.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from transcripts.clients.client import Client, Stamp, UnreadableError, nothing_left_behind, top_of
from transcripts.clients.one_form import SUBAGENT, Around, Form, holds_own
from transcripts.clients.opencode_tools import attached_of, call_of, result_of
from transcripts.logs.records import Record, Skipped, named
from transcripts.logs.sessions import Session

NAME = "opencode"
_SQLITE = b"SQLite format 3\0"
_NAMES = ("opencode", "kilo")
"""How the database's name begins."""
_NEEDED = {
    "session": {"id", "directory"},
    "message": {"id", "session_id", "data"},
    "part": {"id", "message_id", "data"},
}
"""Columns without which nothing can be read."""
_BYTES = "octet_length" if sqlite3.sqlite_version_info >= (3, 43) else "length"
"""The newer function reads no data, which may be megabytes."""
_WAIT = 2.0
"""Seconds for another program to let go of the database."""


def folders() -> list[Path]:
    """Return the folders that the databases lie in: below `$XDG_DATA_HOME` or `~/.local/share`, on every system."""
    configured = os.environ.get("XDG_DATA_HOME")
    base = Path(configured).expanduser() if configured else Path.home() / ".local" / "share"
    return [base / name for name in _NAMES]


def owns(path: Path) -> bool:
    """Tell whether a file is such a database."""
    if path.suffix != ".db" or not path.name.startswith(_NAMES):
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def sessions(files: list[Path], skipped: list[Skipped]) -> list[Session]:
    """Return the sessions of databases; those of sub-agents belong to the session that began them, if it is there."""
    found: list[Session] = []
    for path in files:
        try:
            with closing(_opened(path)) as base:
                parent = "parent_id" if "parent_id" in _columns(base, "session") else "NULL"
                rows = base.execute(f"SELECT id, {parent} FROM session ORDER BY id").fetchall()  # noqa: S608 (one of two names)
        except (UnreadableError, sqlite3.Error) as error:
            skipped.append(Skipped(named(path), 0, _reason(error)))
            continue
        parents = {str(identity): str(above or "") for identity, above in rows}
        agents: dict[str, list[Path]] = {}
        for identity in parents:
            if (top := top_of(parents, identity)) != identity:
                agents.setdefault(top, []).append(path / identity)
        found.extend(
            Session(identity, path / identity, tuple(agents.get(identity, ())), NAME)
            for identity in parents
            if top_of(parents, identity) == identity
        )
    return found


def working_folder(session: Session, guesses: tuple[Path, ...] = ()) -> str:  # noqa: ARG001 (every client has this signature)
    """Return the folder that a session began in."""
    try:
        with closing(_opened(session.file.parent)) as base:
            row = base.execute("SELECT directory FROM session WHERE id = ?", (session.file.name,)).fetchone()
    except (OSError, sqlite3.Error):
        return ""
    return str(row[0] or "") if row else ""


def read(
    path: Path,
    *,
    start: int = 0,  # noqa: ARG001 (every client has this signature)
    line: int = 1,  # noqa: ARG001 (every client has this signature)
    skipped: list[Skipped] | None = None,
    agent: bool = False,  # noqa: ARG001 (every client has this signature)
) -> Iterator[Record]:
    """Yield a session's records in the one form, always all of them; offsets and lines count its messages."""
    report = [] if skipped is None else skipped
    try:
        with closing(_opened(path.parent)) as base:
            around, reverted = _session(base, path)
            messages, parts = _rows(base, path.name)
    except sqlite3.Error as error:
        raise UnreadableError(_reason(error)) from None
    for number, (identity, created, raw) in enumerate(messages):
        if reverted and identity >= reverted:
            break  # undone, and everything after it
        message = _parsed(raw)
        if message is None:
            report.append(Skipped(named(path), number + 1, "not JSON"))
            continue
        its = [part for text in parts.get(identity, ()) if (part := _parsed(text)) is not None]
        if len(its) < len(parts.get(identity, ())):
            report.append(Skipped(named(path), number + 1, "not JSON"))
        where = message.get("path")
        cwd = where.get("cwd") if isinstance(where, dict) else None
        at = around._replace(time=_time(message, created), cwd=cwd if isinstance(cwd, str) else around.cwd)
        for form in _forms(at, message, its):
            yield Record(number, number, number + 1, form, whole=False)


def stamp(path: Path) -> Stamp:
    """Return how much a session holds and when it was last changed."""
    if not path.parent.is_file():
        raise FileNotFoundError(path)
    try:
        with closing(_opened(path.parent)) as base:
            found = [_stamp_of(base, table, path.name) for table in ("message", "part")]
    except sqlite3.Error as error:
        raise UnreadableError(_reason(error)) from None
    if not found[0][0]:
        raise FileNotFoundError(path)
    return Stamp(
        sum(size for _, size, _ in found), max(at for _, _, at in found) * 1_000_000, sum(n for n, _, _ in found)
    )


def _stamp_of(base: sqlite3.Connection, table: str, session: str) -> tuple[int, int, int]:
    """Return the number of a session's rows in a table, their bytes, and when the newest was changed (milliseconds)."""
    time = next((name for name in ("time_updated", "time_created") if name in _columns(base, table)), "0")
    wanted = f"count(*), coalesce(sum({_BYTES}(data)), 0), coalesce(max({time}), 0)"
    query = f"SELECT {wanted} FROM {table} WHERE {_of(base, table)}"  # noqa: S608 (names of this module)
    found = base.execute(query, (session,)).fetchone()
    return int(found[0]), int(found[1]), int(found[2])


def _of(base: sqlite3.Connection, table: str) -> str:
    """Return the condition that a row is one of a session's."""
    direct = "session_id" in _columns(base, table)
    return "session_id = ?" if direct else "message_id IN (SELECT id FROM message WHERE session_id = ?)"


def _opened(path: Path) -> sqlite3.Connection:
    """Open a database for reading. Raises `UnreadableError` where it has not the tables that are known."""
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT)
    try:
        unknown = [table for table, needed in _NEEDED.items() if not needed <= _columns(base, table)]
    except BaseException:
        base.close()
        raise
    if unknown:
        base.close()
        raise UnreadableError(f"a database of another schema (table {unknown[0]})")
    return base


def _columns(base: sqlite3.Connection, table: str) -> set[str]:
    return {str(row[1]) for row in base.execute(f"PRAGMA table_info({table})")}


def _session(base: sqlite3.Connection, path: Path) -> tuple[Around, str]:
    """Return what holds for all of a session, and the id of the message from which on it was undone ("": none)."""
    there = _columns(base, "session")
    wanted = ["directory", *(name if name in there else "NULL" for name in ("parent_id", "revert"))]
    row = base.execute(f"SELECT {', '.join(wanted)} FROM session WHERE id = ?", (path.name,)).fetchone()  # noqa: S608 (names of this module)
    if row is None:
        raise FileNotFoundError(path)
    revert = _parsed(row[2]) or {}
    reverted = revert.get("messageID")
    entry = SUBAGENT if row[1] else NAME
    return Around(cwd=str(row[0] or ""), entry=entry), reverted if isinstance(reverted, str) else ""


def _rows(base: sqlite3.Connection, session: str) -> tuple[list[tuple[str, int, object]], dict[str, list[object]]]:
    """Return a session's messages in their order (id, milliseconds, data) and the data of the parts of each."""
    created = "time_created" if "time_created" in _columns(base, "message") else "0"
    messages = base.execute(
        f"SELECT id, {created}, data FROM message WHERE session_id = ? ORDER BY {created}, id",  # noqa: S608 (names of this module)
        (session,),
    ).fetchall()
    parts: dict[str, list[object]] = {}
    query = f"SELECT message_id, data FROM part WHERE {_of(base, 'part')} ORDER BY id"  # noqa: S608 (names of this module)
    for identity, data in base.execute(query, (session,)):
        parts.setdefault(str(identity), []).append(data)
    return [(str(identity), int(at or 0), data) for identity, at, data in messages], parts


def _forms(around: Around, message: Form, parts: list[Form]) -> Iterator[Form]:
    if message.get("role") == "user":
        yield from _said(around, parts)
    elif message.get("role") == "assistant" and not message.get("summary"):
        for part in parts:
            text = part.get("text")
            if part.get("type") == "text" and isinstance(text, str) and not part.get("synthetic"):
                yield around.replied(text)
            elif part.get("type") == "tool":
                for identity, name, given in call_of(part, around.cwd):
                    yield around.called(identity, name, given)
                for identity, text, extra, failed in result_of(part):
                    yield from around.answered(identity, text, extra, failed=failed)


def _said(around: Around, parts: list[Form]) -> Iterator[Form]:
    """Yield what the person said; what the client or a plugin put into the message is marked as synthetic."""
    if any(part.get("type") == "compaction" for part in parts):
        return
    texts = [part for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    own = [part["text"] for part in texts if not part.get("synthetic") and not part.get("ignored")]
    if own:
        yield around.said("\n".join(own))
    for part in texts:
        if part.get("synthetic"):
            if holds_own(part["text"]):
                yield around.injected(part["text"])
            elif file := attached_of(part["text"]):
                yield around.attached(*file)


def _time(message: Form, created: int) -> str:
    """Return when a message was made, ISO in UTC; a fork's copy keeps the time in its data."""
    times = message.get("time")
    stated = times.get("created") if isinstance(times, dict) else None
    milliseconds = stated if isinstance(stated, (int, float)) else created
    try:
        return (
            datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        )
    except (OverflowError, OSError, ValueError):
        return ""


def _parsed(data: object) -> dict[str, Any] | None:
    try:
        value = orjson.loads(data) if isinstance(data, (str, bytes)) else None
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _reason(error: Exception) -> str:
    return str(error) or "no database"


OPENCODE = Client(
    name=NAME,
    title="OpenCode",
    folders=folders,
    owns=owns,
    sessions=sessions,
    records=read,
    working_folder=working_folder,
    stamp=stamp,
    left_behind=nothing_left_behind,
    goes_on=False,
)
