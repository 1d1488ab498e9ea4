"""The rungs as tools of an MCP server, for agents that run no shell.

Each tool answers with plain text in the form of the command line; each call sees the notes as they are on disk now.
What a tool needs is imported when it is called, so that the server is there at once.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from ladder.api import OpenNotes
from ladder.serving.stdio import CannotTell, Parameter, Tool, serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.api import Reading

P = ParamSpec("P")

#: Tokens that `answer` hands over when the client names no budget.
BUDGET = 600
#: Bytes of a section that are sent at once: clients cut an answer off at 10,000 to 25,000 tokens, and text of the
#: scripts that take most tokens has about one for two bytes.
PART = 24_000

_QUESTION = Parameter("question", "What is asked, in the words of the message.")
_NOTE = Parameter("note", "Its name, the end of its name, its path, title or alias.")


def _told(tool: Callable[Concatenate[Rungs, P], str]) -> Callable[Concatenate[Rungs, P], str]:
    """Let a tool say in one line what it cannot do."""

    @wraps(tool)
    def run(self: Rungs, /, *args: P.args, **kwargs: P.kwargs) -> str:
        from ladder.reading.rungs import Ambiguous, NoSuchNote, NoSuchSection
        from notes import SettingsError
        from notes.writing.store import StoreError

        try:
            return tool(self, *args, **kwargs)
        except (NoSuchNote, NoSuchSection, Ambiguous, SettingsError, StoreError, OSError) as error:
            raise CannotTell(" ".join(str(error).split())) from error

    return run


def _version() -> str:
    """Return ladder's version, from the name of its metadata's folder: importlib.metadata loads all of `email`."""
    begins, ends = "ladder_notes-", ".dist-info"
    for folder in sys.path:
        try:
            names = os.listdir(folder or os.curdir)  # noqa: PTH208 (a thousand names, at each start)
        except OSError:
            continue
        for name in names:
            if name.startswith(begins) and name.endswith(ends):
                return name[len(begins) : -len(ends)]
    from importlib.metadata import version

    return version("ladder-notes")


class Rungs:
    """The tools' functions for the project in one folder."""

    name = "ladder"

    def __init__(self, folder: Path, *, append: bool = False) -> None:
        """Find the project that `folder` belongs to; with `append`, entries may be added to notes."""
        from notes import project_root

        self.notes = OpenNotes(project_root(folder))
        self.tools: tuple[Tool, ...]
        self.version = _version()
        reading = (
            Tool("suggest", _SUGGEST, (_QUESTION,), self.suggest),
            Tool("answer", _ANSWER, (_QUESTION, _TOKENS), self.answer),
            Tool("map", _MAP, (_NOTE, _MARKED), self.map),
            Tool("read", _READ, (_NOTE, _SECTION, _WHICH), self.read),
        )
        adding = Tool("append", _APPEND, (_NOTE, _TEXT, _TITLE), self.append, reads=False)
        self.tools = (*reading, adding) if append else reading

    def instructions(self) -> str:
        """Return what the client tells its model: how many notes there are, and how they are read."""
        from notes import SettingsError, find_notes

        try:
            count = len(find_notes(self.notes.settings))
        except SettingsError as error:
            return str(error)
        return (
            f"The user's notes on this project ({count}), read rung by rung: suggest names notes with their cost in "
            "tokens, map lists a note's sections with theirs, read gives one section; answer gives the passages that "
            "bear on a question at once. A head is what holds now; dated entries were true then."
        )

    @_told
    def suggest(self, question: str) -> str:
        """Return the notes that may hold the answer, a line each."""
        lines = [
            f"{each.note}  head {cost(each.head, each.estimated)}, all {cost(each.cost, each.estimated)}  "
            f"{', '.join(each.why)}"
            for each in self.notes.suggest(question)
        ]
        return "\n".join(lines) or _nothing(question)

    @_told
    def answer(self, question: str, tokens: int = BUDGET) -> str:
        """Return the passages that bear on a question, and what else may."""
        return self.notes.answer(question, budget=tokens).text or _nothing(question)

    @_told
    def map(self, note: str, question: str = "") -> str:
        """Return a note's sections, a line each."""
        from ladder.ranking.explain import written_terms
        from ladder.reading.map_rows import rows_shown

        name, rows, estimated = self.notes.map(note, question)
        shown, written = rows_shown(rows), written_terms(question)
        lines = [name]
        for row in shown:
            slug = "head" if row.title == "(head)" else row.slug
            address = f"{'  ' * max(0, row.level - 1)}{row.title}  {name}#{slug}"
            hits = f"  <- {', '.join(written.get(term, term) for term in row.hits)}" if row.hits else ""
            lines.append(f"{address}  {row.zone}  {cost(row.cost, estimated)}{hits}")
        if len(shown) < len(rows):
            lines.append(f"{len(shown)} of {len(rows)} rows; words of a question choose which")
        return "\n".join(lines)

    @_told
    def read(self, note: str, section: str = "", part: int = 1) -> str:
        """Return a section, or of a note what `OpenNotes.read` gives; of what is long, one part."""
        found = self.notes.read(note, section)
        if found.address == found.note:
            return _of_a_note(found)
        parts = in_parts(found.text)
        if not 1 <= part <= len(parts):
            raise CannotTell(f"{found.address} has {len(parts)} parts")
        if len(parts) == 1:
            return found.text
        on = f"; go on with note={found.address!r}, part={part + 1}" if part < len(parts) else ""
        return f"{parts[part - 1]}\n[part {part} of {len(parts)} of {found.address}{on}]"

    @_told
    def append(self, note: str, text: str, title: str = "") -> str:
        """Append an entry of today to a note's history; return its address."""
        return self.notes.append(note, text, title=title)


