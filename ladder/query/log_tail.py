"""What was said and done lately in the running session, read from the end of its log.

    context("…/session.jsonl", "go on with what you proposed")  ->  ladder.query.query.Context

A log can be a gigabyte, may lag behind the conversation, may be missing, and may not even be a file: at most
`WINDOW` bytes from its end are read, and of those only the lines that say something are parsed. The result is what
`transcripts` computes from the whole log, as far as the window reaches; a test holds the two equal.
"""

from __future__ import annotations

import os

from ladder.lean.files import read_private
from ladder.lean.json import documents, from_json
from ladder.query.query import Context
from ladder.query.speaker import command_name, message_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Bytes read from the end of the log.
WINDOW = 512 * 1024

#: Bytes from the end of the log in which blocks of ladder's are looked for when a session is resumed.
FAR = 64 * 1024 * 1024

#: Records that are parsed at most, the last ones. Real logs have at most 225 in the window (n = 431); eight thousand
#: records of a queue would take a second.
RECORDS = 1_000

#: The least number of bytes in a record.
SHORTEST_LINE = 15

#: How much of each kind is kept; the same figures as in `transcripts`.
TURNS = 6
SAID_CHARACTERS = 2_000
TOUCHED = 40
COMMANDS = 15
COMMAND_CHARACTERS = 300
RESULTS = 8
RESULT_END = 300
OPENED = 100

NOTE_SUFFIXES = (".md", ".mdx", ".markdown")
_NOTE_BYTES = (b".md", b".MD", b".markdown")


class _TailTurn:
    """One message and what the agent did after it, as far as it is known."""

    __slots__ = (
        "answered",
        "called",
        "commands",
        "empty",
        "message",
        "opened",
        "replies",
        "results",
        "slash",
        "texts",
        "touched",
    )

    def __init__(self, message: str, *, slash: bool) -> None:
        self.message = message
        self.slash = slash
        self.empty = True
        self.answered = False  # anything but attachments came after the message
        self.replies: list[str] = []
        self.texts: set[tuple[str, str]] = set()
        self.called: set[str] = set()
        self.touched: list[str] = []
        self.commands: list[str] = []
        self.results: list[str] = []
        self.opened: list[str] = []

    def was_taken_back(self) -> bool:
        """Whether it counts as a turn if another message comes now."""
        return self.empty and not self.answered and not self.slash and bool(self.message)


