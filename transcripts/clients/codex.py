"""Codex CLI: `~/.codex/sessions/Y/M/D/rollout-*.jsonl`, one record a line, a file a session."""

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from transcripts.clients.client import Client, stamp_of_file, top_of
from transcripts.clients.codex_tools import OF_SCRIPT, call_of, item_calls, output_of
from transcripts.clients.one_form import SUBAGENT, Around, Form, holds_own
from transcripts.logs.records import BUFFER, Record, Skipped, named, records
from transcripts.logs.sessions import Session
from transcripts.logs.words import short_key

NAME = "codex"
_TYPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_PACKED = ".jsonl.zst"
_LOOKED_AT = 4_000
_EVENTS_BEGIN = 1 << 18
"""Bytes within which a log that has events has its first: they begin with the first turn."""
_NOT_THE_PERSON = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<INSTRUCTIONS>", "<turn_aborted>",
    "<subagent_notification>", "<user_shell_command>", "<skill>", "<permissions instructions>", "<hook_prompt",
)  # fmt: skip
"""How a text begins that Codex wrote in the user's name, in logs that say the person's words nowhere else."""
_REQUEST = re.compile(
    r"\A\s*# (?:Files mentioned by the user|Context from my IDE setup):.*\n## My request for Codex:\n", re.DOTALL
)
"""What the desktop application and editors put before the person's words."""
_STATE = re.compile(
    rb'"(?:session_meta|task_started|turn_context|user_message|UserMessage|thread_rolled_back)"|"role"\s*:\s*"user"'
)
"""In every line that the state between two records depends on."""
_LAST_ID = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\Z")


def folder() -> Path:
    """Return the folder that Codex keeps its files in: `$CODEX_HOME` or `~/.codex`."""
    configured = os.environ.get("CODEX_HOME")
    return Path(configured).expanduser() if configured else Path.home() / ".codex"


def owns(path: Path) -> bool:
    """Tell whether a file is a rollout."""
    if path.name.endswith(_PACKED):
        return path.name.startswith("rollout-")
    if path.suffix != ".jsonl":
        return False
    with path.open("rb") as file:
        if b'"payload"' not in file.read(_LOOKED_AT):
            return False
    first = next(records(path), None)
    return first is not None and first.data.get("type") in _TYPES and isinstance(first.data.get("payload"), dict)


def sessions(files: list[Path], skipped: list[Skipped]) -> list[Session]:
    """Return the sessions of rollouts; those of sub-agents belong to the session that began them, if it is there."""
    if packed := [path for path in files if path.name.endswith(_PACKED)]:
        reason = f"{len(packed)} of its logs are compressed (zstd), which is not read"
        skipped.append(Skipped(named(packed[0].parent), 0, reason))
        files = [path for path in files if path not in packed]
    begun = {path: _meta(path, skipped) for path in files}
    names = {path: str(meta.get("id") or "") or _name(path) for path, meta in begun.items()}
    parents = {names[path]: _parent(meta) for path, meta in begun.items()}
    agents: dict[str, list[Path]] = {}
    for path in files:
        if (top := top_of(parents, names[path])) != names[path]:
            agents.setdefault(top, []).append(path)
    return [
        Session(names[path], path, tuple(agents.get(names[path], ())), NAME)
        for path in files
        if top_of(parents, names[path]) == names[path]
    ]


def working_folder(session: Session, guesses: tuple[Path, ...] = ()) -> str:  # noqa: ARG001 (every client has this signature)
    """Return the folder that a session began in."""
    cwd = _meta(session.file, []).get("cwd")
    return cwd if isinstance(cwd, str) else ""


