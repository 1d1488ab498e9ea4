"""Why the hit rate of a run differs from the run before: what became of each pair that was answered then.

The paired difference tells whether anything changed; this tells what. A pair that is lost has one cause, the first that
holds: its line left the notes, moved, its note was edited, another note is put in front, another passage of the note.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.trend.runs import headline
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.questions import Question
    from bench.trend.runs import Run
    from transcripts import Pair

#: Causes of a lost pair, in the order in which they are looked for.
EDITED = "their note was edited since"
MOVED = "their line was moved"
ROUTED = "another note is put in front"
PASSAGE = "the note is found, another passage of it is shown"
LOST = (MOVED, EDITED, ROUTED, PASSAGE)


@dataclass(frozen=True, slots=True)
class Causes:
    """What became of the pairs between two runs."""

    shared: int
    """Pairs that both runs hold."""
    gained: int
    """Of those, answered now and not before."""
    lost: Mapping[str, int]
    """Of those, answered before and not now, by cause."""
    gone: int
    """Pairs of the run before whose line the notes no longer hold (reworded or deleted)."""
    unseen: int
    """Pairs of the run before that were not mined this time: their logs are gone or were forgotten."""
    new: int
    """Pairs of this run that the run before did not hold."""
    new_answered: int


def causes(
    new: Run, old: Run, questions: Sequence[Question], pairs: Sequence[Pair], changed: Mapping[str, str]
) -> Causes | None:
    """Return what became of the pairs of `old`; None where one of the runs does not hold the figure.

    The runs are of one budget and moment, `questions` those of `new`; `pairs` is all that was mined for it, also what
    stands in no note any more; `changed` is the ISO day of each note's last change.
    """
    name, given = headline(new), f"{headline(new)}, note given"
    if name not in new.names or name not in old.names:
        return None
    now, before = new.hits(name), old.hits(name)
    told = new.hits(given) if given in new.names else {}
    asked = {question.id: question for question in questions}
    moved = {pair.id for pair in pairs if pair.state == "moved"}
    mined = {pair.id for pair in pairs}
    lost: Counter[str] = Counter()
    for pair in now.keys() & before.keys():
        if before[pair] <= now[pair]:
            continue
        note = asked[pair].note if pair in asked else ""
        if pair in moved:
            lost[MOVED] += 1
        elif changed.get(note, "")[:10] >= old.until[:10] and note in changed:
            lost[EDITED] += 1
        elif told.get(pair, 0.0) > 0:
            lost[ROUTED] += 1
        else:
            lost[PASSAGE] += 1
    missing = before.keys() - now.keys()
    fresh = now.keys() - before.keys()
    return Causes(
        shared=len(now.keys() & before.keys()),
        gained=sum(now[pair] > before[pair] for pair in now.keys() & before.keys()),
        lost={cause: lost[cause] for cause in LOST if lost[cause]},
        gone=len(missing & mined),
        unseen=len(missing - mined),
        new=len(fresh),
        new_answered=sum(now[pair] > 0 for pair in fresh),
    )


def said_of(found: Causes) -> str:
    """The causes in one sentence, without those that did not occur."""
    total = sum(found.lost.values())
    parts = []
    if found.shared:
        of = f" ({'; '.join(f'{count}: {cause}' for cause, count in found.lost.items())})" if total else ""
        parts.append(f"of {number_of(found.shared, 'shared pair')} {found.gained} newly answered, {total} lost{of}")
    if found.gone:
        parts.append(f"{number_of(found.gone, 'pair')} left out: reworded or deleted in the notes")
    if found.unseen:
        parts.append(f"{number_of(found.unseen, 'pair')} not mined any more (logs gone)")
    if found.new:
        parts.append(f"other questions: {found.new} new, {found.new_answered} of them answered")
    return "; ".join(parts)
