"""A word that no note holds is taken for the one that it is a slip of the pen away from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.survey import route
from ladder.speaking.verdict import decide
from ladder.text.spelling import near_terms, one_slip, spelt

NOTES = {
    "deploy": b"# Deploy\n\nThe rollout stops when the canary is unhealthy for three minutes.\n",
    "relay": b"# Relay\n\nThe migration of the relay runs at night.\n",
    "other": b"# Other\n\nThe function of the cellar is storage.\n\nA function without arguments.\n",
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("migartion", "migrat"),  # two letters that changed places
        ("mirgation", "migrat"),
        ("migrtion", ""),  # its stem `migrtion` is two slips from `migrat`
        ("funciton", "function"),
        ("fucntion", "function"),
        ("functoin", "function"),
        ("functiom", "function"),  # another letter
        ("funcion", "function"),  # a letter too few
        ("functtion", "function"),  # a letter too many
        ("storrage", "storag"),
        ("unction", ""),  # not the first letter
        ("rleay", "relay"),  # five letters: only when two changed places
        ("relax", ""),
        ("rollouts", ""),  # known
        ("zzzzzz", ""),
        ("function2x", ""),  # no word
    ],
)
def test_one_slip_is_mended(index, written, meant):
    asked = query(Context(f"where is the {written} of it"))
    found = spelt(index, asked)
    assert [*(found.mended or {}).values()] == ([meant] if meant else [])
    if meant:
        assert meant in found.part("message")


def test_the_note_is_found_and_the_hook_speaks(index):
    asked = "when does the rolout stop for an unhaelthy canary?"
    assert route(index, query(Context(asked)))[0].name == "deploy"
    decision = decide(index, query(Context(asked)), None)
    assert decision.speaks
    assert [index.note(n).name for n in decision.search.candidates][:1] == ["deploy"]


def test_a_word_that_notes_hold_is_never_another(tmp_path):
    build_from_bytes({**NOTES, "form": b"# Form\n\nA junction box.\n"}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        asked = query(Context("which junction"))
        assert spelt(index, asked) is asked


def test_the_commoner_of_two_is_taken(tmp_path):
    more = {"a": b"# A\n\nbatter batter\n", "b": b"# B\n\nbutter\n", "c": b"# C\n\nbutter\n"}
    build_from_bytes(more, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        assert spelt(index, query(Context("the betterr botter"))).mended == {"botter": "butter"}


def test_what_is_no_language_of_the_notes_is_left_alone(index):
    asked = query(Context("wohin laufen funciton mirgation unhaelthy"))
    assert not spelt(index, asked).mended  # five unknown words are no slips


def test_a_large_list_is_not_looked_through_where_time_is_short(index):
    assert spelt(index, query(Context("funciton")), largest=10).mended == {}


WORD = st.text("abcd", min_size=1, max_size=9)


@given(WORD, WORD)
def test_one_slip_is_what_its_name_says(one, other):
    """Against the definition, by trying every slip."""
    slips = {one[:i] + one[i + 1] + one[i] + one[i + 2 :] for i in range(1, len(one) - 1)} if len(one) >= 5 else set()
    if len(one) >= 6:
        slips |= {one[:i] + one[i + 1 :] for i in range(1, len(one))}
        slips |= {one[:i] + c + one[i:] for i in range(1, len(one) + 1) for c in "abcd"}
        slips |= {one[:i] + c + one[i + 1 :] for i in range(1, len(one)) for c in "abcd"}
    assert one_slip(one.encode(), other.encode()) == (other in slips - {one})


@given(WORD.filter(lambda word: len(word) >= 5), st.lists(WORD, max_size=30))
def test_the_halves_find_every_slip(term, others):
    words = "\0".join(others).encode()
    expected = {other for other in others if one_slip(term.encode(), other.encode())}
    assert set(near_terms(words, term)) == expected