def read(
    path: Path, *, start: int = 0, line: int = 1, skipped: list[Skipped] | None = None, agent: bool = False
) -> Iterator[Record]:
    """Yield a rollout's records in the one form; of a sub-agent (`agent`) without what it was forked from."""
    with path.open("rb") as file:
        events = b'"event_msg"' in file.read(_EVENTS_BEGIN)
    state = _Reader(events=events)
    if start:
        state.follow(path, start)
    for record in records(path, start=start, line=line, skipped=skipped):
        for form in state.forms(record.data):
            if not (agent and state.copied):
                yield record._replace(data=form)


def left_behind(path: Path) -> frozenset[str]:
    """Return the keys of the messages that the person took back (`thread_rolled_back`)."""
    with path.open("rb", buffering=BUFFER) as file:
        if not any(b'"thread_rolled_back"' in raw for raw in file):
            return frozenset()
    messages: list[list[str]] = []
    """The messages of each turn."""
    gone: set[str] = set()
    turn = ""
    state = _Reader(events=True)
    for record in records(path):
        payload = record.data.get("payload")
        if isinstance(payload, dict) and payload.get("type") == "thread_rolled_back":
            count = payload.get("num_turns")
            for _ in range(min(count, len(messages)) if isinstance(count, int) else 0):
                gone.update(messages.pop())
            turn = ""
        for form in state.forms(record.data):
            if form["type"] == "user" and "uuid" in form:
                if state.turn != turn or not messages:
                    messages.append([])
                    turn = state.turn
                messages[-1].append(short_key(form["uuid"]))
    return frozenset(gone)


class _Reader:
    """What a record's meaning depends on of those before it: where the agent works, and which turn it is."""

    def __init__(self, *, events: bool) -> None:
        """`events`: the log says what the person typed in events; else only the messages to the model say it."""
        self.events = events
        self.own = ""
        """The session's id; a log that was forked holds other sessions' before it."""
        self.forked = self.by_agent = self.copied = False
        self.turn = ""
        self.said = 0
        """Messages in this turn."""
        self.around = Around()

    def follow(self, path: Path, until: int) -> None:
        """Take in a log up to a byte without looking at more than the lines that count."""
        at = 0
        with path.open("rb", buffering=BUFFER) as file:
            for raw in file:
                at += len(raw)
                if at > until:
                    return
                if _STATE.search(raw):
                    with suppress(orjson.JSONDecodeError):
                        value = orjson.loads(raw)
                        if isinstance(value, dict):
                            list(self.forms(value))

    def forms(self, data: Form) -> Iterator[Form]:
        """Yield what a record of Codex says, as records of the one form; nothing for what says nothing."""
        payload = data.get("payload")
        if not isinstance(payload, dict):
            return
        time = data.get("timestamp")
        self.around = self.around._replace(time=time if isinstance(time, str) else "")
        kind, what = data.get("type"), payload.get("type")
        if kind == "session_meta":
            yield self._begun(payload)
        elif kind == "turn_context":
            self._in_turn(payload)
            yield self._at(payload.get("cwd"))
        elif kind == "event_msg":
            if what == "task_started":
                self._in_turn(payload)
                yield self.around.place()
            elif what == "user_message":
                yield from self._said(payload.get("message"))
            elif what == "item_completed" and isinstance(item := payload.get("item"), dict):
                if item.get("type") == "UserMessage":
                    self._in_turn(payload)
                    yield from self._said(_text(item.get("content")))
                else:
                    yield from item_calls(self.around, item)
        elif kind == "response_item":
            yield from self._answered(payload, what)

    def _begun(self, meta: Form) -> Form:
        identity = str(meta.get("id") or "")
        if not self.own:
            self.own, self.by_agent = identity, bool(_by_agent(meta))
            self.forked = self.copied = bool(meta.get("forked_from_id"))
        by_agent = self.by_agent and not self.copied
        git = meta.get("git")
        branch = git.get("branch") if isinstance(git, dict) else ""
        self.around = self.around._replace(
            branch=branch if isinstance(branch, str) else "", entry=SUBAGENT if by_agent else NAME
        )
        return self._at(meta.get("cwd"))

    def _at(self, cwd: object) -> Form:
        if isinstance(cwd, str) and cwd:
            self.around = self.around._replace(cwd=cwd)
        return self.around.place()

    def _in_turn(self, payload: Form) -> None:
        turn = payload.get("turn_id")
        if not isinstance(turn, str) or turn == self.turn:
            return
        self.turn, self.said = turn, 0
        # Both are numbered by time (UUID version 7): a turn from before the session is one that it was forked with.
        self.copied = self.forked and turn < self.own
        self.around = self.around._replace(entry=SUBAGENT if self.by_agent and not self.copied else NAME)

    def _said(self, text: object) -> Iterator[Form]:
        if not isinstance(text, str) or not text.strip():
            return
        self.said += 1
        message = _REQUEST.sub("", text).strip("\n") if "## My request for Codex:" in text else text
        identity = ""
        if self.turn:
            # A fork writes its copies anew, with the time of the fork, and the same turns.
            told = f"{self.turn}\0{self.said}\0{message}".encode("utf-8", "replace")
            identity = hashlib.blake2b(told, digest_size=16).hexdigest()
        yield self.around.said(message, identity)

    def _answered(self, payload: Form, what: object) -> Iterator[Form]:
        around = self.around
        if what == "message":
            text, role = _text(payload.get("content")), payload.get("role")
            if role == "assistant":
                yield around.replied(text)
            elif holds_own(text):
                yield around.injected(text)
            elif role == "user" and not self.events and not text.lstrip().startswith(_NOT_THE_PERSON):
                yield from self._said(text)
        elif what in ("function_call", "custom_tool_call", "local_shell_call"):
            identity = str(payload.get("call_id") or payload.get("id") or "")
            for name, given, its in call_of(payload, identity, around.cwd):
                yield around.called(its, name, given)
        elif what in ("function_call_output", "custom_tool_call_output"):
            text, failed = output_of(payload.get("output"))
            if what == "custom_tool_call_output" and OF_SCRIPT.match(text):
                return
            yield from around.answered(str(payload.get("call_id") or ""), text, failed=failed)


