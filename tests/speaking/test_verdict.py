"""When the hook speaks before anything was learned, and that the glance before the search silences no answer."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ladder.hook.on_message import may_speak, worth_saying
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.survey import suggestions, survey
from ladder.speaking.coverage import covering
from ladder.text.spelling import spelt

#: "As for tokens", in Japanese.
TOKENS = "\u30c8\u30fc\u30af\u30f3\u306f"
NOTES = {
    "deploy/rollback": b"# Rollback\n\nUndo the rollout.\n\n## Canary\n\nThe canary aborts without its header.\n",
    "ops/alerts": b"# Alerts\n\nPages go to the phone after five minutes.\n",
    "api/tokens": b"# Tokens\n\nTokens rotate each quarter, by the identity team.\n",
    "api/keys": f"# Keys\n\n{TOKENS}\u7530\u4e2d\u3055\u3093\u304c\u4ea4\u63db\u3059\u308b\n".encode(),
    "api/limits": b"# Limits\n\nThe gateway answers 429 after ninety calls.\n",
}


def said(index, message, **more):
    scene = survey(index, query(Context(message=message, **more)))
    return [found.name for found in worth_saying(scene)][:1]


def test_a_question_that_a_passage_holds_is_answered(index):
    assert said(index, "why does the canary abort on a rollback without the header?") == ["deploy/rollback"]


@pytest.mark.parametrize(
    "message", ["go on", "is everything all right?", "quarter", "write a parser for csv files, tokens and limits"]
)
def test_what_is_vague_or_about_something_else_is_not(index, message):
    assert said(index, message) == []


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("do tokens rotate each quarter?", ["api/tokens"]),
        ("who is the identity team?", ["api/tokens"]),  # two
        ("what rotates?", []),  # one
        ("do tokens rotate each quarter? I need it for the accountant", ["api/tokens"]),
        ("thanks for looking. @README.md do tokens rotate each quarter?", ["api/tokens"]),
        # words that no note holds weigh against it
        ("\u6bce\u56db\u534a\u671f\u6bce\u56db\u534a\u671f tokens rotate quarter\uff1f", []),
        ("rotate tokens", []),  # two words of an order are soon found anywhere
        ("rotate tokens in the cellar and the attic", []),  # and so is half of a longer one
        # of a question half is enough, with three words
        ("do tokens rotate in the attic each quarter?", ["api/tokens"]),
        ("do tokens rotate in the attic?", []),
        (f"{TOKENS}\u8ab0\u304c\u4ea4\u63db\u3057\u307e\u3059\u304b", ["api/keys"]),  # no mark, but a question
        ("/ask do tokens rotate each quarter?", ["api/tokens"]),  # a command's name is no word of it
        ("rotate tokens each quarter by the identity team", ["api/tokens"]),
    ],
)
def test_of_a_question_less_is_enough_than_of_an_order(index, message, shown):
    assert said(index, message) == shown


TALK = [["user", "the gateway answers 429"], ["agent", "It does so after ninety calls."]]


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("do tokens rotate each quarter?", ["api/tokens"]),  # says itself what it is about
        ("ok, and tokens?", []),  # leans on what was said
        ("does that rotate tokens?", []),
    ],
)
def test_in_a_conversation_only_what_stands_by_itself_is_answered(index, message, shown):
    assert said(index, message, said=TALK) == shown


def test_a_note_that_is_named_is_shown(index):
    assert said(index, "look at api/limits please")[0] == "api/limits"


def every(index, message, **more):
    return [found.name for found in worth_saying(survey(index, query(Context(message=message, **more))))]


def test_what_is_far_behind_a_named_note_is_not_named_beside_it(index):
    message = "please check that the canary of deploy/rollback is described with its header and the phone"
    found = suggestions(survey(index, query(Context(message=message))), 8)
    assert [each.name for each in found] == ["deploy/rollback", "ops/alerts"]  # there is something to leave out
    assert every(index, message) == ["deploy/rollback"]


def test_of_two_notes_that_the_message_names_both_are_named(index):
    message = "compare deploy/rollback, where the canary aborts without its header, with ops/alerts"
    scores = [each.score for each in suggestions(survey(index, query(Context(message=message))), 8)]
    assert scores[1] < 0.7 * scores[0]
    assert every(index, message) == ["deploy/rollback", "ops/alerts"]


WORDS = sorted(
    {word for text in NOTES.values() for word in text.decode().replace("#", "").split()} | {"parser", "csv", "zebra"}
)


SAID = st.lists(st.sampled_from([*WORDS, "deploy", "rollback", "ops", "alerts", "api", "limits"]), max_size=8).map(
    " ".join
)


@settings(max_examples=400, deadline=None)
@given(
    message=SAID,
    said=st.lists(st.tuples(st.sampled_from(["user", "agent"]), SAID), max_size=4),
    branch=SAID,
    commands=st.lists(SAID, max_size=2),
    slash=st.booleans(),
    threshold=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]) | st.floats(0.03, 0.6),
)
@example(
    message="", said=[], branch="ops/alerts", commands=[], slash=False, threshold=0.21
)  # the branch alone says more of a name than 5
def test_the_glance_never_silences_an_answer(index, message, said, branch, commands, slash, threshold):
    message = f"/ask {message}" if slash else message
    asked = spelt(index, query(Context(message, said, commands=commands, branch=branch)))
    scene = survey(index, asked)
    if worth_saying(scene, threshold) or covering(scene, suggestions(scene, 8)):
        assert may_speak(index, asked, None, threshold)


def test_a_question_that_a_heading_holds_is_answered(tmp_path):
    entry = b"# Decisions\n\n## History\n\n### 2026-06-30: no GraphQL for partners\n\nREST was enough.\n"
    build_from_bytes({**NOTES, "arch": entry}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as opened:
        assert said(opened, "why no GraphQL for partners?") == ["arch"]
