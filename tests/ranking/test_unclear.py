"""How little the words say of a message: what decides whether meaning has its say."""

import pytest

from ladder.index.reader import open_index
from ladder.indexing.pipeline import build_from_bytes
from ladder.query.query import Context, query
from ladder.ranking.survey import survey

NOTES = {
    "canary": b"# Canary\n\nThe rollout aborts when the error budget is spent, and the pager rings.\n",
    **{f"n{i}": b"# Note %d\n\nHarbour tug number%d.\n" % (i, i) for i in range(8)},
}


LONG = "which gardener's wife, who came by the northern road in spring with two lambs and a kettle, saw the "


@pytest.mark.parametrize(
    ("message", "least", "most"),
    [
        ("why does the rollout abort when the error budget is spent?", 0, 0),  # a passage holds all of it
        # A long question: a passage holds a small share, and yet more than two of its words.
        (LONG + "rollout abort while the pager of her brother rang and the error lamp glowed?", 0, 0),
        (LONG + "pager of her brother glow behind the curtain?", 0.3, 0.9),
        ("who painted the fence?", 1, 1),  # no word of it is anywhere
    ],
)
def test_words_are_clear_by_their_share_or_by_how_many_stand_together(tmp_path, message, least, most):
    build_from_bytes(NOTES, tmp_path / "index")
    index = open_index(str(tmp_path / "index"))
    assert least <= survey(index, query(Context(message))).unclear() <= most
