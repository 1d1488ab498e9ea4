"""A turn that is still going on, and the state of a log's reader when it began."""

from typing import TYPE_CHECKING, Any, NamedTuple

from transcripts.logs.records import Record
from transcripts.logs.speech import Kind
from transcripts.turns.turn import Event, Turn

if TYPE_CHECKING:
    from transcripts.logs.tool_reads import Read


class Mark(NamedTuple):
    """The reader's state right after a turn began, as JSON can hold it: from here reading can go on another day."""

    offset: int
    """Byte offset behind the record that began the turn."""
    line: int
    """Number of the line there."""
    number: int
    """Of the turn."""
    turn: tuple[int, int, str, str, Kind, str]
    """Offset, line, time, message, kind and key of the turn."""
    seen: int
    """How many records have been seen."""
    calls: dict[str, tuple[str, dict[str, str], int, int, int, bool]]
    """Tool calls that have no result yet, with what of their input a result is understood by."""
    queue: tuple[str, ...]
    taken: tuple[str, ...]
    dequeued: tuple[str, ...]
    injected: tuple[str, ...]
    known_at: dict[str, int]
    """Where each note was last read whole."""
    cwd: str
    branch: str
    by_program: bool
    """What the log named last as its entry point is a program's."""


class OpenTurn:
    """A turn that is still going on."""

    def __init__(
        self,
        number: int,
        offset: int,
        line: int,
        time: str,
        message: str,
        kind: Kind,
        key: str,
        *,
        by_program: bool = False,
    ) -> None:
        self.number = number
        self.offset = offset
        self.line = line
        self.time = time
        self.message = message
        self.kind = kind
        self.key = key
        self.events: list[Event] = []
        self.reads: list[Read] = []
        self.written: list[str] = []
        self.outputs: list[tuple[str, str]] = []
        self.called: set[str] = set()
        self.texts: set[tuple[str, str]] = set()
        self.tokens: dict[str, int] = {}
        self.by_program = by_program
        self.answered = False
        """Anything but attachments came after the message."""

    def say(self, message: object, text: object, record: Record) -> None:
        """Add what the agent said; an API message is written as several lines, and none of its blocks counts twice.

        `message` is its id; what has none is a message of its own.
        """
        if not isinstance(text, str) or not text.strip():
            return
        if isinstance(message, str):
            if (message, text) in self.texts:
                return
            self.texts.add((message, text))
        self.events.append(Event("said", text, "", "", record.offset, record.time))

    def unwrite(self, paths: list[str]) -> None:
        """Take back notes that a call was to write and did not."""
        for path in paths:
            if path in self.written:
                self.written.remove(path)

    def count(self, message: dict[str, Any]) -> None:
        """Note an API message's output tokens; its last line has the final number."""
        usage = message.get("usage")
        tokens = usage.get("output_tokens") if isinstance(usage, dict) else None
        if isinstance(tokens, int):
            identity = message.get("id")
            self.tokens[identity if isinstance(identity, str) else f" {len(self.tokens)}"] = tokens

    def closed(self, session: str, file: str, injected: frozenset[str], cwd: str, branch: str) -> Turn:
        """Return the turn as it stands, with what its session says of itself."""
        return Turn(
            session=session,
            number=self.number,
            time=self.time,
            message=self.message,
            kind=self.kind,
            events=tuple(self.events),
            reads=tuple(self.reads),
            notes_written=tuple(dict.fromkeys(self.written)),
            outputs=tuple(self.outputs),
            injected=injected,
            cwd=cwd,
            branch=branch,
            file=file,
            offset=self.offset,
            line=self.line,
            key=self.key,
            by_program=self.by_program,
            usage=sum(self.tokens.values()),
        )
