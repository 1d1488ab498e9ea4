"""The hook's own JSON says what the library's does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.lean import json as hookjson
from ladder.lean.json import from_json, to_json

TEXT = st.one_of(st.text(max_size=12), st.text(st.sampled_from('"\\/nu0ab {}:,\n\t\u00e9\U0001f600'), max_size=12))
PLAIN = st.one_of(TEXT, st.integers(-(10**20), 10**20), st.booleans(), st.none())
VALUE = st.recursive(
    st.one_of(PLAIN, st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)


@pytest.fixture(autouse=True)
def _without_scanner():
    hookjson._scan.clear()


def flat(text: str):
    hookjson._scan.clear()
    return hookjson._flat(text.strip(" \t\n\r"))


@given(st.dictionaries(TEXT, PLAIN, max_size=4), st.booleans(), st.sampled_from([None, 1, (",", ":"), (" , ", " : ")]))
def test_a_flat_object_is_read_as_the_library_reads_it(value, ascii_alone, style):
    style = {"indent": style} if style == 1 else {"separators": style}
    text = json.dumps(value, ensure_ascii=ascii_alone, **style)
    found = flat(text)
    assert found is None or found == value
    assert from_json(text) == value


@given(st.text(st.sampled_from('{}{":,"" \\nu0123truefalse'), max_size=24))
def test_what_is_taken_apart_without_the_scanner_is_json(text):
    found = flat(text)
    if found is not None:
        assert found == json.loads(text, strict=False)


def test_an_ordinary_event_needs_no_scanner():
    event = {"hook_event_name": "UserPromptSubmit", "prompt": 'say "go"\n\tnow \\ then', "n": 12, "agent": None}
    for ascii_alone in (True, False):
        assert flat(json.dumps(event, ensure_ascii=ascii_alone)) == event


@given(VALUE)
def test_what_is_written_is_ascii_on_one_line_and_comes_back(value):
    text = to_json(value)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == value


@given(TEXT)
def test_strings_are_written_as_the_library_writes_them(value):
    assert to_json(value) == json.dumps(value)


@pytest.mark.parametrize("text", ["", "x", '{"a":1} x', '{"a"}', '{"a":}', '{"a":01}', "{,}", '{"a":"b",}', "{'a':1}"])
def test_what_is_no_json_is_said_to_be_none(text):
    with pytest.raises(ValueError):
        from_json(text)
