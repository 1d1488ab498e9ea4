"""Turns are read from the disk when they are asked for; copies of them count once, in the counts too."""

from collections import Counter

from transcripts import Store, mine, sessions
from transcripts.logs.words import number
from transcripts.mining.kept_turns import KeptTurns


def resumed(log, name, told, *, more=()):
    """A log that repeats `told`, and goes on with what is said in `more` after its last message."""
    a = log(name)
    a.lines = list(told)
    a.clock = 500
    for text in more:
        a.say(text)
    a.save()
    return a


def test_the_fullest_copy_of_a_turn_counts_and_the_others_nowhere(log, tmp_path):
    a = log("s2")
    a.user("where is the heron?")
    a.say("On the violet wave.")
    a.save()
    resumed(log, "s1", a.lines)  # the same again, met first
    resumed(log, "s3", a.lines, more=["And the tangerine gnomon."])  # fuller, met last
    store = Store(tmp_path / "mined")
    list(store.update(sessions(tmp_path / "logs")))
    kept = KeptTurns(store.files())
    [turn] = kept
    assert (turn.session, turn.events, len(kept), kept.copies, kept.logs) == ("s3", 2, 1, 2, 3)
    assert kept.frequency[number("heron")] == 1
    assert kept.frequency[number("gnomon")] == 1
    assert +kept.frequency == Counter(turn.vocabulary)


def test_turns_come_by_session_and_number_whatever_the_files_are_called(log, tmp_path):
    for folder in ("a", "b"):
        for name in ("s10", "s9"):
            b = log(name, folder=tmp_path / "logs" / folder, session=f"{folder}{name}")
            for text in ("one", "two", "three"):
                b.user(text)
                b.say("Fine.")
            b.save()
    store = Store(tmp_path / "mined")
    list(store.update(sessions(tmp_path / "logs")))
    kept = KeptTurns(store.files())
    assert [(turn.session, turn.number) for turn in kept] == [
        (session, turn) for session in ("s10", "s9") for turn in (1, 1, 2, 2, 3, 3)
    ]
    assert [turn.message for turn in kept] == ["one", "one", "two", "two", "three", "three"] * 2
    assert list(kept) == list(kept)


def test_a_log_without_a_turn_is_a_log_and_no_session(log, project, tmp_path):
    a = log("s1")
    a.user("go on")
    a.say("Yes.")
    a.save()
    log("s2").save()
    tally = mine(sessions(tmp_path / "logs"), [], project).tally
    assert (tally.sessions, tally.logs, tally.turns) == (1, 2, 1)
