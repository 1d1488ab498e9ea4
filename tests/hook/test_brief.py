"""What a new session is told of the notes."""

import pytest

from ladder.hook.block import tokens_of
from ladder.hook.on_session import BRIEF_BUDGET, brief
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.learning.model import Learned

NAMES = [f"area/note-{letter}" for letter in "abcdefgh"]
CHECKOUT = 1_790_000_000
HABITS = b"ladder-learned 1\t20700\t40\nnotes\tarea/note-d:1.5\tgone:9\tArea/note-g:4\n"


@pytest.fixture
def told(tmp_path):
    def of(changed, **given):
        notes = {name: f"# {name}\n\ntext\n".encode() for name in NAMES}
        build_from_bytes(notes, tmp_path / "index", changed=dict.fromkeys(NAMES, CHECKOUT) | changed)
        with open_index(str(tmp_path / "index")) as index:
            return brief(index, (), **given)

    return of


def line(text, lead):
    found = [row.removeprefix(lead) for row in text.split("\n") if row.startswith(lead)]
    return [name.split(" (")[0].strip() for name in found[0].split(", ")] if found else []


def test_after_a_checkout_no_note_is_called_the_last_that_changed(told):
    assert "Changed last" not in told({})
    assert "8 notes" in told({})


def test_what_changed_after_a_checkout_is_named_alone(told):
    text = told({"area/note-f": CHECKOUT + 90_000, "area/note-c": CHECKOUT + 3_000})
    assert line(text, "Changed last:") == ["area/note-f", "area/note-c"]


def test_notes_that_changed_one_after_the_other_are_named(told):
    text = told({name: CHECKOUT + 100 * i for i, name in enumerate(NAMES)})
    assert line(text, "Changed last:") == NAMES[:2:-1]


def test_what_earlier_sessions_opened_most_is_named(told):
    text = told({}, learned=Learned(HABITS))
    assert line(text, "Opened most in earlier sessions:") == ["area/note-g", "area/note-d"]
    both = told({name: CHECKOUT + 100 * i for i, name in enumerate(NAMES)}, learned=Learned(HABITS))
    assert line(both, "Changed last:")
    assert tokens_of(both) <= BRIEF_BUDGET
