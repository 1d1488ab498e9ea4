"""The next-note task: the rank of a note just before the agent opens it for the first time in a session.

An event is the first opening of a note in a session, by a Read tool or a shell command, that the user's message did not
name. Each is asked at the three moments (see `questions.MOMENTS`) of the notes as they stood that day, through the
product's public API. Names of notes in the agent's words, commands and results are masked: else the task is reading,
not routing. What was learned comes from sessions that began earlier, and from nothing of the same session.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.corpus.versions import Version, Versions, when
from bench.questions import note_name
from ladder.index.format import IndexBroken
from ladder.index.reader import open_index
from ladder.learning.model import open_learned
from ladder.learning.update import Lesson, learn, lesson
from ladder.query.query import Context, query
from ladder.ranking.survey import survey
from notes import NoteFile
from transcripts import session_turns, working_folder
from transcripts.logs.locate import Locator
from transcripts.turns.openings import openings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ladder.index.reader import Index
    from ladder.indexing.pipeline import PreparedNotes
    from ladder.ranking.search import Search
    from transcripts import Session, Turn


@dataclass(frozen=True, slots=True)
class Opening:
    """The first opening of a note in a session."""

    session: str
    time: str
    note: str
    """The note's name, relative to the notes root, without `.md`."""
    how: str
    contexts: Mapping[str, Mapping[str, Any]]
    """For each moment the context, names of notes masked."""
    version: str
    """The commit of the notes as they stood."""
    named: bool
    """The message names the note's file."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn: its context at the start, what it opened, and whether it met any note at all."""

    session: str
    key: str
    time: str
    kind: str
    context: Mapping[str, Any]
    openings: tuple[Opening, ...]
    met: bool
    version: str

    @property
    def quiet(self) -> bool:
        """Whether the turn went without any note: a hook that speaks here is in the way."""
        return not self.met


@dataclass(slots=True)
class Seen:
    """What the logs of a corpus hold, in order of time."""

    turns: list[Asked] = field(default_factory=list)
    started: dict[str, str] = field(default_factory=dict)
    """For each session when it began, ISO."""

    @property
    def openings(self) -> list[Opening]:
        """All first openings."""
        return [opening for turn in self.turns for opening in turn.openings]


class Notes:
    """A corpus's notes through time, each version indexed when it is first asked for."""

    def __init__(self, versions: Versions, keep: Path) -> None:
        """`keep` is the folder for the indexes."""
        self.versions = versions
        self._keep = keep
        self._index: dict[str, Index] = {}
        self._texts: dict[str, dict[str, bytes]] = {}
        self._prepared: PreparedNotes | None = None
        self._by_commit = {version.commit: version for version in versions.versions}

    def at(self, time: str) -> Version | None:
        """The newest version not younger than an ISO time."""
        return self.versions.at(when(time))

    def names(self, version: Version) -> list[str]:
        """Paths of the notes of a version, relative to the root."""
        return sorted(self.versions.tree(version))

    def texts(self, version: Version) -> dict[str, bytes]:
        """The bytes of the notes of a version, by name."""
        if version.commit not in self._texts:
            self._texts = {version.commit: {note_name(path): d for path, d in self.versions.files(version).items()}}
        return self._texts[version.commit]

    def index(self, commit: str) -> Index:
        """The product's index of a version, with when each note last changed as far as the history tells."""
        from ladder.indexing.pipeline import PreparedNotes, build_from_bytes  # noqa: PLC0415 (the bench starts without the builder)

        if commit not in self._index:
            target = self._keep / f"{commit}.ladder"
            try:
                self._index[commit] = open_index(str(target))
            except IndexBroken:
                version = self._by_commit[commit]
                self._keep.mkdir(parents=True, exist_ok=True)
                files = {note_name(path): data for path, data in self.versions.files(version).items()}
                self._prepared = self._prepared or PreparedNotes()
                build_from_bytes(files, target, changed=self.changed(version), prepared=self._prepared)
                self._index[commit] = open_index(str(target))
        return self._index[commit]

    def changed(self, version: Version) -> dict[str, float]:
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


