"""A build whose token counts are all kept loads no vocabulary of tokens."""

from ladder.index.reader import open_index
from ladder.indexing import token_counts as costs
from ladder.indexing.pipeline import build_from_bytes
from ladder.indexing.token_counts import Costs


def test_a_second_build_asks_for_no_vocabulary(tmp_path, monkeypatch):
    notes = {"a": b"# Alerts\n\nThe pager rings at night.\n", "b": b"# Billing\n\nInvoices go out on Monday.\n"}
    kept = tmp_path / "costs"
    build_from_bytes(notes, tmp_path / "first", costs=Costs(kept))

    def none() -> None:
        raise AssertionError("a vocabulary was asked for")

    monkeypatch.setattr(costs, "_load", none)
    build_from_bytes(notes, tmp_path / "second", costs=Costs(kept))
    with open_index(str(tmp_path / "first")) as first, open_index(str(tmp_path / "second")) as second:
        assert [second.note(n).cost for n in range(2)] == [first.note(n).cost for n in range(2)]
        assert not second.note(0).estimated
