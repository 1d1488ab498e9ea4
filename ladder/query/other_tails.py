"""The end of a running session's log that Claude Code did not write: Codex CLI, Gemini CLI, what OpenCode tells.

Each record is turned into the one that Claude Code would have written, and taken in by the same `Tail`. Loaded for
these clients alone.
"""

from __future__ import annotations

from ladder.client.words import in_claudes_words, own_words, patch_files, unquoted
from ladder.lean.files import read_private
from ladder.lean.json import from_json
from ladder.query.log_tail import WINDOW, size_of
from ladder.query.tail import Tail, excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Record = dict[str, Any]

#: How the hook's own blocks begin.
_BLOCK = "<ladder-notes"
#: Codex's records that say nothing of the conversation; of all bytes of a log they are the most.
_CODEX_SKIPPED = (b'"token_count"', b'"world_state"', b'"reasoning"', b'"token_usage_record"', b'"session_meta"')
_KIND = 200  # bytes at a record's beginning in which its type stands
_SHELLS = ("exec_command", "shell", "shell_command", "local_shell", "container.exec")


def tail_in(form: str, path: str, told: object = None, *, told_whole: bool = True) -> Tail | None:
    """Return the turns at the end of a log in the form of the client `form`, None where there is none to read.

    `told` is what OpenCode's plugin says of the conversation, whose log is a database, `told_whole` whether it is all.
    """
    if form == "opencode":
        tail = Tail()
        tail.begins = 0 if told_whole else 1  # what was shown before that counts as shown
        return _filled(tail, _opencode(told)) if isinstance(told, list) else None
    if not path.endswith(".jsonl"):
        return None
    data = read_private(path, WINDOW + 1)
    if not data:
        return None
    tail = Tail(data, whole=len(data) <= WINDOW)
    tail.ends = size_of(path)
    tail.begins = max(0, tail.ends - len(data))
    lines = data.split(b"\n")[0 if tail.whole else 1 :]
    return _filled(tail, (_codex if form == "codex" else _gemini)(tail, lines))


def _filled(tail: Tail, records: Iterator[Record]) -> Tail:
    for record in records:
        tail.take_record(record)
    return tail


def _objects(lines: list[bytes], skipped: tuple[bytes, ...] = ()) -> Iterator[Record]:
    for line in lines:
        begin = line[:_KIND]
        if [mark for mark in skipped if mark in begin]:
            continue
        try:
            record = from_json(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _said(text: str) -> Record:
    return {"type": "user", "message": {"content": text}}


def _replied(identity: str, text: str) -> Record:
    return {"type": "assistant", "message": {"id": identity, "content": [{"type": "text", "text": text}]}}


def _called(identity: str, name: str, given: dict[str, object]) -> Record:
    call = {"type": "tool_use", "id": identity, "name": name, "input": given}
    return {"type": "assistant", "message": {"content": [call]}}


def _answered(identity: str, text: str) -> Record:
    result = {"type": "tool_result", "tool_use_id": identity, "content": excerpt(text)}
    return {"type": "user", "message": {"content": [result]}}


def _shown(text: str) -> Record:
    return {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [text]}}