class Tail:
    """The turns at the end of a log; `cwd` and `branch` as last logged, `blocks` the texts that hooks added.

    `begins` and `ends` are the bytes of the log between which it was read.
    """

    __slots__ = (
        "at",
        "begins",
        "blocks",
        "branch",
        "branches",
        "calls",
        "cwd",
        "data",
        "dequeued",
        "early",
        "ends",
        "queue",
        "seen",
        "taken",
        "turns",
        "whole",
    )

    def __init__(self, data: bytes = b"", *, whole: bool = True) -> None:
        self.data = data
        self.at = 0
        self.begins = 0
        self.ends = 0
        self.whole = whole
        # where each message's record begins in `data`, and how many turns and blocks there were before it
        self.branches: list[tuple[int, int, int]] = []
        self.dequeued: list[str] = []
        self.turns: list[_TailTurn] = []
        self.queue: list[str] = []
        self.taken: list[str] = []
        self.calls: dict[str, str] = {}
        self.early: list[str] = []
        self.seen: set[str] = set()
        self.cwd = ""
        self.branch = ""
        self.blocks: list[str] = []

    def begin(self, message: str) -> _TailTurn:
        """Begin a turn; drop the last one if nothing followed it: the client handled it by itself."""
        if self.turns:
            last = self.turns[-1]
            if last.empty and (last.slash or not last.message):
                if not last.message:
                    self.early += last.opened
                self.turns.pop()
        turn = _TailTurn(message, slash=bool(command_name(message)))
        turn.opened, self.early = self.early, []
        self.turns.append(turn)
        return turn

    def current(self) -> _TailTurn:
        """Return the turn that is going on."""
        return self.turns[-1] if self.turns else self.begin("")

    def _stand_on(self, parent: object) -> None:
        """Drop what came after the parent record of a message (`/rewind`, Esc), and begin its branch.

        A parent that is not found changes nothing: where the log begins before `data` it can only be further back.
        """
        if isinstance(parent, str) and parent and self.branches:
            wanted = [b'"uuid":"%b"' % parent.encode("utf-8", "replace")]
            wanted.append(wanted[0].replace(b":", b": ", 1))
            last = self.branches[-1][0]
            if max([self.data.rfind(each, last, self.at) for each in wanted]) < 0:
                place = max([self.data.find(each, 0, last) for each in wanted])
                if place >= 0 or not self.whole:
                    while self.branches and self.branches[-1][0] > place:
                        _, turns, blocks = self.branches.pop()
                        del self.turns[turns:], self.blocks[blocks:]
                    if place < 0:
                        self.turns, self.blocks = [], []
        self.branches.append((self.at, len(self.turns), len(self.blocks)))

    def take_back(self, said: str) -> None:
        """Drop a message that nothing answered before the next was sent, unless both waited in the queue."""
        if said in self.dequeued:
            self.dequeued.remove(said)
        elif self.turns and self.turns[-1].was_taken_back():
            self.turns.pop()

    def take(self, line: bytes) -> None:
        """Take in one line of the log, which begins at the byte `at` of `data`."""
        text = line.strip(b"\0 \t\r\f").decode("utf-8", "replace")
        try:
            self.take_record(from_json(text))
        except ValueError:
            for record in _whole_records(text):
                self.take_record(record)
        except RecursionError:
            return

    def take_record(self, record: object) -> None:
        """Take in one record of the log."""
        if not isinstance(record, dict) or record.get("isSidechain"):
            return
        identity = record.get("uuid")
        if isinstance(identity, str):
            if identity in self.seen:
                return
            self.seen.add(identity)
        if isinstance(record.get("cwd"), str) and record["cwd"]:
            self.cwd = record["cwd"]
        if isinstance(record.get("gitBranch"), str) and record["gitBranch"]:
            self.branch = record["gitBranch"]
        kind = record.get("type")
        if kind == "assistant":
            self.current().answered = True
            if not record.get("isApiErrorMessage"):
                self._take_blocks(record, own=True)
        elif kind == "user":
            said = message_of(record)
            if said:
                if isinstance(identity, str):
                    self._stand_on(record.get("parentUuid"))
                self.take_back(said)
                self.begin(said)
            else:
                if not record.get("isMeta"):
                    self.current().answered = True
                self._take_blocks(record, own=False)
        elif kind == "attachment":
            self._take_attachment(record.get("attachment"))
        elif kind == "queue-operation":
            self._take_queue(record)

    def _take_blocks(self, record: dict[str, Any], *, own: bool) -> None:
        message = record.get("message")
        if not isinstance(message, dict) or (own and message.get("model") == "<synthetic>"):
            return
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(blocks, list):
            return
        turn = self.current()
        for block in blocks:
            if not isinstance(block, dict):
                continue
            what = block.get("type")
            if what == "text" and own:
                text = block.get("text")
                identity = message.get("id")
                if isinstance(text, str) and text.strip() and (identity, text) not in turn.texts:
                    if isinstance(identity, str):
                        turn.texts.add((identity, text))
                    turn.replies.append(text)
                    turn.empty = False
            elif what == "tool_use":
                self._take_call(turn, block)
            elif what == "tool_result":
                self.took_result(str(block.get("tool_use_id")), failed=bool(block.get("is_error")))
                turn = self.current()
                turn.results.append(excerpt(text_of(block.get("content"))))
                turn.empty = False

    def _take_call(self, turn: _TailTurn, block: dict[str, Any]) -> None:
        name, given, identity = block.get("name"), block.get("input"), block.get("id")
        if not isinstance(name, str) or not isinstance(given, dict) or not isinstance(identity, str):
            return
        if identity in turn.called:
            return
        turn.called.add(identity)
        turn.empty = False
        for field in ("file_path", "notebook_path", "path"):
            path = given.get(field)
            if isinstance(path, str):
                if path:
                    turn.touched.append(path)
                break
        command = given.get("command") if name in ("Bash", "PowerShell") else None
        if isinstance(command, str) and command:
            turn.commands.append(command[:COMMAND_CHARACTERS])
        note = given.get("file_path")
        if name == "Read" and isinstance(note, str) and note.lower().endswith(NOTE_SUFFIXES):
            self.calls[identity] = note

    def took_result(self, identity: str, *, failed: bool) -> None:
        """Record the answer of a call: a note that was asked for is now open."""
        self.at_work()
        note = self.calls.pop(identity, "")
        if note and not failed:
            self.current().opened.append(note)

    def at_work(self) -> None:
        """Record the answer of a call: a command just before it, of which the agent saw nothing, began no turn."""
        if len(self.turns) > 1 and self.turns[-1].empty and self.turns[-1].slash:
            self.turns[-2].opened += self.turns.pop().opened

    def _take_attachment(self, attachment: object) -> None:
        if not isinstance(attachment, dict):
            return
        kind, content = attachment.get("type"), attachment.get("content")
        if kind == "queued_command":
            said = spoken(text_of(attachment.get("prompt"))) if attachment.get("commandMode") == "prompt" else ""
            if said in self.taken:
                self.taken.remove(said)  # its turn began when it left the queue
                if self.turns and self.turns[-1].message == said:
                    self.turns[-1].slash = False  # the agent has it, whatever it is
                return
            if said in self.queue:
                self.queue[self.queue.index(said)] = ""  # it has yet to leave the queue
            if said:
                turn = self.begin(said)
                turn.answered, turn.slash = True, False
            return
        path: object = None
        if kind == "nested_memory" and isinstance(content, dict):
            path = content.get("path") or attachment.get("path")
        elif kind in ("file", "already_read_file", "edited_text_file"):
            path = attachment.get("filename")
        elif kind in ("hook_additional_context", "hook_success"):
            parts = content if isinstance(content, list) else [content]
            self.blocks += [part for part in parts if isinstance(part, str)]
        if isinstance(path, str) and path.lower().endswith(NOTE_SUFFIXES):
            self.current().opened.append(path)

    def _take_queue(self, record: dict[str, Any]) -> None:
        operation, text = record.get("operation"), record.get("content")
        said = spoken(text) if isinstance(text, str) else ""
        if operation == "enqueue":
            self.queue.append(said)
        elif operation == "popAll":
            self.queue.clear()
        elif operation == "dequeue" and self.queue:
            self.dequeued.append(self.queue.pop(0))  # the message's own record follows
        elif operation == "remove" and self.queue:
            at = self.queue.index(said) if said in self.queue else 0 if text is None else -1
            taken = self.queue.pop(at) if at >= 0 else ""
            if taken:
                self.taken.append(taken)
                self.begin(taken).answered = True  # the agent has it


