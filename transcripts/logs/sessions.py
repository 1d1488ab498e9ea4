"""Where Claude Code's logs lie, and which files make up one session; what a session is, whichever client's."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from transcripts.logs.records import named, records

CLAUDE_CODE = "claude-code"


class Session(NamedTuple):
    """A log file, with the logs of the sub-agents that it started."""

    id: str
    """The client's session id; of Claude Code the file's name without `.jsonl`."""
    file: Path
    """The log; of a client with a database, its path with the session's id as a further part (`clients.opencode`)."""
    agents: tuple[Path, ...]
    """Sub-agents' logs, sorted by name; compaction calls are not among them."""
    client: str = CLAUDE_CODE
    """Which client wrote it (`clients.table`)."""


def projects_folder() -> Path:
    """Return the folder in which Claude Code keeps its logs: `$CLAUDE_CONFIG_DIR/projects` or `~/.claude/projects`."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(configured).expanduser() if configured else Path.home() / ".claude") / "projects"


def sessions(folder: Path) -> list[Session]:
    """Return the sessions whose logs lie in `folder` or anywhere under it (or the one of a single file), by path.

    `SESSION/subagents/agent-*.jsonl` is no session of its own; one without the parent's log beside it is left out.
    """
    if folder.is_file():
        files = [folder, *sorted((folder.with_suffix("") / "subagents").glob("*.jsonl"))]
    else:
        files = sorted(path for path in folder.rglob("*.jsonl") if path.is_file())
    return sessions_of(files)


def sessions_of(files: list[Path]) -> list[Session]:
    """Return the sessions that log files make up, in the order of the files."""
    agents: dict[Path, list[Path]] = {}
    for path in files:
        if path.parent.name == "subagents" and not path.name.startswith("agent-acompact-"):
            agents.setdefault(path.parent.parent, []).append(path)
    return [
        Session(named(Path(path.stem)), path, tuple(agents.get(path.with_suffix(""), ())))
        for path in files
        if path.parent.name != "subagents" and not path.name.startswith("agent-") and path.name != "history.jsonl"
    ]


def working_folder(file: Path) -> str:
    """Return the first `cwd` that a log names, "" when it names none or may not be read.

    The name of the folder that the log lies in is a lossy encoding of the project's path and says nothing certain.
    """
    with suppress(PermissionError):
        for record in records(file):
            cwd = record.data.get("cwd")
            if isinstance(cwd, str) and cwd:
                return cwd
    return ""
