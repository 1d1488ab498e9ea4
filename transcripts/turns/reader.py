"""Records to turns: the state between two records of one log."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from transcripts.logs.records import Record, records
from transcripts.logs.speech import PROGRAMS, Kind, message_of, spoken
from transcripts.logs.tool_reads import (
    BY_LADDER,
    OWN_TAG,
    Call,
    Read,
    hook_text,
    own_lines,
    reads_of,
    reads_of_attachment,
    split_lines,
    text_of,
)
from transcripts.logs.tool_writes import notes_unwritten, notes_written, texts_of
from transcripts.logs.words import short_key
from transcripts.turns.open_turn import Mark, OpenTurn
from transcripts.turns.turn import Event, Turn

_UNDERSTOOD_BY = ("file_path", "command", "path", "output_mode")
_WAITING = 200
"""Calls without result that are remembered."""


class TurnReader:
    """The state between two records of one log.

    `read` and `feed` give each turn when the next one begins, `close` the one that is still open. A slash command that
    the agent never saw (`/clear`) is no turn. Before the first message there may be a turn of kind `machine`.
    """

    def __init__(
        self,
        session: str,
        file: str,
        clean: Callable[[str], str] = str,
        abandoned: Collection[str] = (),
    ) -> None:
        """`clean` takes secrets out of the person's messages and the mark; the rest is left to who keeps it.

        `abandoned` are the messages that are no part of the conversation (`branches`): what follows them isn't either.
        """
        self.session = session
        self.file = file
        self.clean = clean
        self.number = 0
        self.calls: dict[str, Call] = {}
        self.seen: dict[str, None] = {}
        self.queue: list[str] = []
        self.taken: list[str] = []
        self.dequeued: list[str] = []
        self.injected: frozenset[str] = frozenset()
        self.known: dict[str, tuple[str, ...]] = {}
        self.known_at: dict[str, int] = {}
        self.cwd = ""
        self.branch = ""
        self.by_program = False
        self.mark: Mark | None = None
        self._marked_before: Mark | None = None
        self.forked = False
        """A message does not stand on what came right before it: `branches` tells what was left behind."""
        self._abandoned = frozenset(abandoned)
        self._aside = False
        self._here: set[str] | None = None
        self._before: set[str] = set()
        self._turn: OpenTurn | None = None
        self._held: OpenTurn | None = None
        self._early: list[Read] = []

    @classmethod
    def at(
        cls,
        mark: Mark,
        session: str,
        file: str,
        seen: Iterable[str],
        clean: Callable[[str], str],
        abandoned: Collection[str] = (),
    ) -> "TurnReader":
        """Return the reader as it was at a mark; `seen` are the first `mark.seen` keys of its records."""
        reader = cls(session, file, clean, abandoned)
        reader._here = set()  # what stood before is not known: who stands on it is looked up
        reader.number = mark.number
        reader.calls = {key: Call(*value) for key, value in mark.calls.items()}
        reader.seen = dict.fromkeys(seen)
        reader.queue = list(mark.queue)
        reader.taken = list(mark.taken)
        reader.dequeued = list(mark.dequeued)
        reader.injected = frozenset(mark.injected)
        reader.known_at = dict(mark.known_at)
        reader.cwd, reader.branch = mark.cwd, mark.branch
        reader.mark = reader._marked_before = mark
        reader.by_program = mark.by_program
        reader._turn = OpenTurn(mark.number, *mark.turn, by_program=mark.by_program)
        return reader

    def read(self, stream: Iterable[Record]) -> Iterator[Turn]:
        """Yield the turns that end within a stream of records."""
        for record in stream:
            yield from self.feed(record)

    def close(self) -> list[Turn]:
        """Return the open turn, if there is one."""
        self._resume()
        return self._begin(None)

    def open_turn(self) -> Turn | None:
        """Return the open turn as it stands, and leave it open."""
        return self._as_it_stands(self._turn) if self._turn else None

    def _as_it_stands(self, turn: OpenTurn) -> Turn:
        return turn.closed(self.session, self.file, self.injected, self.cwd, self.branch)

    @property
    def began(self) -> str:
        """When the open turn began, ISO in UTC; "" when there is none."""
        return self._turn.time if self._turn else ""

    def feed(self, record: Record) -> list[Turn]:
        """Take in one record; return the turn that it ends, if it ends one."""
        data = record.data
        kind = data.get("type")
        if kind not in ("user", "assistant", "attachment", "progress", "queue-operation", "system"):
            return []
        inner = None
        if kind == "progress":
            inner = inner.get("message") if isinstance(inner := data.get("data"), dict) else None
            if not isinstance(inner, dict):
                return []  # a tick: nothing in it may count, for most are never parsed
        said, how = message_of(data) if kind == "user" else ("", "machine")
        uuid = data.get("uuid")
        if isinstance(uuid, str):
            short = short_key(uuid)
            if short in self.seen:
                return []
            self.seen[short] = None
            if said:
                self._stands(data, short)
            elif self._here is not None and not self._aside:
                self._here.add(uuid)
        if kind == "system":
            return []
        if self._aside:
            if kind == "queue-operation":
                self._follow(record.data)
            return []
        cwd, branch = data.get("cwd"), data.get("gitBranch")
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd
        if isinstance(branch, str) and branch:
            self.branch = branch
        entry = data.get("entrypoint")
        if isinstance(entry, str):
            self.by_program = entry in PROGRAMS
        if kind == "queue-operation":
            return self._queued(record)
        if kind == "attachment":
            return self._attached(record)
        released = self._released(data) if self._held else []
        if inner is not None:
            asked = self.calls.get(str(data.get("parentToolUseID")))
            self._tools(record, inner, agent=True, asked=asked)
            return []
        if data.get("isSidechain"):
            self._tools(record, data, agent=True, asked=None)
            return []
        if said:
            text = text_of(data["message"]["content"])
            self._inject(text)
            self._take_back(self.clean(said))
            if how == "slash" and self._waits():
                return self._hold(record, said, how)
            ended = [*released, *self._begin(record, said, how)]
            if OWN_TAG in text and self._turn:
                lines = split_lines(text)
                self._turn.reads.append(Read((), lines, 0, BY_LADDER, sure=False, whole=False, offset=record.offset))
                self._unmark(record)
            return ended
        if self._turn and not data.get("isMeta"):
            self._turn.answered = True
        self._tools(record, data, agent=False, asked=None)
        return released

    def _take_back(self, said: str) -> None:
        """Drop a message that nothing answered before this one came: the person took it back (Esc).

        Messages that waited in the queue may be sent together.
        """
        if said in self.dequeued:
            self.dequeued.remove(said)
        elif self._unanswered():
            self._turn = None
            self.number -= 1

    def _unmark(self, record: Record) -> None:
        """Go on from an earlier turn: the mark at this one does not hold what stood in the message itself."""
        if self.mark and self.mark.offset == record.end:
            self.mark = self._marked_before

    def _unanswered(self) -> bool:
        """Tell whether the open turn is a message that nothing came after."""
        turn = self._turn
        return turn is not None and turn.kind == "typed" and not turn.answered and not turn.events

    def _waits(self) -> bool:
        """Tell whether the agent waits for a tool in the open turn."""
        turn = self._turn
        return turn is not None and any(call.turn == turn.number and not call.agent for call in self.calls.values())

    def _hold(self, record: Record, said: str, kind: Kind) -> list[Turn]:
        """Begin a turn by a command that came while a tool was at work; what follows tells whether it is one.

        Commands that the client handles alone (`/model`) may be given at any time.
        """
        held, self._turn = self._turn, None
        self._begin(record, said, kind, sure=False)
        self._held = held
        return []

    def _resume(self) -> None:
        """Go on with the turn that was held: the command was none of the agent's business."""
        if self._held and self._turn and not self._turn.events:
            self._held.reads.extend(self._turn.reads)
            self._turn, self._held = self._held, None
            self.number -= 1

    def _released(self, data: dict[str, Any]) -> list[Turn]:
        """Return the turn that was held, if this record shows that the command after it began another."""
        assert self._held is not None
        if data.get("type") == "user" and not data.get("isMeta") and not data.get("isSidechain"):
            self._resume()
            return []
        if data.get("type") not in ("user", "assistant") or data.get("isSidechain"):
            return []
        return self._let_go()

    def _let_go(self) -> list[Turn]:
        held, self._held = self._held, None
        return [self._as_it_stands(held)] if held else []

    def _queued(self, record: Record) -> list[Turn]:
        """Follow the queue of messages typed while the agent worked; one that is taken out mid-turn begins a turn.

        First in, first out, the machine's own messages ("" here) among them. A `dequeue` is followed by the message's
        own record; `popAll` gave all back to the person.
        """
        taken = self._follow(record.data)
        if not taken:
            return []
        self.taken.append(taken)
        if spoken(taken)[1] == "slash" and self._waits():
            return self._hold(record, taken, "queued")
        return self._begin(record, taken, "queued")

    def _follow(self, data: dict[str, Any]) -> str:
        """Follow the queue; return the message that was taken out for the agent, "" for none."""
        operation, text = data.get("operation"), data.get("content")
        said = self.clean(spoken(text)[0]) if isinstance(text, str) else ""
        if operation == "enqueue":
            self.queue.append(said)
        elif operation == "popAll":
            self.queue.clear()
        elif operation == "dequeue" and self.queue:
            self.dequeued = [*self.dequeued, self.queue.pop(0)][-_WAITING:]
        elif operation == "remove" and self.queue:
            at = self.queue.index(said) if said in self.queue else 0 if text is None else -1
            return self.queue.pop(at) if at >= 0 else ""
        return ""

    def _stands(self, data: dict[str, Any], short: str) -> None:
        """See what a message stands on: what came before it, or something earlier."""
        self._aside = short in self._abandoned  # with all of it, up to the next message that is not
        if self._aside:
            return
        parent = data.get("parentUuid")
        if self._here is None:
            self._here = set()
        elif isinstance(parent, str) and parent and parent not in self._here:
            if parent not in self._before or not self._unanswered():
                self.forked = True
            self._here = self._before  # what nothing answered is taken back without a second look
        self._before, self._here = self._here, {data["uuid"]}

    def _attached(self, record: Record) -> list[Turn]:
        attachment = record.data.get("attachment")
        if not isinstance(attachment, dict):
            return []
        if attachment.get("type") == "queued_command":
            said = ""
            if attachment.get("commandMode") == "prompt":
                said = self.clean(spoken(text_of(attachment.get("prompt")))[0])
            if said in self.taken:
                self.taken.remove(said)  # its turn began when it left the queue
                if self._held and self._turn and self._turn.message == said:
                    return self._let_go()  # the agent has it
                return []
            if said in self.queue:
                self.queue[self.queue.index(said)] = ""  # it has yet to leave the queue
            return self._begin(record, said, "queued") if said else []
        turn = self._ensure(record)
        self._inject(hook_text(attachment))
        for read in reads_of_attachment(attachment):
            kept = self._kept(read, record.offset)
            turn.reads.append(kept._replace(offset=record.offset, step=len(turn.events)))
        return []

    def _inject(self, text: str) -> None:
        if lines := own_lines(text):
            self.injected |= frozenset(short_key(line) for line in lines if line)

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

    def _tools(self, record: Record, data: dict[str, Any], *, agent: bool, asked: Call | None) -> None:
        message = data.get("message")
        if not isinstance(message, dict):
            return
        content = message.get("content")
        own = data.get("type") == "assistant" and not agent
        if own and (message.get("model") == "<synthetic>" or data.get("isApiErrorMessage")):
            return
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(blocks, list):
            return
        turn = self._ensure(record)
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
                self._inject(block["text"])

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

    def _marked(self, record: Record) -> Mark:
        assert self._turn is not None
        turn = self._turn
        calls = {
            key: (
                call.name,
                {k: self.clean(v) for k in _UNDERSTOOD_BY if isinstance(v := call.given.get(k), str)},
                call.offset,
                call.step,
                call.turn,
                call.agent,
            )
            for key, call in list(self.calls.items())[-_WAITING:]
        }
        return Mark(
            offset=record.end,
            line=record.line + 1,
            number=turn.number,
            turn=(turn.offset, turn.line, turn.time, turn.message, turn.kind, turn.key),
            seen=len(self.seen),
            calls=calls,
            queue=tuple(self.queue),
            taken=tuple(self.taken),
            dequeued=tuple(self.dequeued),
            injected=tuple(sorted(self.injected)),
            known_at=dict(self.known_at),
            cwd=self.cwd,
            branch=self.branch,
            by_program=self.by_program,
        )

    def _ensure(self, record: Record) -> OpenTurn:
        if self._turn is None:
            self._begin(record, "", "machine")
        assert self._turn is not None
        return self._turn

    def _begin(
        self, record: Record | None, message: str = "", kind: Kind = "machine", *, sure: bool = True
    ) -> list[Turn]:
        if self._held:
            self._resume()
        ended = self._turn
        if ended and not ended.events and ended.kind in ("slash", "machine"):
            # The client handled the command alone; or only attachments came, which the next message stands on.
            if ended.kind == "machine":
                self._early.extend(ended.reads)
            self.number -= 1
            ended = None
        closed = [self._as_it_stands(ended)] if ended else []
        self._turn = None
        if record is not None:
            self.number += 1
            message = self.clean(message)
            self._turn = OpenTurn(
                self.number, record.offset, record.line, record.time, message, kind, _key(record, message)
            )
            self._turn.by_program = self.by_program
            self._turn.reads, self._early = self._early, []
            if sure and record.whole and kind != "machine" and not self._turn.reads:
                self._marked_before, self.mark = self.mark, self._marked(record)
        return closed


def _key(record: Record, message: str) -> str:
    # A fork may give its copies new ids, and says of which record each is one.
    origin = record.data.get("forkedFrom")
    copied = origin.get("messageUuid") if isinstance(origin, dict) else None
    for uuid in (copied, record.data.get("uuid")):
        if isinstance(uuid, str) and uuid:
            return uuid
    # Not the session: a resumed one repeats the record under its own id.
    return hashlib.blake2b(f"{record.time}\0{message}".encode("utf-8", "replace"), digest_size=16).hexdigest()


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
