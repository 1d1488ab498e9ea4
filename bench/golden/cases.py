"""The groups of golden cases: each a function from an empty folder to (id, parts)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.golden import product
from bench.golden.edits import edit_cases
from bench.golden.hook_events import hook_cases, large_hook_cases
from bench.golden.meaning import meaning
from bench.golden.messages import messages
from bench.golden.product import NOW
from bench.golden.stores import made_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench.golden.messages import Message
    from bench.golden.product import Turn
    from bench.golden.stores import Made

    Cases = Iterator[tuple[str, dict[str, Any]]]

#: Notes that each message is asked of in the store of 300 notes.
EACH = 2


def sample(folder: Path) -> Cases:
    """The bundled sample's notes and its questions at three moments."""
    notes, questions = product.sample_questions(folder / "mined")
    with product.index_of(notes, folder / "index") as index:
        for case, context in questions:
            yield case, product.asked(index, notes, context)


def store_300(folder: Path) -> Cases:
    """Messages of every kind to a made-up store of 300 notes."""
    store = made_store(300)
    yield from _messages(folder, store, messages(store, EACH))


def store_2100(folder: Path) -> Cases:
    """Some of these messages to a store of 2,100 notes: of more than 512 the signals weigh a pool."""
    store = made_store(2100)
    yield from _messages(folder, store, messages(store, 1)[::2])


def index_bytes(folder: Path) -> Cases:
    """The index files of the sample and of two made-up stores."""
    notes, _ = product.sample_questions(folder / "mined")
    yield "sample", product.index_parts(notes, folder / "index", {})
    for count in (300, 2100):
        store = made_store(count)
        changed = {note.name: float(NOW - note.age) for note in store}
        yield (
            f"store of {count}",
            product.index_parts({note.name: note.text for note in store}, folder / "index", changed),
        )


def _messages(folder: Path, store: list[Made], asked: list[Message]) -> Cases:
    notes = {note.name: note.text for note in store}
    learned = product.taught(folder / "learned", turns_of(store))
    with product.index_of(notes, folder / "index", {note.name: NOW - note.age for note in store}) as index:
        for message in asked:
            yield message.id, product.asked(index, notes, message.context, learned if message.learned else None)


def turns_of(store: list[Made]) -> list[Turn]:
    """What earlier sessions teach: which notes were opened after which words, and which messages needed none."""
    found: list[Turn] = []
    old = {"message": f"where is the {store[0].words[0]}", "branch": "main", "said": []}
    found.append(("old", "2020-03-01T08:00:00Z", old, [(store[0].name, old)]))
    for i, note in enumerate(store[:120:3]):
        text = f"/{note.aspect} {note.subject}" if i % 4 == 0 else f"how is the {note.words[0]} of the {note.subject}"
        start: dict[str, Any] = {
            "message": text,
            "branch": f"{note.subject}-work",
            "said": [] if i % 3 else [["user", "hello"]],
        }
        before = {
            **start,
            "said": [["user", text], ["agent", f"I look up the {note.words[1]}."]],
            "commands": [note.command],
        }
        found.append((f"t{i}", f"2024-0{1 + i % 4}-1{i % 9}T08:00:00Z", start, [(note.name, before)]))
        quiet = {"message": f"thanks, commit that for {i}", "branch": "main", "said": [["user", "hello"]]}
        found.append((f"q{i}", f"2024-0{1 + i % 4}-1{i % 9}T09:00:00Z", quiet, []))
    return found


#: Name of a group, and file that keeps it -> its cases. The longest first: groups run side by side.
GROUPS: dict[str, Callable[[Path], Cases]] = {
    "sample": sample,
    "store-300": store_300,
    "hook": hook_cases,
    "hook-2100": large_hook_cases,
    "store-2100": store_2100,
    "meaning": meaning,
    "edits": edit_cases,
    "index": index_bytes,
}
