"""Settings files keep every byte outside what is put in (R66), whatever stands in them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.install.jsonc import SettingsError, json_view, read_settings
from ladder.install.settings_edit import add_hooks, remove_hooks

ARGUMENTS = ["-I", "-c", "import ladder_hook", "/d/hook"]
HANDLER = {"type": "command", "command": "/usr/bin/python3", "args": ARGUMENTS, "timeout": 5}
WANTED = {
    "UserPromptSubmit": {"hooks": [HANDLER]},
    "PreToolUse": {"matcher": "Read|Edit", "hooks": [HANDLER]},
}


def test_an_empty_file_becomes_settings():
    assert json.loads(add_hooks("", WANTED)) == {"hooks": {name: [group] for name, group in WANTED.items()}}


def test_r66_everything_else_stays_byte_for_byte():
    before = (
        '{\r\n\t// my model\r\n\t"model": "opus",   /* odd */\r\n\t"unknown": [1,2 , 3],\r\n'
        '\t"hooks": {\r\n\t\t"UserPromptSubmit": [\r\n\t\t\t{"hooks": [{"command": "x"}]} // mine\r\n'
        '\t\t]\r\n\t}, \r\n\t"z": 1.50\r\n}\r\n'
    )
    after = add_hooks(before, WANTED)
    head, tail = before[: before.index("x") + 5], '"z": 1.50\r\n}\r\n'
    assert after.startswith(head)
    assert after.endswith(tail)
    assert "// mine" in after
    view = json_view(after)
    assert view["hooks"]["UserPromptSubmit"] == [{"hooks": [{"command": "x"}]}, WANTED["UserPromptSubmit"]]
    assert view["hooks"]["PreToolUse"] == [WANTED["PreToolUse"]]
    assert "\n" not in after.replace("\r\n", "")
    assert remove_hooks(after) == before


def test_r66_twice_is_once():
    once = add_hooks('{\n  "a": 1\n}\n', WANTED)
    assert add_hooks(once, WANTED) == once


def test_a_former_entry_is_renewed_in_place():
    old = {"UserPromptSubmit": {"hooks": [HANDLER | {"command": "/old/python"}]}}
    text = add_hooks('{"a": 1}', old)
    new = add_hooks(text, {"UserPromptSubmit": WANTED["UserPromptSubmit"]})
    assert json.loads(new) == {"a": 1, "hooks": {"UserPromptSubmit": [WANTED["UserPromptSubmit"]]}}


def test_a_former_entry_beside_a_stranger_is_renewed_alone():
    stranger = {"type": "command", "command": "theirs"}
    text = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [stranger, HANDLER | {"timeout": 1}]}]}}, indent=2)
    new = add_hooks(text, {"UserPromptSubmit": WANTED["UserPromptSubmit"]})
    assert json.loads(new)["hooks"]["UserPromptSubmit"] == [{"hooks": [stranger, HANDLER]}]
    assert json.loads(remove_hooks(new)) == {"hooks": {"UserPromptSubmit": [{"hooks": [stranger]}]}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n "a": 1\n "b": 2}', 3),
        ('{"a": ', 1),
        ("[]", 1),
        ('{\n\n"hooks": []}', 3),
        ('{"hooks": {\n"UserPromptSubmit": {}}}', 2),
        ('{"a": tru}', 1),
        ('{"a": 1} x', 1),
        ("{'a': 1}", 1),
        ('{"a": "b\n"}', 1),
        ('{"a": 1}}', 1),
        ("{\n/* never closed", 2),
    ],
)
def test_r66_what_does_not_parse_is_refused_with_its_line(text, line):
    with pytest.raises(SettingsError, match=f"line {line}:"):
        add_hooks(text, WANTED)


def test_a_trailing_comma_stays_one():
    before = '{\n  "a": 1,\n}\n'
    after = add_hooks(before, WANTED)
    assert json_view(after)["hooks"]["UserPromptSubmit"] == [WANTED["UserPromptSubmit"]]
    assert remove_hooks(after) == before


def test_a_comment_in_an_empty_object_stays():
    after = add_hooks("{ // nothing yet\n}\n", WANTED)
    assert "// nothing yet\n" in after
    assert set(json_view(after)["hooks"]) == set(WANTED)


def test_the_last_of_two_equal_keys_counts():
    after = add_hooks('{"hooks": {}, "hooks": {"UserPromptSubmit": []}}', WANTED)
    assert json.loads(after)["hooks"]["UserPromptSubmit"] == [WANTED["UserPromptSubmit"]]


def test_deep_nesting_is_refused():
    with pytest.raises(SettingsError):
        read_settings('{"a":' + "[" * 5000 + "]" * 5000 + "}")


_plain = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_group = st.fixed_dictionaries({"hooks": st.lists(st.fixed_dictionaries({"command": st.text(max_size=5)}), max_size=2)})
_settings = st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), _plain, max_size=3)


@settings(max_examples=150, deadline=None)
@given(
    _settings,
    st.none() | st.dictionaries(st.sampled_from(["UserPromptSubmit", "Stop"]), st.lists(_group, max_size=2)),
    st.sampled_from([None, 1, 4, "\t"]),
)
def test_adding_adds_exactly_what_was_wanted_and_removing_takes_exactly_that(base, hooks, indent):
    before = base if hooks is None else base | {"hooks": hooks}
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    after = add_hooks(text, WANTED)
    expected = json.loads(text)
    for event, group in WANTED.items():
        expected.setdefault("hooks", {}).setdefault(event, []).append(group)
    assert json.loads(after) == expected
    assert add_hooks(after, WANTED) == after
    left = json.loads(remove_hooks(after))
    assert _without_empty(left) == _without_empty(before)


def _without_empty(value):
    hooks = {event: groups for event, groups in value.get("hooks", {}).items() if groups}
    rest = {key: item for key, item in value.items() if key != "hooks"}
    return rest | ({"hooks": hooks} if hooks else {})


@pytest.mark.parametrize(
    "before",
    [
        '{\n  "a": 1, /* x */\n  "hooks": {\n    "Stop": [ {"hooks": []}, ], // t\n  },\n}\n',
        '{\n  "hooks": {\n    // mine\n    "Stop": [] // "not", a key\n  }\n}\n',
        '{ "a": 1 // no, comma\n}',
        '{ "a": [1, /* , */ 2], // one\r\n // two\r\n "b": {}, /* three */ }\r\n',
    ],
)
def test_r66_comments_and_trailing_commas_come_back(before):
    after = add_hooks(before, WANTED)
    assert json_view(after)["hooks"].keys() >= WANTED.keys()
    assert remove_hooks(after) == before


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"hooks": {"Stop": [ // c\n %s ]}}', '{"hooks": {"Stop": [ // c\n ]}}'),
        ('{"hooks": {"Stop": [ // c\n %s, {} ]}}', '{"hooks": {"Stop": [ // c\n {} ]}}'),
        ('{"hooks": {"Stop": [ {}, // c\n %s ]}}', '{"hooks": {"Stop": [ {} // c\n ]}}'),
        ('{"hooks": {"Stop": [ {}, // c\n %s, /* d */ {} ]}}', '{"hooks": {"Stop": [ {}, // c\n /* d */ {} ]}}'),
        ('{"hooks": {"Stop": [ {} /* c */, %s // d\n ]}}', '{"hooks": {"Stop": [ {} /* c */ // d\n ]}}'),
    ],
)
def test_r66_what_is_taken_out_leaves_nothing_behind_in_a_comment(text, left):
    ours = json.dumps({"hooks": [HANDLER]})
    assert remove_hooks(text % ours) == left


_blank = st.sampled_from(["", " ", "\n", "\t", "\n  ", " /* , } */ ", " // ] , x\n", "\r\n", "//\n"])


_space = st.sampled_from(["", " ", "\n", "\t "])


@st.composite
def _jsonc(draw, value):
    """`value` as text, with comments, odd white space and trailing commas anywhere."""
    if not isinstance(value, dict | list) or not value:
        shown = json.dumps(value, ensure_ascii=draw(st.booleans()))
        return shown if shown not in ("{}", "[]") else shown[0] + draw(_blank) + shown[1]
    parts = []
    for key in value:
        name = json.dumps(key) + draw(_space) + ":" + draw(_space) if isinstance(value, dict) else ""
        item = value[key] if isinstance(value, dict) else key
        parts.append(draw(_blank) + name + draw(_jsonc(item)) + draw(_blank))
    if draw(st.booleans()):
        parts.append(draw(_blank))
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + ",".join(parts) + closing


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    _settings,
    st.none() | st.dictionaries(st.sampled_from(["UserPromptSubmit", "Stop"]), st.lists(_group, max_size=2)),
)
def test_r66_whatever_the_form_of_the_text(data, base, hooks):
    before = base if hooks is None else base | {"hooks": hooks}
    text = data.draw(_jsonc(before))
    assert json_view(text) == before
    after = add_hooks(text, WANTED)
    expected = json.loads(json.dumps(before))
    for event, group in WANTED.items():
        expected.setdefault("hooks", {}).setdefault(event, []).append(group)
    assert json_view(after) == expected
    assert add_hooks(after, WANTED) == after
    left = remove_hooks(after)
    assert _without_empty(json_view(left)) == _without_empty(before)
    for sign in ("/* , } */", "// ] , x"):
        assert left.count(sign) == text.count(sign)


@pytest.mark.parametrize(
    ("handler", "ours"),
    [
        ({"command": "ladder hook"}, True),
        ({"command": "ladder", "args": ["hook"]}, True),
        ({"command": '"C:/Users/a b/ladder.exe" hook'}, True),
        ({"command": "C:\\bin\\Ladder.EXE", "args": ["hook"]}, True),
        ({"command": "/home/u/.local/bin/ladder hook"}, True),
        ({"command": "/usr/bin/python3", "args": ["-m", "ladder", "hook"]}, True),
        ({"command": 'python -I -c "…" /d/hook.bundle'}, True),
        ({"command": "python", "args": ["-I", "-c", "try: import sys; import ladder_hook\nexcept: pass", "/d"]}, True),
        ({"command": 'python -I -c "import ladder_hook" /d'}, True),
        ({"command": "step-ladder hook"}, False),
        ({"command": "ladder stats"}, False),
        ({"command": "hook"}, False),
        ({"type": "http"}, False),
    ],
)
def test_a_hook_that_somebody_typed_is_renewed_and_not_doubled(handler, ours):
    text = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [handler]}]}}, indent=2)
    after = json.loads(add_hooks(text, {"UserPromptSubmit": WANTED["UserPromptSubmit"]}))
    others = [] if ours else [{"hooks": [handler]}]
    assert after["hooks"]["UserPromptSubmit"] == [*others, WANTED["UserPromptSubmit"]]
    assert (remove_hooks(text) == "{}") == ours


def test_several_of_ours_become_one():
    stranger = {"type": "command", "command": "theirs"}
    groups = [{"hooks": [stranger, {"command": "ladder hook"}]}, {"matcher": "x", "hooks": [HANDLER]}]
    text = json.dumps({"hooks": {"UserPromptSubmit": groups}})
    after = add_hooks(text, {"UserPromptSubmit": WANTED["UserPromptSubmit"]})
    assert json.loads(after)["hooks"]["UserPromptSubmit"] == [{"hooks": [stranger, HANDLER]}]
