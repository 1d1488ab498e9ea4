"""Ten edits of notes in a project: what is found over the edited files before the index is updated, and after.

Each edit changes its own note and stays; what is asked is about what came, or about what went.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.golden import product
from bench.golden.product import NOW, NOW_ISO
from bench.golden.stores import made_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bench.golden.stores import Made


class Edit(NamedTuple):
    """One edit: what it is called, how a note's bytes change (None: the file goes), and what is asked then."""

    name: str
    change: Callable[[bytes], bytes | None]
    asked: str
    """With the note's slots; see `Made`."""


EDITS = (
    Edit("a word", lambda data: data.replace(b"intake", b"furnace"), "how do I stop the furnace of the {subject}?"),
    Edit(
        "a paragraph at the end",
        lambda data: data + b"\nThe spare valve lies in the cabinet behind the door.\n",
        "where does the spare valve of the {subject} lie?",
    ),
    Edit(
        "a section in the middle",
        lambda data: data.replace(b"## Procedure", b"## Evacuation\n\nLeave by the northern stairs.\n\n## Procedure"),
        "{subject} evacuation by which stairs?",
    ),
    Edit("a heading", lambda data: data.replace(b"## Procedure", b"## Walkthrough"), "walkthrough of the {subject}"),
    Edit(
        "the title",
        lambda data: b"# Zeppelin hangar\n" + data.partition(b"\n")[2],
        "what does the zeppelin hangar keep, see {name}?",
    ),
    Edit(
        "front matter",
        lambda data: b"---\naliases: [moonshine]\ntags: [distillery]\n---\n" + data,
        "is there a distillery, moonshine?",
    ),
    Edit(
        "a dated entry",
        lambda data: data + b"\n- 2024-05-14: the crane tipped over because the anchor was loose\n",
        "why did the crane tip over yesterday?",
    ),
    Edit("most of it", lambda data: data[: len(data) // 3], "why did the {subject} stop, was it that {cause}?"),
    Edit("everything", lambda _data: b"", "what does {name} say of the {subject}?"),
    Edit("its file", lambda _data: None, "what does {name} say of the {subject}?"),
)
#: A note that comes.
ARRIVED = (
    "ops/periscope-optics",
    b"# Periscope optics\n\nThe prism is cleaned with alcohol.\n\n## Limits\n\nNever above 40 C.\n",
)
ARRIVED_ASKED = "is the prism of the periscope cleaned with alcohol?"


def edit_cases(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(id, parts) before and after each update of the index."""
    store = made_store(60)
    root = (folder / "works").resolve()
    notes = {note.name: note.text for note in store}
    product.project_of(root, {note.name: (note.text, NOW - note.age) for note in store})
    for i, edit in enumerate(EDITS):
        note = store[i * 5 + 2]
        data = edit.change(notes[note.name])
        if data is None:
            del notes[note.name]
            (root / "notes" / f"{note.name}.md").unlink()
        else:
            assert data != notes[note.name], edit.name
            notes[note.name] = data
            product.write_note(root, note.name, data, NOW - 3600 * (i + 1))
        yield from _asked_twice(root, notes, f"{i} {edit.name}", edit.asked.format(**note._asdict()), note)
    name, data = ARRIVED
    notes[name] = data
    product.write_note(root, name, data, NOW - 60)
    os.utime((root / "notes" / name).parent, (NOW - 60, NOW - 60))
    yield from _asked_twice(root, notes, f"{len(EDITS)} a note that comes", ARRIVED_ASKED, store[0])


def _asked_twice(
    root: Path, notes: dict[str, bytes], case: str, message: str, note: Made
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The message, and one about something else, before the index is brought up to date and after."""
    other = f"who decides on the {note.words[1]} of the {note.subject}?"
    for when in ("overlay", "updated"):
        if when == "updated":
            product.reindex(root)
        for text in (message, other):
            index = product.project_index(root)
            parts = product.asked(index, notes, {"message": text, "now": NOW_ISO, "cwd": str(root)})
            yield f"{case}, {when}: {text}", {**parts, "stale": index.stale}
            index.close()
