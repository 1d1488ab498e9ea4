"""How far a session's log has been mined, and going on from there when it has grown.

Logs are only ever appended to, so what was mined of the turns before the last one stands; the last turn is mined again,
because it may have gone on. A log that was replaced is read again from its first byte.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from transcripts.clients.client import stamp_of_file
from transcripts.clients.table import client_of, stamp
from transcripts.logs.records import Skipped, named
from transcripts.logs.redact import Cleaner, as_it_is
from transcripts.logs.sessions import CLAUDE_CODE, Session
from transcripts.mining.candidates import History, MinedTurn, mined
from transcripts.turns.branches import WHOLE, Branches, left_behind
from transcripts.turns.open_turn import Mark
from transcripts.turns.reader import TurnReader
from transcripts.turns.tombstones import NOTHING, Forgotten
from transcripts.turns.turn import Turn
from transcripts.turns.with_agents import NEVER, AgentLog, AgentShare, agent_logs

_TAIL = 4096


class AgentSeen(NamedTuple):
    """A sub-agent's log as it was when it was read."""

    file: str
    size: int
    mtime_ns: int


class LogState(NamedTuple):
    """What has been mined of one session, and how to go on."""

    session: str
    file: str
    size: int
    """Bytes read."""
    mtime_ns: int
    inode: int
    """0 where the file system has none."""
    tail: str
    """Hash of the last bytes before `size`: it differs when the file was replaced by a longer one."""
    cwd: str
    """The first working folder that the log names."""
    mark: Mark | None
    """Where the last turn began; None when nothing can be gone on from."""
    history: History | None
    """What came before that turn."""
    seen: tuple[str, ...]
    """Keys of all records up to the mark."""
    abandoned: tuple[str, ...]
    """Keys of the messages that are no part of the conversation (`branches`), sorted."""
    loose: tuple[Skipped, ...]
    """Messages of which it is not certain what they stand on; among `skipped` too."""
    agents: tuple[AgentSeen, ...]
    skipped: tuple[Skipped, ...]
    """All damage; `settled` of them lies before the mark."""
    settled: int
    turns: tuple[MinedTurn, ...]
    """All turns; `closed` of them lie before the mark and are never mined again."""
    closed: int


def mine_log(
    session: Session,
    known: LogState | None = None,
    clean: Cleaner = as_it_is,
    forgotten: Forgotten = NOTHING,
    watch: Callable[[], Callable[[Turn], None] | None] | None = None,
) -> LogState:
    """Return the state of a session's log after reading what is new in it; equal to reading it all.

    `known` is what an earlier run found; it is not used when the log has been replaced since, or when messages that it
    knew turn out to be taken back. A turn in which something `forgotten` stands is as if it had not been. `watch` is
    called whenever the log is read from its first byte; what it gives is shown every turn of that reading.
    """
    told = None if session.client == CLAUDE_CODE else left_behind(session)
    """What another client's log says was taken back; Claude Code's says it record by record."""
    usable = known and known.mark and known.history and client_of(session).goes_on and _went_on(known, session.file)
    found = Branches(frozenset(known.abandoned), known.loose) if known and usable else WHOLE
    if told is not None and told.abandoned != found.abandoned:
        usable = False
    if known and usable and (state := _read(session, known, clean, forgotten, None, found)):
        return state
    see = watch() if watch else None
    state = _read(session, None, clean, forgotten, see, told or WHOLE, sure=told is not None)
    if state is None:
        # Only a log with a fork is read twice: one in thirty of real ones.
        see = watch() if watch else None
        state = _read(session, None, clean, forgotten, see, left_behind(session), sure=True)
    assert state is not None
    return state