def read_tail(path: str, end: int | None = None) -> Tail:
    """Return the turns at the end of the log at `path`, or before its byte `end`; an empty tail when it has none."""
    data = read_private(path, WINDOW + 1, end)
    tail = Tail(data, whole=len(data) <= WINDOW)
    tail.ends = size_of(path) if end is None else end
    tail.begins = max(0, tail.ends - len(data))
    boundary = data.rfind(_COMPACTED)
    # Offsets of lines: splitting a megabyte into lines would copy it, and most lines are not parsed.
    at = data.find(b"\n") + 1 if len(data) > WINDOW else 0  # the log is longer: its first line here is the end of one
    places: list[tuple[int, int]] = []
    while at < len(data):
        stop = data.find(b"\n", at)
        stop = len(data) if stop < 0 else stop
        if stop - at >= SHORTEST_LINE:
            places.append((at, stop))
        at = stop + 1
    # Tool results are four fifths of a log, and only the last few are shown: the others are not parsed.
    results = records = 0
    kinds: list[int] = []
    for start, stop in reversed(places):
        if records == RECORDS:
            break
        kind = _kind_of(data, start, stop)
        if kind == _THOUGHT:
            kind = _THOUGHT if _RECORD in kinds else _RECORD  # the last record tells folder and branch
        elif kind == _RESULT:
            results += 1
            if results <= RESULTS:
                kind = _RECORD
        records += kind == _RECORD
        kinds.append(kind)
    for start, stop in places[len(places) - len(kinds) :]:
        kind = kinds.pop()
        if 0 <= boundary < start:
            tail.blocks.clear()  # what stands before it is gone from the conversation
            boundary = -1
        if kind == _RECORD:
            tail.at = start
            tail.take(data[start:stop])
        elif kind == _THOUGHT:
            tail.current().answered = True
        elif kind == _RESULT:
            if tail.calls:
                first = data.find(b'"tool_use_id":"', start, stop) + 15
                identity = data[first : data.find(b'"', first, stop)].decode("utf-8", "replace")
                if identity in tail.calls:
                    tail.took_result(identity, failed=data.find(b'"is_error":true', start, stop) >= 0)
            tail.at_work()
            turn = tail.current()
            turn.empty, turn.answered = False, True
    if boundary >= 0:
        tail.blocks.clear()
    return tail


