"""What many people's shared records say of each note: which answer, are never found, read whole, or lost. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from bench.shared.record import Shared

#: Tools that show a file, as a rule the whole of it; the records do not say which part.
WHOLE = ("Read", "attachment")


class NoteRow(NamedTuple):
    """A note in the pool."""

    note: str
    people: int
    answers: int
    """Questions that it answered."""
    found: dict[str, int]
    """By moment, how many of them `suggest` named it for, among five."""
    asked: dict[str, int]
    """By moment, how many of them were tried."""
    one_line: int
    """Questions for which a tool that shows a file read it and one line was used."""
    tokens: int
    """What reading it whole costs, by the newest record."""
    gone: int
    """Distinct lines that answered and are no line of the notes any more."""
    gone_asked: int
    """Questions that only such lines answered."""


class Pool(NamedTuple):
    """All of it."""

    people: int
    sessions: int
    questions: int
    rows: tuple[NoteRow, ...]
    """Notes that answered, the most first."""
    silent: tuple[str, ...]
    """Notes of today that answered nobody."""
    other_key: bool
    """No line's hash is one of today's notes: the records were made with another key, or of other notes."""


def pool(records: Iterable[Shared], lines_today: Mapping[str, Collection[str]]) -> Pool:
    """Pool the records; `lines_today` has the hashes of each note's lines under the same key."""
    by_note: dict[str, list[Shared]] = defaultdict(list)
    every = list(records)
    for record in every:
        by_note[record.note].append(record)
    there = {each for lines in lines_today.values() for each in lines}
    rows = []
    for note, some in by_note.items():
        gone = {line.hash for r in some for line in r.lines if line.hash not in there}
        rows.append(
            NoteRow(
                note,
                len({r.who for r in some}),
                len(some),
                {m: sum(r.found.get(m, 0) > 0 for r in some) for m in ("message", "turn")},
                {m: sum(m in r.found for r in some) for m in ("message", "turn")},
                sum(len(r.lines) == 1 and r.how in WHOLE for r in some),
                max(some, key=lambda r: r.day).tokens,
                len(gone),
                sum(all(line.hash in gone for line in r.lines) for r in some),
            )
        )
    rows.sort(key=lambda row: (-row.answers, row.note))
    return Pool(
        len({r.who for r in every}),
        len({r.session for r in every}),
        len(every),
        tuple(rows),
        tuple(sorted(set(lines_today) - set(by_note))),
        bool(every) and not any(line.hash in there for r in every for line in r.lines),
    )
