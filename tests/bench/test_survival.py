"""Versions from git and the survival of evidence lines, on a small repository with known dates."""

import datetime as dt
import subprocess

import pytest

from bench.corpus.versions import Versions, when
from bench.questions import Question
from bench.trend.survival import Life, curve, lives, reworded, shingles, standing


def commit(folder, day, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_bytes(text.encode("utf-8"))
    env = {
        "GIT_AUTHOR_DATE": f"{day}T00:00:00+00:00",
        "GIT_COMMITTER_DATE": f"{day}T00:00:00+00:00",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "PATH": __import__("os").environ["PATH"],
        "HOME": str(folder),
    }
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", day]):
        subprocess.run(["git", *words], cwd=folder, env=env, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    commit(
        folder,
        "2026-03-01",
        {"a.md": "# A\n\nthe canary waits ninety seconds before it aborts\nmoves\nstays\n", "x.txt": "no"},
    )
    commit(
        folder,
        "2026-03-02",
        {"a.md": "# A\n\nThe canary waits ninety seconds, before it aborts!\nstays\n", "deep/é.md": "moves\n"},
    )
    commit(folder, "2026-03-05", {"a.md": "# A\n\nstays\n", "deep/é.md": None})
    return folder


def question(line, time="2026-03-01T12:00:00Z", note="a"):
    return Question("1", "s", time, "?", {}, note, (line,))


def test_versions_are_dated_and_hold_only_notes(repository):
    versions = Versions(repository)
    assert [v.time.date().isoformat() for v in versions.versions] == ["2026-03-01", "2026-03-02", "2026-03-05"]
    assert set(versions.files(versions.versions[1])) == {"a.md", "deep/é.md"}
    assert versions.files(versions.versions[1])["deep/é.md"] == b"moves\n"


def test_the_version_as_of_a_moment(repository):
    versions = Versions(repository)
    assert versions.at(when("2026-03-04T10:00:00Z")) == versions.versions[1]
    assert versions.at(when("2026-03-02T00:00:00Z")) == versions.versions[1]
    assert versions.at(when("2020-01-01")) == versions.versions[0]


def test_a_folder_without_git_has_no_versions(tmp_path):
    assert Versions(tmp_path).versions == []


def test_times_are_utc_and_a_broken_one_is_the_earliest():
    assert when("2026-03-01T02:00:00+02:00") == dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
    assert when("yesterday").year == 1


def test_a_moved_a_reworded_and_a_lost_line_end_apart(repository):
    versions = Versions(repository)
    moved, canary, stays = (
        lives([question(line)], versions)[0]
        for line in ("moves", "the canary waits ninety seconds before it aborts", "stays")
    )
    # Half a day to 2 March, three and a half to 5 March.
    assert moved.days == (0.5, 3.5, 3.5)
    assert moved.ended == (True, True, True)
    assert canary.days == (0.5, 0.5, 3.5)
    assert stays.ended == (False, False, False)
    assert stays.days == (3.5, 3.5, 3.5)


def test_nearly_the_same_line_is_found_and_a_different_one_not():
    line = "the canary waits ninety seconds before it aborts"
    assert reworded([line], ["x\n- The canary waits **ninety** seconds before it aborts now\n"]) == {
        line: "- The canary waits **ninety** seconds before it aborts now"
    }
    assert reworded([line], ["the rollback waits for nobody\n"]) == {}
    assert shingles("two words") == {"two words"}


def test_kaplan_and_meier_by_hand():
    # Four lines: one ends on day 1, one leaves unseen on day 2, one ends on day 3, one is watched to day 4.
    seen = [(1, True), (2, False), (3, True), (4, False)]
    found = curve([Life(str(i), (d, d, d), (e, e, e)) for i, (d, e) in enumerate(seen)])
    same = [(p.days, round(p.share, 4)) for p in found if p.kind == "same note"]
    # 3/4 after day 1; then two at risk on day 3, one ends: 3/4 * 1/2.
    assert same == [(0.0, 1.0), (1.0, 0.75), (3.0, 0.375)]


def test_what_stands_after_some_days():
    found = curve([Life(str(i), (d, d, d), (e, e, e)) for i, (d, e) in enumerate([(1, True), (2, False), (3, True)])])
    assert round(standing(found, "same note", 2.5).share, 4) == 0.6667
    assert standing(found, "same note", 0.5).share == 1
    assert standing([], "same note", 1) is None


def test_nothing_to_follow():
    assert curve([]) == []
