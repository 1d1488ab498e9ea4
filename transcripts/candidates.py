"""A turn to what mining keeps of it: lines that may be evidence, and the words to decide it with later.

Whether a word is uncommon is known only when all sessions have been read, so nothing is decided here that a threshold
decides: a line is kept when at least three of its words came back, however common they are.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from transcripts.contexts import Cutter, During, Past, Said, at_turn, during
from transcripts.echo import Echo
from transcripts.reads import Read
from transcripts.turn import Turn
from transcripts.words import line_words, loose_words, number, short_key, words

ENOUGH = 3
"""Words that must come back."""
TURNS_BEFORE = 3
"""Turns whose messages and replies a word must not have stood in."""
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY")
_TITLE = re.compile(r"(?:title|name)\s*:", re.IGNORECASE)


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


@dataclass(slots=True)
class History:
    """What must be known of the turns before, to go on with a session."""

    past: Past = field(default_factory=Past)
    recent: list[list[int]] = field(default_factory=list)
    """The words of the last three turns' messages and replies, as numbers."""

    def kept(self) -> "History":
        """Return a copy that what follows does not change."""
        return History(self.past.kept(), list(self.recent))

    def add(self, turn: Turn, vocabulary: set[int], cutter: Cutter) -> None:
        """Move on by one turn."""
        self.past.add(turn, cutter)
        self.recent = [*self.recent, sorted(vocabulary)][-TURNS_BEFORE:]


def mined(turn: Turn, history: History, clean: Callable[[str], str]) -> MinedTurn:
    """Return what is kept of a turn, and move `history` on. `clean` takes secrets out of what is kept."""
    cutter = Cutter(clean)
    asked = words(turn.message)
    said = Echo((step, event.text) for step, event in enumerate(turn.events) if event.kind == "said")
    wrote = Echo((step, event.wrote) for step, event in enumerate(turn.events) if event.wrote)
    vocabulary = {number(word) for word in asked | said.words}
    found = _candidates(turn, {number(word) for word in asked}.union(*history.recent), said, wrote, clean)
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
        offset=turn.offset,
        events=len(turn.events) + len(turn.reads),
        reads=sum(read.how != "hook" for read in turn.reads),
        vocabulary=tuple(sorted(vocabulary)),
        tools=tuple(sorted({number(word) for word in wrote.words} - vocabulary)),
        written=turn.notes_written,
        opened=tuple(dict.fromkeys(read.path for read in turn.reads if read.how != "hook" and read.path)),
        reply=cutter.tail(turn.reply),
        before=before,
        until=until,
        said_in=said.places({word for c in found for line in c.lines for word in line.said}),
        wrote_in=wrote.places({word for c in found for line in c.lines for word in line.wrote}),
        candidates=tuple(found),
    )


def _candidates(turn: Turn, known: set[int], said: Echo, wrote: Echo, clean: Callable[[str], str]) -> list[Candidate]:
    if not turn.reads:
        return []
    new_said, new_wrote = _new(said, known), _new(wrote, known)
    if len(new_said) < ENOUGH and len(new_wrote) < ENOUGH:
        return []
    elsewhere = Elsewhere(turn)
    found: list[Candidate] = []
    taken: set[tuple[tuple[str, ...], str]] = set()
    for read in sorted(turn.reads, key=lambda read: read.step):
        wash: Callable[[str], str] | None = None
        lines: list[Line] = []
        for place, heading, raw in body_lines(read):
            present = line_words(raw)
            in_reply, in_tools = present & new_said, present & new_wrote
            if (len(in_reply) < ENOUGH and len(in_tools) < ENOUGH) or (
                turn.injected and short_key(raw) in turn.injected
            ):
                continue
            if wash is None:
                whole = "\n".join(read.lines)
                wash = clean if clean(whole) != whole else str
            text = wash(raw)
            if text != raw:
                in_reply, in_tools = in_reply & line_words(text), in_tools & line_words(text)
            reply, tools = _since(in_reply, said, read.step), _since(in_tools, wrote, read.step)
            if (not reply and not tools) or (read.paths, raw) in taken:
                continue
            taken.add((read.paths, raw))
            also = tuple(sorted(word for word in {*reply, *tools} if elsewhere.holds(word, read.paths)))
            lines.append(Line(text, place, wash(heading), reply, tools, also))
        if lines:
            found.append(Candidate(read.paths, read.how, read.sure, read.offset, read.step, tuple(lines)))
    return found


def _new(echo: Echo, known: set[int]) -> frozenset[str]:
    return frozenset(word for word in echo.words if number(word) not in known)


def _since(found: frozenset[str], echo: Echo, step: int) -> tuple[str, ...]:
    """Return the words that were used after a read and not before it, () when they are too few."""
    if len(found) < ENOUGH:
        return ()
    since = [word for word in found if echo.first[word] >= step]
    return tuple(sorted(since)) if len(since) >= ENOUGH else ()


class Elsewhere:
    """Which words stood in tool outputs of a turn that are not the text of a certain note."""

    def __init__(self, turn: Turn) -> None:
        """Nothing is looked at until it is asked."""
        self._turn = turn

    @cached_property
    def _words(self) -> dict[str, set[bytes]]:
        texts: dict[str, list[str]] = {}
        for path, text in self._turn.outputs:
            texts.setdefault(path, []).append(text)
        return {path: loose_words("\n".join(parts)) for path, parts in texts.items()}

    def holds(self, word: str, notes: tuple[str, ...]) -> bool:
        """Tell whether a word stood in an output that is not the text of one of `notes`."""
        raw = word.encode("utf-8", "replace")
        return any(raw in found for path, found in self._words.items() if path not in notes)


def body_lines(read: Read) -> Iterator[tuple[int, str, str]]:
    """Yield number, heading above and text of each line of a read.

    Blank lines, titles, headings and private keys are left out.
    """
    heading = ""
    lines = read.lines
    fenced = key = False
    front = read.first <= 1 and bool(lines) and lines[0].rstrip() == "---"
    for index, raw in enumerate(lines):
        text = raw.strip()
        if key or ("-----BEGIN" in text and _KEY.search(text)):
            key = "-----END" not in text
            continue
        if front:
            front = not index or text not in ("---", "...")
            if index and front and text and not _TITLE.match(text):
                yield (read.first + index if read.first else 0), "", text
            continue
        if text.startswith(("```", "~~~")):
            fenced = not fenced
        if not text:
            continue
        if not fenced:
            if _HEADING.match(raw):
                heading = text.strip("#").strip()
                continue
            following = lines[index + 1] if index + 1 < len(lines) else ""
            if _UNDERLINE.match(following) and not text.startswith(("-", "|")):
                heading = text
                continue
        yield (read.first + index if read.first else 0), heading, text
