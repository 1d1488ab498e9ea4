"""The queue of messages that the person typed while the agent worked, as a log tells of it."""

from collections.abc import Callable, Iterable
from typing import Any

from transcripts.logs.speech import spoken

_REMEMBERED = 200
"""Messages that left the queue and whose own record has not come."""


class MessageQueue:
    """First in, first out; the machine's own messages are among them, as "".

    A `dequeue` is followed by the message's own record; `popAll` gave all back to the person.
    """

    def __init__(self, waiting: Iterable[str] = (), taken: Iterable[str] = (), dequeued: Iterable[str] = ()) -> None:
        """Take the messages in each state."""
        self.waiting = list(waiting)
        self.taken = list(taken)
        """Taken out for the agent in the middle of its work."""
        self.dequeued = list(dequeued)
        """Taken out, to be followed by their own records."""

    def follow(self, data: dict[str, Any], clean: Callable[[str], str]) -> str:
        """Take in a record of the queue; return the message that was taken out for the agent, "" for none."""
        operation, text = data.get("operation"), data.get("content")
        said = clean(spoken(text)[0]) if isinstance(text, str) else ""
        if operation == "enqueue":
            self.waiting.append(said)
        elif operation == "popAll":
            self.waiting.clear()
        elif operation == "dequeue" and self.waiting:
            self.dequeued = [*self.dequeued, self.waiting.pop(0)][-_REMEMBERED:]
        elif operation == "remove" and self.waiting:
            at = self.waiting.index(said) if said in self.waiting else 0 if text is None else -1
            return self.waiting.pop(at) if at >= 0 else ""
        return ""
