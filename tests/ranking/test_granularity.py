from math import log1p

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.ranking.granularity import Scales, Weighed


@pytest.fixture
def index(tmp_path):
    text = b"# N\n\nalpha beta\n\nbeta gamma gamma delta\n\n## Alpha heading\n\ndelta delta\n"
    build_from_bytes({"n": text}, tmp_path / "index")
    return open_index(str(tmp_path / "index"))


def test_a_paragraph_scores_weight_times_idf_times_saturation(index):
    # Three paragraphs of 2, 4 and 2 terms: mean 8 / 3. `gamma` stands in one of them, twice.
    scales = Scales(Weighed(index, {"gamma": 3.0}), index.passages(0))
    idf = log1p((3 - 1 + 0.5) / 1.5)
    saturated = 2 / (2 + 1.5 * (1 - 0.5 + 0.5 * 4 / (8 / 3)))
    assert scales.paragraphs == pytest.approx([0.0, 3.0 * idf * saturated, 0.0])


def test_a_window_stays_inside_its_section(index):
    scales = Scales(Weighed(index, {"gamma": 1.0}), index.passages(0))
    assert [score > 0 for score in scales.windows] == [True, True, False]


def test_a_heading_counts_for_its_section_and_the_title_does_not(index):
    scales = Scales(Weighed(index, {"alpha": 1.0}), index.passages(0))
    assert list(scales.headings) == [1]
    assert [score > 0 for score in scales.sections] == [True, True]


def test_a_term_that_stands_in_headings_alone_weighs_nothing_in_paragraphs(index):
    assert Weighed(index, {"heading": 1.0, "unknown": 1.0}).terms == []


def test_only_the_heaviest_terms_of_a_long_query_are_looked_up(index):
    weights = {"alpha": 1.0} | {f"word{i}": 1.0 for i in range(500)}
    assert [term for _, term in Weighed(index, weights).terms] == ["alpha"]


def test_terms_that_cannot_be_among_the_heaviest_are_not_looked_up(tmp_path, monkeypatch):
    # Word i stands in the paragraphs 0 to i % 7: what a term weighs is not in the order of its weight in the query.
    text = "".join([f"\n\n{' '.join([f'word{i}' for i in range(300) if i % 7 >= p])}" for p in range(7)])
    build_from_bytes({"n": b"# N" + text.encode()}, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    weights = {f"word{i}": 1 / (1 + i) for i in range(300)}
    whole = {term: weight * index_idf(index, term) for term, weight in weights.items()}
    expected = sorted(whole, key=lambda term: (-whole[term], term))
    asked: list[str] = []
    monkeypatch.setattr(index, "paragraph_counts", lambda some: asked.extend(some) or [index.df(t)[1] for t in some])
    weighed = Weighed(index, weights)
    assert list(weighed.wide) == expected[:96]
    assert [term for _, term in weighed.terms] == expected[:48]
    assert len(asked) < 300


def index_idf(index, term):
    df = index.df(term)[1]
    return log1p((index.paragraph_count - df + 0.5) / (df + 0.5))
