import os
import time

import orjson

from ladder.flows.learning import Learner, learn_from
from ladder.learning.model import Learned
from notes import NoteFile
from transcripts import sessions


def _record(kind, at, **more):
    return {
        "type": kind,
        "uuid": f"u{at}",
        "timestamp": f"2026-09-01T10:00:{at:02}Z",
        "sessionId": "s",
        "cwd": "/home/me/p",
        **more,
    }


def _log(path, turns):
    lines = []
    at = 0
    for message, note in turns:
        at += 1
        lines.append(_record("user", at, message={"role": "user", "content": message}))
        if note:
            call = {"type": "tool_use", "id": f"t{at}", "name": "Read", "input": {"file_path": note}}
            at += 1
            lines.append(_record("assistant", at, message={"id": f"m{at}", "content": [call]}))
            result = {"type": "tool_result", "tool_use_id": call["id"], "content": "     1\tCanary."}
            at += 1
            lines.append(_record("user", at, message={"role": "user", "content": [result]}))
        at += 1
        done = [{"type": "text", "text": "Done."}]
        lines.append(_record("assistant", at, message={"id": f"m{at}", "content": done}))
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


def test_mining_learns_which_note_followed_which_words(tmp_path):
    logs, target = tmp_path / "logs", tmp_path / "data" / "learned"
    logs.mkdir()
    _log(
        logs / "s.jsonl",
        [("deploy canary", "/home/me/p/docs/ops.md"), ("thanks", ""), ("deploy again", "/home/me/p/docs/ops.md")],
    )
    long_ago = time.time() - 7 * 86400
    os.utime(logs / "s.jsonl", (long_ago, long_ago))
    notes = [NoteFile(str(tmp_path / "docs/ops.md"), "docs/ops", 0, 0)]
    assert (
        learn_from(Learner(sessions(logs), notes, tmp_path, target, str), target) == 1
    )  # the second reading is no first one
    learned = Learned(target.read_bytes())
    assert learned.led("canari") == (1.0, [(0, 1.0)])
    assert learned.row("thank") == ((0.0, 0.0, 0.0), [])  # a stop word
    assert learned.row("=later")[0] == (0.0, 1.0, 0.0)
    assert learn_from(Learner(sessions(logs), notes, tmp_path, target, str), target) == 1


def test_the_last_turn_of_a_running_session_waits(tmp_path):
    logs, target = tmp_path / "logs", tmp_path / "learned"
    logs.mkdir()
    _log(logs / "s.jsonl", [("hello canary", ""), ("deploy", "/home/me/p/docs/ops.md")])
    notes = [NoteFile(str(tmp_path / "docs/ops.md"), "docs/ops", 0, 0)]
    assert learn_from(Learner(sessions(logs), notes, tmp_path, target, str), target) == 0
    _log(logs / "s.jsonl", [("hello canary", ""), ("deploy", "/home/me/p/docs/ops.md"), ("next", "")])
    assert learn_from(Learner(sessions(logs), notes, tmp_path, target, str), target) == 1


def test_secrets_are_not_learned(tmp_path):
    logs, target = tmp_path / "logs", tmp_path / "learned"
    logs.mkdir()
    _log(logs / "s.jsonl", [("use hunter2secret", "/home/me/p/docs/ops.md"), ("next", "")])
    notes = [NoteFile(str(tmp_path / "docs/ops.md"), "docs/ops", 0, 0)]
    learn_from(
        Learner(sessions(logs), notes, tmp_path, target, lambda text: text.replace("hunter2secret", "GONE")), target
    )
    assert b"hunter2" not in target.read_bytes()
    assert b"gone" in target.read_bytes()
