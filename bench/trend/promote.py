"""Finds dated entries that are the answer again and again, and what moving them to the head would have gained.

Proposals are made from the earlier sessions alone; what a lift gains is replayed on the later ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.corpus.snapshot import World
from bench.replay import replay
from bench.scores import Difference, difference
from bench.strategies import Strategy, ladder_budget
from notes.writing.edit import EditError, parse_whole, with_head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.corpus.cache import Keep
    from bench.questions import Question

#: Share of the sessions, the earliest ones, from which proposals are made.
EARLIER = 0.6


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry of a note's history whose lines could stand in the head."""

    note: str
    entry: str
    """The entry's address in the note."""
    lines: tuple[str, ...]
    """Its lines that were the answer, in the order of the file."""
    times: int
    """Questions of the earlier sessions that it answered."""
    cost: int
    """Tokens that the lift adds to the head."""
    head_cost: int
    """Tokens of the head as it is."""
    asked_later: int
    """Questions of the later sessions whose answer stands in it."""
    before: int
    """Of these, hits without the lift."""
    after: int
    """And with it."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """All proposals, and what lifting all of them changes on the later questions."""

    proposals: list[Proposal]
    change: Difference
    """Hits with all lifts minus without, on all later questions, paired."""
    heads: dict[str, str]
    """The new head of each note that has a proposal."""


def split(questions: Sequence[Question], share: float = EARLIER) -> tuple[list[Question], list[Question]]:
    """The questions of the earlier sessions and of the later ones; a session begins with its first question."""
    begins: dict[str, str] = {}
    for question in sorted(questions, key=lambda question: question.time):
        begins.setdefault(question.session, question.time)
    ordered = sorted(begins, key=lambda session: (begins[session], session))
    early = set(ordered[: round(len(ordered) * share)])
    return [q for q in questions if q.session in early], [q for q in questions if q.session not in early]


def entry_of(world: World, question: Question) -> str:
    """The address of the dated entry that holds the question's answer; empty when none does."""
    if question.note not in world.files:
        return ""
    note = world.note(question.note)
    for line in question.lines:
        at = note.data.find(line.encode("utf-8", "replace"))
        holding = [entry for entry in note.entries if at >= 0 and entry.span.start <= at < entry.span.end]
        if holding:
            return min(holding, key=lambda entry: entry.span.end - entry.span.start).slug
    return ""


def promote(
    questions: Sequence[Question], world: World, keep: Keep, *, budget: int, moment: str, least: int = 2
) -> Promotion:
    """Propose the entries that answered at least `least` questions of the earlier sessions; replay the later ones."""
    earlier, later = split(questions)
    times = Counter((question.note, entry) for question in earlier if (entry := entry_of(world, question)))
    chosen = [key for key, count in times.most_common() if count >= least]
    lines = {key: _lines(world, key, earlier) for key in chosen}
    heads = _heads(world, lines)
    chosen = [key for key in chosen if key[0] in heads]
    files = {**world.files, **{name: data for name, (_, data) in heads.items()}}
    strategy = Strategy(f"ladder@{budget}", "ladder@N", ladder_budget, budget, needs_query=True)
    hits = [_hits(later, each, strategy, moment) for each in (world, World(files, keep))]
    entries = [(question.note, entry_of(world, question)) for question in later]
    proposals = []
    for key in chosen:
        at = [i for i, entry in enumerate(entries) if entry == key]
        note = world.note(key[0])
        proposals.append(
            Proposal(
                *key,
                lines[key],
                times[key],
                world.cost("\n".join(lines[key])),
                world.cost(note.text(note.head)),
                len(at),
                round(sum(hits[0][i] for i in at)),
                round(sum(hits[1][i] for i in at)),
            )
        )
    sessions = [question.session for question in later]
    return Promotion(
        proposals, difference(hits[1], hits[0], sessions), {name: text for name, (text, _) in heads.items()}
    )


def _hits(questions: Sequence[Question], world: World, strategy: Strategy, moment: str) -> list[float]:
    done = replay(questions, lambda _: world, [strategy], (moment,))
    return done.hits(moment, strategy.name)


def _lines(world: World, key: tuple[str, str], earlier: Sequence[Question]) -> tuple[str, ...]:
    """The entry's lines that answered, each once, in the order of the file."""
    name, slug = key
    note = world.note(name)
    text = next(note.text(entry.span) for entry in note.entries if entry.slug == slug)
    answered = {line for question in earlier if question.note == name for line in question.lines if line in text}
    return tuple(sorted(answered, key=text.index))


def _heads(world: World, lines: dict[tuple[str, str], tuple[str, ...]]) -> dict[str, tuple[str, bytes]]:
    """For each note its head with the lines at its end, and its bytes then; none for a note that can't take them."""
    found: dict[str, tuple[str, bytes]] = {}
    for name in dict.fromkeys(name for name, _ in lines):
        note = parse_whole(world.files[name], name + ".md")
        lifted = [line.lstrip("-*+ ") for (owner, _), each in lines.items() if owner == name for line in each]
        head = note.text(note.head).rstrip()
        text = (head + "\n\n" if head else "") + "\n".join(f"- {line}" for line in lifted)
        try:
            found[name] = (text, with_head(note, text).data)
        except EditError:
            continue
    return found
