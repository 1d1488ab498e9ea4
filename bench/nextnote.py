"""The next note: where does a note stand in the ranking just before the agent opens it for the first time?

An event is the first opening of a note in a session, by a Read tool or a shell command, that the user's message did not
name. Each is asked at the three moments (see `questions.MOMENTS`) of the notes as they stood that day, through the
product's public API. Names of notes in the agent's words, commands and results are masked: else the task is reading,
not routing. What was learned comes from sessions that began earlier, and from nothing of the same session.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.questions import note_name
from bench.versions import Version, Versions, when
from ladder.context import Context, query
from ladder.learn import Lesson, learn
from ladder.learned import open_learned
from ladder.route import survey
from notes import NoteFile
from transcripts import Past, at_message, at_read, at_turn, during, turns, working_folder
from transcripts.contexts import Cutter, masked
from transcripts.locate import Locator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ladder.cold import Index
    from ladder.route import Scene
    from transcripts import Session, Turn

#: How a note can be opened by the agent's choice; memory files that the client loads by itself are none.
CHOSEN = ("Read", "Bash", "PowerShell")
#: How a note gets before the agent: these, and what the client loads. A search that shows a line is no opening.
INTO_VIEW = (*CHOSEN, "nested_memory", "attachment")


@dataclass(frozen=True, slots=True)
class Opening:
    """The first opening of a note in a session."""

    corpus: str
    session: str
    turn: str
    """The turn's key."""
    time: str
    note: str
    """The note's name, relative to the notes root, without `.md`."""
    how: str
    contexts: Mapping[str, Mapping[str, Any]]
    """For each moment the context, names of notes masked."""
    before: tuple[str, ...]
    """Names of the notes that the session had opened or written before, oldest first."""
    version: str
    """The commit of the notes as they stood."""
    named: bool
    """The message names the note's file."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """A turn in which no note was opened or came back: a hook that speaks here is in the way."""

    corpus: str
    session: str
    turn: str
    time: str
    kind: str
    context: Mapping[str, Any]
    version: str


@dataclass(slots=True)
class Seen:
    """What the logs of a corpus hold, in order of time."""

    openings: list[Opening] = field(default_factory=list)
    quiet: list[Quiet] = field(default_factory=list)
    started: dict[str, str] = field(default_factory=dict)
    """For each session when it began, ISO."""


class Notes:
    """A corpus's notes through time, each version indexed when it is first asked for."""

    def __init__(self, versions: Versions, keep: Path) -> None:
        """`keep` is the folder for the indexes."""
        self.versions = versions
        self._keep = keep
        self._index: dict[str, Index] = {}
        self._by_commit = {version.commit: version for version in versions.versions}

    def at(self, time: str) -> Version | None:
        """The newest version not younger than an ISO time."""
        return self.versions.at(when(time))

    def names(self, version: Version) -> list[str]:
        """Paths of the notes of a version, relative to the root."""
        return sorted(self.versions.tree(version))

    def index(self, commit: str) -> Index:
        """The product's index of a version, with when each note last changed as far as the history tells."""
        from ladder.build import PreparedNotes, build_from_bytes  # noqa: PLC0415 (the bench starts without the product)
        from ladder.cold import open_index  # noqa: PLC0415 (as above)

        if commit not in self._index:
            version = self._by_commit[commit]
            target = self._keep / f"{commit}.ladder"
            if not target.exists():
                self._keep.mkdir(parents=True, exist_ok=True)
                files = {note_name(path): data for path, data in self.versions.files(version).items()}
                self._prepared = getattr(self, "_prepared", None) or PreparedNotes()
                build_from_bytes(files, target, changed=self._changed(version), prepared=self._prepared)
            self._index[commit] = open_index(str(target))
        return self._index[commit]

    def _changed(self, version: Version) -> dict[str, float]:
        """When each note took its present form; notes that never changed have no time."""
        found: dict[str, float] = {}
        before: Mapping[str, str] | None = None
        for each in self.versions.versions:
            tree = self.versions.tree(each)
            if before is not None:
                for path, blob in tree.items():
                    if before.get(path) != blob:
                        found[note_name(path)] = each.time.timestamp()
            before = tree
            if each.commit == version.commit:
                break
        return found


def openings(corpus: str, sessions: Iterable[Session], notes: Notes) -> Seen:
    """Return all first openings and quiet turns of a corpus's sessions."""
    seen = Seen()
    sessions = list(sessions)
    folders = {folder for session in sessions if (folder := working_folder(session.file))}
    locators: dict[str, Locator] = {}
    for session in sessions:
        past = Past()
        known: dict[str, None] = {}
        cutter = Cutter()
        for turn in turns(session):
            seen.started.setdefault(session.id, turn.time)
            version = notes.at(turn.time)
            if version is not None:
                locator = locators.get(version.commit)
                if locator is None:
                    locator = locators[version.commit] = _locator(notes, version, folders)
                _turn(seen, corpus, turn, past, known, locator, version)
            past.add(turn, cutter)
    seen.openings.sort(key=lambda each: (each.time, each.session))
    seen.quiet.sort(key=lambda each: (each.time, each.session))
    return seen


