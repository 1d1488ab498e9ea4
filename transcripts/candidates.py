"""A turn to what mining keeps of it: lines that may be evidence, and the words to decide it with later.

Whether a word is uncommon is known only when all sessions have been read, so nothing is decided here that a threshold
decides: a line is kept when at least three of its words came back, however common they are.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from transcripts.contexts import SAID_CHARACTERS, During, Past, Said, at_turn, during
from transcripts.echo import Echo
from transcripts.reads import Read
from transcripts.turn import Turn
from transcripts.words import line_words, words

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
    vocabulary: str
    """The distinct words of message and reply, sorted, parted by blanks."""
    tools: str
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
    recent: list[list[str]] = field(default_factory=list)
    """The words of the last three turns' messages and replies."""

    def kept(self) -> "History":
        """Return a copy that what follows does not change."""
        return History(self.past.kept(), list(self.recent))

    def add(self, turn: Turn, vocabulary: frozenset[str]) -> None:
        """Move on by one turn."""
        self.past.add(turn)
        self.recent = [*self.recent, sorted(vocabulary)][-TURNS_BEFORE:]


def mined(turn: Turn, history: History, clean: Callable[[str], str]) -> MinedTurn:
    """Return what is kept of a turn, and move `history` on. `clean` takes secrets out of the text of notes."""
    asked = words(turn.message)
    texts = [(step, event.text) for step, event in enumerate(turn.events) if event.kind == "said"]
    said = Echo(texts, where=bool(turn.reads))
    wrote = Echo(((step, event.wrote) for step, event in enumerate(turn.events) if event.wrote), where=bool(turn.reads))
    vocabulary = asked | said.words
    found = _candidates(turn, asked.union(*history.recent), said, wrote, clean)
    before = at_turn(history.past, turn) if found else None
    until: dict[str, During] = {}
    for candidate in found:
        note = candidate.paths[0] if candidate.paths else ""
        if str(candidate.step) not in until:
            until[str(candidate.step)] = during(turn, candidate.step, note)
    history.add(turn, vocabulary)
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
        vocabulary=" ".join(sorted(vocabulary)),
        tools=" ".join(sorted(wrote.words - vocabulary)),
        written=turn.notes_written,
        opened=tuple(dict.fromkeys(read.path for read in turn.reads if read.how != "hook" and read.path)),
        reply="\n\n".join(text for _, text in texts)[-SAID_CHARACTERS:],
        before=before,
        until=until,
        said_in=said.places({word for c in found for line in c.lines for word in line.said}),
        wrote_in=wrote.places({word for c in found for line in c.lines for word in line.wrote}),
        candidates=tuple(found),
    )


def _candidates(
    turn: Turn, known: frozenset[str], said: Echo, wrote: Echo, clean: Callable[[str], str]
) -> list[Candidate]:
    if len(said.first.keys() - known) < ENOUGH and len(wrote.first.keys() - known) < ENOUGH:
        return []
    outputs = _outputs(turn)
    main = outputs.pop("")
    in_main: dict[str, bool] = {}
    found: list[Candidate] = []
    taken: set[tuple[tuple[str, ...], str]] = set()
    for read in sorted(turn.reads, key=lambda read: read.step):
        others = [text for path, text in outputs.items() if path not in read.paths]
        whole = "\n".join(read.lines)
        wash = clean if clean(whole) != whole else str
        elsewhere: dict[str, bool] = {}
        lines: list[Line] = []
        for number, heading, raw in body_lines(read):
            if raw in turn.injected or (read.paths, raw) in taken:
                continue
            text = wash(raw)
            fresh = line_words(text) - known
            in_reply = _since(fresh, said, read.step)
            in_tools = _since(fresh, wrote, read.step)
            if not in_reply and not in_tools:
                continue
            taken.add((read.paths, raw))
            echoed = {*in_reply, *in_tools}
            for word in echoed:
                if word not in in_main:
                    in_main[word] = word in main
                if word not in elsewhere:
                    elsewhere[word] = in_main[word] or any(word in output for output in others)
            also = tuple(sorted(word for word in echoed if elsewhere[word]))
            lines.append(Line(text, number, wash(heading), in_reply, in_tools, also))
        if lines:
            found.append(Candidate(read.paths, read.how, read.sure, read.offset, read.step, tuple(lines)))
    return found


def _since(fresh: frozenset[str], echo: Echo, step: int) -> tuple[str, ...]:
    """Return the words that were used after a read and not before it, () when they are too few."""
    found = [word for word in fresh if echo.first.get(word, -1) >= step]
    return tuple(sorted(found)) if len(found) >= ENOUGH else ()


def _outputs(turn: Turn) -> dict[str, str]:
    """Return what tools answered, case-folded, by the note that it is the text of ("" for all else)."""
    parts: dict[str, list[str]] = {"": []}
    for path, text in turn.outputs:
        parts.setdefault(path, []).append(text)
    return {path: "\n".join(texts).casefold() for path, texts in parts.items()}


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
