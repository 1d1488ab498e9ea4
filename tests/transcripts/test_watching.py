"""What is learned while a log is mined is what reading it again would teach."""

import os

import pytest

from ladder.flows.learning import Learner, learn_from
from notes import find_notes, folder_settings
from transcripts import Store, redact, sessions
from transcripts.turns.with_agents import session_turns


def lesson_log(log, project, name, more=()):
    a = log(name)
    for word in ("canary", "ledger", "heron", *more):
        a.user(f"{name} {word}: how do we go back?")
        a.read("/home/u/app/docs/deploy.md", (project / "docs" / "deploy.md").read_text())
        a.say("Run shipctl revert with the violet wave.")
    return a.save()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_watcher_sees_what_a_second_reading_sees_and_nothing_of_a_log_gone_on_with(
    log, project, tmp_path, processes, monkeypatch
):
    notes = find_notes(folder_settings(project))
    for name in ("s1", "s2", "s3"):
        lesson_log(log, project, name)
    store, found = Store(tmp_path / "mined"), sessions(tmp_path / "logs")
    learner = Learner(found, notes, project, tmp_path / "one", redact)
    done = list(store.update(found, redact, processes, learner))
    seen = {each.session.file: each.found for each in done}
    assert [len(lessons) for lessons in seen.values()] == [3, 3, 3]
    learn_from(learner, tmp_path / "two")
    with monkeypatch.context() as patch:
        patch.setattr("transcripts.session_turns", lambda *_, **__: pytest.fail("read again"))
        learn_from(learner, tmp_path / "one", seen=seen)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes() != b""
    lesson_log(log, project, "s2", ["tangerine"])
    learner = Learner(found, notes, project, tmp_path / "one", redact)
    [grown] = store.update(found, redact, processes, learner)
    assert (grown.session.id, grown.found) == ("s2", None)
    assert len(list(session_turns(grown.session))) == 4


def test_a_log_is_not_read_again_until_it_grows_or_is_over(log, project, tmp_path):
    notes = find_notes(folder_settings(project))
    path, target = lesson_log(log, project, "s1"), tmp_path / "learned"

    def learner():
        return Learner(sessions(tmp_path / "logs"), notes, project, target, redact)

    learn_from(learner(), target)
    assert learner().sessions == []
    long_ago = path.stat().st_mtime - 7 * 86_400
    os.utime(path, (long_ago, long_ago))
    assert len(learner().sessions) == 1  # it is over, and its last turn was left out
    learn_from(learner(), target)
    assert learner().sessions == []
    assert b"s1" not in target.with_name("learned.logs").read_bytes()
    target.unlink()  # as `ladder forget` does when something in it is to go
    assert len(learner().sessions) == 1
