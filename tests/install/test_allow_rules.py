"""Allow rules in a client's settings: added where wanted, and taken out again to the byte."""

import json

import pytest

from ladder.install.allow_rules import RULES, add_rules, missing_rules, remove_rules
from ladder.install.jsonc import SettingsError

BEFORE = [
    "",
    "{}",
    '{"a": 1}',
    '{\n  "permissions": {"allow": ["Bash(ls:*)"]},\n  "b": 2\n}\n',
    '{\n  "permissions": {\n    "allow": [\n      "Bash(ls:*)"\n    ],\n    "deny": []\n  }\n}\n',
    '{\n\t"permissions": {\n\t\t"deny": ["Read(x)"]\n\t}\n}\n',
]


@pytest.mark.parametrize("before", BEFORE)
def test_what_is_added_is_taken_out_again(before):
    rules = missing_rules(before)
    assert rules == list(RULES)
    after = add_rules(before, rules)
    allowed = json.loads(after)["permissions"]["allow"]
    assert allowed[-len(RULES) :] == list(RULES)
    assert missing_rules(after) == []
    left = remove_rules(after, rules)
    assert json.loads(left or "{}") == json.loads(before or "{}")


def test_a_rule_of_the_persons_own_stays():
    before = '{"permissions": {"allow": ["Bash(ladder read:*)"]}}'
    rules = missing_rules(before)
    assert "Bash(ladder read:*)" not in rules
    left = remove_rules(add_rules(before, rules), rules)
    assert json.loads(left) == json.loads(before)


@pytest.mark.parametrize("before", ['{"permissions": 1}', '{"permissions": {"allow": {}}}'])
def test_what_is_of_another_kind_is_refused(before):
    with pytest.raises(SettingsError, match="line 1: `permissions"):
        missing_rules(before)


def test_no_rule_lets_anything_be_written():
    writing = ("append", "head", "new", "fix", "forget", "index", "check", "restore")
    assert not any(word in rule for rule in RULES for word in writing)
