"""`ladder note restore`: what was lost comes back from the ledger, in its place; `check` names it until then."""

import datetime as dt

import pytest

from notes import parse
from notes.review.check import gone_notes
from notes.writing.changes import changes
from notes.writing.edit import parse_whole
from notes.writing.restore import from_ledger, restored
from notes.writing.store import Place, append_entry, make_again, observe, read_notes_ledger, rewrite

HEADINGS = "# T\n\nhead\n\n## History\n\n### 2026-09-01 a\n\nx\n\n### 2026-09-02 b\n\ny\n\n### 2026-09-03 c\n\nz\n"
ITEMS = "# T\n\nhead\n\n## Log\n\n- 2026-09-01: a\n- 2026-09-02: b\n  more\n- 2026-09-03: c\n\n## Body\n\nbody\n"


def place_of(tmp_path, text):
    place = Place(tmp_path, tmp_path / "t.md")
    place.path.write_bytes(text.encode())
    observe(place, parse_whole(text.encode()))
    return place


def restore(place):
    return restored(parse_whole(place.path.read_bytes()), read_notes_ledger(place))


DAMAGE = [
    (HEADINGS, "\n\ny\n", "\n\nwhy\n"),
    (HEADINGS, "### 2026-09-01 a\n\nx\n\n", ""),
    (HEADINGS, "### 2026-09-02 b\n\ny\n\n", ""),
    (HEADINGS, "\n### 2026-09-03 c\n\nz\n", ""),
    (ITEMS, "- 2026-09-01: a\n", ""),
    (ITEMS, "- 2026-09-02: b\n  more\n", ""),
    (ITEMS, "- 2026-09-03: c\n", ""),
    (ITEMS, "b\n  more", "b"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "old", "new"), DAMAGE)
def test_what_was_lost_comes_back_in_its_place(tmp_path, text, old, new, newline):
    text, old, new = (part.replace("\n", newline) for part in (text, old, new))
    place = place_of(tmp_path, text)
    assert restore(place) is None
    assert old in text
    place.path.write_bytes(text.replace(old, new).encode())
    better = restore(place)
    assert len(better.messages) == 1
    assert better.left == ()
    assert better.data == text.encode()


def test_all_that_was_lost_comes_back_though_a_later_write_went_on(tmp_path):
    place = place_of(tmp_path, HEADINGS)
    place.path.write_bytes(HEADINGS.replace("### 2026-09-02 b\n\ny\n\n", "").encode())
    append_entry(place, "later", date=dt.date(2026, 9, 4))
    (change,) = changes(read_notes_ledger(place), parse(place.path.read_bytes()))
    assert (change.kind, change.slug) == ("removed", "2026-09-02-b")
    now = place.path.read_bytes()
    rewrite(place, restore(place).data, seen=now, why="restored")
    text = place.path.read_text(encoding="utf-8")
    assert text.index("2026-09-01") < text.index("2026-09-02 b\n\ny\n") < text.index("2026-09-03") < text.index("later")
    assert restore(place) is None, "what it put back is not said to be lost again"


def test_a_text_that_still_stands_there_is_not_lost(tmp_path):
    place = place_of(tmp_path, ITEMS)
    place.path.write_bytes(ITEMS.replace("## Log", "## Ideas").replace("- 2026-09-03: c\n", "").encode())
    lost = changes(read_notes_ledger(place), parse(place.path.read_bytes()))
    assert [change.slug for change in lost] == ["2026-09-03-c"]


def test_a_note_that_is_gone_is_made_again_from_head_and_entries(tmp_path):
    place = place_of(tmp_path, HEADINGS)
    place.path.unlink()
    ((found, ledger),) = gone_notes(tmp_path)
    assert found == place
    made = from_ledger("T", ledger)
    assert made.decode() == HEADINGS
    make_again(place, made)
    assert place.path.read_bytes() == made
    assert restore(place) is None