def _joined(content: object) -> str:
    """Return the text of a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join([text for text in texts if isinstance(text, str)])


def _codex(tail: Tail, lines: list[bytes]) -> Iterator[Record]:
    last = ""
    for record in _objects(lines, _CODEX_SKIPPED):
        payload = record.get("payload")
        if not isinstance(payload, dict):
            continue
        kind, what = record.get("type"), payload.get("type")
        item = payload.get("item") if what == "item_completed" else None
        item = item if isinstance(item, dict) else {}
        if kind == "turn_context" and isinstance(payload.get("cwd"), str):
            tail.cwd = payload["cwd"]
        elif kind == "compacted":
            tail.blocks.clear()
        elif what == "thread_rolled_back" and isinstance(payload.get("num_turns"), int):
            del tail.turns[max(0, len(tail.turns) - payload["num_turns"]) :]
        elif what == "user_message" or item.get("type") == "UserMessage":
            text = _joined(payload.get("message") if what == "user_message" else item.get("content"))
            if text.strip() and text != last:
                yield _said(text)
            last = text  # some versions write a message in both ways
        elif item.get("type") == "CommandExecution":
            words = item.get("command")
            if isinstance(words, list) and words and isinstance(words[-1], str):
                yield _called(str(item.get("id")), "Bash", {"command": words[-1]})
        elif kind == "response_item":
            last = "" if what != "message" else last
            yield from _codex_item(payload, str(what))


def _codex_item(item: Record, what: str) -> Iterator[Record]:
    identity = str(item.get("call_id") or item.get("id"))
    if what == "message":
        text = _joined(item.get("content"))
        if item.get("role") == "assistant" and text.strip():
            yield _replied(identity, text)
        elif item.get("role") == "developer" and _BLOCK in text:
            yield _shown(text)
    elif what == "function_call" and item.get("name") in _SHELLS:
        try:
            given = from_json(str(item.get("arguments")))
        except ValueError:
            return
        command = given.get("cmd", given.get("command")) if isinstance(given, dict) else None
        command = command[-1] if isinstance(command, list) and command else command
        if isinstance(command, str):
            yield _called(identity, "Bash", {"command": command})
    elif what == "custom_tool_call" and item.get("name") == "apply_patch":
        for number, path in enumerate(patch_files(str(item.get("input")))):
            yield _called(f"{identity}-{number}", "Edit", {"file_path": path})
    elif what in ("function_call_output", "custom_tool_call_output"):
        output = item.get("output")
        yield _answered(identity, _joined(output.get("content") if isinstance(output, dict) else output))


def _gemini(tail: Tail, lines: list[bytes]) -> Iterator[Record]:
    turns_at: dict[str, tuple[int, int]] = {}
    for record in _objects(lines):
        back = record.get("$rewindTo")
        if isinstance(back, str) and back in turns_at:
            turns, blocks = turns_at[back]
            del tail.turns[turns:], tail.blocks[blocks:]
        identity, kind, content = str(record.get("id")), record.get("type"), record.get("content")
        turns_at.setdefault(identity, (len(tail.turns), len(tail.blocks)))
        if kind == "user":
            for part in content if isinstance(content, list) else [{"text": content}]:
                yield from _gemini_part(part)
        elif kind == "gemini":
            text = _joined(content)
            if text.strip():
                yield _replied(identity, text)
            calls = record.get("toolCalls")
            for call in calls if isinstance(calls, list) else []:
                given = call.get("args") if isinstance(call, dict) else None
                if isinstance(given, dict):
                    yield _called(str(call.get("id")), *in_claudes_words("gemini", str(call.get("name")), given))


def _gemini_part(part: object) -> Iterator[Record]:
    if not isinstance(part, dict):
        return
    text, answer = part.get("text"), part.get("functionResponse")
    if isinstance(text, str):
        if _BLOCK.replace("<", "&lt;") in text:
            for escaped, plain in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
                text = text.replace(escaped, plain)
            yield _shown(text)
        own = own_words(text).strip()
        if own and not own.startswith("<session_context>"):
            yield _said(own)
    elif isinstance(answer, dict):
        response = answer.get("response")
        output = response.get("output", response.get("error")) if isinstance(response, dict) else ""
        yield _answered(str(answer.get("id")), str(output))


def _opencode(told: list[object]) -> Iterator[Record]:
    """What the plugin hands over: `{role, text}` of messages, `{tool, input, output}` of calls, the oldest first."""
    for number, each in enumerate(told):
        if not isinstance(each, dict):
            continue
        text, tool, given = each.get("text"), each.get("tool"), each.get("input")
        if isinstance(text, str) and text.strip():
            yield _said(unquoted(text)) if each.get("role") == "user" else _replied(str(number), text)
        elif isinstance(tool, str) and isinstance(given, dict):
            name, fields = in_claudes_words("opencode", tool, given)
            yield _called(str(number), name, fields)
            if isinstance(each.get("output"), str):
                yield _answered(str(number), each["output"])
