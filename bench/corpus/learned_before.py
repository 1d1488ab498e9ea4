"""Gives a question what the product had learned before it: from sessions that began earlier, never from its own."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.tasks.next_note import Notes, look, taught
from ladder.learning.model import open_learned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.versions import Versions
    from ladder.learning.model import Learned
    from transcripts import Session


def learned_before(sessions: Sequence[Session], versions: Versions) -> dict[str, Learned]:
    """For each session what the sessions before it have taught; sessions before which nothing was learned are left out.

    Needs the notes' history in git: what a path meant then is looked up there.
    """
    found: dict[str, Learned] = {}
    with TemporaryDirectory(prefix="ladder-learned-") as place:
        seen = look(sessions, Notes(versions, Path(place) / "indexes"))
        begun: set[str] = set()
        for turn, target in taught(seen, Path(place) / "learned"):
            if turn.session not in begun:
                begun.add(turn.session)
                if (learned := open_learned(str(target))) is not None:
                    found[turn.session] = learned
    return found