def _read(
    session: Session,
    known: LogState | None,
    clean: Cleaner,
    forgotten: Forgotten,
    see: Callable[[Turn], None] | None,
    found: Branches,
    *,
    sure: bool = False,
) -> LogState | None:
    """Return the state after one reading; None when other messages than those of `found` turn out to be taken back."""
    stat, agents = stamp(session), _agents(session)
    start, line = 0, 1
    reader = TurnReader(session.id, str(session.file), clean, found.abandoned)
    history, turns, skipped, cwd = History(), list[MinedTurn](), list[Skipped](), ""
    mark: Mark | None = None
    before, closed, settled = history.kept(), 0, 0
    damage: list[Skipped] = []
    logs = agent_logs(session, damage)
    if known:
        if not known.mark or not known.history or not _settled(known, agents, logs):
            return None
        mark, closed, settled, cwd = known.mark, known.closed, known.settled, known.cwd
        start, line = mark.offset, mark.line
        reader = TurnReader.at(mark, session.id, str(session.file), known.seen[: mark.seen], clean, found.abandoned)
        history, before = known.history.kept(), known.history
        turns, skipped = list(known.turns[:closed]), list(known.skipped[:settled])
    share = AgentShare([log for log in logs if mark is None or log.time >= mark.turn[2]])
    for record in client_of(session).records(session.file, start=start, line=line, skipped=skipped):
        ended = reader.feed(record)
        if reader.standing.forked and not sure:
            now, sure = left_behind(session), True
            if now.abandoned != found.abandoned:
                return None
            found = now
        for turn in ended:
            turns.extend(_mined(session, share.joined(turn, reader.began), history, clean, forgotten, see))
        cwd = cwd or reader.cwd
        if reader.mark is not mark:
            mark, before, closed, settled = reader.mark, history.kept(), len(turns), len(skipped)
    for turn in reader.close():
        turns.extend(_mined(session, share.joined(turn, NEVER), history, clean, forgotten, see))
    if mark and forgotten and any(forgotten.text(text) for text in _said_in(mark)):
        mark, closed, settled = None, 0, 0  # what it would be gone on from says what is forgotten
    return LogState(
        session=session.id,
        file=named(session.file),
        size=stat.size,
        mtime_ns=stat.mtime_ns,
        inode=stat.inode,
        tail=_tail(session.file, stat.size) if client_of(session).goes_on else "",
        cwd=cwd,
        mark=mark,
        history=before if mark else None,
        seen=tuple(reader.seen)[: mark.seen if mark else 0],
        abandoned=tuple(sorted(found.abandoned)),
        loose=found.loose,
        agents=agents,
        skipped=(*skipped, *damage, *found.loose),
        settled=settled,
        turns=tuple(turns),
        closed=closed,
    )


def unread(session: Session, skipped: Skipped) -> LogState:
    """Return the state of a log of which nothing may be read: it says why, and is no longer true when that changes."""
    return LogState(
        session=session.id,
        file=named(session.file),
        size=0,
        mtime_ns=0,
        inode=0,
        tail="",
        cwd="",
        mark=None,
        history=None,
        seen=(),
        abandoned=(),
        loose=(),
        agents=(),
        skipped=(skipped,),
        settled=0,
        turns=(),
        closed=0,
    )


def _mined(
    session: Session,
    turn: Turn,
    history: History,
    clean: Cleaner,
    forgotten: Forgotten,
    see: Callable[[Turn], None] | None,
) -> list[MinedTurn]:
    left = forgotten.left_of(turn)
    if left and see:
        see(left)
    return [mined(left, history, clean)._replace(client=session.client)] if left else []


def _said_in(mark: Mark) -> Iterator[str]:
    yield mark.turn[3]
    yield from (*mark.queue, *mark.taken)
    for call in mark.calls.values():
        yield from call[1].values()


def unchanged(head: dict[str, Any], session: Session) -> bool:
    """Tell whether a session's files are, by size, time and identity, those that were read; `head` by `head_of`."""
    if not head:
        return False
    try:
        stat, agents = stamp(session), _agents(session)
    except OSError:
        return True  # swept between the listing and now: what was mined stays
    read = (head["size"], head["mtime_ns"], head["inode"], tuple(AgentSeen(**agent) for agent in head["agents"]))
    return (*stat, agents) == read


def _agents(session: Session) -> tuple[AgentSeen, ...]:
    return tuple(AgentSeen(named(path), (at := stamp(session, path)).size, at.mtime_ns) for path in session.agents)


def _went_on(known: LogState, file: Path) -> bool:
    """Tell whether the file is the one that was read, with something appended."""
    stat = stamp_of_file(file)
    return stat.inode == known.inode and stat.size > known.size and _tail(file, known.size) == known.tail


def _settled(known: LogState, agents: tuple[AgentSeen, ...], logs: list[AgentLog]) -> bool:
    """Tell whether every sub-agent's log that changed belongs to the last turn or a later one."""
    changed = {agent.file for agent in {*agents} ^ {*known.agents}}
    began = {log.file: log.time for log in logs}
    assert known.mark is not None
    return all(began.get(file, "") >= known.mark.turn[2] for file in changed)


def _tail(file: Path, size: int) -> str:
    with file.open("rb") as stream:
        start = stream.read(min(_TAIL, size))
        stream.seek(max(0, size - _TAIL))
        return hashlib.blake2b(start + stream.read(min(_TAIL, size)), digest_size=16).hexdigest()
