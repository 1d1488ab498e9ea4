"""The clients whose logs are read, and finding their sessions: in a folder, or wherever each keeps its own."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from transcripts.clients.claude_code import CLAUDE
from transcripts.clients.client import Client, Stamp
from transcripts.clients.codex import CODEX
from transcripts.clients.gemini import GEMINI
from transcripts.clients.opencode import OPENCODE
from transcripts.logs.records import Skipped
from transcripts.logs.sessions import Session

CLIENTS = {client.name: client for client in (CODEX, GEMINI, OPENCODE, CLAUDE)}
"""By name; a file is the first one's that owns it."""
_ENDINGS = (".jsonl", ".json", ".db", ".zst")


def client_of(session: Session) -> Client:
    """Return the client that wrote a session's log."""
    return CLIENTS[session.client]


def sessions(folder: Path, skipped: list[Skipped] | None = None) -> list[Session]:
    """Return the sessions of every client whose logs lie in `folder` or anywhere under it (or of the file that it is).

    By client, then by path. What cannot be read is appended to `skipped`.
    """
    report: list[Skipped] = [] if skipped is None else skipped
    if folder.is_file():
        files = [folder, *sorted((folder.with_suffix("") / "subagents").glob("*.jsonl"))]
    else:
        files = sorted(path for path in folder.rglob("*") if path.suffix in _ENDINGS and path.is_file())
    owned: dict[str, list[Path]] = {}
    for path in files:
        if owner := _owner(path):
            owned.setdefault(owner.name, []).append(path)
    return [session for name, client in CLIENTS.items() for session in client.sessions(owned.get(name, []), report)]


def everywhere(skipped: list[Skipped] | None = None) -> list[Session]:
    """Return the sessions of every client in the folders where it keeps its logs, as far as they are there."""
    report: list[Skipped] = [] if skipped is None else skipped
    found: list[Session] = []
    for client in CLIENTS.values():
        files = [
            path
            for folder in client.folders()
            if folder.is_dir()
            for path in sorted(folder.rglob("*"))
            if path.suffix in _ENDINGS and path.is_file() and _owner(path) is client
        ]
        found.extend(client.sessions(files, report))
    return found


def folders() -> list[Path]:
    """Return the folders that clients keep their logs in, as far as they are there."""
    return [folder for client in CLIENTS.values() for folder in client.folders() if folder.is_dir()]


def working_folder(session: Session, guesses: Iterable[Path] = ()) -> str:
    """Return the folder that a session began in, "" when its log names none or may not be read.

    Some logs name it only by its hash: then it is told whether it is one of `guesses`.
    """
    return client_of(session).working_folder(session, tuple(guesses))


def stamp(session: Session, path: Path | None = None) -> Stamp:
    """Return what a session's log (or that of one of its sub-agents) is known by without being read.

    Raises `FileNotFoundError` when it is gone.
    """
    return client_of(session).stamp(path or session.file)


def counted(found: Iterable[Session]) -> dict[str, int]:
    """Return how many sessions there are of each client, by its title, in the order of the table."""
    numbers = Counter(session.client for session in found)
    return {client.title: numbers[name] for name, client in CLIENTS.items() if numbers[name]}


def _owner(path: Path) -> Client | None:
    for client in CLIENTS.values():
        try:
            if client.owns(path):
                return client
        except OSError:
            continue
    return None
