"""Claude Code: `~/.claude/projects/**/*.jsonl`, whose records are the one form themselves."""

from collections.abc import Iterator
from pathlib import Path

from transcripts.clients.client import Client, nothing_left_behind, stamp_of_file
from transcripts.logs.records import Record, Skipped, matters, records
from transcripts.logs.sessions import CLAUDE_CODE, Session, projects_folder, sessions_of
from transcripts.logs.sessions import working_folder as first_folder


def _owns(path: Path) -> bool:
    return path.suffix == ".jsonl"  # the last to be asked: also an empty log is one


def _sessions(files: list[Path], skipped: list[Skipped]) -> list[Session]:  # noqa: ARG001 (every client has this signature)
    return sessions_of(files)


def _read(
    path: Path,
    *,
    start: int = 0,
    line: int = 1,
    skipped: list[Skipped] | None = None,
    agent: bool = False,  # noqa: ARG001 (every client has this signature)
) -> Iterator[Record]:
    yield from records(path, start=start, line=line, skipped=skipped, wanted=matters)


def _working_folder(session: Session, guesses: tuple[Path, ...] = ()) -> str:  # noqa: ARG001 (every client has this signature)
    return first_folder(session.file)


CLAUDE = Client(
    name=CLAUDE_CODE,
    title="Claude Code",
    folders=lambda: [projects_folder()],
    owns=_owns,
    sessions=_sessions,
    records=_read,
    working_folder=_working_folder,
    stamp=stamp_of_file,
    left_behind=nothing_left_behind,  # `turns.branches` tells, by records that stand on each other
    goes_on=True,
)
