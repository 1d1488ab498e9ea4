"""Does what the notes hold reach the agent? Whole sessions are replayed through the hook's own code, event by event.

Each session meets the notes as they stood when it began, in a folder of its own, and a log that grows as it did. Of
each mined pair is asked: was a line of its evidence handed over before the agent read it by itself, at which event, and
what had been spent by then? In the same run is counted how often the hook spoke in turns that needed no note.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.questions import note_name
from bench.tasks.next_note import located
from ladder.client.contract import FILE_TOOLS, SEARCH_TOOLS, SHELL_TOOLS
from ladder.hook.edge import Reply
from ladder.hook.event import MOMENTS, Moment
from ladder.hook.main import answer_event
from ladder.index.overlay import open_fresh
from ladder.indexing.pipeline import build_index
from ladder.indexing.token_counts import count_many
from ladder.indexing.update import surroundings_of
from ladder.lean.paths import make_folder
from notes import find_notes, folder_settings
from transcripts import session_turns, working_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.corpus.corpus import Corpus
    from bench.corpus.versions import Version
    from bench.tasks.next_note import Notes
    from ladder.index.overlay import FreshIndex
    from ladder.learning.model import Learned
    from transcripts import Session, Turn
    from transcripts.logs.locate import Locator

#: How a log says that the conversation was compacted: what was handed over before is gone from it.
_COMPACTED = b'"subtype":"compact_boundary"'
#: What the hook answers when it does not say itself at which moment it speaks.
_MOMENT_OF = {"SessionStart": "start", "UserPromptSubmit": "message", "PreToolUse": "call"}


class Variant(NamedTuple):
    """One way to set the hook."""

    budget: int | None = None
    """`hook_budget`; None for what ships."""
    gate: float | None = None
    """The gate's threshold; None for what ships."""
    moments: tuple[str, ...] = MOMENTS
    """The setting of that name."""

    @property
    def name(self) -> str:
        """What differs from what ships, in words."""
        said = [f"budget {self.budget}"] * (self.budget is not None) + [f"gate {self.gate}"] * (self.gate is not None)
        if self.moments != MOMENTS:
            said.append(f"{'+'.join(self.moments)} only")
        return ", ".join(said) or "as shipped"


class Handed(NamedTuple):
    """A text that the hook handed over."""

    moment: str
    turn: int
    """Number of the turn; 0 before the first."""
    offset: int
    """Where the log stood, bytes."""
    tokens: int
    text: str
    notes: tuple[str, ...] = ()
    """Those shown or named in it."""


class Wanted(NamedTuple):
    """A mined pair as it is looked for."""

    turn: int
    offset: int
    """Where the agent asked for the note, bytes of the log; the turn's end when a sub-agent did."""
    note: str
    lines: tuple[str, ...]
    """The evidence that stood in the note when the session began."""


@dataclass
class Told:
    """What one session was told under one variant."""

    session: str
    handed: list[Handed] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    """Where the log stood when the conversation was compacted."""
    vain: list[bool] = field(default_factory=list)
    """Of each turn that needed no note, whether the hook spoke at its message."""
    needless: list[int] = field(default_factory=list)
    """The numbers of these turns."""

    def first(self, wanted: Wanted) -> Handed | None:
        """The first text that held a line of the evidence before the agent opened the note, and still stood there."""
        for each in self.handed:
            if (each.turn, each.offset) >= (wanted.turn, wanted.offset):
                break
            if any(each.offset < at <= wanted.offset for at in self.lost):
                continue
            shown = {line.strip() for line in each.text.split("\n")}
            if any(line in shown for line in wanted.lines):
                return each
        return None

    def names(self, wanted: Wanted) -> bool:
        """Whether a text named the note before the agent opened it."""
        return any(
            wanted.note in each.text and (each.turn, each.offset) < (wanted.turn, wanted.offset)
            for each in self.handed
            if each.moment != "start"
        )


@dataclass
class Replayed:
    """A session under all variants."""

    session: str
    time: str
    turns: int
    wanted: list[Wanted]
    read: int
    """Tokens of notes that the agent read by itself."""
    told: list[Told]
    opened: list[tuple[int, str]] = field(default_factory=list)
    """Each note that the agent read, with where it asked for it."""

    def used(self, handed: Handed) -> list[bool]:
        """Of each note handed over that had not been read, whether the agent read it later."""
        before = {note for offset, note in self.opened if offset < handed.offset}
        later = {note for offset, note in self.opened if offset >= handed.offset}
        return [note in later for note in handed.notes if note not in before]


