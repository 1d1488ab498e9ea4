"""Records to turns: the state between two records of one log."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from transcripts.logs.records import Record
from transcripts.logs.speech import PROGRAMS, Kind, message_of, spoken
from transcripts.logs.tool_reads import BY_LADDER, OWN_TAG, Call, Read, split_lines, text_of
from transcripts.logs.words import short_key
from transcripts.turns.message_queue import MessageQueue
from transcripts.turns.open_turn import Mark, OpenTurn
from transcripts.turns.standing import Standing
from transcripts.turns.tool_use import ToolUse, blocks_of
from transcripts.turns.turn import Turn


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
        self.seen: dict[str, None] = {}
        self.tools = ToolUse(file)
        self.queue = MessageQueue()
        self.standing = Standing(abandoned)
        self.cwd = ""
        self.branch = ""
        self.by_program = False
        self.mark: Mark | None = None
        self._marked_before: Mark | None = None
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
        reader.standing.begun()
        reader.number = mark.number
        reader.tools.calls = {key: Call(*value) for key, value in mark.calls.items()}
        reader.tools.injected = frozenset(mark.injected)
        reader.tools.known_at = dict(mark.known_at)
        reader.seen = dict.fromkeys(seen)
        reader.queue = MessageQueue(mark.queue, mark.taken, mark.dequeued)
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
        return turn.closed(self.session, self.file, self.tools.injected, self.cwd, self.branch)

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
                self.standing.message(data, short, unanswered=self._unanswered())
            else:
                self.standing.came(uuid)
        if kind == "system":
            return []
        if self.standing.aside:
            if kind == "queue-operation":
                self.queue.follow(data, self.clean)
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
            asked = self.tools.calls.get(str(data.get("parentToolUseID")))
            self._tools(record, inner, agent=True, asked=asked)
            return []
        if data.get("isSidechain"):
            self._tools(record, data, agent=True, asked=None)
            return []
        if said:
            text = text_of(data["message"]["content"])
            self.tools.inject(text)
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
        if said in self.queue.dequeued:
            self.queue.dequeued.remove(said)
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
        return self._turn is not None and self.tools.waits_in(self._turn)

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
        """Follow the queue of messages typed while the agent worked; one that is taken out mid-turn begins a turn."""
        taken = self.queue.follow(record.data, self.clean)
        if not taken:
            return []
        self.queue.taken.append(taken)
        if spoken(taken)[1] == "slash" and self._waits():
            return self._hold(record, taken, "queued")
        return self._begin(record, taken, "queued")

    def _attached(self, record: Record) -> list[Turn]:
        attachment = record.data.get("attachment")
        if not isinstance(attachment, dict):
            return []
        if attachment.get("type") == "queued_command":
            said = ""
            if attachment.get("commandMode") == "prompt":
                said = self.clean(spoken(text_of(attachment.get("prompt")))[0])
            if said in self.queue.taken:
                self.queue.taken.remove(said)  # its turn began when it left the queue
                if self._held and self._turn and self._turn.message == said:
                    return self._let_go()  # the agent has it
                return []
            if said in self.queue.waiting:
                self.queue.waiting[self.queue.waiting.index(said)] = ""  # it has yet to leave the queue
            return self._begin(record, said, "queued") if said else []
        self.tools.attached(self._ensure(record), record, attachment)
        return []

    def _tools(self, record: Record, data: dict[str, Any], *, agent: bool, asked: Call | None) -> None:
        blocks = blocks_of(data, agent=agent)
        if blocks is not None:
            self.tools.take(self._ensure(record), record, data, blocks, agent=agent, asked=asked)

    def _marked(self, record: Record, turn: OpenTurn) -> Mark:
        return Mark(
            offset=record.end,
            line=record.line + 1,
            number=turn.number,
            turn=(turn.offset, turn.line, turn.time, turn.message, turn.kind, turn.key),
            seen=len(self.seen),
            calls=self.tools.waiting(self.clean),
            queue=tuple(self.queue.waiting),
            taken=tuple(self.queue.taken),
            dequeued=tuple(self.queue.dequeued),
            injected=tuple(sorted(self.tools.injected)),
            known_at=dict(self.tools.known_at),
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
                self._marked_before, self.mark = self.mark, self._marked(record, self._turn)
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
