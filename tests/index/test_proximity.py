import random
import sys

import pytest

from ladder.index.reader import Index
from ladder.index.scoring import LANE_SUM, most_together
from ladder.indexing.update import fresh_index, update_index
from tests.index.test_reader import WORDS, built, invented
from tests.index.test_update import age, hook


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project" / "notes"
    folder.mkdir(parents=True)
    (folder / "alerts.md").write_text("# Alerts\n\npager rotation\n", encoding="utf-8")
    age(folder / "alerts.md")
    return folder.parent


def about(weight: float, terms: list[tuple[float, str]]) -> object:
    """A weight as exact as 15 bits are for each of the terms."""
    return pytest.approx(weight, abs=sum(w for w, _ in terms) * len(terms) / 2 / (1 << 15) + 1e-9)


def expected(index: Index, terms: list[tuple[float, str]], n: int) -> float:
    """Worked out from the note's paragraphs: the heaviest of 15 spots of two paragraphs, counted round and round."""
    spots = [0.0] * 15
    for weight, term in terms:
        for spot in {p // 2 % 15 for p, _ in index.passages(n).counts(term)}:
            spots[spot] += weight
    return max(spots)


@pytest.mark.parametrize("count", [1, 7, 100, 300])
def test_what_stands_together_is_what_the_paragraphs_say(tmp_path, count):
    index = built(tmp_path, invented(count))
    dice = random.Random(5)
    for _ in range(30):
        words = dice.sample(WORDS, dice.choice((1, 3, 12)))
        terms = [(dice.random() * 9 + 0.1, word) for word in [*words, "nowhere"]]
        found = index.together(terms, range(count))
        for n in range(count):
            assert found.get(n, 0.0) == about(expected(index, terms, n), terms)


def test_of_a_long_note_paragraphs_share_spots(tmp_path):
    paragraphs = [f"line {i}" for i in range(70)]
    paragraphs[3], paragraphs[33], paragraphs[40] = "kiln here", "glaze there", "glaze again"
    index = built(tmp_path, {"long": "\n\n".join(paragraphs).encode(), "other": b"other\n"})
    # Paragraphs 3 and 33 are both in spot 1, paragraph 40 in spot 5.
    assert index.together([(2.0, "kiln"), (1.0, "glaze")], [0]) == pytest.approx({0: 3.0}, abs=1e-4)


def test_words_that_stand_apart_do_not_add_up(tmp_path):
    index = built(tmp_path, {"apart": b"kiln\n\nx\n\nx\n\nglaze\n", "close": b"kiln glaze\n\nx\n", "none": b"x\n"})
    terms = [(2.0, "kiln"), (1.0, "glaze")]
    names = {index.note(n).name: weight for n, weight in index.together(terms, range(3)).items()}
    assert names == pytest.approx({"apart": 2.0, "close": 3.0}, abs=1e-4)


def test_only_the_notes_asked_for(tmp_path):
    index = built(tmp_path, {"a": b"kiln\n", "b": b"kiln\n"})
    assert list(index.together([(1.0, "kiln")], [1])) == [1]
    assert index.together([], [0, 1]) == {}


def test_a_changed_note_counts_as_it_stands_now(project):
    notes = project / "notes"
    (notes / "deploy.md").write_text("kiln\n\nx\n\nx\n\nglaze\n", encoding="utf-8")
    (notes / "old.md").write_text("kiln\n", encoding="utf-8")
    fresh_index(project).close()
    (notes / "deploy.md").write_text("kiln glaze\n", encoding="utf-8")
    (notes / "new.md").write_text("a glaze\n", encoding="utf-8")
    index = hook(project)
    found = index.together([(2.0, "kiln"), (1.0, "glaze")], range(index.count))
    assert {index.note(n).name: weight for n, weight in found.items()} == pytest.approx(
        {"notes/deploy": 3.0, "notes/old": 2.0, "notes/new": 1.0}, abs=1e-4
    )
    (notes / "old.md").unlink()
    index = hook(project)
    assert "notes/old" not in [index.note(n).name for n in index.together([(2.0, "kiln")], range(index.count))]


def test_a_merged_index_has_the_spots_of_one_built_at_once(project):
    notes = project / "notes"
    for name, text in invented(20).items():
        (notes / f"{name}.md").write_bytes(text)
        age(notes / f"{name}.md")
    fresh_index(project).close()
    (notes / "n00003.md").write_text("kax tokr\n\nmirux\n", encoding="utf-8")
    merged, change = update_index(project)
    assert change.changed == ("notes/n00003",)
    terms = [(1.0 + i, word) for i, word in enumerate(WORDS)]
    for n in range(merged.count):
        assert merged.together(terms, [n]).get(n, 0.0) == about(expected(merged, terms, n), terms)


def row(*spots: int) -> memoryview:
    return memoryview(b"".join(each.to_bytes(2, sys.byteorder) for each in spots)).cast("H")


def test_no_lane_runs_over_into_the_next():
    full, last, none = 0x7FFF, 1 << 14, 0
    assert most_together([(row(full, last, none), LANE_SUM)], 3) == [LANE_SUM, LANE_SUM, 0]
    half = LANE_SUM // 2  # 16383, so that both together are one less than may be
    # Together in the last spot of the first note; in the second note in two spots.
    found = most_together([(row(full, 1, none), half), (row(last, 2, last), half + 1)], 3)
    assert found == [LANE_SUM, half + 1, half + 1]
    assert most_together([], 2) == [0, 0]


def test_the_most_is_that_of_the_best_spot_in_each_lane():
    dice = random.Random(3)
    rows = [[dice.getrandbits(15) & dice.getrandbits(15) for _ in range(40)] for _ in range(12)]
    weights = [dice.randrange(LANE_SUM // 12) for _ in rows]
    by_spot = [
        [sum(weight for each, weight in zip(rows, weights, strict=True) if each[n] >> spot & 1) for spot in range(15)]
        for n in range(40)
    ]
    found = most_together([(row(*each), weight) for each, weight in zip(rows, weights, strict=True)], 40)
    assert found == [max(each) for each in by_spot]
