"""Simulates a client: replays the messages and tool calls of real logs through the installed hook.

Everything is as the client does it: the command, its arguments and its timeout come from the settings that `ladder
install` wrote, the event goes to stdin, the log that the event names holds what had been written by then, several
sessions run at once, and each answer is judged by the client's own rules. The home, the settings and the caches are
the replay's own, in a folder that is thrown away.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.scores import percentile
from ladder.client.contract import FILE_TOOLS, SHELL_TOOLS
from ladder.client.judge import Answer, run_handler
from transcripts import session_turns
from transcripts.logs.speech import is_slash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from transcripts import Session, Turn

#: Tool calls replayed of each turn.
CALLS_A_TURN = 3


@dataclass
class Replayed:
    """What came of a replay; added up over sessions."""

    messages: int = 0
    slash: int = 0
    """Messages that are slash commands; among `messages`."""
    runs: Counter[str] = field(default_factory=Counter)
    """Times the hook was started, by event."""
    spoke: Counter[str] = field(default_factory=Counter)
    """Times text reached the agent, by event."""
    denied: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """What a client would have blocked, refused or cut."""
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """Wall time of each run, by event."""
    longest: int = 0
    """Characters of the longest text."""

    def add(self, event: str, answer: Answer) -> None:
        """Count one run."""
        self.runs[event] += 1
        self.spoke[event] += bool(answer.text)
        self.denied += bool(answer.denied)
        self.faults.update(answer.faults)
        self.seconds.setdefault(event, []).append(answer.seconds)
        self.longest = max(self.longest, len(answer.text))

    def join(self, other: Replayed) -> None:
        """Add another replay's counts."""
        self.messages += other.messages
        self.slash += other.slash
        self.runs += other.runs
        self.spoke += other.spoke
        self.denied += other.denied
        self.faults += other.faults
        self.longest = max(self.longest, other.longest)
        for event, seconds in other.seconds.items():
            self.seconds.setdefault(event, []).extend(seconds)

    def milliseconds(self, event: str, share: float) -> float:
        """Return the percentile of an event's wall times."""
        return percentile([second * 1000 for second in self.seconds.get(event, [])], share)


class Client:
    """An installation of the hook in a home of its own, for the notes in one folder."""

    def __init__(self, home: Path, notes: Path, *, anywhere: bool = False) -> None:
        """Install the hook and index the notes, by the commands a person would type.

        `notes` is the project's folder; with `anywhere` it is a folder of notes that some other project owns.
        """
        self.home = home
        self.notes = notes
        if anywhere:
            self.notes = home / "project"
            self.notes.mkdir(parents=True)
            lines = (
                f"folders = [{json.dumps(str(notes))}]",
                "hidden = true",
                "client_memory = false",
                'user_folder = ""',
            )
            (self.notes / "ladder.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.env = dict(os.environ) | {
            "HOME": str(home),
            "USERPROFILE": str(home),
            "CLAUDE_CONFIG_DIR": str(home / "client"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "LOCALAPPDATA": str(home / "local"),
        }
        self.env.pop("LADDER_OFF", None)
        for arguments in (["install", "claude-code"], ["index", str(self.notes)]):
            done = subprocess.run(
                [sys.executable, "-P", "-m", "ladder", *arguments],
                env=self.env,
                capture_output=True,
                check=False,
                cwd=self.notes,
            )
            if done.returncode not in (0, 1):
                raise OSError(f"ladder {arguments[0]}: {done.stderr.decode('utf-8', 'replace')}")
        settings = json.loads((home / "client" / "settings.json").read_text(encoding="utf-8"))
        self.handlers: dict[str, dict[str, Any]] = {
            event: groups[0]["hooks"][0] for event, groups in settings["hooks"].items()
        }

    def run(self, event: str, **fields: object) -> Answer:
        """Start the hook for one event."""
        given = {"hook_event_name": event, "cwd": str(self.notes), "permission_mode": "default", **fields}
        return run_handler(self.handlers[event], given, env=self.env, cwd=str(self.notes))


def replay_session(client: Client, session: Session, limit: int) -> Replayed:
    """Replay one session, at most `limit` messages of it, with a log that grows as it did."""
    found = Replayed()
    log = client.home / "logs" / f"{session.id}.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    common = {"session_id": session.id, "transcript_path": str(log)}
    with session.file.open("rb") as source, log.open("wb") as target:

        def grow(offset: int) -> None:
            target.write(source.read(max(0, offset - source.tell())))
            target.flush()

        found.add("SessionStart", client.run("SessionStart", source="startup", **common))
        for turn in session_turns(session):
            if not turn.message:
                continue
            if found.messages >= limit:
                break
            grow(turn.offset)
            found.messages += 1
            found.slash += is_slash(turn.message)
            found.add("UserPromptSubmit", client.run("UserPromptSubmit", prompt=turn.message, **common))
            for call, offset in calls_of(turn):
                grow(offset)
                found.add("PreToolUse", client.run("PreToolUse", **call, **common))
        found.add("SessionEnd", client.run("SessionEnd", reason="other", **common))
    log.unlink()
    return found


def calls_of(turn: Turn) -> Iterator[tuple[dict[str, object], int]]:
    """Yield the first calls of a turn for which the client would start the hook, and where the log stood."""
    count = 0
    for event in turn.events:
        if event.kind != "called" or count >= CALLS_A_TURN:
            continue
        if event.tool in FILE_TOOLS and event.path:
            given = {FILE_TOOLS[event.tool]: event.path}
        elif event.tool in SHELL_TOOLS and event.text:
            given = {"command": event.text}
        else:
            continue
        count += 1
        yield {"tool_name": event.tool, "tool_input": given, "tool_use_id": f"call-{event.offset}"}, event.offset


def replay_all(client: Client, sessions: Sequence[Session], *, at_once: int = 4, limit: int = 60) -> Replayed:
    """Replay sessions, `at_once` at a time, at most `limit` messages of each."""
    total = Replayed()
    with ThreadPoolExecutor(at_once) as pool:
        for found in pool.map(lambda session: replay_session(client, session, limit), sessions):
            total.join(found)
    return total
