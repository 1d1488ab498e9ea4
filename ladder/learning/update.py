"""Writes what model.py reads: adds what new turns show to what was learned before.

    learn(lessons, target)  ->  how many openings of notes the file now rests on

A lesson is what a turn teaches: the notes that were opened in it, if any, and the words that stood before. Each turn is
learned once, however often it is given; weights fade by half every HALF_LIFE days of the logs' own time, and what has
faded is dropped. The file is its owner's alone and is replaced at once.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, NamedTuple

from ladder.learning.model import LEARNED_MAGIC, Learned, learned_terms, need_features
from ladder.query.query import Context, query
from notes.atomic import write_private

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import Any

#: Days in which what was learned loses half of its weight.
HALF_LIFE = 30.0
#: Features kept, the heaviest; notes kept of each.
MOST_FEATURES = 4000
MOST_NOTES = 12
#: Weights below this are forgotten.
FAINT = 0.02


class Lesson(NamedTuple):
    """What a turn teaches: which notes its words led to, or that none was needed. Words only, so that many fit."""

    turn: str
    """What tells the turn from all others."""
    time: str
    """ISO."""
    needs: tuple[str, ...]
    """The features of the message that may tell whether notes are needed."""
    opened: tuple[tuple[str, tuple[str, ...]], ...]
    """For each note opened its name, as the index has it, and the features that stood just before."""
    told: bool
    """The turn shows whether notes are needed: false where some were before the agent anyway."""


def lesson(
    turn: str,
    time: str,
    start: Mapping[str, Any],
    opened: Iterable[tuple[str, Mapping[str, Any]]] = (),
    *,
    told: bool = True,
) -> Lesson:
    """Return the lesson of a turn from contexts, with the keys of `ladder.query.query.Context`.

    `start` is the one when the message was sent; `opened` gives for each note opened the one just before.
    """
    return Lesson(turn, time, _needing(start), tuple((note, _leading(before)) for note, before in opened), told)


def _needing(start: Mapping[str, Any]) -> tuple[str, ...]:
    """Cut only what `need_features` looks at: message, branch, and whether anything was said before."""
    said = [("user", "")] if start.get("said") else []
    return tuple(need_features(query(Context(message=start["message"], said=said, branch=start.get("branch", "")))))


def _leading(before: Mapping[str, Any]) -> tuple[str, ...]:
    """Cut only what `learned_terms` looks at: the last words and the last step beside message and branch."""
    last = {key: before.get(key, ())[-count:] for key, count in (("said", 2), ("touched", 1), ("commands", 1))}
    asked = query(Context(message=before["message"], branch=before.get("branch", ""), **last))
    return (*learned_terms(asked), *filter(None, [asked.command]))


class _Book:
    """Everything learned, open for writing."""

    def __init__(self, day: float = 0.0) -> None:
        self.day = day
        self.examples = 0
        self.opened: dict[str, float] = {}
        #: feature -> how often it stood where a note was opened; in how many turns; in how many of those with one
        self.seen: dict[str, float] = {}
        self.turns: dict[str, float] = {}
        self.needed: dict[str, float] = {}
        self.led: dict[str, dict[str, float]] = {}

    def add(self, lesson: Lesson, weight: float) -> None:
        """Add one lesson that counts `weight`."""
        for note, features in lesson.opened:
            self.examples += 1
            _more(self.opened, note, weight)
            for feature in features:
                _more(self.seen, feature, weight)
                _more(self.led.setdefault(feature, {}), note, weight)
        if lesson.told or lesson.opened:
            for feature in lesson.needs:
                _more(self.turns, feature, weight)
                if lesson.opened:
                    _more(self.needed, feature, weight)

    def fade(self, day: float) -> None:
        """Let time pass until `day`."""
        factor = 0.5 ** (max(0.0, day - self.day) / HALF_LIFE)
        self.day = max(self.day, day)
        for table in (self.opened, self.seen, self.turns, self.needed, *self.led.values()):
            for key in table:
                table[key] *= factor

    def text(self) -> str:
        """The file's text."""
        names = sorted(name for name, weight in self.opened.items() if weight >= FAINT)
        number = {name: i for i, name in enumerate(names)}
        lines = [
            f"{LEARNED_MAGIC}\t{self.day:.4f}\t{self.examples}",
            "\t".join(["notes", *(f"{name}:{self.opened[name]:.4g}" for name in names)]),
        ]
        heavy = {f: max(self.seen.get(f, 0.0), self.turns.get(f, 0.0)) for f in (*self.seen, *self.turns)}
        kept = sorted((f for f, weight in heavy.items() if weight >= FAINT), key=lambda f: (-heavy[f], f))
        for feature in kept[:MOST_FEATURES]:
            led = [(w, n) for n, w in self.led.get(feature, {}).items() if n in number and w >= FAINT]
            counts = (self.seen.get(feature, 0.0), self.turns.get(feature, 0.0), self.needed.get(feature, 0.0))
            fields = [f"{number[name]}:{weight:.4g}" for weight, name in sorted(led, reverse=True)[:MOST_NOTES]]
            lines.append("\t".join([feature, "/".join(f"{count:.4g}" for count in counts), *fields]))
        return "\n".join(lines) + "\n"


def learn(lessons: Iterable[Lesson], target: Path) -> int:
    """Add lessons to the file `target` (made when it is missing or broken); return how many openings it rests on.

    Turns learned before are known by the file `target` + `.turns` beside it.
    """
    book, known = _read(target), _turns(target)
    before = frozenset(known)
    new = sorted((each for each in lessons if _clean(each) and each.turn not in before), key=lambda each: each.time)
    if new:
        book.fade(max(day_of(lesson.time) for lesson in new))
        for lesson in new:
            book.add(lesson, 0.5 ** (max(0.0, book.day - day_of(lesson.time)) / HALF_LIFE))
        _write(target, book.text())
        _write(_turns_file(target), "\n".join([*known, *dict.fromkeys(lesson.turn for lesson in new)]) + "\n")
    return book.examples


def day_of(time: str) -> float:
    """An ISO time in days since 1970, UTC; 0 when it can't be read."""
    try:
        moment = dt.datetime.fromisoformat(time)
    except ValueError:
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return moment.timestamp() / 86400.0


def _more(table: dict[str, float], key: str, weight: float) -> None:
    table[key] = table.get(key, 0.0) + weight


def _clean(lesson: Lesson) -> bool:
    """Whether a lesson can be written: names must not hold what parts the file."""
    names = [lesson.turn, *(note for note, _ in lesson.opened)]
    return all(name and not any(mark in name for mark in "\t\n\r") for name in names)


def _read(target: Path) -> _Book:
    book = _Book()
    try:
        learned = Learned(target.read_bytes())
    except (OSError, ValueError, IndexError):
        return book
    book.day, book.examples = learned.time, learned.examples
    book.opened = dict(zip(learned.names, learned.opened, strict=True))
    for feature in learned.features:
        (book.seen[feature], book.turns[feature], book.needed[feature]), led = learned.row(feature)
        book.led[feature] = {learned.names[number]: weight for number, weight in led if number < len(learned.names)}
    return book


def _turns_file(target: Path) -> Path:
    return target.with_name(target.name + ".turns")


def _turns(target: Path) -> list[str]:
    try:
        return [line for line in _turns_file(target).read_text("utf-8").split("\n") if line] if target.exists() else []
    except (OSError, UnicodeDecodeError):
        return []


def _write(target: Path, text: str) -> None:
    write_private(target, text.encode("utf-8"), durable=False)
