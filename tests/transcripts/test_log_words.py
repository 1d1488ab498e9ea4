import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from transcripts.logs.words import STOP, loose_words_among, number, numbers, words, words_among, words_of_lines


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


@given(st.text(st.characters(codec="ascii")), st.frozensets(st.sampled_from(["heron", "x2", "a1", "violet"])))
def test_loose_words_are_the_words_of_ascii(text, wanted):
    text += " Heron,x2"
    loose = {word.decode() for word in loose_words_among(text, frozenset(word.encode() for word in wanted))}
    assert loose == words(text) & wanted


@given(st.lists(st.text(st.sampled_from("ab Aﬁé—認証,\r\x0b\u2028x2")), max_size=6))
def test_words_of_parts_are_the_words_of_the_whole(lines):
    assert [frozenset(cut) - STOP for cut in words_of_lines(lines)] == [words(line) for line in lines] or not lines
    for line in lines:
        for wanted in (frozenset(("ab", "é", "fi", "x2", "認証")), frozenset[str]()):
            assert words_among(line, wanted) == words(line) & wanted


def test_a_number_is_the_same_in_every_run():
    assert number("heron") == 2088913833
    assert numbers(["heron", "heron"]) == [2088913833] * 2
