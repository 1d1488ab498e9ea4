"""The turns at the end of a session's log, as its records come one after the other."""

from __future__ import annotations

from ladder.query.speaker import command_name, message_of, spoken, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How much of each kind is kept; the same figures as in `transcripts`.
COMMAND_CHARACTERS = 300
RESULT_END = 300
NOTE_SUFFIXES = (".md", ".mdx", ".markdown")


class TailTurn:
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
        self.turns: list[TailTurn] = []
        self.queue: list[str] = []
        self.taken: list[str] = []
        self.calls: dict[str, str] = {}
        self.early: list[str] = []
        self.seen: set[str] = set()
        self.cwd = ""
        self.branch = ""
        self.blocks: list[str] = []

    def begin(self, message: str) -> TailTurn:
        """Begin a turn; drop the last one if nothing followed it: the client handled it by itself."""
        if self.turns:
            last = self.turns[-1]
            if last.empty and (last.slash or not last.message):
                if not last.message:
                    self.early += last.opened
                self.turns.pop()
        turn = TailTurn(message, slash=bool(command_name(message)))
        turn.opened, self.early = self.early, []
        self.turns.append(turn)
        return turn

    def current(self) -> TailTurn:
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

    def _take_call(self, turn: TailTurn, block: dict[str, Any]) -> None:
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


def excerpt(text: str) -> str:
    """Return a text's first and last 300 characters."""
    return text if len(text) <= 2 * RESULT_END else f"{text[:RESULT_END]}\n…\n{text[-RESULT_END:]}"