class _Asked(Moment):
    """An event that meets the notes as they stood, and a session's state of its own."""

    __slots__ = ("known", "variant", "when")

    def __init__(
        self,
        event: dict[str, object],
        index: FreshIndex,
        folder: str,
        variant: Variant,
        known: Learned | None,
        now: str,
    ) -> None:
        super().__init__(event, Reply(), time.perf_counter())
        self._index = index
        self._looked = True
        self.folder = folder
        self.variant = variant
        self.known = known
        self.when = now

    def setting(self, name: str) -> object:
        varied = {
            "hook_budget": self.variant.budget, "gate": self.variant.gate, "moments": self.variant.moments,
        }.get(name)  # fmt: skip
        return super().setting(name) if varied is None else varied

    def learned(self) -> Learned | None:
        return self.known

    @property
    def now(self) -> str:
        return self.when

    def answer(self) -> str:
        """What the hook hands over."""
        answer_event(self)
        output: Any = (self.reply.document or {}).get("hookSpecificOutput", {})
        return str(output.get("additionalContext", ""))


class Past:
    """A corpus's notes as folders and indexes, each version made when a session first needs it."""

    def __init__(self, notes: Notes, place: Path) -> None:
        """`place` is a folder that is thrown away."""
        self.notes = notes
        self.place = place
        self._indexes: dict[str, FreshIndex] = {}

    def at(self, version: Version) -> FreshIndex:
        """The index over the version's files."""
        if version.commit not in self._indexes:
            root = self.place / version.commit
            root.mkdir(parents=True)
            archive = subprocess.run(
                ["git", "-C", str(self.notes.versions.folder), "archive", version.commit, "."],
                capture_output=True,
                check=True,
            )
            subprocess.run(["tar", "-x", "-C", str(root)], input=archive.stdout, check=True)
            settings = folder_settings(root)
            files = find_notes(settings)
            changed = self.notes.changed(version)
            for file in files:
                moment = changed.get(file.name, 0.0)
                os.utime(file.path, (moment, moment))
            target = self.place / f"{version.commit}.ladder"
            build_index(find_notes(settings), target, root=str(root), surroundings=surroundings_of(settings))
            self._indexes[version.commit] = open_fresh(str(target))
        return self._indexes[version.commit]


def replay(
    corpus: Corpus, notes: Notes, place: Path, variants: Sequence[Variant], *, learning: bool = False, half: str = "all"
) -> Iterator[Replayed]:
    """Replay the sessions of a corpus, in order of time; `half` is all, early or late."""
    make_folder(place)
    folders = {folder for session in corpus.sessions if (folder := working_folder(session))}
    locate = located(notes, folders)
    past = Past(notes, place)
    learned = corpus.learned if learning else {}
    begun = []
    for session in corpus.sessions:
        first = next(iter(session_turns(session)), None)
        if first is not None:
            begun.append((first.time, session.id, session))
    begun.sort(key=lambda each: each[:2])
    middle = len(begun) // 2
    chosen = {"all": begun, "early": begun[:middle], "late": begun[middle:]}[half]
    for began, _, session in chosen:
        version = notes.at(began)
        if version is not None:
            index = past.at(version)
            texts = notes.texts(version)
            yield _session(corpus, session, began, index, texts, locate, place, variants, learned.get(session.id))


