"""Gemini CLI: `~/.gemini/tmp/*/chats/session-*`, a `.json` object or, in newer versions, a `.jsonl` that is written on.

Either is read whole whenever it changed: a chat is small, and what a later line says can undo what an earlier one said.
"""

import hashlib
import html
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from transcripts.clients.client import Client, UnreadableError, nothing_left_behind, stamp_of_file
from transcripts.clients.gemini_tools import call_of, results_of
from transcripts.clients.one_form import SUBAGENT, Around, Form, holds_own
from transcripts.logs.records import Record, Skipped, named, records
from transcripts.logs.sessions import Session

NAME = "gemini"
_LOOKED_AT = 4_000
_HOOK = re.compile(r"<hook_context>(.*?)</hook_context>\s*", re.DOTALL)
_NOT_THE_PERSON = (
    "<session_context>",
    "<state_snapshot>",
    "System: Please continue",
    "This is the Gemini CLI. We are setting up",
)
"""How a text begins that the client wrote in the user's name."""
_FILES_BEGIN, _FILES_END = "--- Content from referenced files ---", "--- End of content ---"
_FILE = re.compile(r"\s*Content from @(.+?):\s*")
_FOLDERS = re.compile(r"\*\*Workspace Directories:\*\*\s*\n\s*- (.+)")


class _Chat(NamedTuple):
    """What a file holds."""

    head: Form
    """The session's own fields."""
    messages: list[tuple[int, int, Form]]
    """Byte offset and line number of the first record of each message, and the message as it was last written."""


def folder() -> Path:
    """Return the folder that Gemini CLI keeps its files in: `$GEMINI_CLI_HOME/.gemini` or `~/.gemini`."""
    configured = os.environ.get("GEMINI_CLI_HOME")
    return (Path(configured).expanduser() if configured else Path.home()) / ".gemini"


def owns(path: Path) -> bool:
    """Tell whether a file is a chat."""
    if path.suffix not in (".json", ".jsonl"):
        return False
    with path.open("rb") as file:
        begins = file.read(_LOOKED_AT)
    if b'"sessionId"' not in begins or b'"projectHash"' not in begins:
        return False
    if path.suffix == ".jsonl":
        first = next(records(path), None)
        return first is not None and {"sessionId", "projectHash"} <= first.data.keys()
    return b'"messages"' in begins or b'"messages"' in path.read_bytes()


def sessions(files: list[Path], skipped: list[Skipped]) -> list[Session]:
    """Return the sessions of chats. Of a session that was gone on with in the newer form, that file alone counts."""
    chosen: dict[str, Path] = {}
    for path in files:
        try:
            identity = str(_head(path).get("sessionId") or "") or named(Path(path.stem))
        except PermissionError:
            skipped.append(Skipped(named(path), 0, "no permission"))
            continue
        except (OSError, orjson.JSONDecodeError) as error:
            skipped.append(Skipped(named(path), 0, "not JSON" if isinstance(error, ValueError) else str(error)))
            continue
        known = chosen.get(identity)
        if known is None or _rank(path) > _rank(known):
            chosen[identity] = path
    found = sorted((path, identity) for identity, path in chosen.items())
    return [Session(identity, path, (), NAME) for path, identity in found]


def working_folder(session: Session, guesses: tuple[Path, ...] = ()) -> str:
    """Return the folder that a session began in; older versions say its hash alone, which is held against `guesses`."""
    try:
        chat = _read(session.file, [])
    except (OSError, UnreadableError):
        return ""
    return _folder(session.file, chat, guesses)


def read(
    path: Path,
    *,
    start: int = 0,  # noqa: ARG001 (every client has this signature)
    line: int = 1,  # noqa: ARG001 (every client has this signature)
    skipped: list[Skipped] | None = None,
    agent: bool = False,  # noqa: ARG001 (every client has this signature)
) -> Iterator[Record]:
    """Yield a chat's records in the one form, always all of them."""
    chat = _read(path, [] if skipped is None else skipped)
    by_agent = chat.head.get("kind") == "subagent"
    around = Around(cwd=_folder(path, chat), entry=SUBAGENT if by_agent else NAME)
    for offset, number, message in chat.messages:
        time = message.get("timestamp")
        for form in _forms(around._replace(time=time if isinstance(time, str) else ""), message):
            yield Record(offset, offset, number, form, whole=False)


def _forms(around: Around, message: Form) -> Iterator[Form]:
    kind = message.get("type")
    if kind == "user":
        yield from _said(around, message)
    elif kind == "gemini":
        text = "\n".join(_texts(message.get("content")))
        if text.strip():
            yield around.replied(text)
        calls = message.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                for identity, name, given in call_of(call):
                    yield around.called(identity, name, given)
                for identity, text, extra, failed in results_of(call):
                    yield from _answered(around, identity, text, extra, failed=failed)


def _answered(around: Around, identity: str, text: str, extra: Form | None, *, failed: bool) -> Iterator[Form]:
    for added in _HOOK.findall(text):
        yield around.injected(html.unescape(added))
    yield from around.answered(identity, _HOOK.sub("", text), extra, failed=failed)