def _locator(notes: Notes, version: Version, folders: set[str]) -> Locator:
    root = Path("/notes")
    files = [NoteFile(str(root / path), note_name(path), 0, 0) for path in notes.names(version)]
    return Locator(files, root, folders)


def _turn(
    seen: Seen,
    corpus: str,
    turn: Turn,
    past: Past,
    known: dict[str, None],
    locator: Locator,
    version: Version,
) -> None:
    """Add a turn's openings, or the turn itself when it has none; `known` are the notes seen in the session so far."""
    before = at_turn(past, turn)
    start = tuple(known)
    acts = [(read.step, 1, read.how, path) for read in turn.reads if read.how in INTO_VIEW for path in read.paths]
    acts += [
        (step, 0, "written", event.path)
        for step, event in enumerate(turn.events)
        if event.kind == "called" and event.tool in ("Write", "Edit", "MultiEdit") and event.path
    ]
    asked = turn.message.replace("\\", "/").casefold()
    any_note = False
    for step, _, how, path in sorted(acts):
        located = locator.find(path, turn.cwd)
        if located is None or not located.exists or not (located.sure or how == "written"):
            continue
        any_note = True
        name = note_name(located.note)
        if name in known:
            continue
        if how in CHOSEN:
            reading = at_read(before, during(turn, step, path))
            seen.openings.append(
                Opening(
                    corpus=corpus,
                    session=turn.session,
                    turn=turn.key,
                    time=turn.time,
                    note=name,
                    how=how,
                    contexts={
                        "message": dict(at_message(turn)),
                        "turn": hidden(before, start),
                        "read": hidden(reading, tuple(known)),
                    },
                    before=tuple(known),
                    version=version.commit,
                    named=name.casefold().rpartition("/")[2] + ".md" in asked,
                )
            )
        known[name] = None
    if not any_note and turn.kind != "machine":
        seen.quiet.append(
            Quiet(corpus, turn.session, turn.key, turn.time, turn.kind, hidden(before, start), version.commit)
        )


def hidden(said: Mapping[str, Any], opened: tuple[str, ...]) -> dict[str, Any]:
    """Return a context with names of notes masked everywhere but in the message, and `opened` as given."""
    found = dict(said)
    found["said"] = [[role, masked(text)] for role, text in said["said"]]
    found["commands"] = [masked(text) for text in said["commands"]]
    found["results"] = [masked(text) for text in said["results"]]
    found["touched"] = [path for path in said["touched"] if not path.lower().endswith((".md", ".mdx", ".markdown"))]
    found["opened"] = [name + ".md" for name in opened]
    return found


@dataclass(frozen=True, slots=True)
class Ranked:
    """Where the note stood at one moment."""

    opening: Opening
    rank: int
    """From 1 among the product's candidates; 0 when it was not among them."""


def rank_all(
    seen: Seen,
    notes: Notes,
    folder: Path,
    *,
    moment: str,
    learning: bool = True,
    watch: Callable[[Sequence[Opening]], Iterable[Opening]] = iter,
) -> list[Ranked]:
    """Return the rank of each opening at one moment, learning from earlier sessions in `folder` as time goes on."""
    found = []
    for opening, scene in scenes(seen, notes, folder, moment=moment, learning=learning, watch=watch):
        wanted = next((n for n in scene.candidates if scene.index.note(n).name == opening.note), -1)
        found.append(Ranked(opening, scene.candidates.index(wanted) + 1 if wanted >= 0 else 0))
    return found


def scenes(
    seen: Seen,
    notes: Notes,
    folder: Path,
    *,
    moment: str,
    learning: bool = True,
    watch: Callable[[Sequence[Opening]], Iterable[Opening]] = iter,
) -> Iterator[tuple[Opening, Scene]]:
    """Yield each opening that its message did not name, with what the product made of its context at one moment."""
    for opening, target in taught(seen, folder, learning=learning, watch=watch):
        if not opening.named:
            learned = open_learned(str(target)) if learning else None
            asked = query(Context(**opening.contexts[moment]))
            yield opening, survey(notes.index(opening.version), asked, learned=learned)


def taught(
    seen: Seen,
    folder: Path,
    *,
    learning: bool = True,
    watch: Callable[[Sequence[Opening]], Iterable[Opening]] = iter,
) -> Iterator[tuple[Opening, Path]]:
    """Yield the openings session by session, with the file of what all sessions that began earlier have taught."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "learned"
    for path in folder.glob("learned*"):
        path.unlink()
    order = sorted(seen.openings, key=lambda each: (seen.started[each.session], each.session, each.time))
    waiting = list(seen.openings)
    current = ""
    for opening in watch(order):
        if learning and opening.session != current:
            current, start = opening.session, seen.started[opening.session]
            ready = [each for each in waiting if each.time < start and each.session != current]
            waiting = [each for each in waiting if each.time >= start or each.session == current]
            learn([lesson(each) for each in ready], target)
        yield opening, target


def lesson(opening: Opening) -> Lesson:
    """Return what an opening teaches."""
    return Lesson(
        turn=f"{opening.session} {opening.turn}",
        time=opening.time,
        context=opening.contexts["read"],
        note=opening.note,
    )
