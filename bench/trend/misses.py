"""Lists the questions that were not answered, with where the answer stood and what was read in its place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.trend.runs import NoteUse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.corpus.snapshot import World
    from bench.questions import Question
    from bench.replay import Replay

#: Why a question was missed, most telling first.
REASONS = ("the line stands in no note any more", "another note was suggested", "the note was suggested, not the line")
_AMONG = 4


@dataclass(frozen=True, slots=True)
class Miss:
    """One question whose evidence did not come into view."""

    time: str
    asked: str
    note: str
    section: str
    """Path of the section that holds the answer; empty when it stands nowhere any more."""
    zone: str
    lines: tuple[str, ...]
    instead: tuple[str, ...]
    """The notes whose text came into view, in that order."""
    rank: int
    """Of the right note among the suggestions; 0 = not among the first ten."""
    why: str


def section_of(world: World, question: Question) -> str:
    """Where the first evidence line stands in its note: the section's path; empty when it does not."""
    if question.note not in world.files:
        return ""
    note = world.note(question.note)
    for line in question.lines:
        at = note.data.find(line.encode("utf-8", "replace"))
        if at >= 0:
            for section in note.sections:
                if section.span.start <= at < section.span.end:
                    return " > ".join(section.path) or section.title
    return ""


def misses(replay: Replay, world_of: Callable[[Question], World], strategy: str, moment: str) -> list[Miss]:
    """What `strategy` missed at `moment`, newest first."""
    found = []
    for at, question in enumerate(replay.questions):
        outcome = replay.outcomes[moment, strategy][at]
        if outcome.hit:
            continue
        rank = replay.ranks[moment][at]
        where = section_of(world_of(question), question)
        why = REASONS[2] if 0 < rank <= _AMONG else REASONS[1]
        if not where and not world_of(question).holds(question.lines, question.note):
            why = REASONS[0]
        found.append(
            Miss(
                question.time,
                question.text,
                question.note,
                where,
                question.zone,
                question.lines,
                outcome.notes,
                rank,
                why,
            )
        )
    return sorted(found, key=lambda miss: miss.time, reverse=True)


def note_uses(
    replay: Replay,
    world: World,
    strategy: str,
    moment: str,
    *,
    reads: Mapping[str, int],
    changed: Mapping[str, str],
) -> dict[str, NoteUse]:
    """What each of today's notes cost and gave: reads, evidence, and its part in the replay of `strategy`."""
    evidence = Counter(question.note for question in replay.questions)
    first = Counter(replay.first[moment])
    shown: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for question, outcome in zip(replay.questions, replay.outcomes[moment, strategy], strict=True):
        shown.update(set(outcome.notes))
        if outcome.hit:
            answered[question.note] += 1
    costs = world.costs([world.text[name] for name in world.names])
    return {
        name: NoteUse(
            cost,
            reads.get(name, 0),
            evidence[name],
            first[name],
            shown[name],
            answered[name],
            changed.get(name, ""),
        )
        for name, cost in zip(world.names, costs, strict=True)
    }


def costly(notes: Mapping[str, NoteUse], k: int) -> list[tuple[str, NoteUse]]:
    """The k notes that came into view most often for questions that they did not answer."""
    ranked = sorted(notes.items(), key=lambda item: (item[1].answered - item[1].shown, item[0]))
    return [(name, use) for name, use in ranked if use.shown > use.answered][:k]


def unread(notes: Mapping[str, NoteUse]) -> list[tuple[str, NoteUse]]:
    """The notes that no agent has read and that answered nothing, dearest first."""
    found = [(name, use) for name, use in notes.items() if not use.read and not use.evidence]
    return sorted(found, key=lambda item: (-item[1].cost, item[0]))


def worth_promoting(questions: Sequence[Question], world: World, least: int = 2) -> list[tuple[str, str, int]]:
    """History sections that were the answer at least `least` times: note, section, how often; most often first."""
    counted: Counter[tuple[str, str]] = Counter()
    for question in questions:
        if question.zone == "history":
            section = section_of(world, question)
            if section:
                counted[question.note, section] += 1
    return [(note, section, times) for (note, section), times in counted.most_common() if times >= least]
