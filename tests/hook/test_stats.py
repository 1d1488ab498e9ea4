"""The figures of `ladder stats`, worked out by hand."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from ladder.hook.log import read_log, write_log
from ladder.hook.stats import Event, percentile, stats_of
from ladder.lean.paths import project_state


def event(when, name="UserPromptSubmit", *, session="s", ms=10.0, tokens=0, notes=(), silent="", wrong=""):
    return Event(when, name, session, ms, tokens, tuple(notes), silent, wrong)


def test_sums():
    events = [
        event(1, "SessionStart", tokens=90),
        event(2, ms=10, tokens=200, notes=["ops", "deploy"]),
        event(3, ms=20, silent="gate"),
        event(4, ms=30, wrong="time ran out"),
        event(5, "PreToolUse", tokens=50, notes=["api"], session="gone"),
    ]
    opened = {"s": [(2.5, "/p/notes/deploy.md"), (0.5, "/p/notes/ops.md")]}
    found = stats_of(events, opened, ["ops", "deploy", "api", "never"])
    assert (found.messages, found.spoke, found.tokens) == (3, 1, 340)
    assert found.silent == {"gate": 1, "time ran out": 1}
    assert (found.suggested, found.checked, found.opened) == (3, 2, 1)
    assert found.read_through == 0.5
    assert (found.p50, found.p95, found.p99) == (20, 30, 30)
    assert found.never == ("never",)
    assert found.since == 1


def test_nothing_yet():
    found = stats_of([], {}, ["a"])
    assert (found.messages, found.p50, found.read_through, found.never) == (0, 0.0, 0.0, ("a",))


@pytest.mark.parametrize(
    "call",
    [
        {"name": "Bash", "input": {"command": "ladder read ops/deploy#canary | head"}},
        {"name": "Bash", "input": {"command": "cd x && ladder map 'Deploying with care'"}},
        {"name": "mcp__ladder__read", "input": {"note": "deploy", "section": "canary"}},
        {"name": "mcp__ladder__map", "input": {"note": "notes/ops/deploy"}},
    ],
)
def test_a_rung_that_was_asked_for_a_shorter_name_or_a_title_opened_the_note(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ladder.toml").write_text('folders = ["notes", "docs"]\n')
    for name, title in (("notes/ops/deploy", "Deploying with care"), ("docs/other", "Other")):
        (tmp_path / f"{name}.md").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.md").write_text(f"# {title}\n\nThe canary waits.\n")
    CliRunner().invoke(app, ["index"], catch_exceptions=False)
    log = (Path(project_state(str(tmp_path))) / "hook.log").as_posix()
    write_log(log, {"t": 5, "e": "UserPromptSubmit", "s": "a", "ms": 1, "n": [["notes/ops/deploy", 0.9, ""]]})
    at = {"sessionId": "a", "timestamp": "2026-03-01T10:00:00Z", "cwd": str(tmp_path)}
    said = [
        {"type": "user", "uuid": "1", "message": {"role": "user", "content": "how?"}, **at},
        {"type": "assistant", "uuid": "2", **at, "message": {
            "role": "assistant", "id": "m", "content": [{"type": "tool_use", "id": "t", **call}]}},
        {"type": "user", "uuid": "3", **at, "message": {
            "role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "The canary waits."}]}},
    ]  # fmt: skip
    logs = Path.home() / ".claude" / "projects" / "p"
    logs.mkdir(parents=True)
    (logs / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in said))
    done = CliRunner().invoke(app, ["stats", "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert (found["opened"], found["checked"]) == (1, 1)


def test_the_command_says_as_json_what_was_silent_and_what_went_wrong(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ladder.toml").write_text("")
    log = (Path(project_state(str(tmp_path))) / "hook.log").as_posix()
    rows = [{"q": "no room"}, {"q": "shown before"}, {"q": "shown before"}, {"x": "time ran out"}]
    write_log(log, {"t": 5, "e": "SessionStart", "s": "a", "ms": 1, "k": 40})
    for number, row in enumerate(rows):
        write_log(log, {"t": 6 + number, "e": "UserPromptSubmit", "s": "a", "ms": 2, **row})
    done = CliRunner().invoke(app, ["stats", "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    value = json.loads(done.stdout)
    assert value["events"] == [{"event": "UserPromptSubmit", "count": 4}, {"event": "SessionStart", "count": 1}]
    assert value["silent"] == [
        {"why": "shown before", "count": 2},
        {"why": "no room", "count": 1},
        {"why": "time ran out", "count": 1},
    ]
    assert value["wrong"] == [{"what": "time ran out", "count": 1}]
    assert (value["messages"], value["spoke"], value["tokens"], value["read_through"]) == (4, 0, 40, 0)
    assert value["never"] == []


def test_percentiles_are_nearest_ranks():
    values = [float(number) for number in range(1, 101)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.95) == 95
    assert percentile(values, 0.99) == 99
    assert percentile([7.0], 0.01) == 7


def test_the_log_is_bounded_and_private(tmp_path, monkeypatch):
    monkeypatch.setattr("ladder.hook.log.LOG_CAP", 1000)
    path = tmp_path / "state" / "hook.log"
    for number in range(100):
        write_log(str(path), {"e": "x", "number": number, "s": "a" * 40})
    kept = read_log(str(path))
    assert kept[-1]["number"] == 99
    assert 10 < len(kept) < 40
    assert sum(file.stat().st_size for file in path.parent.iterdir()) < 2200
    path.write_bytes(path.read_bytes() + b"{broken\n[]\n")
    assert len(read_log(str(path))) == len(kept)
