"""What the product had learned when a question was asked: from sessions that began earlier, and nothing of its own."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.nextnote import Notes, lesson, openings
from ladder.learn import learn
from ladder.learned import open_learned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.versions import Versions
    from ladder.learned import Learned
    from transcripts import Session


def learned_before(sessions: Sequence[Session], versions: Versions) -> dict[str, Learned]:
    """For each session what the sessions before it have taught; sessions before which nothing was learned are left out.

    Needs the notes' history in git: what a path meant then is looked up there.
    """
    found: dict[str, Learned] = {}
    with TemporaryDirectory(prefix="ladder-learned-") as place:
        seen = openings("", sessions, Notes(versions, Path(place) / "indexes"))
        target = Path(place) / "learned"
        waiting = list(seen.openings)
        for session, start in sorted(seen.started.items(), key=lambda item: (item[1], item[0])):
            ready = [each for each in waiting if each.time < start and each.session != session]
            if ready:
                waiting = [each for each in waiting if each.time >= start or each.session == session]
                learn([lesson(each) for each in ready], target)
            if (learned := open_learned(str(target))) is not None:
                found[session] = learned
    return found
