"""Ladder from Python: `open_notes` and what the rungs return. The command line and the MCP server ask through it, too.

    from ladder import open_notes

    notes = open_notes("path/of/a/project")
    for each in notes.suggest("did the canary ever stop a deploy?"):
        print(each.note, each.cost)
    print(notes.answer("did the canary ever stop a deploy?", budget=300).text)

Each call sees the notes as they are on disk now. What a call needs is imported when it is made.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from ladder.reading.best_first import Answer
    from ladder.reading.rungs import MapRow
    from notes import Settings

T = TypeVar("T")

#: Tokens of an answer, and notes of a suggestion, when the caller says nothing.
BUDGET = 1000
MOST = 5


class Suggested(NamedTuple):
    """A note that may hold the answer."""

    note: str
    """Its name, as `map` and `read` take it."""
    title: str
    path: str
    """Its file."""
    score: float
    """What its features add up to: comparable within one suggestion, not between two."""
    head: int
    """Tokens of its head."""
    sections: int
    cost: int
    """Tokens of the whole note."""
    estimated: bool
    """Whether tokens are estimated, because the vocabulary is missing."""
    why: tuple[str, ...]
    """Words of the question that it holds, the weightiest first, or days."""
    seen: str
    """`read in this session` or `touched in this session`, as the session's log says; else empty."""


class NoteMap(NamedTuple):
    """A note's sections and entries, in file order."""

    note: str
    rows: tuple[MapRow, ...]
    estimated: bool


class Reading(NamedTuple):
    """A section, an entry, a whole note, or of a larger note its head and its map."""

    address: str
    """NOTE#SLUG; the note's name alone for a note."""
    note: str
    title: str
    path: str
    start: int
    end: int
    """Bytes of what was read in the file."""
    data: bytes
    """Those bytes, with secrets masked and private parts left out unless they were asked for raw."""
    masked: bool
    """Whether something was masked or left out."""
    rows: tuple[MapRow, ...]
    """The sections of a note that did not come whole; else empty."""
    more: int
    """Sections that `rows` leaves out."""
    cost: int
    """Tokens of the whole note."""
    estimated: bool

    @property
    def text(self) -> str:
        """What was read; bytes that are not UTF-8 as U+FFFD."""
        return self.data.decode("utf-8", "replace")


