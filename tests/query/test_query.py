import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query, quoted
from ladder.query.speaker import command_name
from ladder.speaking.coverage import parts
from transcripts.logs.speech import is_slash


def test_a_message_alone_weighs_each_term_by_the_root_of_its_count():
    found = query(Context("canary canary rollback"))
    assert found.weigh()[0] == pytest.approx(
        {"canari": math.sqrt(2) / (1 + math.sqrt(2)), "rollback": 1 / (1 + math.sqrt(2))}
    )
    assert found.weigh()[1] == pytest.approx({"canari": 0.1, "rollback": 0.1})


def test_each_part_shares_its_weight_among_its_terms():
    found = query(Context("retry", said=[["user", "deploy"], ["agent", "canary"]], branch="fix/alerts"))
    # message 1, agent 1, user 1, branch 0.2 shared by fix/alerts, alerts, fix
    assert found.weigh()[0]["retri"] == pytest.approx(1.0)
    assert found.weigh()[0]["deploy"] == pytest.approx(1.0)
    assert found.weigh()[0]["canari"] == pytest.approx(1.0)
    assert sum(found.weigh()[0].values()) == pytest.approx(3.2)


def test_what_the_message_has_in_quotes_or_backticks_counts_twice():
    found = query(Context("where is `canary` rolled"))
    # canary 2, rolled 1, of a part that counts 1
    assert found.weigh()[0] == pytest.approx({"canari": 2 / 3, "roll": 1 / 3})


def test_the_branch_counts_more_where_a_slash_command_opens_the_turn():
    # 0.2 of the part "branch", 0.5 of the part "task"
    assert query(Context("/plan:implement 12", branch="alerts")).weigh()[0]["alert"] == pytest.approx(0.7)
    assert query(Context("mute the phone", branch="alerts")).weigh()[0]["alert"] == pytest.approx(0.2)
    working = Context("/plan:implement 12", said=[["agent", "Reading the plan."]], branch="alerts")
    assert query(working).weigh()[0]["alert"] == pytest.approx(0.2)


def test_older_words_fade():
    said = [["user", "alpha"], ["agent", "x1y"], ["user", "beta"], ["agent", "x1y"]]
    found = query(Context("go", said=said))
    assert found.part("user") == pytest.approx({"beta": 1.0, "alpha": 0.7})


def test_the_agent_is_at_work_when_it_has_spoken_since_the_message():
    before = [["user", "first"], ["agent", "done"]]
    assert not Context("next", said=before).at_work
    assert Context("next", said=[*before, ["agent", "reading the rollout runbook"]]).at_work
    assert Context("first", said=[["agent", "let me look"]]).at_work
    assert not Context("first").at_work


def test_what_the_agent_says_now_counts_most_against_names():
    found = query(Context("go on", said=[["agent", "Now the rollout runbook."]]))
    assert found.part("last words")
    assert found.weigh()[1]["rollout"] == pytest.approx(1.2 + 1.2 + 0.5)


def test_the_mark_of_a_hidden_note_is_no_word():
    assert "note" not in query(Context("x", said=[["agent", "reading [note] now"]])).weigh()[0]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("/erk:plan-implement 7931", "/erk:plan-implement"),
        ("/clear", "/clear"),
        ("/home/me/file.py is broken", ""),
        ("/", ""),
        ("fix /etc", ""),
        ("/tmp, is it full?", ""),
        ("/1password is down", ""),
        ("//", ""),
        ("/mcp__gitea__review 12", "/mcp__gitea__review"),
        ("  /clear\nnow", "/clear"),
        ("/etc/hosts", ""),
        ("/a?", ""),
        ("", ""),
    ],
)
def test_a_slash_command_is_known_from_a_path(message, expected):
    assert command_name(message) == query(Context(message)).command == expected
    assert is_slash(message) == bool(expected)


@given(st.text("/ \n\t\x1c\u2003tmp1_:.-,é\u0301²/", max_size=12))
def test_what_a_slash_command_is_hook_and_logs_agree(text):
    assert is_slash(text) == bool(command_name(text))
    assert is_slash("/" + text) == bool(command_name("/" + text))


def test_the_words_behind_a_slash_command_are_asked_wherever_it_begins(tmp_path):
    build_from_bytes({"a": b"# A\n\ntokens rotate each quarter\n", "b": b"# B\n\nelse\n"}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as index:
        for message in ("/ask tokens rotate quarter", "  /ask tokens rotate quarter"):
            assert parts(index, query(Context(message)))[-1].known.keys() == {"token", "rotat", "quarter"}


def test_quoted_phrases():
    assert quoted('why does "canary abort" and `ladder map` say “no notes”?') == (
        "canary abort",
        "no notes",
        "ladder map",
    )
    assert quoted('an odd " alone') == ()


def test_nothing_said_is_an_empty_query():
    assert query(Context()).weigh()[0] == {}
    assert query(Context("the of and")).weigh()[0] == {}


@given(
    st.text(max_size=300), st.lists(st.tuples(st.sampled_from(["user", "agent"]), st.text(max_size=100)), max_size=6)
)
def test_any_conversation_gives_finite_positive_weights(message, said):
    found = query(Context(message, said=[list(entry) for entry in said]))
    assert all(0 < weight <= 6.7 for weight in found.weigh()[0].values())
