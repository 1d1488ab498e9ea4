"""Why a run's hit rate differs from the run before: what became of each pair."""

from types import SimpleNamespace

import pytest

from bench.questions import Question
from bench.trend.causes import EDITED, MOVED, PASSAGE, ROUTED, causes, said_of
from bench.trend.runs import Run

LADDER, GIVEN = "read/ladder@2000", "read/ladder@2000, note given"


def run(until, **hits):
    """A run of one budget; each pair with whether the ladder held it, and whether it did when told the note."""
    return Run(
        made=until, until=until, budget=2000, moment="read", names=(LADDER, GIVEN), rates={}, routing={}, zones={},
        counts={}, pairs={pair: ("s", f"{ladder + 2 * given:x}") for pair, (ladder, given) in hits.items()},
    )  # fmt: skip


def found(new, old, *, changed=None, moved=(), mined=None):
    asked = [Question(pair, "s", "", "why?", {}, f"note-{pair}", ("line",)) for pair in new.pairs]
    pairs = [SimpleNamespace(id=pair, state="moved" if pair in moved else "alive") for pair in mined or new.pairs]
    return causes(new, old, asked, pairs, changed or {})


BEFORE = run("2026-09-01T10:00:00+00:00", a=(1, 1))


@pytest.mark.parametrize(
    ("given", "changed", "moved", "cause"),
    [
        (1, {}, (), ROUTED),
        (0, {}, (), PASSAGE),
        (1, {"note-a": "2026-09-04T00:00:00"}, (), EDITED),
        (1, {"note-a": "2026-09-04T00:00:00"}, ("a",), MOVED),
        (1, {"note-a": "2026-08-30T00:00:00"}, (), ROUTED),
    ],
)
def test_a_lost_pair_has_the_first_cause_that_holds(given, changed, moved, cause):
    after = run("2026-09-08T10:00:00+00:00", a=(0, given))
    assert found(after, BEFORE, changed=changed, moved=moved).lost == {cause: 1}


def test_pairs_that_came_and_went_are_told_apart():
    before = run("2026-09-01T10:00:00+00:00", a=(1, 1), b=(0, 0), c=(1, 1), d=(1, 1), e=(1, 1))
    after = run("2026-09-08T10:00:00+00:00", a=(1, 1), b=(1, 1), e=(0, 1), f=(1, 1), g=(0, 0))
    told = found(after, before, mined=["a", "b", "c", "e", "f", "g"])  # c is in no note any more, d's log is gone
    assert (told.shared, told.gained, told.lost) == (3, 1, {ROUTED: 1})
    assert (told.gone, told.unseen, told.new, told.new_answered) == (1, 1, 2, 1)
    assert said_of(told) == (
        "of 3 shared pairs 1 newly answered, 1 lost (1: another note is put in front); 1 pair left out: reworded or "
        "deleted in the notes; 1 pair not mined any more (logs gone); other questions: 2 new, 1 of them answered"
    )


def test_runs_of_another_budget_are_not_compared():
    other = Run("t", "t", 500, "read", ("read/ladder@500",), {}, {}, {}, {}, {})
    assert found(other, BEFORE) is None