def in_parts(text: str) -> list[str]:
    """Cut a text into parts of at most `PART` bytes: between lines, of a longer line within it. Joined they are it."""
    parts: list[str] = []
    held = ""
    size = 0
    for line in text.split("\n"):
        whole = line + "\n"
        while whole:
            piece = whole if len(whole) * 4 <= PART else whole.encode("utf-8")[:PART].decode("utf-8", "ignore")
            whole = whole[len(piece) :]
            cost = len(piece.encode("utf-8"))
            if held and size + cost > PART:
                parts.append(held)
                held, size = "", 0
            held += piece
            size += cost
    parts.append(held)
    parts[-1] = parts[-1][:-1]  # the line end that `split` took from no line
    return parts if parts[-1] or len(parts) == 1 else parts[:-1]


def cost(tokens: int, estimated: bool) -> str:
    """Return a cost in tokens as it is shown."""
    return f"{'~' if estimated else ''}{tokens}"


def _of_a_note(found: Reading) -> str:
    """Return a small note, or the head of a larger one, its sections, and how to go on."""
    lines = [
        f"{'  ' * max(0, each.level - 2)}{each.title}  {found.note}#{each.slug}  {each.zone}  "
        f"{cost(each.cost, found.estimated)}"
        for each in found.rows
    ]
    if lines:
        more = f"; {found.more} more in map" if found.more else ""
        about = cost(found.cost, found.estimated)
        lines.append(f"[{found.note} has {about} tokens; read it with one of these addresses{more}]")
    return "\n".join([found.text, *lines]).strip("\n")


def _nothing(question: str) -> str:
    from ladder.api import plain_query
    from ladder.query.dates.date_only import only_days

    days = only_days(plain_query(question))
    return f"No note has an entry of {days}." if days else "No note shares anything with the question."


_SUGGEST = "Name the notes that may hold the answer: name, tokens of its head, of all of it, and why."
_ANSWER = "Give the passages of the notes that bear on a question, the best first, with their addresses and costs."
_MAP = "List a note's sections: title, address, zone, tokens; `<-` and the question's words that stand there."
_READ = "Give a note: a small one whole, of a larger one its head and its map; or one section of it, verbatim."
_APPEND = "Append a dated entry of today to a note's history. Nothing that stands in the note is changed."
_TOKENS = Parameter("tokens", f"At most this many; {BUDGET} when left out.", required=False, kind="integer")
_MARKED = Parameter("question", "Its words are marked where they stand.", required=False)
_SECTION = Parameter("section", "A slug, number, title, path A > B, day, or line (L120).", required=False)
_WHICH = Parameter("part", "Of a long section, which part; 1 when left out.", required=False, kind="integer")
_TEXT = Parameter("text", "What happened, in Markdown.")
_TITLE = Parameter("title", "What the entry is about, in a few words.", required=False)


def main(arguments: list[str]) -> None:
    """Serve the project of the working folder."""
    serve(Rungs(Path.cwd(), append="--append" in arguments))