def size_of(path: str) -> int:
    """Return the bytes of a file, 0 when there is none."""
    try:
        return os.stat(path).st_size  # noqa: PTH116 (pathlib costs the hook more than its answer)
    except (OSError, ValueError):
        return 0


#: What the client writes where it has compacted the conversation.
_COMPACTED = b'"subtype":"compact_boundary"'
#: The first keys of records, and how many beginnings are tried on a damaged line; as in `transcripts`.
_FIRST_KEYS = (
    "parentUuid",
    "logicalParentUuid",
    "type",
    "uuid",
    "timestamp",
    "sessionId",
    "isSidechain",
    "cwd",
    "message",
    "operation",
)
_TRIED = 100


def _whole_records(text: str) -> list[object]:
    """Return the records of a line that is not one: two glued together, or a torn one with whole ones behind it."""
    found, end = documents(text, 0)
    if end == len(text):
        return found
    places = []
    at = text.find("{", end + 1)
    while at >= 0:
        key = text[at + 1 : at + 60].lstrip().split('"', 2)
        if len(key) > 2 and not key[0] and key[1] in _FIRST_KEYS and key[2].lstrip()[:1] == ":":
            places.append(at)
        at = text.find("{", at + 1)
    for at in places[-_TRIED:]:
        behind, end = documents(text, at)
        if end == len(text) and not [one for one in behind if not isinstance(one, dict) or "type" not in one]:
            return found + behind
    return found


#: What a line can be: nothing of use, a tool's result (parsed only if it is among the last), a record to parse, or a
#: thought of the agent alone, which no search uses.
_NOTHING, _RESULT, _RECORD, _THOUGHT = 0, 1, 2, 3
#: Bytes within which the first key of a record ends.
_FIRST_KEY = 80
#: A record says its type near its beginning or near its end; what lies between can be megabytes.
_END = 1200


def _kind_of(data: bytes, start: int, stop: int) -> int:
    """Return what the line `data[start:stop]` can be, by a few bytes of it; parsing decides."""
    colon = data.find(b'":', start, start + _FIRST_KEY) + 2
    if colon < 2 or data[colon : colon + 1].isspace() or not data.startswith(b'{"', start):
        return _RECORD  # another program wrote it, with blanks where the client has none
    short = stop - start <= 2 * _END
    ends = data[start:stop] if short else data[start : start + _END] + data[stop - _END : stop]
    if b'"type":"progress"' in ends or b'"type":"file-history-' in ends or b'"isSidechain":true' in ends:
        return _NOTHING
    if b'"type":"user"' in ends:
        return _RESULT if b'"tool_use_id":"' in ends or data.find(b'"tool_use_id":"', start, stop) >= 0 else _RECORD
    if b'"type":"assistant"' in ends:
        if b'"type":"thinking"' not in ends:
            return _RECORD
        line = ends if short else data[start:stop]
        return _RECORD if b'"type":"text"' in line or b'"type":"tool_use"' in line else _THOUGHT
    if b'"type":"queue-operation"' in ends:
        return _RECORD
    line = ends if short else data[start:stop]
    if b'"type":"attachment"' in line:
        counts = b'"queued_command"' in line or b"<ladder-notes" in line
        return _RECORD if counts or any([suffix in line for suffix in _NOTE_BYTES]) else _NOTHING  # noqa: C419 (faster)
    return _RECORD if b'"type":"user"' in line or b'"type":"assistant"' in line else _NOTHING


