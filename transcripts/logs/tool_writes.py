"""What an agent writes by a tool's call: which notes, and what texts."""

import re
from collections.abc import Iterator
from typing import Any

from transcripts.logs.json_texts import texts_in
from transcripts.logs.shell import written
from transcripts.logs.tool_reads import is_note

_NOT_WRITTEN = frozenset(
    ("file_path", "notebook_path", "path", "paths", "old_string", "pattern", "glob", "url", "subagent_type")
)
_NEVER_RAN = re.compile(
    r"(?i)\s*(?:<tool_use_error>|the user doesn't want to|(?:the user )?(?:has )?denied\b|permission to use\b"
    r"|\w+(?::\w+)? (?:hook error|\[.*?\] ?:)|this session is isolated\b|claude requested permissions\b)"
)
"""How the client answers for a command that it did not run."""
_SERVER_WRITES = re.compile(r"(?i)(?:write|edit|create|append|patch|update|insert|replace|delete|move|rename)")
"""In the name of a server's tool."""
_WRITERS = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
_PATCH = "apply_patch"
"""Its first call names all files of the patch (`clients.patch_text`)."""


def notes_written(tool: str, given: dict[str, Any]) -> list[str]:
    """Return the note files that a tool's call writes."""
    if tool in _WRITERS:
        return [given[key] for key in ("file_path", "notebook_path") if is_note(given.get(key))]
    if tool == _PATCH and isinstance(given.get("paths"), list):
        return list(dict.fromkeys(path for path in given["paths"] if is_note(path)))
    if tool in ("Bash", "PowerShell") and isinstance(given.get("command"), str):
        return list(written(given["command"]))
    if tool.startswith("mcp__") and _SERVER_WRITES.search(tool):
        return [text for text in texts_in(given, keys=False) if is_note(text) and "\n" not in text]
    return []


def notes_unwritten(tool: str, given: dict[str, Any], error: str) -> list[str]:
    """Return the note files that a failed call did not write after all.

    A file tool that fails has changed nothing; a command may have done half of its work, unless it never ran.
    """
    done = tool not in (*_WRITERS, _PATCH) and not tool.startswith("mcp__") and not _NEVER_RAN.match(error)
    return [] if done else notes_written(tool, given)


def texts_of(given: object) -> Iterator[str]:
    """Return the texts that an agent wrote into a tool's input, wherever they stand in it; not the names of files."""
    return texts_in(given, keys=False, without=_NOT_WRITTEN)
