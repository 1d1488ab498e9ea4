"""Ladder as it ships: each document becomes a note, the question is the message, `route` gives the order."""

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path

from bench.public.measures import BUDGET
from bench.public.model import Document, Question, Reader, Shown
from ladder.index.reader import Index, open_index
from ladder.indexing.pipeline import PreparedNotes, build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.survey import route
from ladder.reading.answer import answer

#: Suggestions asked for, as a multiple of those that are kept: `route` looks into as many notes as it is asked for, and
#: chooses these by whole notes alone. For fifty,
#: more are asked for, or the last places never get the better order.
DEEPER = 2
#: Pools share most of their words: what a word is cut into is worked out once. Whole notes are not kept: the haystacks
#: of a set share sessions, but date them each in its own way.
_PREPARED = PreparedNotes(keep=False)


def make(documents: Sequence[Document]) -> Reader:
    """Index the documents as notes; nothing of the set but its text, titles and times is used."""
    folder = Path(tempfile.mkdtemp(prefix="ladder-public-"))
    target = folder / "index"
    # Numbers: the ids of a set's documents may tell which are the gold. A note keeps its name.
    names = {
        document.id.removesuffix(".md") if document.note else f"{place:05d}": document.id
        for place, document in enumerate(documents)
    }
    notes = {name: as_note(document) for name, document in zip(names, documents, strict=True)}
    build_from_bytes(notes, target, prepared=_PREPARED)
    index = open_index(str(target))

    def search(question: Question, k: int) -> list[str]:
        asked = query(Context(message=question.text, now=question.asked))
        return [names[suggestion.name] for suggestion in route(index, asked, k=DEEPER * k)[:k]]

    def show(question: Question) -> Shown:
        asked = query(Context(message=question.text, now=question.asked))
        block = answer(index, asked, BUDGET, read=lambda number: notes[index.note(number).name])
        return Shown(block.text, frozenset(names[index.note(number).name] for number in block.notes))

    # The index is read as long as the search lives, and goes with it.
    weakref.finalize(search, _drop, index, folder)
    return Reader(search, show)


def _drop(index: Index, folder: Path) -> None:
    index.close()
    shutil.rmtree(folder, ignore_errors=True)


def as_note(document: Document) -> bytes:
    """Return a note as it lies, anything else as one: its title, its time as a dated heading, a paragraph a turn."""
    if document.note:
        return document.note
    parts = [f"# {document.title}"] if document.title else []
    if document.time:
        parts.append(f"## {document.time[:10]}")
    parts += [f"{turn.role}: {_prose(turn.text)}" if turn.role else _prose(turn.text) for turn in document.turns]
    return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")


def _prose(text: str) -> str:
    """Return a turn's text as one line, so that what somebody pasted does not become the note's headings."""
    if "\r" in text:
        text = text.replace("\r", "\n")
    return " ".join([kept for line in text.split("\n") if (kept := line.strip())])
