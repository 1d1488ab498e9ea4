"""One session read on: what was known of it before and its log to its state now; nothing is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from transcripts.clients.client import UnreadableError
from transcripts.logs.records import Skipped, named
from transcripts.logs.redact import Cleaner
from transcripts.logs.sessions import Session
from transcripts.mining.log_state import LogState, mine_log, unread
from transcripts.turns.tombstones import Forgotten
from transcripts.turns.turn import Turn


class Watcher(Protocol):
    """Learns from the turns of a session that is read whole, so that nobody has to read it again for that."""

    def see(self, turn: Turn) -> None:
        """Take in the session's next turn."""

    def found(self) -> list[Any] | None:
        """Return what was learned, None when no turn was shown."""


class Advanced(NamedTuple):
    """What reading a session on gave."""

    state: LogState | None
    """None when what was known stays."""
    found: list[Any] | None
    """What the watcher found."""


def advanced(
    session: Session,
    known: LogState | None,
    clean: Cleaner,
    forgotten: Forgotten,
    watch: Callable[[Session], Watcher | None] | None = None,
) -> Advanced:
    """Return a session's state after what is new in its log, and what its watcher found."""
    watchers: list[Watcher | None] = [None]

    def begin() -> Callable[[Turn], None] | None:
        watchers.append(watch(session) if watch else None)
        return watchers[-1].see if watchers[-1] else None

    try:
        state = mine_log(session, known, clean, forgotten, begin)
    except FileNotFoundError:
        return Advanced(None, None)  # swept since it was listed
    except (PermissionError, UnreadableError) as error:
        if known is not None:
            return Advanced(None, None)
        reason = str(error) if isinstance(error, UnreadableError) else "no permission"
        refused = Skipped(named(Path(error.filename or session.file)), 0, reason)
        return Advanced(unread(session, refused), None)
    return Advanced(state, watchers[-1].found() if watchers[-1] else None)
