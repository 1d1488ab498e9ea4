"""A build whose token counts are all kept loads no vocabulary of tokens."""

from ladder import costs
from ladder.build import build_from_bytes
from ladder.cold import open_index
from ladder.costs import Costs


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
