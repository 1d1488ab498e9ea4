"""Pairs: a question, and the lines of one note that answered it. What they are, and their file."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from notes.atomic import write_private_lines
from transcripts.logs.sessions import CLAUDE_CODE
from transcripts.turns.contexts import Said

By = Literal["agent", "ladder"]
Level = Literal["reply", "wrote"]
State = Literal["alive", "moved", "gone"]


class Evidence(NamedTuple):
    """A line of a note whose uncommon words came back."""

    text: str
    """Without the blanks around it."""
    words: tuple[tuple[str, int], ...]
    """The uncommon words that came back, each with the number of turns it stands in; rarest first."""
    rarest: int
    """The largest frequency among its best three words: a cut above it keeps the line."""
    rarest_in_all: int
    """The same when the words that the agent wrote into tools count for the frequencies too."""
    state: State
    """`alive`: it stands in this note today; `moved`: in another note, or under another heading; `gone`."""
    zone: str
    """`head`, `body` or `history`, where it stands today; "" when it is gone."""
    section: str
    """Title of the section it stands in today, or of the heading it was read under."""
    where: str
    """The note that holds it today; "" when it is gone."""
    only_here: bool
    """Three of the words stood in no other tool's output of the turn."""
    close: bool
    """Three of the words stand in one paragraph of what echoes them."""
    how: str
    """How the agent read it."""
    number: int
    """The line's number when it was read, 0 when unknown."""


class Pair(NamedTuple):
    """One question, with its context, and its evidence in one note."""

    id: str
    """The same in every run."""
    session: str
    turn: int
    key: str
    """The turn's key: the `uuid` of the message's record."""
    time: str
    """ISO, as logged (UTC)."""
    question: str
    kind: str
    """`typed`, `slash` or `queued`."""
    contexts: dict[str, Said]
    """By moment: `message`, `turn`, `read`."""
    note: str
    """Path relative to the notes root, with `.md`."""
    level: Level
    """`reply`: the words came back in what the agent said; `wrote`: in what it wrote into tools."""
    lines: tuple[Evidence, ...]
    """The rarest first."""
    state: State
    """`alive` when one of the lines is, else `moved` when one is, else `gone`."""
    zone: str
    """Of the rarest line that is alive; "" when none is."""
    rarest: int
    """The smallest of the lines' `rarest`."""
    rarest_in_all: int
    """The smallest of the lines' `rarest_in_all`."""
    only_here: bool
    """True for one of the lines."""
    close: bool
    """True for one of the lines."""
    named: bool
    """The user's message names the note."""
    own: bool
    """The agent wrote this note earlier in the session."""
    how: str
    """How the agent read the note first."""
    offset: int
    """Byte offset of the record that asked for the read."""
    by: By = "agent"
    """Who brought the lines into view; what ladder handed over takes no part in comparing ways of reading."""
    client: str = CLAUDE_CODE
    """Whose log it stands in: `claude-code`, `codex`, `gemini` or `opencode`."""

    @property
    def words(self) -> tuple[tuple[str, int], ...]:
        """All echoed words with their frequencies, rarest first."""
        return tuple(sorted({word for line in self.lines for word in line.words}, key=lambda word: (word[1], word[0])))


class Tally(NamedTuple):
    """What a run of mining counted."""

    sessions: int
    """With at least one turn."""
    logs: int
    """Files that have been read for them, those without a turn among them; sub-agents' own ones are not."""
    turns: int
    """All, by whomever they were begun."""
    questions: int
    """Turns with words of the person."""
    copies: int
    """Turns that a resumed session repeats."""
    reads: int
    """Reads of files that can be notes."""
    notes_read: int
    """Distinct notes among them, today's or gone, as far as they gave candidates."""
    delivered: dict[str, int]
    """Pairs whose lines ladder itself had handed over and the agent used, by level; in none of the other counts."""
    programs: int
    """Sessions left out because a program ran them."""
    left_out: int
    """Turns left out because the agent wrote to a note."""
    cut: int
    """A word is uncommon in fewer turns than this."""
    pairs: dict[str, dict[str, int]]
    """By level, then state."""
    lines: dict[str, dict[str, int]]
    """By level, then state."""
    notes: int
    """Distinct notes of pairs that are alive."""
    clients: dict[str, dict[str, int]]
    """For each client by name its `sessions`, `turns`, `reads` and `pairs`, in the order of those names."""


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write pairs as JSON, one a line, in a file that only its owner can read; it is replaced whole or not at all."""
    write_private_lines(
        path, (orjson.dumps(pair._asdict() | {"lines": [line._asdict() for line in pair.lines]}) for pair in pairs)
    )


def read_pairs(path: Path, by: By | None = "agent") -> list[Pair]:
    """Return the pairs of a file that `write_pairs` made; keys that this version does not know are left out.

    Those of lines that ladder handed over are left out, unless `by` asks for them, or for all (None).
    """
    found = []
    with path.open("rb") as file:
        for raw in file:
            value = orjson.loads(raw)
            value["lines"] = tuple(_made(Evidence, line) for line in value["lines"])
            if by is None or value.get("by", "agent") == by:
                found.append(_made(Pair, value))
    return found


def _made(kind: Callable[..., Any], value: dict[str, Any]) -> Any:  # noqa: ANN401 (an instance of `kind`)
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    if "words" in value:
        value["words"] = tuple((word, count) for word, count in value["words"])
    return kind(**{name: value[name] for name in names if name in value})
