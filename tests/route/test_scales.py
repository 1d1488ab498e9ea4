from math import log1p

import pytest

from ladder.build import build_from_bytes
from ladder.cold import open_index
from ladder.scales import Scales, Weighed


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
