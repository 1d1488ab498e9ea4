"""The bundled sample: its logs are what its scenario says, and it shows the miner something of everything."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.sample import ROOT
from bench.sample.compose import compose
from bench.sample.past_notes import History, lines_of
from notes import find_notes, load_settings
from transcripts.logs.sessions import sessions
from transcripts.mining.mine import mine

LOGS = ROOT / "logs"


def test_the_logs_are_what_the_scenario_says():
    shipped = {path.relative_to(LOGS).as_posix(): path.read_bytes() for path in LOGS.rglob("*.jsonl")}
    assert shipped == compose(ROOT)


def test_the_sample_says_that_it_is_invented():
    assert (ROOT / "README.md").read_text(encoding="utf-8").startswith("# The bundled sample is invented\n")


def test_the_sample_stays_small():
    assert sum(path.stat().st_size for path in ROOT.rglob("*") if path.is_file()) < 1_700_000


def test_the_logs_hold_what_real_logs_hold():
    seen: Counter[str] = Counter()
    for path in LOGS.rglob("*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            try:
                record = json.loads(line)
            except ValueError:
                seen["broken"] += bool(line)
                continue
            if not isinstance(record, dict):
                seen["no object"] += 1
                continue
            seen[record["type"]] += 1
            seen["sidechain"] += bool(record.get("isSidechain"))
            seen["compact"] += bool(record.get("isCompactSummary"))
            seen["meta"] += bool(record.get("isMeta"))
            seen["windows"] += "\\" in record.get("cwd", "")
            seen[record.get("attachment", {}).get("type", "none")] += 1
    wanted = "broken|no object|user|assistant|attachment|queue-operation|system|sidechain|compact|meta|windows"
    assert [name for name in f"{wanted}|file|nested_memory|hook_success".split("|") if not seen[name]] == []


@pytest.fixture(scope="module")
def mined():
    return mine(sessions(LOGS), find_notes(load_settings(ROOT)), ROOT)


def test_the_miner_finds_pairs_in_every_zone_and_state(mined):
    zones = Counter(str(pair.zone) for pair in mined.pairs if pair.level == "reply" and pair.state == "alive")
    assert zones["head"] >= 15
    assert zones["body"] >= 30
    assert zones["history"] >= 30
    assert {"alive", "moved", "gone"} == {pair.state for pair in mined.pairs}
    assert len(mined.pairs) >= 100


def test_the_miner_reports_the_broken_lines(mined):
    assert sorted(skip.reason for skip in mined.skipped) == ["NUL bytes", "not JSON", "not an object"]


def test_most_turns_need_no_note(mined):
    turns = {(pair.session, pair.turn) for pair in mined.pairs}
    assert len(turns) * 2 < mined.tally.turns


def test_a_note_of_a_former_day_lacks_what_was_written_later(tmp_path: Path):
    (tmp_path / "a.md").write_bytes(
        b"# A\r\n\r\n- 2026-03-01: one\r\n- 2026-05-01: two\r\n### 4. Juni 2026\r\ntext\r\n## End\r\n"
    )
    history = History(tmp_path)
    import datetime as dt

    assert lines_of(history.text("a", dt.date(2026, 4, 1))) == ["# A", "", "- 2026-03-01: one", "## End"]
    history.was("a", dt.date(2026, 4, 2), "## End", "## Stop")
    assert lines_of(history.text("a", dt.date(2026, 4, 1)))[-1] == "## Stop"
    assert lines_of(history.text("a", dt.date(2026, 6, 4)))[-3:] == ["### 4. Juni 2026", "text", "## End"]
