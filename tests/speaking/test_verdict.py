"""When the hook speaks before anything was learned, and that the glance before the search silences no answer."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ladder.hook.hand_over import compose
from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.query.sentences import as_asked, sentences
from ladder.ranking.explain import suggestions
from ladder.ranking.survey import survey
from ladder.speaking.coverage import FILLING, OF_A_TIME
from ladder.speaking.verdict import decide, verdict
from ladder.text.tokenizer import terms

#: "As for tokens", in Japanese.
TOKENS = "\u30c8\u30fc\u30af\u30f3\u306f"
NOTES = {
    "deploy/rollback": b"# Rollback\n\nUndo the rollout.\n\n## Canary\n\nThe canary aborts without its header.\n",
    "ops/alerts": b"# Alerts\n\nPages go to the phone after five minutes.\n",
    "api/tokens": b"# Tokens\n\nTokens rotate each quarter, by the identity team.\n",
    "api/keys": f"# Keys\n\n{TOKENS}\u7530\u4e2d\u3055\u3093\u304c\u4ea4\u63db\u3059\u308b\n".encode(),
    "api/limits": b"# Limits\n\nThe gateway answers 429 after ninety calls.\n",
}
OTHER = {
    "arch": b"# Decisions\n\n## History\n\n### 2026-06-30: no GraphQL for partners\n\nREST was enough.\n",
    "relay": (
        b"# Relay\n\nThe relay listens on port 7443.\n\n"
        b"## Transport\n\nPlain HTTP over MQTT because the gateway drops idle sockets.\n"
    ),
    "firmware": (
        b"# Firmware\n\nBuild 4.2.\n\n## History\n\n### 2026-07-03\n\nThe bootloader got a watchdog.\n\n"
        b"### 2026-05-01\n\nSigned images only.\n"
    ),
    "mail": b"# Mail\n\nThe mailer uses a queue of its own.\n\nWe use SES.\n",
}


def every(index, message, **more):
    """The notes that the block shows or names."""
    decision = decide(index, query(Context(message=message, **more)), None)
    if not decision.speaks:
        return []
    block = compose(decision, 600, lambda n: NOTES.get(index.note(n).name, OTHER.get(index.note(n).name)))
    return [index.note(n).name for n in block.notes]


def said(index, message, **more):
    return every(index, message, **more)[:1]


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
        ("what rotates?", ["api/tokens"]),  # one, and all of it
        ("what about the quarter and the attic?", []),  # one of two
        ("do tokens rotate each quarter? I need it for the accountant", ["api/tokens"]),
        ("thanks for looking. @README.md do tokens rotate each quarter?", ["api/tokens"]),
        # words that no note holds weigh against it
        ("does the moon rotate round the earth or round the sun each month?", []),
        ("rotate tokens", []),  # two words of an order are soon found anywhere
        ("rotate tokens in the cellar and the attic", []),  # and so is half of a longer one
        # of a question half is enough, with three words
        ("do tokens rotate in the attic each quarter?", ["api/tokens"]),
        ("do tokens rotate in the attic and the cellar?", []),
        (f"{TOKENS}\u8ab0\u304c\u4ea4\u63db\u3057\u307e\u3059\u304b", ["api/keys"]),  # no mark, but a question
        ("/ask do tokens rotate each quarter?", ["api/tokens"]),  # a command's name is no word of it
        ("rotate tokens each quarter by the identity team", ["api/tokens"]),
    ],
)
def test_of_a_question_less_is_enough_than_of_an_order(index, message, shown):
    assert said(index, message) == shown


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("rotate tokens, see https://example.org/list?page=2 in the attic", False),
        ("rotate tokens as in `reply?.body` or `a ? b : c`, in the attic", False),
        ("rotate tokens:\n```\nwho?\n```\nin the attic", False),
        ("rotate tokens with colou?r(s) or reply?.body in the attic", False),
        ("rotate tokens with example.org/?q", False),
        ("do tokens rotate, as https://example.org/list?page=2 says?", True),
        ("is it `reply?.body`?", True),
        ("(do tokens rotate?)", True),
        ("**do tokens rotate?**", True),
        ("do tokens rotate?? I wonder", True),
        ("do tokens rotate?and who does it", True),  # a space was forgotten
        ("did you read https://example.org/list?", True),
        ("tournent-ils ?", True),
        ("isn't the ` key broken?", True),
        (f"{TOKENS}\uff1f\u7530\u4e2d", True),
        (f"`{TOKENS}\uff1f`", False),
    ],
)
def test_a_mark_in_an_address_or_in_code_asks_nothing(message, asks):
    assert any(each.asks for each in sentences(message)) == asks


def test_an_order_with_an_address_needs_what_an_order_does(index):
    assert said(index, "do tokens rotate in the attic each quarter?") == ["api/tokens"]
    assert said(index, "rotate tokens each quarter, and log the attic at https://attic.org/list?page=2") == []


@given(st.text("a?` \n/=.\uff1f", max_size=20))
def test_looking_for_marks_changes_nothing_else(text):
    found = as_asked(text)
    assert len(found) == len(text)
    assert all(a == b or (a in "?\uff1f" and b in "? ") for a, b in zip(text, found, strict=True))


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
    asked = query(Context(message, said, commands=commands, branch=branch))
    assert decide(index, asked, None, threshold).speaks == decide(index, asked, None, threshold, glance=False).speaks


def test_a_question_that_a_heading_holds_is_answered(tmp_path):
    build_from_bytes({**NOTES, "arch": OTHER["arch"]}, tmp_path / "index")
    with open_index(str(tmp_path / "index")) as opened:
        assert said(opened, "why no GraphQL for partners?") == ["arch"]


LOG = "\n".join(f"2026-11-30T10:00:{n % 60:02} ERROR worker {n} crashed at {n * 7919:#x} in io.c" for n in range(60))


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    target = tmp_path_factory.mktemp("wide") / "index"
    build_from_bytes({**NOTES, **OTHER}, target)
    with open_index(str(target)) as opened:
        yield opened


@pytest.mark.parametrize("talk", [[], TALK])
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("which port does the relay use?", ["relay"]),  # a verb that says nothing
        ("which port does the relay listen on", ["relay"]),  # no mark
        ("tell me the port of the relay", ["relay"]),  # an order that asks
        ("relay port?", ["relay"]),
        ("why not MQTT?", ["relay"]),  # one word
        ("why don't we use MQTT here?", ["relay"]),  # and not the note that uses a queue
        (f"why do we not use MQTT?\n\n{LOG}", ["relay"]),  # above a pasted log
        ("what changed in firmware in July?", ["firmware"]),  # of a time
        ("why did you change the relay port again?", []),  # asks the agent about its own work
        ("rename the relay variable please", []),
    ],
)
def test_what_a_person_asks_is_answered_however_it_is_said(wide, message, shown, talk):
    assert said(wide, message, said=talk, now="2026-11-30T10:00:00") == shown


def test_why_says_what_decided(wide):
    line = verdict(wide, query(Context(message="why did you change the relay port again?")), None).line
    assert line.startswith("the hook would be silent: ")
    assert "it speaks to the agent" in line


def test_words_that_fill_a_question_are_written_as_terms():
    for term in FILLING | OF_A_TIME:
        assert terms(term) == [term] or term in terms("described explained exactly supposed always deciding change")
