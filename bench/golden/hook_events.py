"""What the hook says at some sixty events of made-up sessions, in this process and from the built bundle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.golden import product
from bench.golden.product import NOW
from bench.golden.stores import made_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.golden.stores import Made

Event = dict[str, Any]


def _prompt(session: str, text: str, **fields: object) -> Event:
    return {
        "hook_event_name": "UserPromptSubmit",
        "session_id": session,
        "prompt": text,
        "transcript_path": "",
        **fields,
    }


def _tool(session: str, name: str, given: dict[str, object], **fields: object) -> Event:
    event = {"hook_event_name": "PreToolUse", "session_id": session, "tool_name": name, "tool_input": given}
    return {**event, "tool_use_id": "t1", "transcript_path": "", **fields}


def _start(session: str, source: str, **fields: object) -> Event:
    return {"hook_event_name": "SessionStart", "session_id": session, "source": source, "transcript_path": "", **fields}


def prompts(store: list[Made]) -> Iterator[Event]:
    """Messages: what is said once, what is held back, what is never answered."""
    for i, note in enumerate(store[3:40:4]):
        yield _prompt(f"p{i}", f"why did the {note.subject} stop, was it that {note.cause}?")
    for i, note in enumerate(store[5:30:5]):
        yield _prompt(f"n{i}", f"please check notes/{note.name}.md is described here")
    first, second, third = store[50], store[51], store[52]
    again = f"who decides on the {first.words[1]} of the {first.subject}, see {first.name}?"
    for session in ("again", "again", "other"):
        yield _prompt(session, again)
    yield _prompt("again", f"what does {second.name} say of {second.words[2]}?")
    yield _prompt("at", f"compare @notes/{third.name}.md with {second.name}, who decides?")
    yield _prompt("slash", f"/{first.subject} {first.words[0]}")
    yield _prompt("day", "what did we do yesterday?")
    yield _prompt("day", f"why did the {third.subject} stop on {third.day}?")
    yield _prompt("slip", f"who decides on the {first.words[1]} of the {first.subject[:-2]}{first.subject[-1]}?")
    for i, text in enumerate(("", "thanks", "<task-notification>relay</task-notification>", "go on", "xyzzy plugh?")):
        yield _prompt(f"quiet{i}", text)
    yield _prompt("sub", again, agent_id="a1", agent_type="Explore")
    yield _prompt("日本", f"{store[3].subject}の保守は何分かかりますか。")


def sessions(store: list[Made], root: Path, log: Path) -> Iterator[Event]:
    """Starts, compactions, ends, and messages with the log of a conversation."""
    first, second = store[60], store[62]
    yield _start("s", "startup")
    yield _start("s", "resume")
    yield _prompt("s", f"what does {first.name} say of the {first.words[0]}?")
    yield _start("s", "compact")
    yield _prompt("s", f"what does {first.name} say of the {first.words[0]}?")
    yield _start("s", "clear")
    yield _start("fork", "fork", transcript_path=str(log))
    for text in (
        "and how long is that valid?",
        f"go on with the {second.words[1]}",
        f"{second.subject} {second.aspect}?",
    ):
        yield _prompt("log", text, transcript_path=str(log), cwd=str(root))
    yield {"hook_event_name": "SessionEnd", "session_id": "s", "reason": "other", "transcript_path": str(log)}
    yield {"hook_event_name": "Notification", "session_id": "s"}


def tools(store: list[Made], root: Path) -> Iterator[Event]:
    """Tool calls: about a file, about a command, on a note, against a dated entry."""
    for i, note in enumerate(store[70:74]):
        yield _tool(
            f"f{i}",
            "Edit",
            {"file_path": str(root / f"src/{note.subject}/{note.aspect}.py"), "old_string": "a", "new_string": "b"},
        )
        yield _tool(f"c{i}", "Bash", {"command": f"cd src && {note.command}"})
    yield _tool("f0", "Read", {"file_path": str(root / f"src/{store[70].subject}/{store[70].aspect}.py")})
    yield _tool("c9", "Bash", {"command": "ls -la && git status"})
    odd = next(note for note in store[80:] if b"### " in note.text and b"\r" not in note.text)
    path = str(root / "notes" / f"{odd.name}.md")
    yield _tool("r", "Read", {"file_path": path})
    yield _prompt("r", f"what does {odd.name} say?")
    yield _tool("g", "Edit", {"file_path": path, "old_string": odd.cause, "new_string": "nobody knows"})
    yield _tool("g", "Edit", {"file_path": path, "old_string": "Stop the intake first", "new_string": "Stop it"})
    yield _tool("g", "Bash", {"command": f"rm -rf {root.as_posix()}/notes"})
    yield _tool("g", "Write", {"file_path": path, "content": "# Gone\n"})


def searches(store: list[Made]) -> Iterator[Event]:
    """Searches of files: for the words of a paragraph, for a few of them."""
    for i, note in enumerate(store[70:76]):
        some = " ".join(note.text.decode("utf-8", "replace").split()[20 : 30 + 5 * i]).replace('"', "")
        yield _tool(f"s{i}", "Grep", {"pattern": f"{note.subject}|{note.aspect}|{some}"})
        command = f'rg -n "{note.subject}.*{note.words[1]}|{note.cause}" src | head'
        yield _tool(f"r{i}", "Bash", {"command": command})


def conversation(note: Made, root: Path) -> bytes:
    """A session's log as the client writes it: two turns about a note."""
    records: list[dict[str, Any]] = []

    def add(kind: str, content: object) -> None:
        at = f"2024-05-15T09:{10 + len(records):02}:00.000Z"
        fields = {"type": kind, "uuid": f"u{len(records)}", "timestamp": at, "cwd": str(root), "sessionId": "log"}
        records.append(
            {**fields, "gitBranch": f"{note.subject}-{note.aspect}", "message": {"role": kind, "content": content}}
        )

    add("user", f"the {note.words[0]} of the {note.subject} is too high")
    add("assistant", [{"type": "text", "text": f"I look at the {note.words[1]} first."}])
    add("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": note.command}}])
    add("user", [{"type": "tool_result", "tool_use_id": "t1", "content": f"{note.code}: {note.cause}"}])
    add(
        "assistant", [{"type": "text", "text": f"It failed.\n\nNext: lower the {note.words[1]} of the {note.subject}."}]
    )
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records).encode("utf-8")


