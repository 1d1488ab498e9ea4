"""The sentences of a bench: what each figure means, what is decided, and what is said without evidence."""

from bench.tasks.notes_read import NoteRead, Reading
from bench.trend.verdict import verdict


def reading(*places: tuple[int, int]) -> Reading:
    """One opening a session, with the note's place for ladder and for fragments."""
    reads = tuple(NoteRead(f"s{i}", "a", 100, ours, theirs) for i, (ours, theirs) in enumerate(places))
    return Reading(len(places), 3 * len(places), len(places), 100 * len(places), reads)


def test_a_clear_difference_is_said_to_be_ahead():
    said = verdict(reading(*[(1, 0)] * 20), None)
    assert said.read == "In 20 sessions the agent opened notes 20 times and read about 2,000 tokens of them."
    assert "among 4 in 100 %" in said.named
    assert "20 openings" in said.named
    assert said.decided == "Ahead of fragments, beyond chance: naming the note (+100 points, +100 to +100, n = 20)."
    assert said.held == ""


def test_fragments_that_do_better_are_said_to():
    said = verdict(reading(*[(0, 1)] * 20), None)
    assert said.decided == "Behind fragments, beyond chance: naming the note (-100 points, -100 to -100, n = 20)."


def test_the_fifth_place_is_not_among_four():
    said = verdict(reading(*[(5, 0)] * 8), None)
    assert "among 4 in 0 %" in said.named
    assert said.decided.startswith("Within chance so far: naming the note (+0 points")


def test_no_opening_is_said_and_is_no_error():
    said = verdict(Reading(3, 9, 0, 0, ()), None)
    assert str(said) == (
        "In 3 sessions the agent opened notes 0 times and read about 0 tokens of them. "
        "Nothing can be said yet: no note was opened in these sessions."
    )