def _text(content: object) -> str:
    """Return the text of a message: a string, or the texts of a list of items, whatever they are called."""
    if isinstance(content, str):
        return content
    items = content if isinstance(content, list) else []
    return "\n".join(item["text"] for item in items if isinstance(item, dict) and isinstance(item.get("text"), str))


def _meta(path: Path, skipped: list[Skipped]) -> dict[str, Any]:
    """Return what a rollout says of its session, {} when it says nothing or may not be read."""
    try:
        for record in records(path):
            payload = record.data.get("payload")
            return payload if record.data.get("type") == "session_meta" and isinstance(payload, dict) else {}
    except FileNotFoundError:
        return {}
    except PermissionError:
        skipped.append(Skipped(named(path), 0, "no permission"))
    return {}


def _name(path: Path) -> str:
    match = _LAST_ID.search(path.stem)
    return match[1] if match else named(Path(path.stem))


def _by_agent(meta: Form) -> bool:
    source = meta.get("source")
    return (isinstance(source, dict) and "subagent" in source) or meta.get("thread_source") == "subagent"


def _parent(meta: Form) -> str:
    """Return the id of the session whose agent began this one, "" when a person or a program did."""
    if not _by_agent(meta):
        return ""
    source = meta.get("source")
    spawned = source.get("subagent") if isinstance(source, dict) else None
    spawn = spawned.get("thread_spawn") if isinstance(spawned, dict) else None
    parent = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
    return str(parent or meta.get("parent_thread_id") or "")


CODEX = Client(
    name=NAME,
    title="Codex CLI",
    folders=lambda: [folder() / "sessions", folder() / "archived_sessions"],
    owns=owns,
    sessions=sessions,
    records=read,
    working_folder=working_folder,
    stamp=stamp_of_file,
    left_behind=left_behind,
    goes_on=True,
)
