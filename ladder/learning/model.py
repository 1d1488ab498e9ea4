"""What has led to which note before, learned from the person's own sessions: the file's reader.

The file is text, written by update.py, private, and small enough to be read whole:

    ladder-learned 1 TAB time TAB examples      time in days since 1970; how many openings of notes were learned from
    notes TAB name:weight TAB name:weight …     how often each note was opened
    feature TAB seen/turns/needed TAB number:weight …

`seen` is how often the feature stood where a note was opened, and what follows says which notes; `turns` in how many
turns it stood, `needed` in how many of these a note was opened. A feature is a term of the query, the `/command` of a
slash command, or `=first` and `=later` for where in the session a message stands. All weights have faded to the time of
the file, with a half-life of update.HALF_LIFE days. Only C modules: this runs in the hook.
"""

from __future__ import annotations

import os

from ladder.lean.math import log
from ladder.ranking.weights import DOUBT, LEARNED_PARTS, NEED_LEAST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ladder.query.query import Query

LEARNED_MAGIC = "ladder-learned 1"
#: Reads that must have been seen before anything learned counts.
ENOUGH = 10
#: A larger file was not written by update.py.
_LARGEST = 4_000_000
#: Terms of a query that vote: the rarest ones.
_TERMS = 60
#: The number of features, those that tell most of need, that are added up.
NEED_TELLING = 5


class Learned:
    """What was learned in one project."""

    __slots__ = ("examples", "features", "names", "opened", "time")

    def __init__(self, data: bytes) -> None:
        """Read the file's bytes; ValueError when they are none."""
        lines = data.decode("utf-8", "replace").split("\n")
        head = lines[0].split("\t")
        if len(head) != 3 or head[0] != LEARNED_MAGIC or len(lines) < 2:
            raise ValueError("this is no file of learned routing")
        self.time = float(head[1])
        self.examples = int(head[2])
        self.names: list[str] = []
        self.opened: list[float] = []
        for field in lines[1].split("\t")[1:]:
            name, _, weight = field.rpartition(":")
            self.names.append(name)
            self.opened.append(float(weight))
        #: feature -> the rest of its line, taken apart when it is asked for
        self.features: dict[str, str] = {}
        for line in lines[2:]:
            feature, tab, rest = line.partition("\t")
            if tab:
                self.features[feature] = rest

    @property
    def enough(self) -> bool:
        """Whether there is enough to go by."""
        return self.examples >= ENOUGH

    def row(self, feature: str) -> tuple[tuple[float, float, float], list[tuple[int, float]]]:
        """(seen, turns, needed) of a feature, and (number of a name, how often the feature led there)."""
        rest = self.features.get(feature)
        if rest is None:
            return (0.0, 0.0, 0.0), []
        fields = rest.split("\t")
        seen, turns, needed = fields[0].split("/")
        found = []
        for field in fields[1:]:
            number, _, weight = field.partition(":")
            found.append((int(number), float(weight)))
        return (float(seen), float(turns), float(needed)), found

    def led(self, feature: str) -> tuple[float, list[tuple[int, float]]]:
        """How often the feature stood where a note was opened, and (number of a name, how often it led there)."""
        counts, found = self.row(feature)
        return counts[0], found

    def need(self, query: Query) -> float:
        """Log odds that a turn with such a message opens a note: the usual odds, moved by what tells most."""
        _, first, needed_first = self.row("=first")[0]
        _, later, needed_later = self.row("=later")[0]
        usual = (needed_first + needed_later + 1.0) / (first + later + 4.0)
        base = log(usual / (1.0 - usual))
        moves = []
        for feature in need_features(query):
            _, turns, needed = self.row(feature)[0]
            if turns >= NEED_LEAST:
                share = (needed + 2.0 * usual) / (turns + 2.0)
                moves.append(log(share / (1.0 - share)) - base if 0.0 < share < 1.0 else 0.0)
        moves.sort(key=abs, reverse=True)
        return base + sum(moves[:NEED_TELLING])

    def shares(self, weights: Mapping[str, float]) -> dict[int, float]:
        """Number of a name -> the weighted share of the features' sightings that led there, at most 1."""
        heavy = []
        total = sum(self.opened) + 1.0
        for feature, weight in weights.items():
            seen, led = self.led(feature)
            if led:
                rarity = 1.0 + total / (seen + DOUBT)
                heavy.append((weight * log(rarity), feature, seen, led))
        heavy.sort(key=lambda row: (-row[0], row[1]))
        found: dict[int, float] = {}
        whole = 0.0
        for weight, _, seen, led in heavy[:_TERMS]:
            whole += weight
            for number, count in led:
                found[number] = found.get(number, 0.0) + weight * count / (seen + DOUBT)
        return {number: share / whole for number, share in found.items()} if whole else {}


def open_learned(path: str) -> Learned | None:
    """What was learned, or None: no file, not one of ours, or not enough in it yet."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            size = os.fstat(descriptor).st_size
            data = os.read(descriptor, size) if 0 < size <= _LARGEST else b""
        finally:
            os.close(descriptor)
        learned = Learned(data)
    except (OSError, ValueError, IndexError):
        return None
    return learned if learned.enough else None


def learned_terms(query: Query) -> dict[str, float]:
    """The terms of a query that are learned, with their weights."""
    found: dict[str, float] = {}
    for part, weight in LEARNED_PARTS:
        for term, count in query.part(part).items():
            found[term] = found.get(term, 0.0) + weight * min(count, 1.0)
    return found


def need_features(query: Query) -> list[str]:
    """What may tell from a message whether its turn will open notes: its words, command and branch, its place."""
    found = {**query.part("message"), **query.part("branch")}
    return [*found, *filter(None, [query.command]), "=later" if query.later else "=first"]
