import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from transcripts.words import STOP, loose_words, number, words


def slow(text):
    """The definition, as one would write it without looking at the clock."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset(re.findall(r"[^\W_]+", folded)) - STOP


def test_what_a_word_is():
    assert words("The shipctl_revert --wave=Violet, don't; x2") == {"shipctl", "revert", "wave", "violet", "t", "x2"}
    assert words("Straße CAFÉ ﬁne") == {"strasse", "café", "fine"}
    assert words("認証システムv2 — ok") == {"認証", "証シ", "シス", "ステ", "テム", "v2", "ok"}
    assert words("") == frozenset()


@given(st.text(st.characters(codec="utf-8", max_codepoint=0x1FFF)))
def test_the_fast_way_is_the_definition(text):
    assert words(text) == slow(text)


@given(st.text(st.characters(codec="ascii")))
def test_loose_words_are_the_words_of_ascii(text):
    assert {word.decode() for word in loose_words(text)} - STOP == words(text)


def test_a_number_is_the_same_in_every_run():
    assert number("heron") == 2088913833
