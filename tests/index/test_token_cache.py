import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.indexing import token_counts as costs
from ladder.indexing.token_cache import ChunkCounts
from ladder.indexing.token_counts import _load, count_many

PARTS = st.sampled_from(
    (
        *" \n\r\t\x0b\x1c\u00a0\u2028\u3000a.é😀\u0301\x00²'",
        "  ",
        "\r\n",
        "the",
        "'s",
        "'LL",
        "12345",
        "((",
        "认证",
        "<|endoftext|>",
    )
)
TEXTS = st.one_of(st.text(max_size=40), st.lists(PARTS, max_size=14).map("".join))


@pytest.fixture(scope="module")
def encode():
    encoding = _load()
    if encoding is None:
        pytest.skip("no vocabulary is to be had")
    return encoding.encode_ordinary


@given(st.lists(TEXTS, max_size=5))
def test_each_text_has_as_many_tokens_as_the_tokenizer_gives_it(encode, texts):
    counts = ChunkCounts(encode)
    for _ in range(2):  # when stretches are new, and when they are known
        assert counts.count([text.encode() for text in texts]) == [len(encode(text)) for text in texts]


@given(st.lists(st.binary(max_size=20), max_size=3))
def test_what_is_no_utf8_counts_as_it_is_read(encode, texts):
    assert ChunkCounts(encode).count(texts) == [len(encode(text.decode("utf-8", "replace"))) for text in texts]


def test_a_character_cut_in_two_is_no_utf8_on_either_side(encode):
    whole = "naïve".encode()
    halves = [whole[:3], whole[3:]]
    assert ChunkCounts(encode).count(halves) == [len(encode("na\ufffd")), len(encode("\ufffdve"))]


def test_a_stretch_is_encoded_once():
    asked = []

    def encode(text):
        asked.append(text)
        return [0] * len(text)

    assert ChunkCounts(encode).count([b"one two one two", b"one", b"", b"x\ny two"]) == [15, 3, 0, 7]
    assert sorted(asked) == [" one", " two", "one", "x\n", "y"]


def test_estimates_count_the_same_way(monkeypatch):
    monkeypatch.setattr("ladder.indexing.token_counts._load", lambda: None)
    assert count_many([b"four", b"eight ch", "é".encode()]) == [1, 2, 1]


class Characters:
    """A vocabulary whose tokens are characters."""

    def encode_ordinary(self, text):
        return [ord(char) for char in text]


def test_what_lies_on_the_disk_is_waited_for_and_the_network_is_not(monkeypatch):
    def slowly():
        time.sleep(0.05)
        return Characters()

    def nothing():
        raise ValueError

    monkeypatch.setattr("ladder.indexing.token_counts.NETWORK_PATIENCE", 0.01)
    for offline, published, tokens in ((slowly, nothing, 6), (nothing, slowly, 1), (nothing, nothing, 1)):
        monkeypatch.setattr("ladder.indexing.token_counts._tried", False)
        monkeypatch.setattr("ladder.indexing.token_counts._encoding", None)
        monkeypatch.setattr("ladder.indexing.token_counts._offline", offline)
        monkeypatch.setattr("ladder.indexing.token_counts._published", published)
        assert costs.count("canary") == tokens
        assert costs.estimated() == (tokens == 1)
