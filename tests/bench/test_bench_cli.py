"""`ladder bench`, `weekly` and `report` from end to end on the bundled sample, with a stand-in for routing."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.sample import ROOT
from bench.trend import runs
from ladder.cli.app import app
from ladder.cli.app import run as cli
from ladder.cli.terminal import Failure

sys.path.insert(0, str(Path(__file__).parent))
import standin
from test_as_of import NEW, OLD, log
from test_survival import commit


@pytest.fixture(autouse=True)
def _product(monkeypatch):
    standin.install(monkeypatch)


@pytest.fixture
def small(tmp_path):
    """A corpus of two turns: a folder with logs and notes in git."""
    folder = tmp_path / "corpus"
    (folder / "notes").mkdir(parents=True)
    commit(folder / "notes", "2026-02-28", {"a.md": f"# A\n\n{OLD}\n", "idle.md": "# Idle\n\nnobody reads this\n"})
    commit(folder / "notes", "2026-03-02", {"a.md": f"# A\n\n{NEW}\n"})
    log(folder / "logs", [("2026-03-01", OLD), ("2026-03-03", NEW)])
    return folder


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_the_sample_prints_the_table(tmp_path):
    done = run("bench", "--sample", "--moment", "message", "--all", "--plot", tmp_path / "curve.svg")
    assert done.exit_code == 0
    assert done.stdout.startswith("In 93 sessions the agent opened notes 143 times")
    assert "| ladder@2000 " in done.stdout
    assert "older measure" in done.stdout
    assert "hits by zone" in done.stdout
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").startswith("<svg")


def test_without_the_extra_the_table_prints_and_the_command_fails_saying_how(monkeypatch, tmp_path, small, capsys):
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setattr(sys, "argv", ["ladder", "bench", "--corpus", str(small), "--plot", str(tmp_path / "curve.png")])
    with pytest.raises(SystemExit) as ended:
        cli()
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert "| ladder@2000 " in printed.out
    assert printed.err == (
        'ladder: the curve needs the extra `report`; in a checkout of ladder: `pip install ".[report]"` in the '
        'environment that ladder runs in, or `pipx install --force ".[report]"`\n'
    )
    assert not (tmp_path / "curve.png").exists()


def test_json_in_both_worlds(small):
    done = run("bench", "--corpus", small, "--as-of", "--json")
    value = json.loads(done.stdout)
    assert value["today"]["n"] == 1
    assert value["as of the turn"]["n"] == 2
    assert value["mined"][0]["gone"] == 1
    assert value["sources"] == [{"git": 2}]
    everything = [row for row in value["as of the turn"]["rows"] if row["strategy"] == "everything"]
    assert all(row["hit"]["value"] == 1 for row in everything)


def test_two_corpora_are_pooled(small):
    done = run("bench", "--corpus", small, "--corpus", ROOT, "--moment", "message", "--json")
    value = json.loads(done.stdout)
    alone = json.loads(run("bench", "--corpus", ROOT, "--moment", "message", "--json").stdout)
    assert value["today"]["n"] == alone["today"]["n"] + 1


def test_pairs_from_a_file(small, tmp_path):
    mined = run("mine", "--logs", small / "logs", "--notes", small / "notes", "--out", tmp_path / "pairs.jsonl")
    assert mined.exit_code == 0
    done = run("bench", "--pairs", tmp_path / "pairs.jsonl", "--notes", small / "notes", "--json")
    assert json.loads(done.stdout)["today"]["n"] == 1


def test_pairs_that_were_mined_with_other_notes_are_told(small, tmp_path, monkeypatch):
    pairs = tmp_path / "pairs.jsonl"
    run("mine", "--logs", small / "logs", "--notes", small / "notes", "--out", pairs)
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("# B\n\nx\n", encoding="utf-8")
    with pytest.raises(Failure, match=r"pairs\.jsonl asks for 1 note, and none of them is in .*other") as failure:
        run("bench", "--pairs", pairs, "--notes", other)
    assert failure.value.code == 1
    lines = [
        line.replace(b'"a.md"', f'"{name}.md"'.encode())
        for name in "abc"
        for line in pairs.read_bytes().split(b"\n")
        if line
    ]
    pairs.write_bytes(b"\n".join(lines) + b"\n")
    done = run("bench", "--pairs", pairs, "--notes", small / "notes", "--moment", "message")
    assert "only 1 of the 3 notes that pairs.jsonl asks for are in" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bench", "--moment", "later"), "a moment is"),
        (("bench", "--level", "loud"), "a level is"),
        (("bench", "--sample", "--plot", "x.bmp"), "written as"),
        (("bench", "--corpus", "nowhere"), "is not a folder"),
        (("bench", "--notes", ROOT / "notes", "--logs", "nowhere"), "no such folder"),
        (("bench", "--notes", ROOT / "notes", "--pairs", "nowhere"), "no such file"),
        (("bench", "--notes", ROOT / "notes", "--pairs", ROOT / "README.md"), "no file of pairs"),
        (("mine", "--notes", ROOT / "notes", "--logs", ROOT / "logs", "--out", ""), "this is a folder"),
        (("weekly", "install", "--kind", "upstart"), "systemd"),
    ],
)
def test_wrong_use_is_one_line(words, said):
    with pytest.raises(Failure, match=said) as failure:
        run(*words)
    assert failure.value.code == 2


def test_a_replay_of_no_messages_is_told(tmp_path):
    for name in ("logs", "notes"):
        (tmp_path / name).mkdir()
    with pytest.raises(Failure, match="no messages in the logs of ") as failed:
        run("bench", "hook", "--corpus", tmp_path)
    assert failed.value.code == 1


@pytest.mark.parametrize("command", ["bench", "weekly", "report"])
def test_no_notes_are_no_error_and_the_next_step_is_said(command, tmp_path):
    (tmp_path / "n").mkdir()
    (tmp_path / "l").mkdir()
    with pytest.raises(Failure, match=r"no notes in .*`ladder init`") as failure:
        run(command, "--notes", tmp_path / "n", "--logs", tmp_path / "l")
    assert failure.value.code == 0


@pytest.mark.parametrize("command", ["bench", "weekly", "report"])
def test_sessions_that_opened_no_note_are_no_error(command, small, tmp_path):
    for path in (small / "logs").glob("*.jsonl"):
        path.write_text(path.read_text(encoding="utf-8").replace("a.md", "a.txt"), encoding="utf-8")
    words = ["--runs", tmp_path / "runs"] if command != "bench" else []
    done = run(command, *([tmp_path / "r.html"] if command == "report" else []), "--corpus", small, *words)
    assert done.exit_code == 0
    assert done.stdout.startswith("In ")
    assert "Nothing can be said yet" in " ".join(done.stdout.split())
    assert "no note of " in done.stderr
    assert "`ladder init` names the folders that agents read" in done.stderr
    assert not (tmp_path / "r.html").exists()
    assert not (tmp_path / "runs").exists()


def test_weekly_says_what_it_means_first_and_at_most_twelve_rows(small, tmp_path):
    done = run("weekly", "--corpus", small, "--runs", tmp_path / "runs")
    sentence, _, rest = done.stdout.partition("\n\n")
    assert sentence.startswith("In 1 session the agent opened notes")
    assert len(rest.strip().split("\n")) <= 12
    everything = run("weekly", "--corpus", small, "--runs", tmp_path / "runs", "--all").stdout
    assert "the largest:\n  idle: " in everything
    assert "the largest: idle: " in rest


def test_weekly_keeps_runs_and_says_what_changed(small, tmp_path):
    first = run("weekly", "--corpus", small, "--runs", tmp_path / "runs")
    assert first.exit_code == 0
    assert "no earlier run" in first.stdout
    assert "read by nobody: 1 note," in first.stdout
    second = run("weekly", "--corpus", small, "--runs", tmp_path / "runs", "--gate")
    assert second.exit_code == 0
    assert "no more than noise" in second.stdout
    assert 1 <= len(runs.load(tmp_path / "runs")) <= 2


def test_a_report_shows_a_week_once_however_often_it_was_looked_at(small, tmp_path):
    def page():
        run("report", tmp_path / "report.html", "--corpus", small, "--runs", tmp_path / "runs")
        return (tmp_path / "report.html").read_text(encoding="utf-8")

    run("weekly", "--corpus", small, "--runs", tmp_path / "runs")
    assert "Runs, newest first" not in page()  # one point is no trend
    week = runs.load(tmp_path / "runs")[0]
    runs.save(replace(week, made="2026-01-01T00:00:00+00:00", until="2026-01-01T00:00:00+00:00"), tmp_path / "runs")
    table = page().partition("Runs, newest first")[2]
    assert table[: table.index("</table>")].count("<tr>") == 3  # the heading and the two weeks


def test_weekly_writes_nothing_into_notes_that_it_was_only_shown(small):
    from ladder.lean.paths import project_data

    before = {path for path in small.rglob("*") if ".git" not in path.parts}
    run("weekly", "--corpus", small)
    run("weekly", "--notes", small / "notes", "--logs", small / "logs")
    assert {path for path in small.rglob("*") if ".git" not in path.parts} == before
    assert len(runs.load(Path(project_data(str(small / "notes"))) / "runs")) >= 1


def test_a_projects_own_runs_lie_beside_its_notes(small, tmp_path, monkeypatch):
    projects = tmp_path / "client" / "projects" / "p"
    shutil.copytree(small / "logs", projects)
    for path in projects.glob("*.jsonl"):
        path.write_bytes(path.read_bytes().replace(b"/home/u/p", str(small / "notes").encode()))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "client"))
    (small / "notes" / "ladder.toml").write_text('folders = ["."]\n', encoding="utf-8")
    monkeypatch.chdir(small / "notes")
    done = run("weekly")
    assert done.exit_code == 0
    said = [line for line in done.stderr.split("\n") if " is new; " in line]
    assert [line.partition(" is new; ")[2].partition(". ")[0] for line in said] == [
        "it keeps the runs of `ladder weekly`, with which later ones are compared"
    ]
    assert len(runs.load(small / "notes" / ".ladder" / "runs")) == 1


def test_the_runs_of_the_past(small, tmp_path):
    done = run("weekly", "--corpus", small, "--runs", tmp_path / "runs", "--backfill", "1")
    assert done.exit_code == 0
    found = runs.load(tmp_path / "runs")
    assert [each.made[:10] for each in found[:2]] == ["2026-03-02", "2026-03-03"]
    # The notes of 2 March do not hold the old line any more; the new one is read on 3 March.
    assert [each.counts["pairs"] for each in found] == [1, 1, 2]
    assert [each.counts["gone"] for each in found] == [1, 1, 1]


def test_the_gate_falls_when_the_hit_rate_fell(small, tmp_path, monkeypatch):
    from bench.trend import weekly

    run("weekly", "--corpus", small, "--runs", tmp_path / "runs")
    monkeypatch.setattr(weekly.Week, "fell", property(lambda _: True))
    with pytest.raises(Failure, match="fell") as failure:
        run("weekly", "--corpus", small, "--runs", tmp_path / "runs", "--gate")
    assert failure.value.code == 3


def test_install_shows_before_it_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("weekly", "install", "--kind", "systemd", "--show")
    assert done.exit_code == 0
    assert "ExecStart=" in done.stdout
    assert not list(tmp_path.rglob("*.timer"))


def test_the_report_is_for_its_owner_alone(small, tmp_path):
    pytest.importorskip("altair")
    done = run("report", tmp_path / "r.html", "--corpus", small)
    assert done.stdout.startswith("In ")
    assert done.stdout.strip().endswith(str(tmp_path / "r.html"))
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    if sys.platform != "win32":
        assert (tmp_path / "r.html").stat().st_mode & 0o077 == 0


def test_a_report_is_of_one_corpus_as_its_help_says(small, tmp_path, monkeypatch):
    pytest.importorskip("altair")
    monkeypatch.setattr("bench.trend.weekly.make", None)  # nothing is worked out before it is said
    with pytest.raises(Failure, match="one --corpus"):
        run("report", tmp_path / "r.html", "--corpus", small, "--corpus", small)
    assert "pooled" not in run("report", "--help").stdout


def test_without_the_extra_the_report_says_so(small, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(Failure, match=r"the report needs the extra `report`; in a checkout of ladder: `pip install "):
        run("report", tmp_path / "r.html", "--corpus", small)


def test_lines_that_are_gone_from_todays_notes_are_said_to_be(small):
    (small / "notes" / "a.md").write_text("# A\n\nsomething else\n", encoding="utf-8")
    done = run("bench", "--corpus", small)
    assert done.exit_code == 0  # an empty result is no error
    assert "of 2 pairs no line stands in today's notes; `ladder bench --as-of`" in done.stderr
    assert done.stdout.startswith("In 1 session the agent opened notes 1 time")
    told = run("report", "--corpus", small)
    assert told.exit_code == 0
    assert "of 2 pairs no line stands in today's notes; `ladder bench --as-of`" in told.stderr


@pytest.mark.parametrize("command", ["bench", "weekly", "promote", "report"])
def test_without_session_logs_it_is_said_and_nothing_is_written(command, small, tmp_path, monkeypatch):
    (tmp_path / "client" / "projects").mkdir(parents=True)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "client"))
    monkeypatch.chdir(small / "notes")
    (small / "notes" / "ladder.toml").write_text('folders = ["."]\n', encoding="utf-8")
    sample = "run it again .* Of the invented sample it would say: In [0-9]+ sessions the agent opened notes"
    with pytest.raises(Failure, match=rf"no session logs of .*notes in .*projects; {sample}"):
        run(command)
    assert not (small / "notes" / ".ladder").exists()


@pytest.mark.parametrize("command", ["bench", "weekly", "promote", "report"])
def test_what_was_mined_from_other_logs_is_pointed_to(command, small, tmp_path, monkeypatch):
    (tmp_path / "client" / "projects").mkdir(parents=True)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "client"))
    monkeypatch.chdir(small / "notes")
    (small / "notes" / "ladder.toml").write_text('folders = ["."]\n', encoding="utf-8")
    run("mine", "--logs", "../logs")
    with pytest.raises(Failure) as failed:
        run(command)
    given = (small / "logs").resolve()
    assert str(failed.value).endswith(f"; pairs were mined from other logs: give --logs {given}")
    if command == "bench":
        assert run(command, "--logs", given, "--moment", "message").exit_code == 0


def test_one_is_not_counted_as_many(small):
    done = run("bench", "--corpus", small, "--moment", "message", "--all")
    assert "n = 1 pair, " in done.stdout
