"""Strategies, replay and table on four small notes, with a stand-in for the product's routing."""

import dataclasses
import sys
from pathlib import Path

import pytest

from bench import table
from bench.corpus.cache import Keep
from bench.corpus.snapshot import World
from bench.forked import can_fork
from bench.questions import Question, note_name
from bench.replay import replay, sees
from bench.scores import Difference
from bench.strategies import View, strategies
from ladder.indexing.token_counts import count

sys.path.insert(0, str(Path(__file__).parent))
import standin

FILES = {
    "deploy/rollback": (
        b"# Rollback\n\nThe previous image is kept for two days.\n\n"
        b"## Canary\n\nThe canary waits ninety seconds, then aborts.\n\n"
        b"## History\n\n### 2026-08-30 canary abort\n\nThe probe timed out behind the proxy.\n"
    ),
    "ops/alerts": b"# Alerts\n\nPages reach the person on call.\n\n## Canary\n\nNo alert is raised for a canary.\n",
    "billing": b"# Billing\n\nInvoices leave on the first of the month.\n",
    "café": b"# Coffee\n\nThe machine wants water.\n",
}


def asked(message, note, line, session="s1", zone="body", before=()):
    empty = {"said": [], "touched": [], "commands": [], "results": [], "opened": [], "cwd": "", "branch": "", "now": ""}
    contexts = {
        "message": {"message": message, **empty},
        "turn": {"message": message, **empty, "said": [["user", text] for text in before]},
        "read": {"message": message, **empty, "said": [["user", text] for text in before]},
    }
    return Question(f"{session}-{message}", session, "2026-09-01T00:00:00Z", message, contexts, note, (line,), zone)


QUESTIONS = [
    asked("why did the canary abort", "deploy/rollback", "The canary waits ninety seconds, then aborts."),
    asked("go on", "billing", "Invoices leave on the first of the month.", "s2", "head", ["when do invoices leave"]),
    asked("xyzzy", "café", "The machine wants water.", "s3", "head"),
]


@pytest.fixture
def world(tmp_path, monkeypatch):
    standin.install(monkeypatch)
    return World(FILES, Keep(tmp_path))


@pytest.fixture
def done(world):
    return replay(QUESTIONS, lambda _: world, strategies())


def test_clients_are_told_apart_where_there_is_more_than_one(world, done):
    assert table.by_client(done, 2000) == []
    assert "pairs from" not in table.brief(done)
    clients = ("codex", "claude-code", "codex")
    mixed = [dataclasses.replace(each, client=client) for each, client in zip(QUESTIONS, clients, strict=True)]
    again = replay(mixed, lambda _: world, strategies())
    hits = again.hits(again.moments[-1], "ladder@2000")
    found = {client: (ours.value, ours.n) for client, ours, _ in table.by_client(again, 2000)}
    assert found == {"claude-code": (hits[1], 1), "codex": ((hits[0] + hits[2]) / 2, 2)}
    assert "| pairs from  |" in table.brief(again)
    assert [each["client"] for each in table.as_json(again)["clients"]] == ["claude-code", "codex"]
    assert table.by_client(again, 1234) == []  # a budget that was not replayed


def test_names_of_notes_are_posix_without_suffix_in_nfc():
    assert note_name("a\\b.md") == "a/b"
    assert note_name("cafe\u0301.md") == "café"


def test_everything_answers_everything_and_nothing_nothing(done):
    assert done.hits("message", "everything") == [1, 1, 1]
    assert done.hits("message", "nothing") == [0, 0, 0]
    assert done.tokens("message", "nothing") == [0, 0, 0]


def test_the_context_finds_what_a_vague_message_cannot(done):
    assert done.ranks["message"] == [1, 0, 0]
    assert done.ranks["turn"] == [1, 1, 0]
    assert done.hits("message", "ladder@500") == [1, 0, 0]
    assert done.hits("turn", "ladder@500") == [1, 1, 0]


def test_a_strategy_that_sees_the_message_alone_is_the_same_at_every_moment(done):
    assert done.hits("turn", "fragments 5") == done.hits("message", "fragments 5")
    assert done.hits("turn", "fragments 5, same query") == [1, 1, 0]


def test_told_the_note_it_is_read_even_for_a_message_without_words(done):
    assert done.hits("message", "ladder@500, note given") == [1, 1, 1]


def test_tokens_are_counted_by_the_bench_from_the_text(done, world):
    text = "Invoices leave on the first of the month."
    assert world.cost(text) == done.tokens("turn", "fragments 5, same query")[1]


def test_suggestions_and_maps_are_paid_for(done):
    routed = done.tokens("turn", "routing, 1 note")[1]
    given = done.tokens("turn", "note given: head + best section")[1]
    assert routed > given


def test_r67_a_broken_product_scores_nothing(tmp_path, monkeypatch):
    standin.install(monkeypatch)

    def broken(*_args, **_more):
        raise ZeroDivisionError

    monkeypatch.setattr(sys.modules["ladder.ranking.survey"], "survey", broken)
    monkeypatch.setattr(sys.modules["ladder.reading.answer"], "spend", broken)
    found = replay(QUESTIONS, lambda _: World(FILES, Keep(tmp_path)), strategies())
    for strategy in found.strategies:
        if strategy.family in ("ladder@N", "ladder@N, note given", "routing, head + section"):
            assert found.hits("turn", strategy.name) == [0, 0, 0]
    assert found.errors()["ZeroDivisionError"] > 0
    assert "ZeroDivisionError" in table.text(found)


