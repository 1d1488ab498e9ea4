"""Reconstructs the notes as of a question: from git, else from what the agent read, else today's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.corpus.snapshot import World
from bench.corpus.versions import Versions, when
from bench.questions import Question, note_name
from notes.writing.past import as_of as note_as_of
from notes.writing.store import Place
from transcripts import session_turns
from transcripts.logs.locate import Locator

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping, Sequence

    from bench.corpus.cache import Keep
    from bench.corpus.gather import Gathered
    from transcripts import Session

#: The source of a question's notes.
GIT, READ, FORMER, TODAY = "git", "read", "former head", "today"


@dataclass(slots=True)
class Worlds:
    """For each question (by its id) the notes it was asked of; questions of one state of the notes share one world."""

    today: World
    of: dict[str, World] = field(default_factory=dict)
    source: Counter[str] = field(default_factory=Counter)
    """How many questions each source served."""

    def __call__(self, question: Question) -> World:
        """The world of a question; today's where nothing older is known."""
        return self.of.get(question.id, self.today)


def as_of(
    questions: Sequence[Question],
    today: World,
    versions: Versions,
    keep: Keep,
    older: Callable[[list[Question]], Mapping[str, tuple[str, str]]] = lambda _: {},
) -> Worlds:
    """Find the world of each question.

    A version of git serves when it holds the note and one of the evidence lines there. For the
    questions that are left, `older` gives the source and the text of the note by question id.
    """
    found = Worlds(today)
    by_commit: dict[str, World] = {}
    left = []
    for question in questions:
        version = versions.at(when(question.time))
        world = None
        if version is not None:
            if version.commit not in by_commit:
                by_commit[version.commit] = World(versions.files(version), keep)
            world = by_commit[version.commit]
        if world is not None and stands(question, world.text):
            found.of[question.id] = world
            found.source[GIT] += 1
        else:
            left.append((question, world or today))
    texts = older([question for question, _ in left]) if left else {}
    overlaid: dict[tuple[str, dt.date], list[tuple[World, dict[str, str], list[str]]]] = {}
    for question, base in left:
        source, text = texts.get(question.id, ("", ""))
        if not source:
            found.of[question.id] = base
            found.source[TODAY if base is today else GIT] += 1
            continue
        found.source[source] += 1
        # One world a day, as long as its notes were read in one state: each world is an index of its own.
        groups = overlaid.setdefault((base.key, when(question.time).date()), [])
        for _, changed, ids in groups:
            if changed.setdefault(question.note, text) == text:
                ids.append(question.id)
                break
        else:
            groups.append((base, {question.note: text}, [question.id]))
    for groups in overlaid.values():
        for base, changed, ids in groups:
            files = {**base.files, **{name: text.encode("utf-8", "replace") for name, text in changed.items()}}
            world = World(files, keep)
            found.of.update(dict.fromkeys(ids, world))
    return found


def stands(question: Question, texts: Mapping[str, str]) -> bool:
    """Whether one of the evidence lines stands in the question's note."""
    text = texts.get(question.note, "")
    return any(line in text for line in question.lines)


def texts_then(
    logs: Sequence[Session], gathered: Gathered, questions: Sequence[Question]
) -> dict[str, tuple[str, str]]:
    """For each question the source and the text of its note then: what the agent read, else the store's former head."""
    found = {key: (FORMER, text) for key, text in former_texts(gathered, questions).items()}
    return found | {key: (READ, text) for key, text in texts_read(logs, gathered, questions).items()}


def former_texts(gathered: Gathered, questions: Sequence[Question]) -> dict[str, str]:
    """For each question today's note with the head of then and without later entries, where that holds the evidence."""
    todays = {note_name(file.name): Path(file.path) for file in gathered.notes}
    found: dict[str, str] = {}
    for question in questions:
        path = todays.get(question.note)
        if path is None or not path.is_relative_to(gathered.root):
            continue
        past = note_as_of(Place(gathered.root, path), path.read_bytes(), when(question.time).astimezone().date())
        text = past.data.decode("utf-8", "replace") if past else ""
        if any(line in text for line in question.lines):
            found[question.id] = text
    return found


def texts_read(logs: Sequence[Session], gathered: Gathered, questions: Sequence[Question]) -> dict[str, str]:
    """For each question the text of its note as the agent read it in that turn, by question id.

    A read of part of a file gives that part, followed by today's text: what stood elsewhere in the note is not known.
    """
    wanted: dict[tuple[str, str], list[Question]] = {}
    for question in questions:
        wanted.setdefault((question.session, question.time), []).append(question)
    names = {session for session, _ in wanted}
    found: dict[str, str] = {}
    folders = {str(context.get("cwd", "")) for question in questions for context in question.contexts.values()}
    locator = Locator(gathered.notes, gathered.root, folders)
    todays = {note_name(file.name): Path(file.path) for file in gathered.notes}
    for session in (session for session in logs if session.id in names):
        for turn in session_turns(session):
            for question in wanted.get((turn.session, turn.time), ()):
                for read in turn.reads:
                    at = next((at for path in read.paths if (at := locator.find(path, turn.cwd))), None)
                    if at is None or note_name(at.note) != question.note:
                        continue
                    text = "\n".join(read.lines) + "\n"
                    if not any(line in text for line in question.lines):
                        continue
                    if not read.whole and question.note in todays:
                        text += todays[question.note].read_bytes().decode("utf-8", "replace")
                    found.setdefault(question.id, text)
    return found
