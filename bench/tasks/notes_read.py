"""What the agent read of notes in past sessions, and whether ladder would have named them before they were opened.

Every opening of a note is evidence, whether its words came back in a reply or not: openings are several times as many
as mined pairs, so they decide earlier. An opening says less than a pair: the agent may have opened the wrong note.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench import product
from bench.questions import Question, note_name
from bench.rivals.fragments import weights_of
from bench.scores import difference, rate
from bench.strategies import Ask
from transcripts import session_turns, working_folder
from transcripts.logs.locate import Locator
from transcripts.turns.openings import CHOSEN, openings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from bench.corpus.corpus import Corpus
    from bench.corpus.snapshot import World
    from bench.scores import Difference, Rate
    from transcripts import Session, Turn

#: How many notes a suggestion names in this measure, as in the study.
AMONG = 4
#: Pieces of the rival that are looked at to find as many notes.
PIECES = 40
#: Reads that the agent asked for, itself or through a sub-agent.
_ASKED_FOR = (*CHOSEN, "Grep", "subagent")


@dataclass(frozen=True, slots=True)
class NoteRead:
    """The first opening of a note in a session that the person's message did not name."""

    session: str
    note: str
    tokens: int
    """What the agent read of the note in that turn."""
    ladder: int
    """The note's place among the suggestions for what was known before, from 1; 0 beyond the first ten."""
    fragments: int
    """The same among the notes of the best fragments, asked with the same query."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the agents of some sessions read of notes."""

    sessions: int
    turns: int
    opened: int
    """Openings, each the first of its note in its session; also those that the message named."""
    tokens: int
    """All that was read of notes, in all turns, again or not."""
    reads: tuple[NoteRead, ...]

    @property
    def named(self) -> Rate:
        """Share of the openings whose note ladder names among the first four before it is opened."""
        return rate([float(0 < each.ladder <= AMONG) for each in self.reads], self._sessions)

    @property
    def named_by_fragments(self) -> Rate:
        """The same for the notes of the best fragments."""
        return rate([float(0 < each.fragments <= AMONG) for each in self.reads], self._sessions)

    @property
    def gain(self) -> Difference:
        """Ladder minus fragments, paired."""
        return difference(
            [float(0 < each.ladder <= AMONG) for each in self.reads],
            [float(0 < each.fragments <= AMONG) for each in self.reads],
            self._sessions,
        )

    @property
    def _sessions(self) -> list[str]:
        return [each.session for each in self.reads]


def reading_of(corpora: Sequence[Corpus], watch: Callable[[Sequence[Session]], Iterable[Session]] = iter) -> Reading:
    """Read the sessions of all corpora, each against its own notes of today; `watch` may show progress."""
    found: list[NoteRead] = []
    sessions, turns, opened, tokens = set(), 0, 0, 0
    for corpus in corpora:
        if not corpus.sessions or not corpus.found.notes:
            continue
        folders = {folder for session in corpus.sessions if (folder := working_folder(session))}
        locator = Locator(corpus.found.notes, corpus.found.root, folders)
        seen: set[str] = set()
        for session in watch(corpus.sessions):
            for at in openings(session_turns(session), lambda _turn, here=locator: here):  # type: ignore[misc]
                if at.turn.key in seen:  # a resumed session repeats turns of the one that it goes on from
                    continue
                seen.add(at.turn.key)
                sessions.add(at.turn.session)
                turns += at.turn.kind != "machine"
                texts = _texts(at.turn, locator)
                tokens += sum(corpus.today.costs(list(texts.values())))
                opened += len(at.opened)
                asked = at.turn.message.replace("\\", "/").casefold()
                for each in at.opened:
                    name = note_name(each.note)
                    if each.note.casefold().rpartition("/")[2] in asked or name not in corpus.today.files:
                        continue
                    ladder, fragments = _places(corpus.today, name, each.before)
                    cost = corpus.today.costs([texts[name]])[0] if name in texts else 0
                    found.append(NoteRead(at.turn.session, name, cost, ladder, fragments))
    return Reading(len(sessions), turns, opened, tokens, tuple(found))


def _texts(turn: Turn, locator: Locator) -> dict[str, str]:
    """Note -> all that the agent read of it in the turn, by its own choice."""
    found: dict[str, list[str]] = {}
    for read in turn.reads:
        if read.how in _ASKED_FOR and read.paths:
            place = locator.find(read.path, turn.cwd)
            if place is not None and place.exists:
                found.setdefault(note_name(place.note), []).extend(read.lines)
    return {name: "\n".join(lines) for name, lines in found.items()}


def _places(world: World, note: str, context: Mapping[str, Any]) -> tuple[int, int]:
    """The note's place among ladder's suggestions and among the best fragments' notes; 0 beyond the first ten."""
    query, _ = product.query_of(context)
    question = Question("", "", "", str(context["message"]), {}, note, ())
    ask = Ask(question, "read", query, weights_of(question.text))
    named = product.ranked(world, ask, 10)
    weights = product.weights(world, ask) if query is not None else {}
    pieces = world.fragments.pieces(world.fragments.best(weights, PIECES)) if weights else []
    return _place(named, note), _place(list(dict.fromkeys(piece.note for piece in pieces))[:10], note)


def _place(names: Sequence[str], note: str) -> int:
    return names.index(note) + 1 if note in names else 0
