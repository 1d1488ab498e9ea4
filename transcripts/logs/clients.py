"""Whose log a file is, where it is not Claude Code's: told by its first bytes."""

from pathlib import Path

import orjson

from transcripts.logs.records import records

_LOOKED_AT = 20
"""Records that are looked at."""
_CODEX = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_SQLITE = b"SQLite format 3\0"


def client_of(path: Path) -> str:
    """Return what a log is when another client wrote it ("Codex rollout", …), "" when it is Claude Code's or unknown.

    Codex writes records of `type` and `payload`; Gemini CLI one object with `messages`, or such lines; OpenCode keeps a
    database.
    """
    try:
        with path.open("rb") as file:
            begins = file.read(4_000)
        if begins.startswith(_SQLITE):
            return "OpenCode database" if path.name.startswith("opencode") else ""
        if path.suffix == ".json":
            whole = orjson.loads(path.read_bytes())
            return "Gemini CLI chat" if isinstance(whole, dict) and {"sessionId", "messages"} <= whole.keys() else ""
        for number, record in enumerate(records(path)):
            data = record.data
            if data.get("type") in _CODEX and isinstance(data.get("payload"), dict):
                return "Codex rollout"
            if "projectHash" in data and "sessionId" in data:
                return "Gemini CLI chat"
            if number >= _LOOKED_AT or "uuid" in data or "sessionId" in data:
                return ""
    except (OSError, orjson.JSONDecodeError):
        return ""
    return ""


def of_others(folder: Path) -> dict[str, list[Path]]:
    """Return the logs of other clients in a folder (or the one that `folder` is), by what they are."""
    found: dict[str, list[Path]] = {}
    endings = (".jsonl", ".json", ".db")
    paths = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.suffix in endings)
    for path in paths:
        if path.is_file() and (what := client_of(path)):
            found.setdefault(what, []).append(path)
    return found
