"""A turn to what mining keeps of it: lines that may be evidence, and the words to decide it with later.

Whether a word is uncommon is known only when all sessions have been read, so nothing is decided here that a threshold
decides: a line is kept when at least three of its words came back, however common they are.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from transcripts.logs.redact import Cleaner
from transcripts.logs.sessions import CLAUDE_CODE
from transcripts.logs.tool_reads import BY_LADDER, Read
from transcripts.logs.words import line_words, numbers, short_key, words
from transcripts.mining.echo import Echo
from transcripts.mining.note_lines import ENOUGH, body
from transcripts.mining.other_outputs import Elsewhere
from transcripts.turns.contexts import Cutter, During, Past, Said, at_turn, during
from transcripts.turns.turn import Turn

TURNS_BEFORE = 3
"""Turns whose messages and replies a word must not have stood in."""
_NONE = frozenset[str]()


class Line(NamedTuple):
    """A line of a note that may be evidence."""

    text: str
    """Without the blanks around it."""
    number: int
    """Its number in the file, 0 when unknown."""
    heading: str
    """The heading above it as far as the agent saw, "" when it saw none."""
    said: tuple[str, ...]
    """Its words that came back in the reply, sorted."""
    wrote: tuple[str, ...]
    """Its words that came back in what the agent wrote into tools, sorted."""
    elsewhere: tuple[str, ...]
    """Those of either that also stood in another tool's output of the turn, up to the echo or after it."""


class Candidate(NamedTuple):
    """Lines of one read that may be evidence."""

    paths: tuple[str, ...]
    how: str
    sure: bool
    offset: int
    step: int
    lines: tuple[Line, ...]


class MinedTurn(NamedTuple):
    """What is kept of a turn. Everything in it is JSON, and secrets are out."""

    key: str
    session: str
    number: int
    time: str
    message: str
    kind: str
    cwd: str
    branch: str
    by_program: bool
    """A program began it and no person."""
    offset: int
    events: int
    """How much happened in it: the fullest copy of a turn is the one that counts."""
    reads: int
    """Reads of files that can be notes."""
    vocabulary: tuple[int, ...]
    """The distinct words of message and reply, as numbers (`words.number`), sorted."""
    tools: tuple[int, ...]
    """The distinct words of what the agent wrote into tools that are not among those, likewise."""
    written: tuple[str, ...]
    """Paths of notes that the agent wrote, as logged."""
    opened: tuple[str, ...]
    """Paths of notes that came into view, as logged, each once; what ladder's hook showed is not among them."""
    reply: str
    """The end of the agent's reply."""
    before: Said | None
    """The conversation before it; None for a turn without candidates."""
    until: dict[str, During]
    """What the turn added before event `step`, by `str(step)`, for each candidate's step."""
    said_in: dict[str, list[int]]
    """For each word that a candidate has in `said`, the paragraphs of the reply it stands in, counted from 0."""
    wrote_in: dict[str, list[int]]
    """The same for `wrote` and the texts written into tools."""
    candidates: tuple[Candidate, ...]
    client: str = CLAUDE_CODE
    """Whose log it stands in."""


@dataclass(slots=True)
class History:
    """What must be known of the turns before, to go on with a session."""

    past: Past = field(default_factory=Past)
    recent: list[list[int]] = field(default_factory=list)
    """The words of the last three turns' messages and replies, as numbers."""

    def kept(self) -> "History":
        """Return a copy that what follows does not change."""
        return History(self.past.kept(), list(self.recent))

    def add(self, turn: Turn, vocabulary: list[int], cutter: Cutter) -> None:
        """Move on by one turn, whose words are `vocabulary`."""
        self.past.add(turn, cutter)
        self.recent = [*self.recent, vocabulary][-TURNS_BEFORE:]


