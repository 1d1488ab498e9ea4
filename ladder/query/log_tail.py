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
from ladder.query.tail import Tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.query.tail import TailTurn

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
RESULTS = 8
OPENED = 100

_NOTE_BYTES = (b".md", b".MD", b".markdown")


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
            take_line(tail, data[start:stop])
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


def take_line(tail: Tail, line: bytes) -> None:
    """Take one line of the log in, which begins at the byte `tail.at` of `tail.data`."""
    text = line.strip(b"\0 \t\r\f").decode("utf-8", "replace")
    try:
        tail.take_record(from_json(text))
    except ValueError:
        for record in _whole_records(text):
            tail.take_record(record)
    except RecursionError:
        return


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
            take_line(before, data[start:stop])
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


def _words(turn: TailTurn) -> list[list[str]]:
    pairs = (("user", turn.message), ("agent", "\n\n".join(turn.replies)))
    return [[role, text[-SAID_CHARACTERS:]] for role, text in pairs if text]


def _touched(turn: TailTurn, during: TailTurn | None) -> list[str]:
    # Of a finished turn each file where it was first named, of the one that goes on where it was named last.
    return turn.touched if turn is during else list(dict.fromkeys(turn.touched))


def _last_distinct(items: list[str], count: int) -> list[str]:
    return list(dict.fromkeys(reversed(items)))[:count][::-1]
