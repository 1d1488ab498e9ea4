"""The hook's edge: one JSON document in before a deadline, one JSON document out or nothing, and always exit code 0.

Uses C modules of the standard library only: `json`, `signal` and `threading` cost more to import than the whole answer.
"""

from __future__ import annotations

import os
import sys
import time

from ladder.lean.json import from_json, to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: Seconds from the start of the hook to its end, whatever happens; the promise is 2 s, the interpreter starts before.
DEADLINE = 1.8

#: Bytes of input that are read; a larger event is left alone.
INPUT_CAP = 32 * 1024 * 1024

_CHUNK = 1 << 16


class Reply:
    """What will be written on stdout: set it early, set it better later; it is written once, whole, or not at all."""

    __slots__ = ("changed", "document", "done", "on_deadline", "says")

    def __init__(self) -> None:
        self.document: dict[str, object] | None = None
        self.done = False
        self.changed: dict[str, object] | None = None
        self.on_deadline: list[object] = []  # callables that write down that time ran out
        self.says: Callable[[dict[str, object]], dict[str, object] | None] | None = None  # another client's form

    def say(self, event: str, text: str = "", denial: str = "", *, ask: bool = False) -> None:
        """Keep the reply to `event`: `text` for the agent's context, and for a tool call perhaps why it is denied.

        With `ask` the person decides whether the call is made.
        """
        output: dict[str, object] = {"hookEventName": event}
        if self.changed is not None:
            output["updatedInput"] = self.changed
        if denial:
            output["permissionDecision"] = "ask" if ask else "deny"
            output["permissionDecisionReason"] = denial
        if text:
            output["additionalContext"] = text
        self.document = {"hookSpecificOutput": output}

    def change(self, given: dict[str, object]) -> None:
        """Have the tool called with this input, all of it, in place of the agent's; what is said next carries it."""
        self.changed = given

    def text(self) -> str:
        """Return the text for the agent's context that is kept, "" for none."""
        output = self.document.get("hookSpecificOutput") if self.document else None
        text = output.get("additionalContext", "") if isinstance(output, dict) else ""
        return text if isinstance(text, str) else ""

    def unsay(self) -> None:
        """Drop what was kept."""
        self.document = None

    def leave(self) -> None:
        """Write the reply, if there is one, and end the process with exit code 0."""
        if not self.done:
            self.done = True
            document = self.document
            if document is not None and self.says is not None:
                document = self.says(document)
            if document is not None:
                _write_all(1, to_json(document).encode("ascii"))
        # Skips the interpreter's own tidying up, a tenth of the whole run; nothing buffered is left to write.
        os._exit(0)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:  # the client has gone
            return


def complain(line: str) -> None:
    """Write one line on stderr, where a client shows it in its debug log only."""
    _write_all(2, f"ladder: {line}\n".encode("ascii", "backslashreplace"))


def watch(reply: Reply, seconds: float = DEADLINE) -> None:
    """End the process after `seconds` with what `reply` holds by then, also while a read or an open does not return."""

    def expire(*_arguments: object) -> None:
        for write_down in reply.on_deadline:
            try:
                write_down()  # type: ignore[operator]
            except BaseException as error:  # noqa: BLE001 (the process ends in the next line)
                complain(type(error).__name__)
        reply.leave()

    if sys.platform == "win32":
        import _thread  # noqa: PLC0415 (only where there are no interval timers)

        def sleep_then_expire() -> None:
            time.sleep(seconds)
            expire()

        _thread.start_new_thread(sleep_then_expire, ())
        return
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 (Windows has no interval timers)

    _signal.signal(_signal.SIGALRM, expire)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def read_event(descriptor: int = 0) -> dict[str, object] | None:
    """Return the event on stdin, or None when it is not one JSON object in UTF-8.

    Does not wait for the end of the input: a client that keeps its end open is answered as soon as the object is whole.
    """
    parts: list[bytes] = []
    size = 0
    while size <= INPUT_CAP:
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            break
        parts.append(chunk)
        size += len(chunk)
        # A chunk that is full is followed by more; one that is not, and closes a brace, may be the last.
        if len(chunk) < _CHUNK and chunk.rstrip().endswith(b"}"):
            event = _object(b"".join(parts))
            if event is not None:
                return event
    return _object(b"".join(parts))


def _object(data: bytes) -> dict[str, object] | None:
    body = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    try:
        value = from_json(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
