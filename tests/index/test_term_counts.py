from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ladder.indexing import hash_table as keytable
from ladder.indexing.hash_table import PADDING
from ladder.indexing.term_counts import count, label_tags, tags
from ladder.indexing.vocabulary import Vocabulary
from ladder.text.tokenizer import byte_terms

WORDS = st.sampled_from(
    [
        "the",
        "canary",
        "unlockWithBiometrics",
        "src/foo_bar.py",
        "认证系统",
        "café",
        "é" * 40,
        "C++",
        "c#",
        "abc#",
        "x" * 7,
        "x" * 8,
        "x" * 9,
    ]
)
TEXTS = st.one_of(st.binary(max_size=60), st.lists(WORDS, max_size=12).map(lambda words: " ".join(words).encode()))


def counted(pieces: list[list[bytes]], vocabulary: Vocabulary) -> list[dict[str, dict[int, int]]]:
    """For each note: term -> place -> how often."""
    flat = [piece for note in pieces for piece in note]
    notes = np.repeat(np.arange(len(pieces)), [len(note) for note in pieces])
    places = np.array([place for note in pieces for place in range(len(note))], np.int64)
    found = count(flat, tags(notes, places), len(pieces), vocabulary)
    assert found.lengths.tolist() == [len(byte_terms(piece)) for piece in flat]
    out = []
    for note in range(len(pieces)):
        held: dict[str, dict[int, int]] = {}
        for group in range(*found.groups_at[note : note + 2].tolist()):
            pairs = slice(*found.group_borders[group : group + 2].tolist())
            places_of = dict(zip(found.places[pairs].tolist(), found.counts[pairs].tolist(), strict=True))
            held[vocabulary.words[found.terms[group]]] = places_of
            assert found.tfs[group] == sum(places_of.values())
        out.append(held)
    return out


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=3))
def test_many_notes_at_once_have_the_terms_that_each_text_has(pieces):
    vocabulary = Vocabulary()
    for _ in range(2):  # when words are new, and when they are known
        expected = []
        for note in pieces:
            held: dict[str, dict[int, int]] = {}
            for place, piece in enumerate(note):
                for term, times in Counter(byte_terms(piece)).items():
                    held.setdefault(term, {})[place] = times
            expected.append(held)
        assert counted(pieces, vocabulary) == expected


def test_a_word_does_not_reach_over_two_pieces():
    assert counted([[b"foot", b"ball"]], Vocabulary()) == [{"foot": {0: 1}, "ball": {1: 1}}]


def test_labels_count_by_their_weight_and_are_no_text():
    vocabulary = Vocabulary()
    one = np.zeros(1, np.int64)
    tagged = np.concatenate((tags(one, one), label_tags(one, one + 3), label_tags(one, one + 1)))
    found = count([b"pager", b"deploy pager", b"deploy deploy"], tagged, 1, vocabulary)
    assert [vocabulary.words[t] for t in found.terms] == ["pager"]
    labels = {vocabulary.words[t]: tf for t, tf in zip(found.label_terms, found.label_tfs.tolist(), strict=True)}
    assert labels == {"deploy": 3 + 2, "pager": 3}


def test_the_table_keeps_every_word_while_it_grows():
    vocabulary = Vocabulary()
    words = [f"w{i}x".encode() for i in range(30_000)]
    text = b" " + b" ".join(words) + PADDING
    first = vocabulary.read(text).words
    assert len(set(first.tolist())) == 30_000
    assert (vocabulary.read(text).words == first).all()


def test_words_of_any_length_are_told_apart(monkeypatch):
    monkeypatch.setattr(keytable, "_LONG", 40)
    words = [b"a" * n + tail for n in (*range(1, 50), 300) for tail in (b"b", b"c")]
    found = Vocabulary().read(b" " + b" ".join(words) + PADDING).words
    assert len(set(found.tolist())) == len(words)