def _said(around: Around, message: Form) -> Iterator[Form]:
    """Yield what the person said, the files that were named in it, and what hooks put in."""
    own, files = _parted(_texts(message.get("content")))
    shown = _texts(message.get("displayContent"))
    whole = "\n".join(own)
    said = _HOOK.sub("", "\n".join(shown) if shown else whole).strip()
    if said and not said.startswith(_NOT_THE_PERSON):
        identity = message.get("id")
        yield around.said(said, identity if isinstance(identity, str) else "")
    for added in _HOOK.findall(whole):
        if holds_own(text := html.unescape(added)):
            yield around.injected(text)
    for path, text in files:
        yield around.attached(path, text)


def _parted(texts: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Part a message's texts into the person's and the files that the client put behind them, each with its path."""
    own: list[str] = []
    files: list[tuple[str, str]] = []
    within, path = False, ""
    for text in texts:
        if text.strip() == _FILES_BEGIN:
            within = True
        elif text.strip() == _FILES_END:
            within = False
        elif not within:
            own.append(text)
        elif match := _FILE.fullmatch(text):
            path = match[1]
        elif path:
            files.append((path, text))
            path = ""
    return own, files


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else [content]
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


def _read(path: Path, skipped: list[Skipped]) -> _Chat:
    """Return what a file holds. Raises `UnreadableError` for an object that is no chat."""
    if path.suffix == ".json":
        try:
            whole = orjson.loads(path.read_bytes())
        except orjson.JSONDecodeError:
            raise UnreadableError("not JSON: it may be being written") from None
        if not isinstance(whole, dict):
            raise UnreadableError("no chat of Gemini CLI")
        messages = whole.pop("messages", None)
        found = [each for each in messages if isinstance(each, dict)] if isinstance(messages, list) else []
        return _Chat(whole, [(number, 1, each) for number, each in enumerate(found)])
    head: Form = {}
    by_id: dict[str, tuple[int, int, Form]] = {}
    for record in records(path, skipped=skipped):
        data = record.data
        changed = data.get("$set")
        if isinstance(data.get("$rewindTo"), str):
            _rewind(by_id, data["$rewindTo"])
        elif isinstance(changed, dict):
            # What a compression leaves out was said all the same.
            given = changed.pop("messages", None)
            head |= changed
            for message in given if isinstance(given, list) else ():
                _keep(by_id, record, message)
        elif "id" in data:
            _keep(by_id, record, data)
        elif "sessionId" in data:
            head = data | head
    return _Chat(head, list(by_id.values()))


def _keep(by_id: dict[str, tuple[int, int, Form]], record: Record, message: object) -> None:
    if isinstance(message, dict) and isinstance(identity := message.get("id"), str):
        offset, line, known = by_id.get(identity, (record.offset, record.line, {}))
        if not message.get("toolCalls") and known.get("toolCalls"):
            message["toolCalls"] = known["toolCalls"]  # a session that is resumed writes its messages again, without
        by_id[identity] = offset, line, message


def _rewind(by_id: dict[str, tuple[int, int, Form]], identity: str) -> None:
    """Take out a message and all after it; the client itself takes out all when it does not know the message."""
    names = list(by_id)
    for name in names[names.index(identity) if identity in names else 0 :]:
        del by_id[name]


def _head(path: Path) -> dict[str, Any]:
    if path.suffix == ".json":
        whole = orjson.loads(path.read_bytes())
        return whole if isinstance(whole, dict) else {}
    return next((record.data for record in records(path)), {})


def _rank(path: Path) -> tuple[bool, int]:
    return path.suffix == ".jsonl", path.stat().st_mtime_ns


def _folder(path: Path, chat: _Chat, guesses: tuple[Path, ...] = ()) -> str:
    """Return the project's folder: from the file beside the chats, the client's list, the chat, or a guess."""
    hashed = chat.head.get("projectHash")
    place = path.parent.parent
    beside = _line(place / ".project_root")
    if beside:
        return beside
    listed = _listed(place.parent.parent / "projects.json")
    for each, name in listed.items():
        if name == place.name or _hash(each) == hashed:
            return each
    for _, _, message in chat.messages[:1]:
        if found := _FOLDERS.search("\n".join(_texts(message.get("content")))):
            return found[1].strip()
    return next((str(guess) for guess in guesses if _hash(str(guess)) == hashed), "")


def _hash(project: str) -> str:
    return hashlib.sha256(project.encode("utf-8", "surrogateescape")).hexdigest()


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _listed(path: Path) -> dict[str, str]:
    try:
        value = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    projects = value.get("projects") if isinstance(value, dict) else None
    return {str(key): str(name) for key, name in projects.items()} if isinstance(projects, dict) else {}


GEMINI = Client(
    name=NAME,
    title="Gemini CLI",
    folders=lambda: [folder() / "tmp"],
    owns=owns,
    sessions=sessions,
    records=read,
    working_folder=working_folder,
    stamp=stamp_of_file,
    left_behind=nothing_left_behind,
    goes_on=False,
)
