"""Pairs: a question, and the lines of one note that answered it. The rule that makes them, and their file."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from transcripts.candidates import ENOUGH, Candidate, Line, MinedTurn
from transcripts.contexts import Said, alone, at_read
from transcripts.locate import Located, Locator, Today
from transcripts.private import write_private
from transcripts.words import line_words, number

Level = Literal["reply", "wrote"]
State = Literal["alive", "moved", "gone"]
SHARE = 0.03
"""A word is uncommon when it stands in the messages and replies of fewer than this share of the turns …

What was written into tools does not count; `rarest_in_all` says how rare the words are when it does: `def` and `int`
are rare in talk and nowhere else.
"""
FLOOR = 5
"""… or of fewer than this many."""


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

    @property
    def words(self) -> tuple[tuple[str, int], ...]:
        """All echoed words with their frequencies, rarest first."""
        return tuple(sorted({word for line in self.lines for word in line.words}, key=lambda word: (word[1], word[0])))


class Tally(NamedTuple):
    """What a run of mining counted."""

    sessions: int
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


def uncommon_below(turns: int, share: float = SHARE, floor: int = FLOOR) -> int:
    """Return the smallest number of turns in which a word is common."""
    return max(floor, math.ceil(share * turns))


def once(turns: Iterable[MinedTurn]) -> tuple[list[MinedTurn], int]:
    """Return the turns with copies left out, and how many copies there were.

    A resumed session repeats the records of the old one. Of several copies the fullest counts, and among equals the
    first: the order of the files changes nothing but that.
    """
    best: dict[str, MinedTurn] = {}
    copies = 0
    for turn in turns:
        known = best.get(turn.key)
        if known is not None:
            copies += 1
        if known is None or turn.events > known.events:
            best[turn.key] = turn
    return list(best.values()), copies


def pair_up(
    mined: Sequence[MinedTurn], locator: Locator, today: Today, *, share: float = SHARE, floor: int = FLOOR
) -> tuple[list[Pair], Tally]:
    """Return the pairs of all turns, by session and turn, and the counts. The threshold is applied here."""
    turns, copies = once(mined)
    turns.sort(key=lambda turn: (turn.session, turn.number))
    frequency = Counter(word for turn in turns for word in turn.vocabulary)
    in_all = frequency + Counter(word for turn in turns for word in turn.tools)
    cut = uncommon_below(len(turns), share, floor)
    pairs: list[Pair] = []
    written: dict[str, set[str]] = {}
    seen: set[str] = set()
    left_out = 0
    for turn in turns:
        own = written.setdefault(turn.session, set())
        now = {found.note for path in turn.written if (found := locator.find(path, turn.cwd))}
        if now:
            left_out += 1
        elif turn.message and turn.before:
            by_note = _by_note(turn, locator, today)
            seen.update(by_note)
            for note, lines in by_note.items():
                pairs.extend(_pairs(turn, note, lines, (frequency, in_all), cut, today, own=note in own))
        own |= now
    counts: dict[str, dict[str, dict[str, int]]] = {"pairs": {}, "lines": {}}
    for level in ("reply", "wrote"):
        chosen = [pair for pair in pairs if pair.level == level]
        counts["pairs"][level] = _states(pair.state for pair in chosen)
        counts["lines"][level] = _states(line.state for pair in chosen for line in pair.lines)
    tally = Tally(
        sessions=len({turn.session for turn in turns}),
        turns=len(turns),
        questions=sum(bool(turn.message) for turn in turns),
        copies=copies,
        reads=sum(turn.reads for turn in turns),
        notes_read=len(seen),
        left_out=left_out,
        cut=cut,
        pairs=counts["pairs"],
        lines=counts["lines"],
        notes=len({pair.note for pair in pairs if pair.state == "alive"}),
    )
    return pairs, tally


def _states(found: Iterable[str]) -> dict[str, int]:
    counted = Counter(found)
    return {state: counted[state] for state in ("alive", "moved", "gone")}


def _by_note(turn: MinedTurn, locator: Locator, today: Today) -> dict[str, list[tuple[Candidate, Line, bool]]]:
    """Return the candidate lines by the note that they belong to; True for lines whose note is a file of today."""
    found: dict[str, list[tuple[Candidate, Line, bool]]] = {}
    for candidate in turn.candidates:
        targets = [at for path in candidate.paths if path and (at := locator.find(path, turn.cwd))]
        for line in candidate.lines:
            chosen: Located | None = None
            if candidate.paths and targets and candidate.sure and targets[0].sure:
                chosen = targets[0]
            elif candidate.paths:
                chosen = next(
                    (at for at in targets if at.exists and today.offset(at.note, line.text) is not None), None
                )
            else:
                holders = today.elsewhere(line.text)
                chosen = Located(holders[0], exists=True, sure=True) if len(holders) == 1 else None
            if chosen:
                found.setdefault(chosen.note, []).append((candidate, line, chosen.exists))
    return found


def _pairs(
    turn: MinedTurn,
    note: str,
    lines: list[tuple[Candidate, Line, bool]],
    frequencies: tuple[Counter[int], Counter[int]],
    cut: int,
    today: Today,
    *,
    own: bool,
) -> Iterator[Pair]:
    levels: dict[Level, list[tuple[Candidate, Evidence]]] = {"reply": [], "wrote": []}
    taken: set[str] = set()
    for candidate, line, _ in lines:
        if line.text in taken:
            continue
        level: Level
        for level, echoed in (("reply", line.said), ("wrote", line.wrote)):
            frequency, in_all = frequencies
            rare = sorted((frequency[number(word)], word) for word in echoed if frequency[number(word)] < cut)
            if len(rare) >= ENOUGH:
                taken.add(line.text)
                places = turn.said_in if level == "reply" else turn.wrote_in
                everywhere = sorted(in_all[number(word)] for _, word in rare)[ENOUGH - 1]
                levels[level].append((candidate, _evidence(candidate, line, rare, everywhere, places, note, today)))
                break
    for level, evidence in levels.items():
        if not evidence:
            continue
        evidence.sort(key=lambda item: (item[1].rarest, item[1].number, item[1].text))
        first = min((candidate for candidate, _ in evidence), key=lambda candidate: (candidate.step, candidate.offset))
        texts = tuple(line for _, line in evidence)
        states = {line.state for line in texts}
        state: State = "alive" if "alive" in states else "moved" if "moved" in states else "gone"
        assert turn.before is not None
        yield Pair(
            id=hashlib.blake2b(f"{turn.key}\0{note}\0{level}".encode(), digest_size=8).hexdigest(),
            session=turn.session,
            turn=turn.number,
            key=turn.key,
            time=turn.time,
            question=turn.message,
            kind=turn.kind,
            contexts={
                "message": alone(turn.message, turn.cwd, turn.branch, turn.time),
                "turn": turn.before,
                "read": at_read(turn.before, turn.until[str(first.step)]),
            },
            note=note,
            level=level,
            lines=texts,
            state=state,
            zone=next((line.zone for line in texts if line.state == "alive"), ""),
            rarest=min(line.rarest for line in texts),
            rarest_in_all=min(line.rarest_in_all for line in texts),
            only_here=any(line.only_here for line in texts),
            close=any(line.close for line in texts),
            named=_named(note, turn.message),
            own=own,
            how=first.how,
            offset=first.offset,
        )


def _evidence(
    candidate: Candidate,
    line: Line,
    rare: list[tuple[int, str]],
    everywhere: int,
    places: dict[str, list[int]],
    note: str,
    today: Today,
) -> Evidence:
    state: State = "gone"
    where, zone, section = "", "", line.heading
    offset = today.offset(note, line.text)
    if offset is not None:
        place = today.place(note, offset)
        same = not line.heading or line_words(line.heading) in {line_words(title) for title in place.path}
        state, where, zone, section = "alive" if same else "moved", note, str(place.zone), place.section
    elif holders := today.elsewhere(line.text):
        at = today.offset(holders[0], line.text)
        place = today.place(holders[0], at or 0)
        state, where, zone, section = "moved", holders[0], str(place.zone), place.section
    together = Counter(paragraph for _, word in rare for paragraph in places.get(word, ()))
    free = sum(word not in line.elsewhere for _, word in rare)
    return Evidence(
        text=line.text,
        words=tuple((word, count) for count, word in rare),
        rarest=rare[ENOUGH - 1][0],
        rarest_in_all=everywhere,
        state=state,
        zone=zone,
        section=section,
        where=where,
        only_here=free >= ENOUGH,
        close=max(together.values(), default=0) >= ENOUGH,
        how=candidate.how,
        number=line.number,
    )


def _named(note: str, message: str) -> bool:
    """Tell whether a message names a note: by path, by its file's name, or by that without `.md` as a word."""
    text = message.casefold()
    base = note.rsplit("/", 1)[-1].casefold()
    stem = base.rsplit(".", 1)[0]
    return base in text or (len(stem) > 3 and f" {stem} " in f" {' '.join(text.split())} ")


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write pairs as JSON, one a line, in a file that only its owner can read; it is replaced whole or not at all."""
    write_private(
        path, (orjson.dumps(pair._asdict() | {"lines": [line._asdict() for line in pair.lines]}) for pair in pairs)
    )


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file that `write_pairs` made; keys that this version does not know are left out."""
    found = []
    with path.open("rb") as file:
        for raw in file:
            value = orjson.loads(raw)
            value["lines"] = tuple(_made(Evidence, line) for line in value["lines"])
            found.append(_made(Pair, value))
    return found


def _made(kind: Callable[..., Any], value: dict[str, Any]) -> Any:  # noqa: ANN401 (an instance of `kind`)
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    if "words" in value:
        value["words"] = tuple((word, count) for word, count in value["words"])
    return kind(**{name: value[name] for name in names})