class OpenNotes:
    """The notes of one project.

    Every method may raise `NoSuchNote`, `NoSuchSection` and `Ambiguous` (all LookupError, with near names),
    `SettingsError` (ValueError of `ladder.toml`) and OSError.
    """

    def __init__(self, settings: Settings | Path) -> None:
        """Take the settings of a project, or its root, whose settings are then read at each call."""
        self._settings = settings

    @property
    def settings(self) -> Settings:
        """What holds here, as `ladder.toml` says now."""
        from notes import load_settings

        return load_settings(self._settings) if isinstance(self._settings, Path) else self._settings

    def index(self, *, force: bool = False) -> Index:
        """Open the index, up to date with the files; the caller closes it. With `force` it is made anew."""
        from ladder.indexing.update import fresh_index

        return fresh_index(self.settings, force=force)

    def ask(self, call: Callable[[Index], T]) -> T:
        """Return what `call` makes of the index; of one built anew when the one that it read turns out damaged."""
        from ladder.index.format import IndexBroken

        try:
            with self.index() as index:
                return call(index)
        except IndexBroken:
            pass  # out of the clause, which would keep the damaged index open: on Windows nothing could take its place
        with self.index(force=True) as index:
            return call(index)

    def suggest(self, question: str, *, most: int = MOST, log: Path | None = None) -> list[Suggested]:
        """Return at most `most` notes that may hold the answer, the best first.

        With `log`, the log of a running session, the conversation before the question counts, too.
        """
        from ladder.reading.rungs import suggest

        def found(index: Index) -> list[Suggested]:
            query = self.query(index, question, log)
            return [
                Suggested(
                    each.name, row.title, row.path, each.score, row.head_cost, row.sections, row.cost, row.estimated,
                    each.why or (("its name",) if "named" in each.signals else ()), _seen(row.path, query),
                )
                for each in suggest(index, query, learned=learned_of(index), most=most)
                for row in [index.note(each.note)]
            ]  # fmt: skip

        return self.ask(found)

    def answer(
        self, question: str, *, budget: int = BUDGET, notes: Sequence[str] = (), log: Path | None = None
    ) -> Answer:
        """Return the passages that bear on the question, the best first, in at most `budget` tokens.

        Only passages of `notes`, where these are named.
        """
        from ladder.reading.best_first import best_first

        def found(index: Index) -> Answer:
            only = [_number(index, name) for name in notes] or None
            query = self.query(index, question, log)
            return best_first(index, query, max(budget, 1), notes=only, learned=learned_of(index))

        return self.ask(found)

    def map(self, note: str, question: str = "") -> NoteMap:
        """Return a note's sections with their costs in tokens; `hits` are terms of the question that stand there."""
        from ladder.reading.rungs import map_note

        def found(index: Index) -> NoteMap:
            n = _number(index, note)
            weights = plain_query(question).weigh()[0] if question else {}
            row = index.note(n)
            return NoteMap(row.name, tuple(map_note(index, n, weights)), row.estimated)

        return self.ask(found)

    def read(self, address: str, section: str = "", *, whole: bool = False, raw: bool = False) -> Reading:
        """Return one section (NOTE#SLUG, NOTE#NUMBER, NOTE#L120, `A > B`), or a note.

        A note that is larger than a few hundred tokens comes as its head and its map, with `whole` as a whole. With
        `raw` secrets and `<private>` parts come as they stand in the file.
        """
        from ladder.reading.answer import note_bytes
        from ladder.reading.rungs import as_told, read_section
        from ladder.reading.whole import read_note
        from notes import address_parts

        def found(index: Index) -> Reading:
            name, part = address_parts(address, lambda name: bool(index.find(name)))
            n = _number(index, name)
            row = index.note(n)
            data = note_bytes(index, n)
            if data is None:
                raise FileNotFoundError(f"{row.path} cannot be read")
            rows: tuple[MapRow, ...] = ()
            more, start, end, title, where = 0, 0, len(data), row.title, row.name
            if whole:
                pass
            elif asked := section or (part and "#" + part):
                one = read_section(index, n, asked, data=data)
                start, end, title, where = one.start, one.end, one.title, one.address
            else:
                given = read_note(index, n, data)
                start, end, rows, more = given.start, given.end, given.rows, given.more
            told = data[start:end] if raw else as_told(data)[start:end].replace(b"\0", b"")
            return Reading(
                where, row.name, title, row.path, start, end, told, told != data[start:end], rows, more, row.cost,
                row.estimated,
            )  # fmt: skip

        return self.ask(found)

    def append(self, note: str, text: str, *, title: str = "", day: dt.date | None = None) -> str:
        """Append a dated entry (of today, else of `day`) to a note's history; return its address.

        Raises:
            StoreError: nothing to append, the note is a link or not UTF-8, or the disk refuses.
        """
        from notes import find_notes
        from notes.files.lookup import place_of
        from notes.writing.store import append_entry

        path = self.ask(lambda index: index.note(_number(index, note)).path)
        settings = self.settings
        file = next(each for each in find_notes(settings) if each.path == path)
        entry = append_entry(place_of(settings, file), text, title=title, date=day)
        return f"{file.name}#{entry.slug}"

    def query(self, index: Index, question: str, log: Path | None = None) -> Query:
        """Return the question as a query: with the conversation in `log`, and with meaning where there are vectors."""
        from ladder.meaning.use import meant

        return meant(index, plain_query(question, log))


def open_notes(folder: str | os.PathLike[str] = ".", *, only: bool = False) -> OpenNotes:
    """Return the notes of the project that `folder` belongs to; with `only`, the Markdown files of that folder.

    Raises:
        NotADirectoryError: there is no such folder.
        SettingsError: its `ladder.toml` cannot be read.
    """
    from notes import folder_settings, load_settings, project_root

    place = Path(folder)
    if not place.is_dir():
        raise NotADirectoryError(f"{place} is not a folder")
    if only:
        return OpenNotes(folder_settings(place))
    root = project_root(Path(os.path.abspath(place)))  # noqa: PTH100 (resolve would follow links)
    load_settings(root)  # what is wrong with them is said here, and not at the first question
    return OpenNotes(root)


def learned_of(index: Index) -> Learned | None:
    """Return what earlier sessions have taught; None until there is enough."""
    from ladder.lean.paths import project_data
    from ladder.learning.model import open_learned

    return open_learned(project_data(index.root) + "/learned")


def plain_query(question: str, log: Path | None = None, *, search: bool = True) -> Query:
    """Return the query of a question asked here and now, by its words alone.

    With the conversation in `log` when one is given; else it is a search, or with `search` off a message.
    """
    from ladder.query.dates.calendar import now_here
    from ladder.query.query import Context, query

    if log is None:
        return query(Context(message=question, cwd=str(Path.cwd()), now=now_here(), search=search))
    from ladder.query.log_tail import context

    return query(context(str(log), question, now=now_here()))


def _number(index: Index, name: str) -> int:
    """Return the number of the one note of that name, which may stand in the brackets of a link."""
    from ladder.reading.rungs import one_note

    return one_note(index, name.strip().removeprefix("[[").removesuffix("]]"))


def _seen(path: str, query: Query) -> str:
    name = Path(path).name
    for files, said in ((query.opened, "read in this session"), (query.touched, "touched in this session")):
        if any(each.replace("\\", "/").rpartition("/")[2] == name for each in files):
            return said
    return ""
