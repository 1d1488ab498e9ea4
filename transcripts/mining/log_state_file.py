"""The file that keeps what was mined of one log: JSON lines, the state first, then a turn a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from transcripts.logs.records import Skipped
from transcripts.mining.candidates import Candidate, History, Line, MinedTurn
from transcripts.mining.log_state import AgentSeen, LogState
from transcripts.turns.contexts import Past
from transcripts.turns.open_turn import Mark

FORMAT = 9
"""Changes with what is kept: state of another format is mined again where the log is still there."""
_HEAD = ("session", "file", "size", "mtime_ns", "inode", "tail", "cwd")


def dumped(state: LogState) -> list[bytes]:
    """Return the state as JSON lines: what was read, how to go on, then a turn a line."""
    seen = {key: getattr(state, key) for key in _HEAD} | {
        "format": FORMAT,
        "agents": [agent._asdict() for agent in state.agents],
        "turns": len(state.turns),
    }
    further = {
        "mark": state.mark._asdict() if state.mark else None,
        "history": {"past": state.history.past.plain(), "recent": state.history.recent} if state.history else None,
        "seen": "".join(state.seen),
        "abandoned": state.abandoned,
        "loose": [item._asdict() for item in state.loose],
        "skipped": [item._asdict() for item in state.skipped],
        "settled": state.settled,
        "closed": state.closed,
    }
    return [orjson.dumps(seen), orjson.dumps(further), *(orjson.dumps(_plain_turn(turn)) for turn in state.turns)]


def head_of(line: bytes) -> dict[str, Any]:
    """Return what the first line that `dumped` wrote says, {} when it is of another format."""
    try:
        head = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return head if isinstance(head, dict) and head.get("format") == FORMAT else {}


class StateLines(NamedTuple):
    """What `dumped` wrote, as far as pairing needs it: cheaper than `loaded`."""

    size: int
    """Bytes of the log."""
    skipped: tuple[Skipped, ...]
    lines: list[bytes]
    """A turn a line."""

    @classmethod
    def read(cls, path: Path) -> "StateLines | None":
        """Return what a file holds; None when it is of another format or not whole."""
        lines = lines_of(path)
        if not (head := head_of(lines[0])) or head["turns"] != len(lines) - 2:
            return None
        return cls(head["size"], tuple(Skipped(**item) for item in orjson.loads(lines[1])["skipped"]), lines[2:])

    def turns(self) -> Iterator[dict[str, Any]]:
        """Yield each turn as the keys and values that `turn_of` understands."""
        return map(orjson.loads, self.lines)


def lines_of(path: Path) -> list[bytes]:
    """Return the lines of a file that `dumped` was written to."""
    return path.read_bytes().removesuffix(b"\n").split(b"\n")


def loaded(lines: list[bytes]) -> LogState | None:
    """Return the state that `dumped` wrote; None when it is of another format or not whole."""
    try:
        head = head_of(lines[0])
        if not head or head["turns"] != len(lines) - 2:
            return None
        del head["format"]
        head |= orjson.loads(lines[1])
        history = head["history"]
        seen = head["seen"]
        return LogState(
            **head
            | {
                "mark": Mark(**head["mark"]) if head["mark"] else None,
                "history": History(Past.of(history["past"]), history["recent"]) if history else None,
                "seen": tuple(seen[i : i + 16] for i in range(0, len(seen), 16)),
                "abandoned": tuple(head["abandoned"]),
                "loose": tuple(Skipped(**item) for item in head["loose"]),
                "agents": tuple(AgentSeen(**agent) for agent in head["agents"]),
                "skipped": tuple(Skipped(**item) for item in head["skipped"]),
                "turns": tuple(turn_of(orjson.loads(line)) for line in lines[2:]),
            }
        )
    except (orjson.JSONDecodeError, IndexError, KeyError, TypeError, ValueError):
        return None


def _plain_turn(turn: MinedTurn) -> dict[str, Any]:
    candidates = [
        candidate._asdict() | {"lines": [tuple(line) for line in candidate.lines]} for candidate in turn.candidates
    ]
    return turn._asdict() | {"candidates": candidates}


def turn_of(value: dict[str, Any]) -> MinedTurn:
    """Return the turn that a line of `dumped` holds, once it is parsed."""
    value["candidates"] = tuple(
        Candidate(
            **candidate
            | {
                "paths": tuple(candidate["paths"]),
                "lines": tuple(
                    Line(text, number, heading, tuple(said), tuple(wrote), tuple(elsewhere))
                    for text, number, heading, said, wrote, elsewhere in candidate["lines"]
                ),
            }
        )
        for candidate in value["candidates"]
    )
    for key in ("written", "opened", "vocabulary", "tools"):
        value[key] = tuple(value[key])
    return MinedTurn(**value)
