import math
import random

import bm25s
import numpy as np
import pytest

from ladder.index.format import IndexBroken
from ladder.index.provisional_note import cut_sections
from ladder.index.reader import Index, open_index
from ladder.index.scoring import best
from ladder.indexing.pipeline import PreparedNotes, build_from_bytes
from ladder.text.tokenizer import terms

WORDS = [
    f"{a}{b}{c}"
    for a in ("ka", "to", "mi", "ru", "se")
    for b in ("lo", "ne", "vi", "do")
    for c in ("x", "r", "k", "m", "p")
]


def invented(count: int, seed: int = 3) -> dict[str, bytes]:
    """Notes of words with a natural distribution; every note has a title, a lead, sections and dated entries."""
    dice = random.Random(seed)
    weights = [1 / (i + 1) for i in range(len(WORDS))]

    def words(n: int) -> str:
        return " ".join(dice.choices(WORDS, weights, k=n))

    notes = {}
    for i in range(count):
        parts = [f"# {words(2)} {i}", words(dice.randint(3, 20))]
        for _ in range(dice.randint(0, 4)):
            parts += [f"## {words(2)}", words(dice.randint(5, 60)), words(dice.randint(5, 30))]
        if i % 3 == 0:
            parts += ["## History", f"### 2026-09-0{i % 9 + 1} {words(1)}", words(12), "### 2026-08-01", words(9)]
        notes[f"n{i:05}"] = "\n\n".join(parts).encode() + b"\n"
    return notes


def built(tmp_path, notes, **more) -> Index:
    target = tmp_path / "index"
    build_from_bytes(notes, target, **more)
    return open_index(str(target))


def questions(seed: int, count: int) -> list[list[str]]:
    dice = random.Random(seed)
    return [dice.choices(WORDS, k=dice.choice((1, 2, 5, 15, 60))) for _ in range(count)]


def oracle(notes: dict[str, bytes]) -> tuple[bm25s.BM25, dict[str, int]]:
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(term, len(numbers)) for term in terms(notes[name].decode())] for name in sorted(notes)]
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index((ids, numbers), show_progress=False)
    return model, numbers


@pytest.mark.parametrize("count", [1, 2, 7, 100, 221])
def test_scores_equal_bm25s_up_to_quantisation(tmp_path, count):
    notes = invented(count)
    index = built(tmp_path, notes)
    model, numbers = oracle(notes)
    same = asked = 0
    for question in questions(count, 150):
        known = sorted({t for w in question for t in terms(w)} & numbers.keys())
        scores = np.array(index.score_notes(dict.fromkeys(known, 1.0)))
        expected = model.get_scores_from_ids([numbers[t] for t in known]) if known else np.zeros(count)
        # A lane's factor is rounded to 1/65536 of the sum of all, an impact to 1/65535.
        assert np.abs(scores - expected).max() <= 2e-4 * max(1.0, expected.max())
        asked += 1
        best = int(scores.argmax())
        same += expected[best] >= expected.max() - 1e-4 * expected.max()
    assert same >= 0.99 * asked


def test_weights_multiply_and_unknown_terms_say_nothing(tmp_path):
    index = built(tmp_path, invented(30))
    word = terms(WORDS[3])[0]
    plain = index.score_notes({word: 1.0})
    assert index.score_notes({word: 2.5, "nowhere": 9.0}) == pytest.approx([2.5 * s for s in plain], rel=1e-3)
    assert index.score_notes({word: -1.0}) == pytest.approx([-s for s in plain], rel=1e-3)
    assert index.df("nowhere") == (0, 0)


