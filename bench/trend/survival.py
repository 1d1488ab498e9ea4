"""Survival of evidence lines: for each line, the first later version of the notes that no longer holds it.

Three curves from the same lines: *same note* (verbatim where it was read), *anywhere* (verbatim, also in another
note), *reworded* (anywhere, or a line that says nearly the same). The last is never mixed into the verbatim counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.corpus.versions import Version, Versions, when
from bench.questions import Question, note_name
from bench.scores import SEED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KINDS = ("same note", "anywhere", "reworded")
#: Two lines say nearly the same when they share this part of their word triples (Jaccard; Broder 1997's resemblance).
ALIKE = 0.5
_WORD = re.compile(r"\w+")
_DRAWS = 500


@dataclass(frozen=True, slots=True)
class Life:
    """One evidence line: for each kind how many days it was seen to live, and whether its end was seen."""

    session: str
    days: tuple[float, float, float]
    ended: tuple[bool, bool, bool]


@dataclass(frozen=True, slots=True)
class Point:
    """Share of lines that still stand after `days` (Kaplan and Meier 1958), with a 95 % interval."""

    kind: str
    days: float
    share: float
    low: float
    high: float
    watched: int


def normal(line: str) -> str:
    """The words of a line alone: lower case, without marks, bullets and spacing."""
    return " ".join(_WORD.findall(line.lower()))


def shingles(line: str) -> frozenset[str]:
    """The word triples of a line; a shorter line is one shingle."""
    words = _WORD.findall(line.lower())
    if len(words) < 3:
        return frozenset({" ".join(words)}) if words else frozenset()
    return frozenset(" ".join(words[at : at + 3]) for at in range(len(words) - 2))


def reworded(lines: Iterable[str], texts: Iterable[str]) -> dict[str, str]:
    """For each of the lines that a text holds in other words: the most similar line found there."""
    wanted = {line: shingles(line) for line in lines}
    holding: dict[str, list[str]] = {}
    for line, parts in wanted.items():
        for part in parts:
            holding.setdefault(part, []).append(line)
    best: dict[str, tuple[float, str]] = {}
    for text in texts:
        for other in text.split("\n"):
            there = shingles(other)
            for line in {line for part in there & holding.keys() for line in holding[part]}:
                mine = wanted[line]
                alike = len(mine & there) / len(mine | there)
                if alike >= ALIKE and alike > best.get(line, (0.0, ""))[0]:
                    best[line] = (alike, other.strip())
    return {line: other for line, (_, other) in best.items()}


def lives(questions: Sequence[Question], versions: Versions) -> list[Life]:
    """Follow every evidence line through the versions after its turn; none after the last version."""
    watched = {(q.session, q.note, line, q.time) for q in questions for line in q.lines}
    ordered = sorted(watched)
    state: dict[tuple[str, str, str, str], list[float | None]] = {key: [None, None, None] for key in ordered}
    last = versions.versions[-1].time if versions.versions else None
    for version in versions.versions:
        due = [key for key in ordered if when(key[3]) < version.time and None in state[key]]
        if due:
            _visit(version, versions, due, state)
    found = []
    for key in ordered:
        start = when(key[3])
        if last is None or start >= last:
            continue
        censored = (last - start).total_seconds() / 86400
        ends = state[key]
        found.append(
            Life(
                key[0],
                (ends[0] or censored, ends[1] or censored, ends[2] or censored),
                (ends[0] is not None, ends[1] is not None, ends[2] is not None),
            )
        )
    return found


def _visit(
    version: Version,
    versions: Versions,
    due: Sequence[tuple[str, str, str, str]],
    state: dict[tuple[str, str, str, str], list[float | None]],
) -> None:
    """Enter for each line that is due whether this version is the first without it."""
    texts = {note_name(path): data.decode("utf-8", "replace") for path, data in versions.files(version).items()}
    everything = {line.strip() for text in texts.values() for line in text.split("\n")}
    gone = sorted({key[2] for key in due if key[2] not in everything})
    again = reworded(gone, texts.values()) if gone else {}
    for key in due:
        _, note, line, time = key
        held = (line in texts.get(note, ""), line in everything, line in everything or line in again)
        days = (version.time - when(time)).total_seconds() / 86400
        for kind in range(3):
            if not held[kind] and state[key][kind] is None:
                state[key][kind] = days


def standing(points: Sequence[Point], kind: str, days: float) -> Point | None:
    """The curve of a kind at a number of days: its last point up to then; None for no curve."""
    before = [point for point in points if point.kind == kind and point.days <= days]
    return before[-1] if before else None


def curve(found: Sequence[Life]) -> list[Point]:
    """The three survival curves, a point at each day on which a line ended; intervals over sessions."""
    out: list[Point] = []
    if not found:
        return out
    number: dict[str, int] = {}
    where = np.array([number.setdefault(life.session, len(number)) for life in found])
    rng = np.random.default_rng(SEED)
    draws = rng.multinomial(len(number), np.full(len(number), 1 / len(number)), size=_DRAWS)[:, where].astype(
        np.float64
    )
    weights = np.vstack([np.ones(len(found)), draws])
    for kind, name in enumerate(KINDS):
        days = np.array([life.days[kind] for life in found])
        ended = np.array([life.ended[kind] for life in found])
        share = np.ones(len(weights))
        out.append(Point(name, 0.0, 1.0, 1.0, 1.0, len(found)))
        for day in np.unique(days[ended]):
            at_risk = weights @ (days >= day)
            ends = weights @ (ended & (days == day))
            share = share * (1 - np.divide(ends, at_risk, out=np.zeros_like(ends), where=at_risk > 0))
            low, high = np.percentile(share[1:], [2.5, 97.5])
            out.append(
                Point(name, float(day), float(share[0]), float(low), float(high), int(np.count_nonzero(days >= day)))
            )
    return out
