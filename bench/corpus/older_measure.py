"""The older measure of suggestions, which flatters: it counts every message after which a note was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import product
from bench.questions import Question
from bench.strategies import Ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.gather import Opening
    from bench.corpus.snapshot import World

AMONG = 4


def older_hits(openings: Sequence[Opening], world: World) -> list[float]:
    """1 for each message whose first four suggestions name a note that was then opened, else 0 (the study: 76 %).

    It flatters: a note that the person named in the message counts, and so does one that held no answer.
    """
    hits = []
    for opening in openings:
        context = {
            "message": opening.message,
            "said": [],
            "touched": [],
            "commands": [],
            "results": [],
            "opened": [],
            "cwd": opening.cwd,
            "branch": "",
            "now": opening.time,
        }
        query, _ = product.query_of(context)
        asked = Question("", opening.session, opening.time, opening.message, {}, "", ())
        names = product.ranked(world, Ask(asked, "message", query, {}), AMONG)
        hits.append(float(any(name in opening.notes for name in names)))
    return hits