def answered(
    events: list[Event], root: Path, group: str, bundle: Path | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(id, parts) of each event; `bundle` answers in processes of its own."""
    for i, event in enumerate(events):
        about = event.get("prompt") or event.get("source") or event.get("tool_name") or ""
        given = {"cwd": str(root), "permission_mode": "default", **event}
        found = {"stdout": product.bundle_says(bundle, given)} if bundle else product.hook_says(given)
        yield f"{group} {i:02} {event['hook_event_name']} {event['session_id']}: {about}", _placeless(found, root)


def _placeless(value: Any, root: Path) -> Any:  # noqa: ANN401 (any value of JSON)
    """The value with the project's folder written as `<project>`."""
    if isinstance(value, str):
        return (
            value.replace(json.dumps(str(root))[1:-1], "<project>")
            .replace(str(root), "<project>")
            .replace(root.as_posix(), "<project>")
        )
    if isinstance(value, dict):
        return {key: _placeless(each, root) for key, each in value.items()}
    return [_placeless(each, root) for each in value] if isinstance(value, list) else value


def hook_cases(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every event, in a project of 300 notes; some again from the bundle, which may say nothing of days."""
    store = made_store(300)
    root = (folder / "works").resolve()
    product.project_of(root, {note.name: (note.text, NOW - note.age) for note in store})
    log = folder / "session.jsonl"
    log.write_bytes(conversation(store[62], root))
    yield from answered(list(prompts(store)), root, "message")
    yield from answered(list(sessions(store, root, log)), root, "session")
    yield from answered(list(tools(store, root)), root, "tool")
    yield from answered(list(searches(store)), root, "search")
    bundle = product.bundle_file(folder / "hook")
    some = [*list(prompts(store))[:3], *list(tools(store, root))[:2], *list(tools(store, root))[-4:-3]]
    for event in some:
        event["session_id"] = "bundle " + event["session_id"]
    yield from answered(some, root, "bundle", bundle)


def large_hook_cases(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """A project of 2,100 notes, where the hook looks at no file but those of the notes that it names."""
    store = made_store(2100)
    root = (folder / "works").resolve()
    product.project_of(root, {note.name: (note.text, NOW - note.age) for note in store})
    asked = store[3:2000:401]
    events = [_prompt(f"p{i}", f"why did the {note.subject} stop, see {note.name}?") for i, note in enumerate(asked)]
    yield from answered(events, root, "message")
    for i, note in enumerate(asked):
        cut = note.text.partition(b"## Procedure")[0]
        data = (
            cut
            if i % 2
            else note.text.replace(b"## Procedure", b"The clock struck thirteen.\n\n" * 40 + b"## Procedure")
        )
        product.write_note(root, note.name, data, NOW - 60)
    for event in events:
        event["session_id"] += " edited"
    yield from answered(events, root, "edited")
    (root / "notes" / f"{asked[0].name}.md").unlink()
    yield from answered([_prompt("gone", f"why did it stop, see {asked[0].name}?")], root, "gone")
    yield from answered([_start("s", "startup")], root, "session")