def look(sessions: Iterable[Session], notes: Notes) -> Seen:
    """Return all turns of a corpus's sessions with what they opened."""
    seen = Seen()
    sessions = list(sessions)
    folders = {folder for session in sessions if (folder := working_folder(session))}
    locate = located(notes, folders)
    for session in sessions:
        for found in openings(session_turns(session), locate):
            turn, version = found.turn, notes.at(found.turn.time)
            assert version is not None
            seen.started.setdefault(turn.session, turn.time)
            asked = turn.message.replace("\\", "/").casefold()
            opened = tuple(
                Opening(
                    session=turn.session,
                    time=turn.time,
                    note=note_name(each.note),
                    how=each.how,
                    contexts={
                        "message": {"message": turn.message, "cwd": turn.cwd, "now": turn.time},
                        "turn": found.start,
                        "read": each.before,
                    },
                    version=version.commit,
                    named=each.note.casefold().rpartition("/")[2] in asked,
                )
                for each in found.opened
            )
            if turn.kind != "machine":
                seen.turns.append(
                    Asked(turn.session, turn.key, turn.time, turn.kind, found.start, opened, found.met, version.commit)
                )
    seen.turns.sort(key=lambda each: (seen.started[each.session], each.session, each.time))
    # A resumed session repeats turns of the one that it goes on from: the first copy counts.
    seen.turns = list({each.key: each for each in reversed(seen.turns)}.values())[::-1]
    return seen


def located(notes: Notes, folders: set[str]) -> Callable[[Turn], Locator | None]:
    """Return what gives the locator of the notes as of a turn; None for a turn before all versions."""
    locators: dict[str, Locator] = {}

    def locate(turn: Turn) -> Locator | None:
        version = notes.at(turn.time)
        if version is None:
            return None
        if version.commit not in locators:
            locators[version.commit] = _locator(notes, version, folders)
        return locators[version.commit]

    return locate


def _locator(notes: Notes, version: Version, folders: set[str]) -> Locator:
    root = Path("/notes")
    files = [NoteFile(str(root / path), note_name(path), 0, 0) for path in notes.names(version)]
    return Locator(files, root, folders)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Where the note stood at one moment."""

    opening: Opening
    rank: int
    """From 1 among the product's candidates; 0 when it was not among them."""


def rank_all(seen: Seen, notes: Notes, folder: Path, *, moment: str, learning: bool = True) -> list[Ranked]:
    """Return the rank of each opening that its message did not name, at one moment.

    What was learned grows in `folder` as time goes on.
    """
    found = []
    for turn, target in taught(seen, folder, learning=learning):
        for opening in turn.openings:
            if opening.named:
                continue
            scene = scene_of(opening.contexts[moment], notes.index(turn.version), target)
            wanted = next((n for n in scene.candidates if scene.index.note(n).name == opening.note), -1)
            found.append(Ranked(opening, scene.candidates.index(wanted) + 1 if wanted >= 0 else 0))
    return found


def scene_of(context: Mapping[str, Any], index: Index, target: Path) -> Search:
    """Return what the product makes of a context, with what the file `target` says was learned."""
    return survey(index, query(Context(**context)), learned=open_learned(str(target)))


def taught(seen: Seen, folder: Path, *, learning: bool = True) -> Iterator[tuple[Asked, Path]]:
    """Yield the turns session by session, with the file of what all sessions that began earlier had taught by then."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "learned"
    for path in folder.glob("learned*"):
        path.unlink()
    waiting: Sequence[Asked] = seen.turns
    current = ""
    for turn in seen.turns:
        if learning and turn.session != current:
            current, start = turn.session, seen.started[turn.session]
            ready = [each for each in waiting if each.time < start and each.session != current]
            waiting = [each for each in waiting if each.time >= start or each.session == current]
            learn([lesson_of(each) for each in ready], target)
        yield turn, target


def lesson_of(turn: Asked) -> Lesson:
    """Return what a turn teaches."""
    opened = ((each.note, each.contexts["read"]) for each in turn.openings)
    return lesson(turn.key, turn.time, turn.context, opened, told=turn.quiet)
