"""A session's turns, with what its sub-agents read in logs of their own."""

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from transcripts.reads import Read, text_of
from transcripts.records import Skipped, matters, records
from transcripts.sessions import Session
from transcripts.turn import Turn
from transcripts.turnreader import TurnReader


def turns(session: Session, skipped: list[Skipped] | None = None) -> Iterator[Turn]:
    """Yield a session's turns in order; the reads of sub-agents that have logs of their own are part of them."""
    reader = TurnReader(session.id, str(session.file))
    stream = reader.read(records(session.file, skipped=skipped, wanted=matters))
    yield from with_agents(itertools.chain(stream, _last(reader)), agent_logs(session, skipped))


def _last(reader: "TurnReader") -> Iterator[Turn]:
    yield from reader.close()


class AgentLog(NamedTuple):
    """What a sub-agent with a log of its own read and wrote."""

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
        for record in records(path, skipped=skipped, wanted=matters):
            record.data["isSidechain"] = True
            if not prompt and record.data.get("type") == "user":
                message = record.data.get("message")
                time, prompt = record.time, text_of(message.get("content")) if isinstance(message, dict) else ""
            reader.feed(record)
        turn = reader.open_turn()
        if turn:
            found.append(AgentLog(time, prompt, turn.reads, turn.notes_written, turn.outputs))
    return sorted(found, key=lambda log: log.time)


def with_agents(stream: Iterable[Turn], logs: list[AgentLog]) -> Iterator[Turn]:
    """Yield the turns with what sub-agents read added to the turn in which each began."""
    if not logs:
        yield from stream
        return
    waiting = list(logs)
    before: Turn | None = None
    for turn in stream:
        if before is not None:
            mine = [log for log in waiting if log.time < turn.time]
            waiting = [log for log in waiting if log.time >= turn.time]
            yield _joined(before, mine)
        before = turn
    if before is not None:
        yield _joined(before, waiting)


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
