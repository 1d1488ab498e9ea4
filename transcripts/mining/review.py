"""Is what was mined really an echo? A seeded sample for somebody to judge, and the precision that follows from it."""

import hashlib
import math
import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import orjson

from notes.atomic import write_private_lines
from transcripts.logs.words import words
from transcripts.mining.pairs import Evidence, Level, Pair
from transcripts.turns.turn import Turn

Judgement = Literal["yes", "no", "unsure"]


class Item(NamedTuple):
    """A line to be judged: does the agent's text owe it something?"""

    pair: Pair
    line: Evidence


class Verdict(NamedTuple):
    """What somebody said of a line."""

    id: str
    """The pair's."""
    line: str
    """Hash of the line's text: the verdict says nothing of it."""
    level: Level
    verdict: Judgement
    by: str
    """Who judged."""
    time: str
    """ISO."""


class Precision(NamedTuple):
    """How many of a level's judged lines are real."""

    level: Level
    yes: int
    no: int
    unsure: int
    low: float
    """Lower end of the 95 % Wilson interval of yes / (yes + no)."""
    high: float

    @property
    def rate(self) -> float:
        """Return yes / (yes + no); 0 when nothing was judged."""
        return self.yes / (self.yes + self.no) if self.yes + self.no else 0.0


def sample(pairs: Iterable[Pair], count: int, seed: int = 1, level: Level | None = None) -> list[Item]:
    """Return `count` lines of each level (or of one), drawn by `seed`: the same pairs give the same sample."""
    drawn: list[Item] = []
    wanted: tuple[Level, ...] = (level,) if level else ("reply", "wrote")
    ordered = sorted(pairs, key=lambda pair: pair.id)
    for one in wanted:
        items = [Item(pair, line) for pair in ordered if pair.level == one for line in pair.lines]
        drawn.extend(random.Random(f"{seed}/{one}").sample(items, min(count, len(items))))  # noqa: S311 (no secret)
    return drawn


def echo(turn: Turn, item: Item, width: int = 500) -> str:
    """Return the passage of what the agent said (or wrote into tools) that has most of the line's words."""
    text = turn.reply if item.pair.level == "reply" else "\n\n".join(turn.wrote)
    wanted = {word for word, _ in item.line.words}
    best, most = "", 0
    for block in re.split(r"\n[ \t]*\n", text):
        for start in range(0, len(block), width // 2):
            piece = block[start : start + width]
            found = len(words(piece) & wanted)
            if found > most:
                best, most = piece, found
    return best


def line_key(text: str) -> str:
    """Return what a line is known by in a verdict."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def read_verdicts(path: Path) -> list[Verdict]:
    """Return the verdicts of a file, [] when there is none."""
    if not path.exists():
        return []
    with path.open("rb") as file:
        return [Verdict(**orjson.loads(line)) for line in file if line.strip()]


def write_verdicts(path: Path, verdicts: Iterable[Verdict]) -> None:
    """Write verdicts, one JSON object a line, for their owner only."""
    write_private_lines(path, (orjson.dumps(verdict._asdict()) for verdict in verdicts))


def precision(verdicts: Sequence[Verdict]) -> list[Precision]:
    """Return each level's precision with its interval; of several verdicts by one judge on a line the last counts."""
    last = {(verdict.id, verdict.line, verdict.by): verdict for verdict in verdicts}
    found: list[Precision] = []
    level: Level
    for level in ("reply", "wrote"):
        said = [verdict.verdict for verdict in last.values() if verdict.level == level]
        yes, no = said.count("yes"), said.count("no")
        found.append(Precision(level, yes, no, said.count("unsure"), *wilson(yes, yes + no)))
    return found


def wilson(hits: int, count: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson score interval of a rate (Wilson 1927), 95 % by default; (0, 1) for nothing."""
    if not count:
        return 0.0, 1.0
    rate, square = hits / count, z * z
    middle = (rate + square / (2 * count)) / (1 + square / count)
    half = z / (1 + square / count) * math.sqrt(rate * (1 - rate) / count + square / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)