def test_a_small_index_worked_out_by_hand(tmp_path):
    notes = {
        "a": b"# Alpha\n\ncanary canary rollback\n",
        "b": b"# Beta\n\nrollback\n\n## Canary alerts\n\npager\n",
        "c": b"# Gamma\n\npager\n",
    }
    index = built(tmp_path, notes)
    assert index.count == 3
    assert index.df("canari") == (2, 1)  # in a's paragraph, and in a heading of b
    # a: alpha canari canari rollback = 4; b: beta rollback canari alert pager = 5; c: gamma pager = 2; mean 11 / 3.
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    tf_a = 2 / (2 + 1.5 * (0.25 + 0.75 * 4 / (11 / 3)))
    tf_b = 1 / (1 + 1.5 * (0.25 + 0.75 * 5 / (11 / 3)))
    assert index.score_notes({"canari": 1.0}) == pytest.approx([idf * tf_a, idf * tf_b, 0], abs=1e-4)
    assert [s > 0 for s in index.score_labels({"canari": 1.0})] == [False, True, False]
    b = index.passages(1)
    assert [(s.title, s.slug, s.level) for s in b.sections] == [
        ("Beta", "beta", 1),
        ("Canary alerts", "canary-alerts", 2),
    ]
    assert b.counts("pager") == [(1, 1)]
    assert b.counts("canari") == []
    assert b.heading_counts("canari") == [(1, 1)]
    assert index.passages(0).counts("canari") == [(0, 2)]
    assert [(p.section, p.length, p.zone) for p in b.paragraphs] == [(1, 1, "head"), (2, 1, "body")]


def test_paragraphs_dates_and_costs_are_those_of_the_note(tmp_path):
    notes = invented(40)
    index = built(tmp_path, notes)
    for n, name in enumerate(sorted(notes)):
        row, passages = index.note(n), index.passages(n)
        assert row.name == name
        assert row.cost == sum(s.cost for s in passages.sections)
        assert passages.sections[0].start == 0
        assert passages.sections[-1].end == len(notes[name])
        whole: dict[str, int] = {}
        for term in terms(notes[name].decode()):
            whole[term] = whole.get(term, 0) + 1
        for term, times in whole.items():
            held = [*passages.counts(term), *passages.heading_counts(term)]
            assert sum(tf for _, tf in held) == times
        for i, paragraph in enumerate(passages.paragraphs):
            text = notes[name][paragraph.start : paragraph.end].decode()
            assert paragraph.length == len(terms(text))
            assert all((i, terms(text).count(t)) in passages.counts(t) for t in set(terms(text)))
        if any(s.zone == "history" for s in passages.sections):
            dated = [p for p in passages.paragraphs if p.date == "2026-08-01"]
            assert [p.entry_slug for p in dated] == ["2026-08-01"]


def test_r34_empty_corpus_empty_note_only_stop_words(tmp_path):
    for notes in ({}, {"a": b""}, {"a": b"the and of\n", "b": b""}):
        index = built(tmp_path, notes)
        assert index.count == len(notes)
        assert index.score_notes({"canari": 1.0}) == [0.0] * len(notes)
        assert index.score_labels({"canari": 1.0}) == [0.0] * len(notes)
        assert index.find("canary") == []
        for n in range(len(notes)):
            assert index.passages(n).sections
        index.close()


def test_r35_a_note_without_any_word_of_the_question_scores_zero_and_one_exact_id_hits(tmp_path):
    index = built(tmp_path, {"a": b"# A\n\nthe deploy of PROJ-4711 failed\n", "b": b"# B\n\nalerts\n"})
    assert index.score_notes(dict.fromkeys(terms("what about unrelated things?"), 1.0)) == [0.0, 0.0]
    scores = index.score_notes(dict.fromkeys(terms("can you look into PROJ-4711 please?"), 1.0))
    assert scores[0] > 0
    assert scores[1] == 0


def test_r31_the_whole_name_ranks_above_its_parts(tmp_path):
    notes = {
        "a": b"# A\n\nwrite the json in an atomic way, write json\n",
        "b": b"# B\n\ncall atomic_write_json for that\n",
        "c": b"# C\n\nunlockWithBiometrics is on\n",
    }
    index = built(tmp_path, notes)
    scores = index.score_notes(dict.fromkeys(terms("atomic_write_json"), 1.0))
    assert scores[1] > scores[0] > 0 == scores[2]
    assert index.score_notes(dict.fromkeys(terms("biometric"), 1.0))[2] > 0


def test_r30_chinese_japanese_korean_words_hit(tmp_path):
    notes = {"a": "认证系统使用JWT令牌".encode(), "b": "しりとりをしよう".encode(), "c": "끝말잇기를 하자".encode()}
    index = built(tmp_path, notes)
    for n, word in enumerate(("认证", "しりとり", "끝말잇기")):
        scores = index.score_notes(dict.fromkeys(terms(word), 1.0))
        assert [s > 0 for s in scores] == [n == i for i in range(3)]


