"""What of the notes stands in the conversation: by the session's state, and by the log where it knows better.

The log knows the blocks that a fork or a resumed session brings along. And it knows what the person took back: a
message that is in no log though the log has grown (Esc, another hook's refusal), or on a branch that was left
(/rewind); what was shown with it was not shown.
"""

from __future__ import annotations

from ladder.hook.block import CLOSE, OPEN
from ladder.hook.session import load_state, passage_key
from ladder.lean.files import read_private
from ladder.lean.json import from_json, to_json
from ladder.text.plain import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.hook.event import Moment
    from ladder.hook.session import SessionState
    from ladder.query.tail import Tail

#: Seconds for which the first message without a session start of its own is taken for a fork of what was resumed.
FORKED_WITHIN = 3_600


class Shown:
    """What one session has in view."""

    __slots__ = ("_blocks", "_live", "_state", "_tail")

    def __init__(self, state: SessionState, tail: Tail | None) -> None:
        """`tail` is the end of the session's log, None when there is none."""
        self._state = state
        self._tail = tail
        self._blocks: list[str] | None = None
        self._live: set[str] | None = None

    def passage(self, note: str, text: bytes) -> bool:
        """Whether this text of a note is in view, whatever else of the note has changed."""
        if note in self._state.opened or self._stands(clean(text.decode("utf-8", "replace")).strip()):
            return True
        mark = self._state.passages.get(note, {}).get(passage_key(text))
        return mark is not None and not self._taken_back(*mark)

    def name(self, note: str, version: str, address: str) -> bool:
        """Whether the note was named, shown in part, or read by the agent."""
        return self._state.knows(note, version) or note in self._state.passages or self._stands(address)

    def _stands(self, text: str) -> bool:
        """Whether a text stands in a block that the log holds."""
        tail = self._tail
        if tail is None or not tail.blocks or not text:
            return False
        if self._blocks is None:
            blocks = tail.blocks
            if tail.branches and tail.turns and tail.turns[-1].was_taken_back():
                blocks = blocks[: tail.branches[-1][2]]  # Esc: they came with a message that nothing answered
            self._blocks = [block for block in blocks if OPEN in block]
        return any([text in block for block in self._blocks])  # noqa: C419 (a list costs the hook less)

    def _taken_back(self, message: str, log_size: int) -> bool:
        """Whether the message with which something was shown is no part of the conversation."""
        tail = self._tail
        if tail is None or not message or log_size < tail.begins:
            return False
        if self._live is None:
            last = len(tail.turns) - 1
            said = [t.message for i, t in enumerate(tail.turns) if i < last or not t.was_taken_back()]
            self._live = {passage_key(message.encode("utf-8", "replace")) for message in said}
        return message not in self._live


def notes_in_blocks(texts: list[str]) -> list[str]:
    """Return the addresses that stand in the hook's own blocks in `texts`, each once: lines `NOTE.md#SECTION (…)`."""
    found: dict[str, bool] = {}
    for text in texts:
        at = text.find(OPEN)
        while at >= 0:
            end = text.find(CLOSE, at)
            for line in text[at : end if end >= 0 else len(text)].split("\n"):
                note = line.removeprefix("Also: ").partition("#")[0]
                if note.endswith(" tokens)"):
                    note = note.rpartition(" (")[0]
                if note.lower().endswith((".md", ".mdx", ".markdown")):
                    found[note] = True
            at = text.find(OPEN, at + 1) if end >= 0 else -1
    return list(found)


def note_resumed(moment: Moment) -> None:
    """Write down which session was resumed: the client starts a fork so, and says its id only with its message."""
    from ladder.lean.files import replace_private  # noqa: PLC0415 (few sessions are resumed)

    mark = {"s": moment.session, "root": moment.root, "t": moment.record["t"]}
    replace_private(f"{moment.folder}/resumed.json", (to_json(mark) + "\n").encode("ascii"))


def take_over(moment: Moment) -> None:
    """Let a session that never began take over what the one was shown from which it is forked."""
    try:
        mark = from_json(read_private(f"{moment.folder}/resumed.json", 4_096).decode("utf-8", "replace"))
    except ValueError:
        return
    if not isinstance(mark, dict) or mark.get("root") != moment.root or mark.get("s") == moment.session:
        return
    when, now = mark.get("t"), moment.record["t"]
    if isinstance(when, int | float) and isinstance(now, int | float) and 0 <= now - when <= FORKED_WITHIN:
        moment.state.take_over(load_state(f"{moment.folder}/sessions", str(mark.get("s"))))