def mined(turn: Turn, history: History, clean: Cleaner) -> MinedTurn:
    """Return what is kept of a turn, and move `history` on. `clean` takes secrets out of what is kept."""
    cutter = Cutter(clean)
    asked = words(turn.message)
    said = Echo((step, event.text) for step, event in enumerate(turn.events) if event.kind == "said")
    wrote = Echo((step, event.wrote) for step, event in enumerate(turn.events) if event.wrote)
    numbers_asked = frozenset(numbers(asked))
    spoken = numbers_asked.union(said.numbers)
    vocabulary = sorted(spoken)
    found = _candidates(turn, numbers_asked.union(*history.recent), said, wrote, clean) if turn.reads else []
    before = at_turn(history.past, turn) if found else None
    until: dict[str, During] = {}
    for candidate in found:
        note = candidate.paths[0] if candidate.paths else ""
        if str(candidate.step) not in until:
            until[str(candidate.step)] = during(turn, candidate.step, note, cutter)
    history.add(turn, vocabulary, cutter)
    return MinedTurn(
        key=turn.key,
        session=turn.session,
        number=turn.number,
        time=turn.time,
        message=turn.message,
        kind=turn.kind,
        cwd=turn.cwd,
        branch=turn.branch,
        by_program=turn.by_program,
        offset=turn.offset,
        events=len(turn.events) + len(turn.reads),
        reads=sum(bool(read.paths) for read in turn.reads),
        vocabulary=tuple(vocabulary),
        tools=tuple(sorted(set(wrote.numbers) - spoken)),
        written=turn.notes_written,
        opened=tuple(dict.fromkeys(read.path for read in turn.reads if read.how != "hook" and read.path)),
        reply=cutter.tail(turn.reply).text,
        before=before,
        until=until,
        said_in=said.places(frozenset(word for c in found for line in c.lines for word in line.said)),
        wrote_in=wrote.places(frozenset(word for c in found for line in c.lines for word in line.wrote)),
        candidates=tuple(found),
    )


class _Back(NamedTuple):
    """A line of which words came back."""

    place: int
    heading: str
    text: str
    said: frozenset[str]
    wrote: frozenset[str]

    def kept(self, others: frozenset[str]) -> Line:
        """Return what is kept of it; `others` are words that also stood elsewhere."""
        also = others & (self.said | self.wrote)
        words = (tuple(sorted(found)) for found in (self.said, self.wrote, also))
        return Line(self.text, self.place, self.heading, *words)


def _candidates(turn: Turn, known: AbstractSet[int], said: Echo, wrote: Echo, clean: Cleaner) -> list[Candidate]:
    found = list(_came_back(turn, known, said, wrote, clean))
    wanted = frozenset(word for _, lines in found for line in lines for word in (*line.said, *line.wrote))
    elsewhere = Elsewhere(turn, wanted)
    return [
        Candidate(
            read.paths,
            read.how,
            read.sure,
            read.offset,
            read.step,
            tuple(line.kept(elsewhere.than(read.paths)) for line in lines),
        )
        for read, lines in found
    ]


def _came_back(
    turn: Turn, known: AbstractSet[int], said: Echo, wrote: Echo, clean: Cleaner
) -> Iterator[tuple[Read, list[_Back]]]:
    """Yield the reads of a turn with those of their lines that came back, reads without any left out."""
    new_said, new_wrote = _new(said, known), _new(wrote, known)
    taken: set[tuple[bool, tuple[str, ...], str]] = set()
    looked_at: set[tuple[bool, tuple[str, ...], tuple[str, ...], int]] = set()
    step = -1
    # A word that the agent used before it read the line is no echo of it.
    said_since, wrote_since, since = new_said, new_wrote, new_said | new_wrote
    for read in sorted(turn.reads, key=lambda read: read.step):
        if read.step != step:
            step = read.step
            said_since = said_since.difference(*said.before(step))
            wrote_since = wrote_since.difference(*wrote.before(step))
            since = said_since | wrote_since
        if len(said_since) < ENOUGH and len(wrote_since) < ENOUGH:
            break
        again = (read.how == BY_LADDER, read.paths, read.lines, read.first)
        if again in looked_at:
            continue  # of the same lines fewer words come back after a later read
        looked_at.add(again)
        lines: list[_Back] = []
        for place, heading, raw, present in body(read):
            back = since.intersection(present)
            if len(back) < ENOUGH:
                continue
            reply, tools = back & said_since, back & wrote_since
            if len(reply) < ENOUGH and len(tools) < ENOUGH:
                continue
            text = clean(raw, present)
            if text != raw:
                left = line_words(text)
                reply, tools = reply & left, tools & left
            reply, tools = (reply if len(reply) >= ENOUGH else _NONE), (tools if len(tools) >= ENOUGH else _NONE)
            key = (read.how == BY_LADDER, read.paths, raw)
            if (not reply and not tools) or key in taken:
                continue
            if read.how != BY_LADDER and turn.injected and short_key(raw) in turn.injected:
                continue
            taken.add(key)
            lines.append(_Back(place, clean(heading), text, reply, tools))
        if lines:
            yield read, lines


def _new(echo: Echo, known: AbstractSet[int]) -> frozenset[str]:
    return frozenset([word for word, its in zip(echo.words, echo.numbers, strict=True) if its not in known])