def test_find_by_name_title_alias_path_and_unique_ending(tmp_path):
    notes = {
        "deploy/rollback": b"---\naliases: [Undo, Back out]\n---\n# Rolling back\n",
        "ops/alerts": b"# Alerts\n",
        "old/alerts": b"# Old alerts\n",
        "caf\u00e9": b"# Coffee\n",
    }
    index = built(tmp_path, notes)
    names = sorted(notes)
    found = {key: [names[n] for n in index.find(key)] for key in (
        "deploy/rollback", "rollback", "ROLLING BACK", "undo", "deploy\\rollback.md", "alerts", "ops/alerts",
        "cafe\u0301", "nothing", "",
    )}  # fmt: skip
    assert found == {
        "deploy/rollback": ["deploy/rollback"], "rollback": ["deploy/rollback"], "ROLLING BACK": ["deploy/rollback"],
        "undo": ["deploy/rollback"], "deploy\\rollback.md": ["deploy/rollback"], "alerts": ["ops/alerts"],
        "ops/alerts": ["ops/alerts"], "cafe\u0301": ["caf\u00e9"], "nothing": [], "": [],
    }  # fmt: skip


def test_many_names_are_found_as_each_alone(tmp_path):
    notes = {f"area{i % 3}/note{i}": f"# Topic {i // 2}\n".encode() for i in range(40)}
    index = built(tmp_path, notes)
    asked = [*sorted(notes), "topic 3", "nothing", "note7", ""]
    each = [index.named([name])[0] for name in asked]
    assert each == [*range(40), -1, -1, -1, -1]  # two notes bear each title, and a name without its folder is none
    assert index.named(asked) == each


def test_names_by_their_last_part(tmp_path):
    notes = {"ops/alerts": b"# Pager\n", "old/alerts": b"# Old/alerts\n", "malerts": b"# M\n"}
    index = built(tmp_path, notes)  # numbers by name: malerts, old/alerts, ops/alerts
    assert index.names_ending("alerts") == [("old/alerts", 1), ("ops/alerts", 2)]
    assert index.names_ending("pager") == [("pager", 2)]
    assert index.names_ending("ert") == index.names_ending("") == []


def test_a_series_of_builds_with_shared_preparation_gives_the_same_scores(tmp_path):
    notes = invented(30)
    prepared = PreparedNotes()
    built(tmp_path, notes, prepared=prepared).close()
    notes["n00004"] = b"# Changed\n\nkalox tolox\n"
    del notes["n00007"]
    shared = built(tmp_path, notes, prepared=prepared)
    (tmp_path / "fresh").mkdir()
    fresh = built(tmp_path / "fresh", notes)
    for question in questions(1, 30):
        weights = dict.fromkeys((t for w in question for t in terms(w)), 1.0)
        assert shared.score_notes(weights) == pytest.approx(fresh.score_notes(weights), abs=1e-6)
        assert {t: shared.df(t) for t in weights} == {t: fresh.df(t) for t in weights}


def test_no_file_no_index(tmp_path):
    with pytest.raises(IndexBroken):
        open_index(str(tmp_path / "none"))


def test_best_is_what_sorting_gives():
    dice = random.Random(4)
    for size in (0, 1, 5, 40, 300, 5000):
        scores = [max(0.0, round(dice.gauss(0, 1), 2)) ** 3 for _ in range(size)]
        for k in (1, 5, 100, 400):
            expected = [n for n in sorted(range(size), key=lambda n: (-scores[n], n)) if scores[n] > 0][:k]
            assert best(scores, k) == expected


def test_a_note_cut_from_its_raw_text_holds_neither_side_of_a_conflict():
    data = b"# T\n\nlead\n\n<<<<<<< HEAD\nport 80\n=======\n## port 90\n>>>>>>> other\n\nend\n"
    ((_, _, _, title, pieces),) = cut_sections(data)
    assert (title, [data[a:b].strip() for a, b in pieces]) == ("T", [b"lead", b"end"])