def _session(
    corpus: Corpus,
    session: Session,
    began: str,
    index: FreshIndex,
    texts: dict[str, bytes],
    locate: Any,  # noqa: ANN401 (what `located` gives)
    place: Path,
    variants: Sequence[Variant],
    learned: Learned | None,
) -> Replayed:
    told = [Told(session.id) for _ in variants]
    echoed = {(pair.session, pair.turn) for pair in corpus.found.pairs}
    log = place / "session.jsonl"
    data = session.file.read_bytes()
    compacted = _places(data, _COMPACTED)
    found = list(session_turns(session))
    read: list[str] = []
    opened: list[tuple[int, str]] = []
    with log.open("wb") as target:
        grown = 0

        def event(name: str, turn: int, offset: int, now: str, **fields: object) -> list[bool]:
            nonlocal grown
            if offset > grown:
                target.write(data[grown:offset])
                target.flush()
                grown = offset
            spoke = []
            for number, (variant, each) in enumerate(zip(variants, told, strict=True)):
                given = {
                    "hook_event_name": name, "session_id": session.id, "transcript_path": str(log), "cwd": index.root,
                    **fields,
                }  # fmt: skip
                asked = _Asked(given, index, str(place / f"state-{number}"), variant, learned, now)
                text = asked.answer()
                if text:
                    moment, named = str(asked.record.get("w", _MOMENT_OF[name])), asked.record.get("n", ())
                    notes = tuple(str(row[0]) for row in named) if isinstance(named, list) else ()
                    each.handed.append(Handed(moment, turn, offset, 0, text, notes))
                spoke.append(bool(text))
            return spoke

        event("SessionStart", 0, 0, began, source="startup")
        for turn in found:
            while compacted and compacted[0] <= turn.offset:
                at = compacted.pop(0)
                for one in told:
                    one.lost.append(at)
                event("SessionStart", turn.number, at, turn.time, source="compact")
            locator = locate(turn)
            if locator:
                mine = [each for each in turn.reads if any(locator.find(path, turn.cwd) for path in each.paths)]
                read += ["\n".join(each.lines) for each in mine]
                places = [(each.offset, locator.find(path, turn.cwd)) for each in turn.reads for path in each.paths]
                opened += [(offset, note_name(place.note)) for offset, place in places if place]
            if turn.message and turn.kind != "queued":  # what is typed while the agent works fires no event
                spoke = event("UserPromptSubmit", turn.number, turn.offset, turn.time, prompt=turn.message)
                if not (turn.reads or turn.notes_written or (turn.session, turn.number) in echoed):
                    for each, now in zip(told, spoke, strict=True):
                        each.vain.append(now)
                        each.needless.append(turn.number)
            for given, offset in _calls(turn, index.root, locator, data):
                event("PreToolUse", turn.number, offset, turn.time, **given)
    for each in told:
        costs = count_many([handed.text.encode("utf-8", "replace") for handed in each.handed])
        each.handed = [handed._replace(tokens=cost) for handed, cost in zip(each.handed, costs, strict=True)]
    ends = {turn.number: turn.events[-1].offset + 1 if turn.events else turn.offset for turn in found}
    wanted = list(_wanted(corpus, session.id, texts, ends))
    own = sum(count_many([text.encode("utf-8", "replace") for text in read]))
    return Replayed(session.id, began, len(found), wanted, own, told, opened)


def _places(data: bytes, sign: bytes) -> list[int]:
    """Where the lines with `sign` begin."""
    found = []
    at = data.find(sign)
    while at >= 0:
        found.append(data.rfind(b"\n", 0, at) + 1)
        at = data.find(sign, at + 1)
    return found


def _calls(
    turn: Turn, root: str, locator: Locator | None, data: bytes
) -> Iterator[tuple[dict[str, object], int]]:
    """Yield the calls for which the client starts the hook, with paths as they are in the folder of then.

    `data` is the session's log.
    """
    here = turn.cwd.replace("\\", "/").rstrip("/")
    for event in turn.events:
        if event.kind != "called":
            continue
        if event.tool in FILE_TOOLS and event.path:
            place = locator.find(event.path, turn.cwd) if locator else None
            path = event.path.replace("\\", "/")
            if place is not None and place.exists:
                path = f"{root}/{place.note}"
            elif here and path.startswith(here + "/"):
                path = root + path[len(here) :]
            given: dict[str, object] = {FILE_TOOLS[event.tool]: path}
        elif event.tool in SHELL_TOOLS and event.text:
            given = {"command": event.text.replace(turn.cwd, root) if turn.cwd else event.text}
        elif event.tool in SEARCH_TOOLS:
            given = _input(data, event.offset, event.tool)
        else:
            continue
        yield {"tool_name": event.tool, "tool_input": given, "tool_use_id": f"call-{event.offset}"}, event.offset


def _input(data: bytes, offset: int, tool: str) -> dict[str, object]:
    """The input of the first call of a tool in the record at `offset`."""
    record = json.loads(data[offset : data.find(b"\n", offset) + 1 or len(data)])
    content = record.get("message", {}).get("content", [])
    return next((dict(block["input"]) for block in content if block.get("name") == tool), {})


def _wanted(corpus: Corpus, session: str, texts: dict[str, bytes], ends: dict[int, int]) -> Iterator[Wanted]:
    """Yield the pairs of a session of whose evidence a line stood in the note when it began, one a turn and note."""
    found: dict[tuple[int, str], Wanted] = {}
    for pair in corpus.found.pairs:
        if pair.session != session or (corpus.level not in ("any", pair.level)):
            continue
        note = note_name(pair.note)
        then = texts.get(note, b"").decode("utf-8", "replace")
        stood = {line.strip() for line in then.split("\n")}
        lines = tuple(line.text for line in pair.lines if line.text in stood)
        if not lines:
            continue
        offset = ends.get(pair.turn, pair.offset) if pair.how == "subagent" else pair.offset
        before = found.get((pair.turn, note))
        if before is not None:
            offset, lines = min(offset, before.offset), tuple(dict.fromkeys((*before.lines, *lines)))
        found[pair.turn, note] = Wanted(pair.turn, offset, note, lines)
    yield from found.values()