def test_a_product_that_cannot_be_imported_scores_nothing(tmp_path, monkeypatch):
    standin.install(monkeypatch)
    monkeypatch.setitem(sys.modules, "ladder.query.query", None)
    found = replay(QUESTIONS, lambda _: World(FILES, Keep(tmp_path)), strategies())
    assert found.hits("turn", "ladder@8000") == [0, 0, 0]
    assert found.hits("turn", "fragments 5") == [1, 0, 0]


def test_a_product_that_claims_cheap_tokens_pays_for_its_text(tmp_path, monkeypatch):
    standin.install(monkeypatch)
    monkeypatch.setattr(
        sys.modules["ladder.reading.answer"],
        "spend",
        lambda *args, **more: standin.spend(*args, **more)._replace(tokens=0),
    )
    found = replay(QUESTIONS[:1], lambda _: World(FILES, Keep(tmp_path)), strategies())
    assert found.tokens("message", "ladder@500")[0] > 0


def test_fragments_stop_before_the_one_that_would_exceed(world):
    found = replay(QUESTIONS[:1], lambda _: world, strategies((12,)))
    assert found.tokens("message", "fragments@12")[0] <= 12


def test_a_line_cut_in_two_is_not_seen(world):
    assert not sees(View(("The canary waits ninety", " seconds, then aborts.")), world, QUESTIONS[0])


def test_grep_finds_the_lines_with_the_rarest_words(world):
    text, names = world.lines.grep(["canary"], 1000)
    assert text.split("\n")[0] == "deploy/rollback.md:5:## Canary"
    assert names == ["deploy/rollback", "ops/alerts"]
    assert world.lines.rarest(["canary", "abort", "nowhere", "aborts"], 2) == ["abort", "aborts"]


def test_grep_is_cut_where_the_shell_tool_cuts(world):
    text, _ = world.lines.grep(["canary"], 40)
    assert text == "deploy/rollback.md:5:## Canary"


def test_every_strategy_says_what_it_stands_for_and_whether_it_is_fair():
    for strategy in strategies(hook=True):
        words = strategy.run.__doc__ or ""
        assert "air" in words or strategy.family == "nothing", strategy.name
        assert (strategy.fair == "yes") == ("Not fair" not in words), strategy.name
    names = [strategy.name for strategy in strategies(hook=True)]
    assert len(names) == len(set(names))


def test_rows_zones_and_text(done):
    rows = {(row.moment, row.strategy): row for row in table.rows(done)}
    row = rows["turn", "ladder@500"]
    assert row.hit.value == pytest.approx(2 / 3)
    assert row.hit.n == 3
    assert rows["turn", "everything"].fixed == rows["turn", "everything"].tokens
    zones = table.by_zone(done, "ladder@500", "turn")
    assert (zones["body"].value, zones["body"].n) == (1, 1)
    assert (zones["head"].value, zones["head"].n) == (0.5, 2)
    assert zones["history"].n == 0
    shown = table.text(done, zones_for=["ladder@500"])
    assert "undecided" in shown
    assert "| ladder@500 " in shown
    assert table.as_json(done)["n"] == 3


def test_routing_by_hand(done):
    found = table.routing(done)["turn"]
    assert found["R@1"].value == pytest.approx(2 / 3)
    assert found["MRR"].value == pytest.approx(2 / 3)


def test_a_small_chance_is_not_printed_as_none():
    assert table.points(Difference(0.1, 0.05, 0.15, 0.0005, 40, 40)) == "+10.0 (+5.0 to +15.0), p < 0.001"
    assert table.points(Difference(-0.1, -0.2, 0.0, 0.04, 40, 40)) == "-10.0 (-20.0 to +0.0), p 0.040"


def test_short_numbers():
    assert [table.short(value) for value in (740, 2700, 977_000)] == ["740", "2.7k", "977k"]


def test_no_questions_is_an_empty_table(world):
    found = replay([], lambda _: world, strategies())
    assert "n = 0" in table.text(found)


@pytest.mark.skipif(not can_fork(), reason="processes share nothing here, or there is one core")
def test_many_questions_are_asked_in_several_processes_with_the_same_outcomes(tmp_path, monkeypatch):
    standin.install(monkeypatch)
    keep = Keep(tmp_path)
    worlds = [World(FILES, keep), World({**FILES, "more": b"# More\n\nA canary again.\n"}, keep)]
    asked_of = {f"{i}": worlds[i % 2] for i in range(40)}
    many = [dataclasses.replace(QUESTIONS[i % 3], id=f"{i}") for i in range(40)]
    alone = replay(many, lambda question: asked_of[question.id], strategies())
    monkeypatch.setattr("bench.replay.MANY", 40)
    seen = []
    together = replay(many, lambda question: asked_of[question.id], strategies(), watch=lambda o: seen.extend(o) or o)
    assert together == alone
    assert sorted(seen) == list(range(40))
    one = replay(many, lambda _: worlds[0], strategies())
    assert one.outcomes["turn", "ladder@500"] == [alone.outcomes["turn", "ladder@500"][i % 3] for i in range(40)]


@pytest.mark.skipif(not can_fork(), reason="processes share nothing here, or there is one core")
def test_a_world_is_indexed_beside_and_a_broken_product_is_left_to_the_questions(tmp_path, monkeypatch):
    monkeypatch.setattr("bench.corpus.snapshot.WORTH_IT", 1)
    world = World(FILES, Keep(tmp_path / "good"))
    world.ready()
    assert world.tokens == sum(count(data.decode()) for data in FILES.values())
    assert world.index.count == 4
    monkeypatch.setitem(sys.modules, "ladder.indexing.pipeline", None)
    broken = World(FILES, Keep(tmp_path / "bad"))
    broken.ready()
    assert "index" not in vars(broken)
