"""Expected answers: each echo counts by how probable its use is, beside the pairs."""

from types import SimpleNamespace

import pytest

from bench.corpus.cache import Keep
from bench.corpus.corpus import Corpus
from bench.corpus.gather import Gathered
from bench.questions import PRECISION, from_pairs
from bench.scores import difference, rate
from bench.tasks.notes_read import Reading
from bench.trend.expected import expected
from bench.trend.verdict import verdict
from ladder.cli.mine import _sentence
from notes import find_notes, folder_settings
from transcripts import Evidence, Pair

NOTES = {
    "deploy.md": "# Deploy\n\nThe canary waits ninety seconds, then aborts.\n",
    "billing.md": "# Billing\n\nInvoices leave on the first of the month.\n",
    "coffee.md": "# Coffee\n\nThe machine wants descaling in March.\n",
}


def pair(key: str, note: str, question: str, level: str, *, close: bool) -> Pair:
    line = NOTES[note].split("\n")[2]
    evidence = Evidence(
        line, (("word", 1),), 1, 1, "alive", "body", "", note, only_here=True, close=close, how="Read", number=3
    )
    context = {"message": question}
    return Pair(
        id=key, session=key, turn=1, key=key, time="2026-09-02T10:11:12Z", question=question, kind="typed",
        contexts={"message": context, "turn": context, "read": context}, note=note, level=level, lines=(evidence,),
        state="alive", zone="body", rarest=1, rarest_in_all=1, only_here=True, close=close, named=False, own=False,
        how="Read", offset=0,
    )  # fmt: skip


STRICT = pair("a", "deploy.md", "why did the canary abort", "reply", close=True)
FOUND = pair("b", "billing.md", "when do invoices leave", "wrote", close=True)
MISSED = pair("c", "coffee.md", "xyzzy", "wrote", close=False)


@pytest.fixture
def corpus(tmp_path):
    def made(*pairs: Pair) -> Corpus:
        for name, text in NOTES.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        settings = folder_settings(tmp_path)
        gathered = Gathered(list(pairs), find_notes(settings), tmp_path)
        return Corpus(gathered, [], Keep(tmp_path / "keep"))

    return made


def test_a_question_is_as_sure_as_the_surest_of_its_lines():
    assert [each.sure for each in from_pairs([STRICT], "any")] == [PRECISION["reply", True]]
    both = from_pairs([MISSED, MISSED._replace(level="reply")], "any")
    assert [(each.level, each.sure) for each in both] == [("any", PRECISION["reply", False])]


def test_a_weighted_rate_and_difference_by_hand():
    sessions = ["s1", "s2", "s3"]
    found = rate([1, 1, 0], sessions, [0.9, 0.6, 0.5])
    assert (found.value, found.n) == (pytest.approx(0.75), 3)
    assert found.low <= found.value <= found.high
    change = difference([1, 1, 0], [0, 1, 0], sessions, [0.9, 0.6, 0.5])
    assert (change.value, change.n) == (pytest.approx(0.45), 3)
    assert rate([1, 0, 1], sessions, [1, 1, 1]) == rate([1, 0, 1], sessions)


def test_echoes_in_tool_inputs_count_by_their_probability(corpus):
    found = expected([corpus(STRICT, FOUND, MISSED)], 500)
    assert found is not None
    whole = PRECISION["reply", True] + PRECISION["wrote", True] + PRECISION["wrote", False]
    assert found.answers == pytest.approx(whole)
    assert found.ours.n == 3
    assert found.ours.value == pytest.approx((whole - PRECISION["wrote", False]) / whole)
    said = verdict(Reading(3, 3, 0, 0, ()), None, 500, found)
    assert said.expected.startswith("Of 3 lines that echoed, also in tool inputs, ")
    assert "(2 expected answers), 96 % (" in said.expected
    assert "holding the expected answers (" in said.decided


def test_where_there_are_pairs_alone_nothing_is_added(corpus):
    assert expected([corpus(STRICT)], 500) is None
    assert verdict(Reading(3, 3, 0, 0, ()), SimpleNamespace(questions=[]), 500).expected == ""


def test_mine_says_what_all_echoes_are_worth():
    states = dict.fromkeys(("alive", "moved", "gone"), 0)
    counts = {
        "sessions": 3, "questions": 9, "reads": 5, "expected": 3.6,
        "pairs": {"reply": states | {"alive": 2}, "wrote": states | {"gone": 4}},
    }  # fmt: skip
    assert "they are worth 4 answers. About 100 decide" in _sentence(counts)
    counts["pairs"]["wrote"] = states
    assert "worth" not in _sentence(counts)
