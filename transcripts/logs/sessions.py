"""Where session logs lie, and which files make up one session."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from transcripts.logs.records import named, records


class Session(NamedTuple):
    """A log file, with the logs of the sub-agents that it started."""

    id: str
    """The file's name without `.jsonl`, which is the client's session id."""
    file: Path
    agents: tuple[Path, ...]
    """Sub-agents' logs, sorted by name; compaction calls are not among them."""


def projects_folder() -> Path:
    """Return the folder in which the client keeps its logs: `$CLAUDE_CONFIG_DIR/projects` or `~/.claude/projects`."""
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
