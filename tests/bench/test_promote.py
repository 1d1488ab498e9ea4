"""Promotion: proposed from the earlier sessions, measured on the later ones, written only on a yes."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.corpus.cache import Keep
from bench.corpus.snapshot import World
from bench.questions import Question
from bench.sample import ROOT
from bench.trend.promote import entry_of, promote, split
from ladder.cli.app import app
from ladder.cli.terminal import Failure

sys.path.insert(0, str(Path(__file__).parent))
from test_replay import asked

NOTE = b"""# Deploy

Runs on Mondays.

## History

### 2026-01-02 canary

- The canary aborts after ninety seconds.
- Nothing else happened.

### 2026-02-03 rollback

A rollback took an hour.
"""
LINE = "- The canary aborts after ninety seconds."
FILES = {"deploy": NOTE, "other": b"# Other\n\nUnrelated.\n"}


def question(day, line=LINE):
    made = asked("how long does the canary take to abort", "deploy", line, session=f"s{day}", zone="history")
    return Question(f"{day}", made.session, f"2026-03-{day:02}T00:00:00Z", made.text, made.contexts, "deploy", (line,))


def test_sessions_are_split_by_the_time_they_begin():
    questions = [question(day) for day in (5, 1, 4, 2, 3)]
    earlier, later = split(questions)
    assert sorted(q.id for q in earlier) == ["1", "2", "3"]
    assert sorted(q.id for q in later) == ["4", "5"]


def test_an_entry_is_found_by_its_line(tmp_path):
    world = World(FILES, Keep(tmp_path))
    assert entry_of(world, question(1)).startswith("2026-01-02")
    assert entry_of(world, question(1, "Runs on Mondays.")) == ""


def test_what_answered_before_is_proposed_and_replayed_later(tmp_path):
    keep = Keep(tmp_path)
    made = promote([question(day) for day in range(1, 6)], World(FILES, keep), keep, budget=500, moment="read")
    (found,) = made.proposals
    assert (found.note, found.times, found.asked_later) == ("deploy", 3, 2)
    assert found.lines == (LINE,)
    assert found.after >= found.before
    assert made.heads["deploy"] == "Runs on Mondays.\n\n- The canary aborts after ninety seconds."
    assert made.change.n == 2


def test_what_only_later_sessions_know_is_not_proposed(tmp_path):
    keep = Keep(tmp_path)
    early = [question(day, "Runs on Mondays.") for day in (1, 2, 3)]
    made = promote([*early, question(4), question(5)], World(FILES, keep), keep, budget=500, moment="read")
    assert made.proposals == []


def test_the_sample_has_something_to_promote_and_nothing_is_written():
    before = {path: path.read_bytes() for path in (ROOT / "notes").rglob("*.md")}
    done = CliRunner().invoke(app, ["promote", "--corpus", str(ROOT)], catch_exceptions=False)
    assert done.exit_code == 0
    assert "later sessions:" in done.stdout
    assert {path: path.read_bytes() for path in (ROOT / "notes").rglob("*.md")} == before


def test_nothing_to_promote_is_nothing_found():
    with pytest.raises(Failure, match="no dated entry") as failure:
        CliRunner().invoke(app, ["promote", "--corpus", str(ROOT), "--least", "99"], catch_exceptions=False)
    assert failure.value.code == 1
