"""What the agent read and wrote by its tools, and what ladder put into its view, within the turns of one log."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from transcripts.logs.records import Record, records
from transcripts.logs.tool_reads import (
    BY_LADDER,
    Call,
    Read,
    hook_text,
    own_lines,
    reads_of,
    reads_of_attachment,
    text_of,
)
from transcripts.logs.tool_writes import notes_unwritten, notes_written, texts_of
from transcripts.logs.words import short_key
from transcripts.turns.open_turn import OpenTurn
from transcripts.turns.turn import Event

_UNDERSTOOD_BY = ("file_path", "command", "path", "output_mode")
_WAITING = 200
"""Calls without result that are remembered."""


def _is_own(data: dict[str, Any], *, agent: bool) -> bool:
    """Tell whether a message is the agent's, not the person's and not a sub-agent's (`agent`)."""
    return data.get("type") == "assistant" and not agent


def blocks_of(data: dict[str, Any], *, agent: bool) -> list[Any] | None:
    """Return the blocks of a message, None where it has none or the client made it up."""
    message = data.get("message")
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if _is_own(data, agent=agent) and (message.get("model") == "<synthetic>" or data.get("isApiErrorMessage")):
        return None
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return blocks if isinstance(blocks, list) else None


class ToolUse:
    """Calls that wait for their results, the last whole text of each note, the lines that ladder showed."""

    def __init__(self, file: str) -> None:
        """`file` is the log."""
        self.file = file
        self.calls: dict[str, Call] = {}
        self.injected: frozenset[str] = frozenset()
        self.known: dict[str, tuple[str, ...]] = {}
        self.known_at: dict[str, int] = {}

    def waiting(self, clean: Callable[[str], str]) -> dict[str, tuple[str, dict[str, str], int, int, int, bool]]:
        """Return the calls without result as `Mark` holds them, secrets taken out by `clean`."""
        return {
            key: (
                call.name,
                {k: clean(v) for k in _UNDERSTOOD_BY if isinstance(v := call.given.get(k), str)},
                call.offset,
                call.step,
                call.turn,
                call.agent,
            )
            for key, call in list(self.calls.items())[-_WAITING:]
        }

    def waits_in(self, turn: OpenTurn) -> bool:
        """Tell whether the agent waits for a tool in a turn."""
        return any(call.turn == turn.number and not call.agent for call in self.calls.values())

    def take(
        self,
        turn: OpenTurn,
        record: Record,
        data: dict[str, Any],
        blocks: list[Any],
        *,
        agent: bool,
        asked: Call | None,
    ) -> None:
        """Take in a message, whose `blocks` are what `blocks_of` gave; `asked` is the call that began a sub-agent."""
        message = data["message"]
        own = _is_own(data, agent=agent)
        if own:
            turn.count(message)
        for block in blocks:
            if not isinstance(block, dict):
                continue
            what = block.get("type")
            if what == "text" and own:
                turn.say(message.get("id"), block.get("text"), record)
            elif what == "tool_use":
                self._called(turn, block, record, agent=agent, asked=asked)
            elif what == "tool_result":
                self._answered(turn, block, data.get("toolUseResult"), record, agent=agent)
            elif what == "text" and isinstance(block.get("text"), str):
                self.inject(block["text"])

    def _called(
        self, turn: OpenTurn, block: dict[str, Any], record: Record, *, agent: bool, asked: Call | None
    ) -> None:
        name, given, identity = block.get("name"), block.get("input"), block.get("id")
        if not isinstance(name, str) or not isinstance(given, dict) or not isinstance(identity, str):
            return
        if identity in turn.called:
            return
        turn.called.add(identity)
        step, offset = len(turn.events), record.offset
        if asked is not None and asked.turn == turn.number:
            step, offset = asked.step, asked.offset
        self.calls[identity] = Call(name, given, offset, step, turn.number, agent)
        turn.written.extend(notes_written(name, given))
        if agent:
            return
        command = given.get("command") if name in ("Bash", "PowerShell") else None
        path = next((given[k] for k in ("file_path", "notebook_path", "path") if isinstance(given.get(k), str)), "")
        wrote = "\n".join(texts_of(given))
        turn.events.append(
            Event("called", command if isinstance(command, str) else "", path, name, record.offset, record.time, wrote)
        )

    def _answered(self, turn: OpenTurn, block: dict[str, Any], extra: object, record: Record, *, agent: bool) -> None:
        call = self.calls.pop(str(block.get("tool_use_id")), None)
        text = text_of(block.get("content"))
        if call is not None and call.turn != turn.number:
            call = call._replace(step=0)  # a result that comes in a later turn was asked for before it began
        failed = bool(block.get("is_error"))
        if failed and call is not None and call.turn == turn.number:
            turn.unwrite(notes_unwritten(call.name, call.given, text))
        found = [] if call is None or failed else reads_of(call, block.get("content"), extra)
        for read in found:
            kept = self._kept(read, record.offset)
            if read.how == BY_LADDER:
                self.injected |= frozenset(short_key(line.strip()) for line in read.lines if line.strip())
            if kept.lines:
                turn.reads.append(kept)
        shows = found[0].path if found else ""
        turn.outputs.append((shows, text))
        if not agent:
            turn.events.append(Event("result", text, shows, call.name if call else "", record.offset, record.time))

    def inject(self, text: str) -> None:
        """Note the lines that ladder shows in a text."""
        if lines := own_lines(text):
            self.injected |= frozenset(short_key(line) for line in lines if line)

    def attached(self, turn: OpenTurn, record: Record, attachment: dict[str, Any]) -> None:
        """Take in what the client attached to the conversation."""
        self.inject(hook_text(attachment))
        for read in reads_of_attachment(attachment):
            kept = self._kept(read, record.offset)
            turn.reads.append(kept._replace(offset=record.offset, step=len(turn.events)))

    def _kept(self, read: Read, offset: int) -> Read:
        """Remember the last whole text of a file; give it where a Read answers only that nothing changed."""
        if not read.whole or not read.paths:
            return read
        if read.lines:
            self.known[read.path] = read.lines
            self.known_at[read.path] = offset
        elif read.path in self.known_at:
            if read.path not in self.known:
                self.known[read.path] = whole_text(Path(self.file), self.known_at[read.path], read.path)
            read = read._replace(lines=self.known[read.path], first=1)
        return read


def whole_text(file: Path, offset: int, path: str) -> tuple[str, ...]:
    """Return the lines of the note that the record at a byte offset shows whole, () when it shows it no more."""
    for record in records(file, start=offset):
        attachment = record.data.get("attachment")
        found = (
            reads_of_attachment(attachment)
            if isinstance(attachment, dict)
            else reads_of(Call("Read", {"file_path": path}, 0, 0, 0, agent=False), "", record.data.get("toolUseResult"))
        )
        return next((read.lines for read in found if read.path == path), ())
    return ()