def blocks_of(path: str) -> list[str]:
    """Return the texts that hooks added to a conversation and in which a block of ladder's stands, the oldest first.

    Between `FAR` and `WINDOW` bytes from the end only lines with such a block are parsed: what was taken back there
    counts as shown.
    """
    near = read_tail(path)
    if near.whole:
        return near.blocks
    data = read_private(path, FAR)
    before = Tail()
    last = len(data) - WINDOW
    at = data.find(b"<ladder-notes", 0, last)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        stop = data.find(b"\n", at)
        stop = len(data) if stop < 0 else stop
        if stop < last and b'"attachment"' in data[start:stop]:
            before.take(data[start:stop])
        at = data.find(b"<ladder-notes", stop, last)
    return before.blocks + near.blocks


def context(path: str, message: str | None, end: int | None = None, *, cwd: str = "", now: str = "") -> Context:
    """Return the context of a search when `message` is sent, or with None in the middle of the open turn.

    `path` is the session's log, read up to byte `end` (all of it when None); `cwd` (else as logged) and `now` (ISO)
    are taken over.
    """
    return context_of(read_tail(path, end), message, cwd=cwd, now=now)


def context_of(tail: Tail, message: str | None, *, cwd: str = "", now: str = "") -> Context:
    """Return the context of a tail; see `context`."""
    turns = [turn for turn in tail.turns if not turn.empty or (turn.message and not turn.slash)]
    during = None
    if message is None:
        # Before a tool's call: the open turn's message, and what the agent has done since.
        during = turns.pop() if turns else None
        message = during.message if during else ""
    elif turns and turns[-1].empty and (turns[-1].message == message.strip() or turns[-1].was_taken_back()):
        turns.pop()  # the log has this message already, or the person took back the one before
    said: list[list[str]] = []
    for turn in turns[-TURNS:]:
        said += _words(turn)
    if during is not None:
        said += _words(during)[1 if during.message else 0 :]
        turns.append(during)
    return Context(
        message=message,
        said=said,
        touched=_last_distinct([path for turn in turns for path in _touched(turn, during)], TOUCHED),
        commands=[command for turn in turns for command in turn.commands][-COMMANDS:],
        results=[text for turn in turns for text in turn.results][-RESULTS:],
        opened=_last_distinct([path for turn in turns for path in turn.opened], OPENED),
        cwd=cwd or tail.cwd,
        branch=tail.branch,
        now=now,
        begun=during is not None,
    )


def _words(turn: _TailTurn) -> list[list[str]]:
    pairs = (("user", turn.message), ("agent", "\n\n".join(turn.replies)))
    return [[role, text[-SAID_CHARACTERS:]] for role, text in pairs if text]


def _touched(turn: _TailTurn, during: _TailTurn | None) -> list[str]:
    # Of a finished turn each file where it was first named, of the one that goes on where it was named last.
    return turn.touched if turn is during else list(dict.fromkeys(turn.touched))


def _last_distinct(items: list[str], count: int) -> list[str]:
    return list(dict.fromkeys(reversed(items)))[:count][::-1]


def excerpt(text: str) -> str:
    """Return a text's first and last 300 characters."""
    return text if len(text) <= 2 * RESULT_END else f"{text[:RESULT_END]}\n…\n{text[-RESULT_END:]}"
