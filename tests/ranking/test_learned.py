import math
import stat
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.learning.model import ENOUGH, Learned, learned_terms, need_features, open_learned
from ladder.learning.update import HALF_LIFE, day_of, learn, lesson
from ladder.query.query import Context, query


def _lesson(turn, note, message="deploy canary", day=1):
    start = {"message": message}
    return lesson(f"s {turn}", f"2026-09-{day:02}T10:00:00Z", start, ((note, start),) if note else ())


def test_shares_are_how_often_a_word_led_to_a_note(tmp_path):
    target = tmp_path / "learned"
    learn([_lesson(i, "ops/deploy") for i in range(3)] + [_lesson(9, "ops/alerts", "canary")], target)
    learned = Learned(target.read_bytes())
    assert learned.names == ["ops/alerts", "ops/deploy"]
    assert learned.led("deploy") == (3.0, [(1, 3.0)])
    assert learned.led("canari") == (4.0, [(1, 3.0), (0, 1.0)])
    # one feature alone: 3 of (4 + 0.5) sightings
    assert learned.shares({"canari": 1.0})[1] == pytest.approx(3 / 4.5)
    assert learned.shares({"unheard": 1.0}) == {}


def test_rarer_words_count_more(tmp_path):
    target = tmp_path / "learned"
    learn([*[_lesson(i, f"n{i}", "canary") for i in range(4)], _lesson(8, "ops/deploy", "canary rollback")], target)
    learned = Learned(target.read_bytes())
    found = learned.shares({"canari": 1.0, "rollback": 1.0})
    common, rare = math.log(1 + 6 / 5.5), math.log(1 + 6 / 1.5)
    wanted = (common * 1 / 5.5 + rare * 1 / 1.5) / (common + rare)
    assert found[learned.names.index("ops/deploy")] == pytest.approx(wanted, rel=1e-3)


def test_what_was_learned_fades_by_half_in_a_half_life(tmp_path):
    target = tmp_path / "learned"
    first = day_of("2026-09-01T10:00:00Z")
    learn([_lesson(1, "old")], target)
    other = {"message": "other"}
    learn([lesson("s 2", "2026-10-01T10:00:00Z", other, (("new", other),))], target)
    learned = Learned(target.read_bytes())
    assert learned.time == pytest.approx(first + 30)
    factor = 0.5 ** (30 / HALF_LIFE)
    assert dict(zip(learned.names, learned.opened, strict=True)) == pytest.approx({"new": 1.0, "old": factor}, rel=1e-3)


def test_a_turn_is_learned_once(tmp_path):
    target = tmp_path / "learned"
    assert learn([_lesson(1, "a"), _lesson(2, "b")], target) == 2
    assert learn([_lesson(1, "a"), _lesson(2, "b"), _lesson(3, "c")], target) == 3


def test_step_by_step_is_as_good_as_at_once(tmp_path):
    lessons = [_lesson(i, f"n{i % 3}", f"word{i % 4} canary", day=1 + i) for i in range(12)]
    learn(lessons, tmp_path / "once")
    for each in lessons:
        learn([each], tmp_path / "steps")
    once, steps = Learned((tmp_path / "once").read_bytes()), Learned((tmp_path / "steps").read_bytes())
    assert once.names == steps.names
    assert once.opened == pytest.approx(steps.opened, rel=1e-2)


def test_a_word_that_was_never_followed_by_a_note_says_that_none_is_needed(tmp_path):
    target = tmp_path / "learned"
    opened = [_lesson(i, "ops/deploy", "deploy canary") for i in range(10)]
    quiet = [_lesson(20 + i, "", "thanks lovely weather") for i in range(10)]
    learn(opened + quiet, target)
    learned = Learned(target.read_bytes())
    # usual odds: (10 + 1) / (20 + 4); a word of the ten that opened: (10 + 2 * usual) / 12
    usual = 11 / 24
    base = math.log(usual / (1 - usual))
    share = (10 + 2 * usual) / 12
    one = math.log(share / (1 - share)) - base
    first = math.log(((10 + 2 * usual) / 22) / (1 - (10 + 2 * usual) / 22)) - base
    assert learned.need(query(Context("deploy canary"))) == pytest.approx(base + 2 * one + first, rel=1e-3)
    assert learned.need(query(Context("lovely weather"))) < base < learned.need(query(Context("deploy")))


def test_a_turn_that_met_a_note_it_knew_says_nothing_about_need(tmp_path):
    target = tmp_path / "learned"
    learn([_lesson(1, "a")], target)
    learn([_lesson(2, "", "canary")._replace(told=False)], target)
    assert Learned(target.read_bytes()).row("=first")[0] == pytest.approx((0.0, 1.0, 1.0), rel=1e-3)


def test_it_is_off_until_there_is_enough(tmp_path):
    target = tmp_path / "learned"
    learn([_lesson(i, "a") for i in range(ENOUGH - 1)], target)
    assert open_learned(str(target)) is None
    learn([_lesson(ENOUGH, "a")], target)
    assert open_learned(str(target)) is not None


def test_a_missing_or_broken_file_is_nothing(tmp_path):
    assert open_learned(str(tmp_path / "none")) is None
    for content in (b"", b"\xff\x00", b"ladder-learned 1\tx\ty\nnotes\n", b"ladder-learned 1\t1\t99"):
        (tmp_path / "bad").write_bytes(content)
        assert open_learned(str(tmp_path / "bad")) is None
    (tmp_path / "folder").mkdir()
    assert open_learned(str(tmp_path / "folder")) is None


def test_a_broken_file_is_made_anew(tmp_path):
    target = tmp_path / "learned"
    target.write_bytes(b"rubbish")
    assert learn([_lesson(1, "a")], target) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes are a POSIX matter")
def test_only_its_owner_can_read_it(tmp_path):
    target = tmp_path / "learned"
    learn([_lesson(1, "a")], target)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_the_terms_that_are_learned_are_those_of_message_and_next_step():
    asked = query(Context("deploy", said=[["user", "alpha"], ["agent", "beta"], ["agent", "run canary"]], branch="fix"))
    found = learned_terms(asked)
    assert set(found) == {"deploy", "run", "canari", "fix"}


def test_names_that_would_break_the_file_are_not_learned(tmp_path):
    target = tmp_path / "learned"
    assert learn([_lesson(1, "a\tb"), _lesson(2, "c\nd"), _lesson(3, "fine:name")], target) == 1
    assert Learned(target.read_bytes()).names == ["fine:name"]


_SAID = st.tuples(st.sampled_from(["user", "agent"]), st.sampled_from(["heron wave", "", "a canary"]))
_TEXTS = st.lists(st.sampled_from(["ops/deploy.md", "heron canary", "go on", "violet  ledger heron", ""]), max_size=5)


@given(
    message=st.sampled_from(["deploy canary", "/plan the heron", ""]),
    said=st.lists(
        st.tuples(st.sampled_from(["user", "agent"]), st.sampled_from(["heron wave", "", "a canary"])), max_size=4
    ),
    touched=_TEXTS,
    commands=_TEXTS,
    results=_TEXTS,
    branch=st.sampled_from(["", "fix/ledger"]),
)
def test_a_lesson_is_what_the_whole_conversation_says(**before):
    whole = query(Context(**before))
    taught = lesson("t", "2026-09-01T10:00:00Z", before, [("n", before)])
    assert taught.needs == tuple(need_features(whole))
    assert taught.opened == (("n", (*learned_terms(whole), *filter(None, [whole.command]))),)
