"""The whole bench over made-up notes: it asks every strategy, and its questions are about lines that stand there."""

from bench.questions import MOMENTS
from bench.speed.whole import made_pairs, run_whole

TEXTS = {
    "a": "# A\n\nThe canary waits ninety seconds behind the old proxy, then aborts.\n",
    "b": "# B\n\nInvoices leave on the first of the month, unless it is a holiday.\n",
}


def test_a_made_pair_asks_words_of_a_line_and_knows_more_at_each_moment():
    asked = made_pairs(TEXTS, 20, 8)
    assert asked == made_pairs(TEXTS, 20, 8)
    assert asked != made_pairs(TEXTS, 20, 9)
    for question in asked:
        assert question.lines[0] in TEXTS[question.note]
        assert question.text in question.lines[0]
        assert [len(question.contexts[moment].get("said", ())) for moment in MOMENTS] == [0, 6, 7]
        assert "results" in question.contexts["read"]
    assert [question.session for question in asked[6:10]] == ["session0", "session0", "session1", "session1"]


def test_a_run_tells_what_each_part_took_and_prints_the_table():
    said = []
    found = run_whole(12, 3, say=said.append)
    assert list(found.seconds) == list(found.worked) == ["index, pieces, lines", "questions", "table"]
    assert all(seconds > 0 for seconds in found.seconds.values())
    assert found.terms["read"] > found.terms["message"]
    assert "n = 3 pairs, 1 session;" in found.table
    assert "| everything " in found.table
