"""Notes named at tool calls: which were used later, and how often the same notes are used where nothing was said."""

import json
import sys
from pathlib import Path

import pytest

from bench.corpus.versions import Versions
from bench.tasks.next_note import Notes
from bench.tasks.tool_calls import named_at_calls, precision
from transcripts import sessions

sys.path.insert(0, str(Path(__file__).parent))
from test_survival import commit

CANARY = "The worker must never import `src/canary.py`, because it opens a socket when it is loaded."


def record(session, minute, kind, content):
    return {
        "type": kind,
        "uuid": f"{session}-{minute}",
        "timestamp": f"2026-03-05T10:{minute:02}:00Z",
        "sessionId": session,
        "cwd": "/home/u/p",
        "message": {"role": kind, "content": content},
    }


def write_log(folder, session, *paths):
    rows = [record(session, 0, "user", "go on")]
    for minute, path in enumerate(paths, 1):
        use = {"type": "tool_use", "id": f"{session}{minute}", "name": "Read", "input": {"file_path": path}}
        rows.append(record(session, 2 * minute, "assistant", [use]))
        done = {"type": "tool_result", "tool_use_id": f"{session}{minute}", "content": "     1\u2192text"}
        rows.append(record(session, 2 * minute + 1, "user", [done]))
    folder.mkdir(exist_ok=True)
    (folder / f"{session}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def found(tmp_path):
    (tmp_path / "notes").mkdir()
    commit(tmp_path / "notes", "2026-03-01", {"canary.md": f"# Canary\n\n{CANARY}\n", "b.md": "# B\n\nb\n"})
    logs, note = tmp_path / "logs", "/home/u/p/canary.md"
    write_log(logs, "one", "/home/u/p/src/canary.py", note)  # named, then opened
    write_log(logs, "two", "/home/u/p/src/other.py")  # silent, never opened
    write_log(logs, "three", "/home/u/p/src/canary.py", "/home/u/p/src/canary.py")  # named once, never opened
    write_log(logs, "four", "/home/u/p/src/other.py", note, "/home/u/p/src/canary.py")  # silent, opened; then known
    return named_at_calls(sessions(logs), Notes(Versions(tmp_path / "notes"), tmp_path / "keep"))


def test_what_is_named_and_whether_it_was_used(found):
    calls, named = found
    assert calls == 8
    assert {(each.session, each.note, each.words, each.text, each.used) for each in named} == {
        ("one", "canary", "src/canary.py", CANARY, True),
        ("three", "canary", "src/canary.py", CANARY, False),
    }


def test_the_same_note_where_nothing_was_said(found):
    # Silent calls with the note still unknown: one in "two" (not used later), one in "four" (used later).
    assert [each.base for each in found[1]] == [0.5, 0.5]
    figures = precision(*found)
    assert (figures.spoke, figures.used.value, figures.used.n, figures.silent.value) == (2, 0.5, 2, 0.5)
    assert figures.gain.value == 0
