"""A session's turns, with what its sub-agents read in logs of their own."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from transcripts.clients.table import client_of
from transcripts.logs.records import Skipped, named
from transcripts.logs.sessions import Session
from transcripts.logs.tool_reads import Read, text_of
from transcripts.turns.branches import left_behind
from transcripts.turns.reader import TurnReader
from transcripts.turns.tombstones import NOTHING, Forgotten
from transcripts.turns.turn import Turn

NEVER = "\U0010ffff"
"""Comes after every time."""


def session_turns(
    session: Session,
    skipped: list[Skipped] | None = None,
    clean: Callable[[str], str] = str,
    forgotten: Forgotten = NOTHING,
) -> Iterator[Turn]:
    """Yield a session's turns in order; the reads of sub-agents that have logs of their own are part of them.

    `clean` takes secrets out of the person's messages; all else stays as it was logged, but for what is `forgotten`.
    """
    if forgotten.session(session.id):
        return
    found = left_behind(session)
    if skipped is not None:
        skipped.extend(found.loose)
    reader = TurnReader(session.id, str(session.file), clean, found.abandoned)
    share = AgentShare(agent_logs(session, skipped))
    for record in client_of(session).records(session.file, skipped=skipped):
        for turn in reader.feed(record):
            if left := forgotten.left_of(share.joined(turn, reader.began)):
                yield left
    for turn in reader.close():
        if left := forgotten.left_of(share.joined(turn, NEVER)):
            yield left


class AgentLog(NamedTuple):
    """What a sub-agent with a log of its own read and wrote."""

    file: str
    time: str
    """When it began, ISO in UTC."""
    prompt: str
    reads: tuple[Read, ...]
    written: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]


def agent_logs(session: Session, skipped: list[Skipped] | None = None) -> list[AgentLog]:
    """Return what the session's sub-agents did, in the order in which they began."""
    found = []
    for path in session.agents:
        reader = TurnReader(session.id, str(path))
        time = prompt = ""
        for record in client_of(session).records(path, skipped=skipped, agent=True):
            record.data["isSidechain"] = True
            if not prompt and record.data.get("type") == "user":
                message = record.data.get("message")
                time, prompt = record.time, text_of(message.get("content")) if isinstance(message, dict) else ""
            reader.feed(record)
        turn = reader.open_turn()
        if turn:
            found.append(AgentLog(named(path), time, prompt, turn.reads, turn.notes_written, turn.outputs))
    return sorted(found, key=lambda log: log.time)


class AgentShare:
    """Deals out the sub-agents' logs: each to the turn in which it began."""

    def __init__(self, logs: list[AgentLog]) -> None:
        """`logs` in the order in which they began."""
        self._waiting = logs

    def joined(self, turn: Turn, until: str) -> Turn:
        """Return the turn with the logs that began before `until`, the time at which the next turn began."""
        mine = [log for log in self._waiting if log.time < until]
        self._waiting = [log for log in self._waiting if log.time >= until]
        return _joined(turn, mine)


def _joined(turn: Turn, logs: list[AgentLog]) -> Turn:
    if not logs:
        return turn
    reads, outputs, notes = list(turn.reads), list(turn.outputs), list(turn.notes_written)
    for log in logs:
        steps = [
            i
            for i, event in enumerate(turn.events)
            if event.kind == "called" and log.prompt and log.prompt in event.wrote
        ]
        step = steps[0] if steps else sum(event.time <= log.time for event in turn.events)
        offset = turn.events[min(step, len(turn.events) - 1)].offset if turn.events else turn.offset
        seen = {(read.paths, read.lines) for read in reads}
        reads.extend(
            read._replace(step=step, offset=offset) for read in log.reads if (read.paths, read.lines) not in seen
        )
        outputs.extend(log.outputs)
        notes.extend(log.written)
    return turn._replace(reads=tuple(reads), outputs=tuple(outputs), notes_written=tuple(dict.fromkeys(notes)))
