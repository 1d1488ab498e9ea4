"""What `ladder mine` learns for routing: the turns of sessions whose logs are new or have grown, as lessons."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from transcripts.tombstones import NOTHING, Forgotten

if TYPE_CHECKING:
    from ladder.learn import Lesson
    from notes import NoteFile
    from transcripts import Session

#: Seconds after which a log that was not written to is over, so that its last turn counts too.
OVER = 24 * 3600.0


def learn_from(
    sessions: "Sequence[Session]",
    notes: "Sequence[NoteFile]",
    root: Path,
    target: Path,
    clean: Callable[[str], str],
    forgotten: Forgotten = NOTHING,
) -> int:
    """Add what these sessions show to the file `target`; return how many openings of notes it rests on.

    A log that was over when `target` was written is not read again.
    """
    from ladder.learn import learn

    since = target.stat().st_mtime - OVER if target.exists() else 0.0
    new = [session for session in sessions if session.file.stat().st_mtime >= since]
    return learn(_lessons(new, notes, root, clean, forgotten), target)


def _lessons(
    sessions: "Sequence[Session]",
    notes: "Sequence[NoteFile]",
    root: Path,
    clean: Callable[[str], str],
    forgotten: Forgotten,
) -> "Iterator[Lesson]":
    from ladder.learn import Lesson
    from transcripts import turns, working_folder
    from transcripts.locate import Locator
    from transcripts.openings import openings

    folders = {folder for session in sessions if (folder := working_folder(session.file))}
    locator = Locator(notes, root, folders)
    for session in sessions:
        found = list(openings(turns(session, clean=clean, forgotten=forgotten), lambda _: locator, clean))
        if session.file.stat().st_mtime > time.time() - OVER:
            found = found[:-1]  # it may go on
        for each in found:
            if each.turn.kind != "machine":
                yield Lesson(
                    turn=each.turn.key,
                    time=each.turn.time,
                    start=each.start,
                    opened=tuple((locator.notes[one.note].name, one.before) for one in each.opened),
                    told=not each.met,
                )
