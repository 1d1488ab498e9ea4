"""How much of the conversation a search hears: none beside a clear question, all of it for "go on with that"."""

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.learning.model import Learned
from ladder.learning.update import learn, lesson
from ladder.query.conversation import HEARD_WORDS, heard, points_back
from ladder.query.query import Context, query
from ladder.ranking.survey import survey

NOTES = {
    "deploy/rollback": b"# Rollback\n\nUndo the rollout with the lever.\n",
    "ops/relay": b"# Relay\n\nThe relay listens on port 7443 behind the proxy.\n",
    "ops/alerts": b"# Alerts\n\nPages go to the phone after five minutes.\n",
    "ops/phone": b"# Phone\n\nThe phone is in the drawer.\n",
}
TALK = [["user", "undo the rollout"], ["agent", "I shall pull the lever of the rollback and undo the rollout."]]


def first(index, message, **more):
    scene = survey(index, query(Context(message, said=TALK, **more)))
    return index.note(scene.candidates[0]).name


def test_a_clear_question_is_answered_whatever_was_said_before(index):
    assert first(index, "which port does the relay use?") == "ops/relay"
    assert heard(index, query(Context("which port does the relay use?", said=TALK))) < 0.2


def test_a_message_that_says_nothing_means_what_was_said_before(index):
    assert first(index, "go on, please do") == "deploy/rollback"
    assert heard(index, query(Context("go on, please do", said=TALK))) == 1.0


def test_the_notes_beside_those_read_count_no_more_for_a_clear_question(index):
    def added(message):
        found = survey(index, query(Context(message, opened=["ops/phone.md"], said=TALK)))
        return {name for each in found.totals.values() for name in each}

    assert "folder" not in added("where is the lever to undo the rollout?")
    assert "folder" in added("go on")


def test_habit_goes_before_the_words_only_where_they_say_little(index, tmp_path):
    """Someone who opened one note at nearly every turn is not sent there with a question that another note answers."""
    start = {"message": "look at the phone"}
    lessons = [
        lesson(f"s {i}", f"2026-09-{i:02}T10:00:00Z", start, (("deploy/rollback", start),)) for i in range(1, 29)
    ]
    learn(lessons, tmp_path / "learned")
    learned = Learned((tmp_path / "learned").read_bytes())
    assert learned.enough

    def asked(message):
        scene = survey(index, query(Context(message)), learned=learned)
        return index.note(scene.candidates[0]).name

    assert asked("where is the drawer with the phone?") == "ops/phone"
    assert asked("look at it") == "deploy/rollback"
    assert asked("phone") == "deploy/rollback"
    scene = survey(index, query(Context("phone", search=True)), learned=learned)
    assert index.note(scene.candidates[0]).name == "ops/phone"  # who searches means the words


def test_a_search_for_a_notes_name_finds_that_note_first(tmp_path):
    notes = {
        "docs/memory-model": b"# The model\n\nHow memory is kept.\n",
        "log": b"# Log\n\nMemory model, memory model, memory of the model.\n",
    }
    build_from_bytes(notes, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as opened:
        scene = survey(opened, query(Context("memory model", search=True)))
        assert opened.note(scene.candidates[0]).name == "docs/memory-model"


def test_the_share_falls_with_what_the_message_says(index):
    # each of one note: as much as a word can say; "phone" is in two of four
    assert heard(index, query(Context("proxy"))) == pytest.approx(HEARD_WORDS)
    assert heard(index, query(Context("proxy relay"))) == pytest.approx(HEARD_WORDS / 2)
    assert heard(index, query(Context("phone"))) == pytest.approx(HEARD_WORDS / 0.6931 * 1.2040, rel=1e-3)
    assert heard(index, query(Context("proxy relay lever drawer"))) == 0.0
    assert heard(index, query(Context("phone phones drawer"))) <= 1 / 2  # two words, however common
    assert heard(index, query(Context("nothing of this is known"))) == 1.0


def test_before_a_tool_call_all_of_it_counts(index):
    working = Context("which port does the relay use?", said=[["agent", "Let me look at the alerts."]])
    assert heard(index, query(working)) == 1.0


def test_a_slash_commands_name_says_nothing(index):
    assert heard(index, query(Context("/relay:proxy", said=TALK))) == 1.0
    assert heard(index, query(Context("/do relay proxy", said=TALK))) == pytest.approx(HEARD_WORDS / 2)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("and how long is that valid?", True),
        ("set it to 12", True),
        ("ok, fix the relay", True),
        ("is there a rule for relays?", True),
        ("und wie lange gilt das Schema", True),
        ("pourquoi cela ne marche pas", True),
        ("y en la otra?", True),
        ("which port does the relay use?", False),
        ("the relay dumped its core and then it stopped", True),  # `its` comes after two words
        ("relay core dumps lose their keys when it stops", False),  # after three it means them
        ("das Schema der Datenbank", False),  # an article
        ("", False),
    ],
)
def test_what_points_back(message, expected):
    assert points_back(message) is expected


def test_a_turn_that_is_under_way_is_heard_whole_though_the_agent_said_nothing(index):
    asked = "which port does the relay use?"
    assert heard(index, query(Context(asked, opened=["ops/phone.md"], begun=True))) == 1.0
    assert heard(index, query(Context(asked, opened=["ops/phone.md"]))) < 0.2
