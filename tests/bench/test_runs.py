"""Runs kept as files, and what changed between two of them."""

import datetime as dt
import os
import stat
from pathlib import Path

import orjson
import pytest

from bench.trend import runs
from bench.trend.runs import NoteUse, Run
from ladder.lean.paths import project_data


def run(made, hits, names=("read/ladder@2000",)):
    pairs = {f"p{i}": (f"s{i}", f"{bits:x}") for i, bits in enumerate(hits)}
    return Run(
        made=made,
        until=made,
        budget=2000,
        moment="read",
        names=tuple(names),
        rates={name: {"value": 0.5, "low": 0.4, "high": 0.6, "n": 4, "tokens": 9.0, "p90": 9.0} for name in names},
        routing={},
        zones={},
        counts={"pairs": 4},
        pairs=pairs,
        notes={"a": NoteUse(10, 1, 1, 1, 1, 1, "2026-09-01")},
    )


def test_a_run_comes_back_from_its_file(tmp_path):
    made = run("2026-09-01T00:00:00+00:00", [1, 0, 1, 1])
    target = runs.save(made, tmp_path)
    assert target.name == "2026-09-01T000000.json"
    assert runs.load(tmp_path) == [made]
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_runs_come_oldest_first_and_other_files_are_passed_over(tmp_path):
    runs.save(run("2026-09-08T00:00:00+00:00", [1]), tmp_path)
    runs.save(run("2026-09-01T00:00:00+00:00", [1]), tmp_path)
    (tmp_path / "broken.json").write_bytes(b"{")
    (tmp_path / "other.json").write_bytes(b"[]")
    (tmp_path / "newer.json").write_bytes(orjson.dumps({"format": 99}))
    assert [found.made[:10] for found in runs.load(tmp_path)] == ["2026-09-01", "2026-09-08"]
    assert runs.load(tmp_path / "none") == []


def test_hits_are_bits_in_the_order_of_the_names():
    made = run("2026-09-01", [0b10, 0b01], ("read/a", "read/b"))
    assert made.hits("read/a") == {"p0": 0, "p1": 1}
    assert made.hits("read/b") == {"p0": 1, "p1": 0}


def test_a_fall_on_shared_pairs_is_clear_and_new_pairs_do_not_count():
    before = run("2026-09-01", [1] * 30)
    after = run("2026-09-08", [0] * 20 + [1] * 10 + [0] * 50)
    change = runs.change(after, before, "read/ladder@2000")
    assert change.n == 30
    assert round(change.value, 4) == round(-20 / 30, 4)
    assert change.high < 0


def test_nothing_shared_is_nothing_to_compare():
    before = run("2026-09-01", [])
    assert runs.change(run("2026-09-08", [1]), before, "read/ladder@2000") is None
    assert runs.change(run("2026-09-08", [1]), run("2026-09-01", [1]), "read/other") is None


def test_a_run_is_small():
    made = run(dt.datetime(2026, 9, 1, tzinfo=dt.UTC).isoformat(), [1] * 300)
    assert len(orjson.dumps(made.pairs)) < 300 * 40


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_runs_in_ladders_own_data_are_their_owners_alone(tmp_path):
    before = os.umask(0o022)
    try:
        mine = runs.save(run("2026-09-01T00:00:00+00:00", [1]), Path(project_data(str(tmp_path))) / "runs")
        theirs = runs.save(run("2026-09-01T00:00:00+00:00", [1]), tmp_path / ".ladder" / "runs")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (mine, mine.parent, mine.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]
    assert stat.S_IMODE(theirs.stat().st_mode) == 0o644  # to be committed, and read by who shares the notes
    assert runs.load(mine.parent) == runs.load(theirs.parent)
    assert [path.name for path in mine.parent.iterdir()] == [mine.name]


def test_runs_lie_in_the_one_folder_beside_the_notes(tmp_path):
    from ladder.cli.bench.weekly import runs_folder

    former = tmp_path / ".ladder" / "runs"
    assert runs_folder(tmp_path, own=True) == former, "no folder of notes yet"
    former.mkdir(parents=True)
    (former / "a.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes" / ".ladder" / "notes").mkdir(parents=True)
    assert runs_folder(tmp_path, own=True) == tmp_path / "notes" / ".ladder" / "runs"
    assert (tmp_path / "notes" / ".ladder" / "runs" / "a.json").is_file()
    assert not (tmp_path / ".ladder").exists()
    (tmp_path / "ladder.toml").write_text('folders = ["."]', encoding="utf-8")
    assert runs_folder(tmp_path, own=True) == tmp_path / ".ladder" / "runs"
