"""The tables of features: what a row must keep to, and how a signal is added."""

import inspect

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.features import CANDIDATES, FEATURES, NEAR, SAID, SESSION, Feature
from ladder.ranking.passages import PASSAGE_FEATURES, PassageFeature, rank_passages, worth
from ladder.ranking.survey import survey

NOTES = {
    "ops/alerts": b"# Alerts\n\nThe relay pages the phone.\n\n## Canary\n\nThe canary of the relay pages nobody.\n",
    "ops/backup": b"# Backup\n\nThe relay is backed up.\n",
    "deploy/canary": b"# Canary\n\n## History\n\n### 2026-08-30\n\nThe canary stopped the relay.\n",
}
TALK = [["user", "look at the relay"], ["agent", "The canary of the relay stopped."]]
CONTEXTS = [
    Context("why did the canary stop the relay on 30 August?", now="2026-09-02"),
    Context("go on", said=TALK, opened=["ops/alerts.md", "ops/backup.md"], now="2026-09-02"),
    Context("see ops/alerts and deploy/", said=[*TALK, ["agent", "I read the canary's alerts."]], now="2026-09-02"),
    Context("canary", search=True),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    target = tmp_path_factory.mktemp("features") / "index"
    build_from_bytes(NOTES, target, changed=dict.fromkeys(NOTES, 1_788_307_200.0))
    with open_index(str(target)) as found:
        yield found


def test_a_signal_is_one_function_and_one_row(index):
    def short_name(search):
        """A made-up signal: notes with short names."""
        return {n: 1 / len(index.note(n).name) for n in range(index.count)}

    asked = query(Context("the relay"))
    before = survey(index, asked)
    after = survey(index, asked, features=(*FEATURES, Feature("short name", 2.0, short_name, SESSION)))
    n = index.find("ops/alerts")[0]
    assert after.totals[n] == pytest.approx({**before.totals[n], "short name": 2.0 / len("ops/alerts")})


def test_a_signal_of_passages_is_one_function_and_one_row(index):
    def last(search, n):
        """A made-up signal: the last paragraph of a note."""
        count = search.scales(n).passages.count
        return [0.0] * (count - 1) + [1.0]

    search = survey(index, query(Context("the relay")))
    rows = (*PASSAGE_FEATURES, PassageFeature("last", 100.0, last))
    before = {(each.note, each.paragraph): each for each in rank_passages(search)}
    for each in rank_passages(search, features=rows):
        is_last = each.paragraph == index.passages(each.note).count - 1
        gain = each.promise - before[each.note, each.paragraph].promise
        assert gain == pytest.approx(100.0 * worth(each.cost) if is_last else 0.0)


def test_a_row_takes_what_its_stage_hands_it():
    wanted = {SAID: 1, SESSION: 1, NEAR: 3, CANDIDATES: 1}
    for feature in FEATURES:
        needed = [p for p in inspect.signature(feature.values).parameters.values() if p.default is p.empty]
        assert len(needed) == wanted[feature.stage], feature.name
    names = [feature.name for feature in FEATURES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_value_is_from_0_to_1(index, context):
    search = survey(index, query(context))
    assert search.candidates
    weight = {feature.name: feature.weight for feature in FEATURES}
    for n, added in search.totals.items():
        for name, share in added.items():
            assert 0 < share / weight[name] <= 1 + 1e-9, (index.note(n).name, name)
    for feature in PASSAGE_FEATURES:
        best = feature.best
        top = 1.0 if best is None else max(best(search, n) for n in search.candidates) or 1.0
        for n in search.candidates:
            for value in feature.values(search, n) or ():
                assert 0 <= value / top <= 1 + 1e-9, feature.name


def test_the_order_of_rows_decides_nothing(index):
    for context in CONTEXTS:
        first, second = survey(index, query(context)), survey(index, query(context), features=FEATURES[::-1])
        assert first.candidates == second.candidates
        for n in first.candidates:
            assert first.totals[n] == pytest.approx(second.totals[n])


def test_ranking_passages_of_other_notes_leaves_the_search_as_it_was(index):
    search = survey(index, query(Context("the relay")))
    before = list(search.candidates)
    narrow = search.among(before[1:])
    assert narrow.candidates == before[1:]
    assert {each.note for each in rank_passages(search, before[:1])} == {before[0]}
    assert search.candidates == before


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("To be or not to be", "to be or not to be?"),
        ("Who is who?", "who is who"),
        ("Wer ist wer", "Wer ist wer?"),
        ("What we do and what we will not do any more", "what we do and what we will not do any more"),
    ],
)
def test_a_title_of_function_words_alone_is_found_by_its_words(tmp_path, title, asked):
    target = tmp_path / "index"
    build_from_bytes({**NOTES, "misc/x": f"# {title}\n\nThe answer is green.\n".encode()}, target)
    with open_index(str(target)) as found:
        search = survey(found, query(Context(asked)))
        assert [found.note(n).name for n in search.candidates[:1]] == ["misc/x"]
        assert not survey(found, query(Context("what will it be"))).candidates
