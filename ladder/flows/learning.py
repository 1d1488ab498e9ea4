"""What `ladder mine` learns for routing: the turns of sessions whose logs are new or have grown, as lessons."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from transcripts.turns.tombstones import NOTHING, Forgotten

if TYPE_CHECKING:
    from ladder.learning.update import Lesson
    from notes import NoteFile
    from transcripts import Session, Turn
    from transcripts.logs.locate import Locator

#: Seconds after which a log that was not written to is over, so that its last turn counts too.
OVER = 24 * 3600.0


class _Log(NamedTuple):
    """A session's logs at one time."""

    mark: str
    over: bool


class Learner:
    """Gives the watchers that turn sessions into lessons while they are mined; goes to other processes as it is."""

    def __init__(
        self,
        sessions: "Sequence[Session]",
        notes: "Sequence[NoteFile]",
        root: Path,
        target: Path,
        clean: Callable[[str], str],
    ) -> None:
        """`target` is the file that holds what was learned; logs that it was learned from as they are teach nothing."""
        from transcripts import working_folder
        from transcripts.logs.locate import Locator

        known = _known(target)
        #: the logs as they are now: a hash, and whether the session is over, so that its last turn counts
        self.logs = {session.file: log for session in sessions if (log := _as_it_is(session))}
        self.sessions = [s for s in sessions if s.file in self.logs and self.logs[s.file] not in known]
        self._files = frozenset(session.file for session in self.sessions)
        self._locator = Locator(notes, root, {folder for s in self.sessions if (folder := working_folder(s))})
        self.clean = clean

    def __call__(self, session: "Session") -> "Lessons | None":
        """Return the watcher of a session, None for one that teaches nothing new."""
        return Lessons(self._locator, self.clean) if session.file in self._files else None


class Lessons:
    """The lessons of one session, turn after turn."""

    def __init__(self, locator: "Locator", clean: Callable[[str], str]) -> None:
        from transcripts.turns.openings import Openings

        self._locator = locator
        self._openings = Openings(clean)
        self._found: list[Lesson | None] = []

    def see(self, turn: "Turn") -> None:
        """Take in the session's next turn."""
        from ladder.learning.update import lesson

        each = self._openings.next(turn, self._locator)
        assert each is not None
        opened = ((self._locator.notes[one.note].name, one.before) for one in each.opened)
        is_person = turn.kind != "machine" and not turn.by_program
        start = {"message": turn.message, "said": each.past.said, "branch": turn.branch}
        self._found.append(lesson(turn.key, turn.time, start, opened, told=not each.met) if is_person else None)

    def found(self) -> "list[Lesson | None] | None":
        """Return a lesson for each turn, None for one that is not of a person; None when there was no turn."""
        return self._found or None


def learn_from(
    learner: Learner,
    target: Path,
    forgotten: Forgotten = NOTHING,
    seen: "Mapping[Path, list[Lesson | None]] | None" = None,
) -> int:
    """Add what sessions show to the file `target`; return how many openings of notes it rests on.

    `seen` are the lessons of sessions, by their log, that a watcher has found; the others are read for it.
    """
    from ladder.learning.update import learn
    from notes.atomic import write_private_lines

    count = learn(_lessons(learner, forgotten, seen or {}), target)
    if learner.sessions:
        lines = sorted({f"{log.mark} {'over' if log.over else 'open'}" for log in learner.logs.values()})
        write_private_lines(_logs_file(target), [line.encode() for line in lines], durable=False)
    return count


def _logs_file(target: Path) -> Path:
    return target.with_name(target.name + ".logs")


def _known(target: Path) -> set[_Log]:
    """Return the logs that `target` was learned from, as they were then."""
    path = _logs_file(target)
    if not target.exists() or not path.exists():
        return set()
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    return {_Log(mark, over == "over") for mark, _, over in (line.partition(" ") for line in lines if line)}


def _as_it_is(session: "Session") -> _Log | None:
    """Return what a session's logs are known by: no name stands in it. None for one swept by now or not to be read."""
    from transcripts.clients.table import stamp

    paths = (session.file, *session.agents)
    if not all(os.access(path, os.R_OK) for path in paths if path.exists()):
        return None
    try:
        found = [(str(path), (at := stamp(session, path)).size, at.mtime_ns) for path in paths]
    except OSError:
        return None
    mark = hashlib.blake2b(repr(found).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    return _Log(mark, found[0][2] / 1e9 < time.time() - OVER)


def _lessons(learner: Learner, forgotten: Forgotten, seen: "Mapping[Path, list[Lesson | None]]") -> "Iterator[Lesson]":
    from transcripts import session_turns

    for session in learner.sessions:
        found = seen.get(session.file)
        if found is None and (watcher := learner(session)):
            for turn in session_turns(session, clean=learner.clean, forgotten=forgotten):
                watcher.see(turn)
            found = watcher.found()
        if found and not learner.logs[session.file].over:
            found = found[:-1]  # it may go on
        yield from filter(None, found or ())
