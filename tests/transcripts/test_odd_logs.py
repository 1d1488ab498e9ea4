"""Logs as no client should write them, and as some did: each costs what is broken in it, no more, and no long time."""

import json
import os
import sys
from pathlib import Path

import pytest

from notes import find_notes, folder_settings
from transcripts import Store, mine, sessions
from transcripts.logs.json_texts import changed, texts_in
from transcripts.logs.records import named, records
from transcripts.logs.redact import redact
from transcripts.logs.shell import written
from transcripts.logs.tool_reads import numbered
from transcripts.privacy.archive import archive

PATH = "/home/u/app/docs/deploy.md"
ECHO = "Run shipctl revert with the violet wave, then watch the tangerine dashboard."


def answered(log, project):
    """A turn that gives a pair."""
    log.user("how do we go back?")
    log.read(PATH, (project / "docs" / "deploy.md").read_text(encoding="utf-8"))
    log.say(ECHO)


def mined(folder, project, **keys):
    return mine(sessions(folder), find_notes(folder_settings(project)), project, clean=redact, **keys)


@pytest.mark.parametrize("end", [b"\r", b" ", b"\0"])
def test_other_line_ends_and_a_mark_at_the_beginning_lose_no_line(end, log, project, tmp_path):
    a = log("s1")
    answered(a, project)
    a.lines = [line + end for line in a.lines]
    a.lines[0] = b"\xef\xbb\xbf" + a.lines[0]
    a.save()
    found = mined(tmp_path / "logs", project)
    assert (len(found.pairs), found.tally.turns, found.skipped) == (1, 1, [])


def test_bytes_that_are_no_utf8_cost_their_letters_alone(log, project, tmp_path):
    a = log("s1")
    answered(a, project)
    a.raw(b'{"type":"user","uuid":"x","message":{"content":"caf\xe9, please"}}')
    a.say("Yes.")
    path = a.save()
    assert mined(tmp_path / "logs", project).tally.turns == 2
    assert [r.data["message"]["content"] for r in records(path)][-2] == "caf\ufffd, please"


def test_another_encoding_or_no_text_at_all_is_damage_and_not_a_crash(log, project, tmp_path):
    a = log("s1")
    answered(a, project)
    path = a.save()
    path.with_name("s2.jsonl").write_bytes(path.read_bytes().decode().encode("utf-16"))
    path.with_name("s3.jsonl").write_bytes(bytes(range(256)) * 50)
    found = mined(tmp_path / "logs", project)
    assert len(found.pairs) == 1
    assert {item.reason for item in found.skipped} == {"not JSON", "unfinished last line"}


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux alone")
def test_a_name_that_is_no_utf8_is_a_session_like_others(log, project, tmp_path):
    a = log("s1")
    answered(a, project)
    path = a.save()
    odd = path.with_name(os.fsdecode(b"caf\xe9.jsonl"))
    try:
        path.rename(odd)
    except OSError:
        pytest.skip("the file system takes only UTF-8 names")
    assert named(odd).endswith("caf\\xe9.jsonl")
    store = Store(tmp_path / "mined")
    first = mined(tmp_path / "logs", project, store=store)
    assert [pair.session for pair in first.pairs] == ["caf\\xe9"]
    assert mined(tmp_path / "logs", project, store=store) == first


def test_a_log_that_may_not_be_read_is_named_and_the_others_are_mined(log, project, tmp_path, monkeypatch):
    for name in ("s1", "s2"):
        a = log(name)
        answered(a, project)
        path = a.save()
    opened = Path.open

    def refused(self, *args, **keys):
        if self == path:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(self, *args, **keys)

    store = Store(tmp_path / "mined")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refused)
        found = mined(tmp_path / "logs", project, store=store)
        assert [(item.file, item.reason) for item in found.skipped] == [(named(path), "no permission")]
        assert len(found.pairs) == 1
        archive(store, sessions(tmp_path / "logs"), redact)
    found = mined(tmp_path / "logs", project, store=store)
    assert (len(found.pairs), found.skipped) == (2, [])
    assert [done.session.id for done in store.update(sessions(tmp_path / "logs"), redact)] == []


def test_values_deeper_than_functions_may_call_each_other(log, project, tmp_path):
    a = log("s1")
    answered(a, project)
    a.user("and now?")
    for deep in (b"[" * 990 + b'"heron"' + b"]" * 990, b'{"k":' * 990 + b'"heron"' + b"}" * 990):
        a.call("mcp", content="DEEP")
        a.lines[-1] = a.lines[-1].replace(b'"DEEP"', deep)
        a.raw(b'{"type":"user","t":"\\ud83d","message":{"content":' + deep[:400] + b"1" + deep[-400:] + b"}}")
    a.raw(b'{"type":"user","message":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    a.say("Yes.")
    a.save()
    found = mined(tmp_path / "logs", project)
    assert (len(found.pairs), found.tally.turns) == (1, 2)
    store = Store(tmp_path / "mined")
    store.lock()
    assert archive(store, sessions(tmp_path / "logs"), redact) > 0
    deep = "heron"
    for _ in range(5_000):
        deep = {"k": [deep]}
    assert list(texts_in(deep)) == ["k"] * 5_000 + ["heron"]
    assert list(texts_in(changed(deep, str.upper))) == ["K"] * 5_000 + ["HERON"]


def test_numbers_of_lines_that_no_file_has(log, project, tmp_path):
    assert numbered("9" * 5_000 + "→a\n" + "9" * 20 + "→b\n    12→c") == (("c",), 12)
    note = (project / "docs" / "deploy.md").read_text(encoding="utf-8")
    a = log("s1")
    for start in (10**30, -(10**30), 2**31, -1):
        a.user(f"how do we go back from {start}?")
        tool = a.call("Read", file_path=PATH)
        a.result(tool, "x", {"file": {"filePath": PATH, "content": note, "startLine": start, "totalLines": 3}})
        a.lines[-1] += b'{"type":"glued"}'
        a.say(ECHO)
    a.save()
    found = mined(tmp_path / "logs", project)
    assert found.tally.turns == 4
    assert {line.number for pair in found.pairs for line in pair.lines} <= set(range(20))


@pytest.mark.parametrize(
    "shown",
    [
        "     1\tx" + "\n" * 200_000 + "<system-reminder>a</system-reminder>b",
        "     1\tx<system-reminder>a" * 20_000 + "</system-reminder>b",
        "     1\tx" + "\n" * 100_000 + "<system-reminder>a</system-reminder>" * 9_000,
    ],
    ids=["lines", "open", "closed"],
)
def test_texts_of_reads_that_would_be_searched_again_and_again(shown):
    assert numbered(shown)[1] == 1


def test_outputs_and_commands_that_would_be_searched_again_and_again(log, project, tmp_path):
    a = log("s1")
    a.user("how do we go back?")
    a.bash("cat docs/deploy.md", "<persisted-output>" + "\nPreview" * 50_000)
    tool = a.call("Bash", command="cat docs/deploy.md")
    a.result(tool, "<persisted-output>" + "\nPreview" * 50_000)
    a.bash("cat <<EOF > /tmp/x\n" + "\n" * 200_000 + "x", "")
    a.say("Done.")
    a.save()
    assert mined(tmp_path / "logs", project).tally.turns == 1
    assert written("cat <<EOF > a.md\n\n\nx\n  EOF  \n\nrm b.md") == ("a.md", "b.md")


@pytest.mark.parametrize(
    "text",
    [
        ("A" * 64 + "\n") * 20_000 + "PRIVATE",
        "-----BEGIN RSA PRIVATE KEY-----\n" * 20_000 + "-" * 200_000,
        "sk-" * 200_000,
        "-----END " * 100_000 + "PRIVATE KEY",
        "curl -u " * 50_000,
    ],
    ids=["body", "begin", "short", "end", "curl"],
)
def test_texts_in_which_secrets_would_be_sought_again_and_again(text):
    assert len(redact(text)) <= len(text)


def test_what_is_left_of_a_private_key_goes_however_it_was_cut():
    line = "Zz09" * 16
    end = "-----END RSA PRIVATE KEY-----"
    for body in (f"{line}\n{line}\n", f"{line * 9}\n", f"{line}\\n{line}\\n", ""):
        assert redact(f"so: {body}{end}.") == "so: [redacted:private-key]."
    begin = "-----BEGIN RSA PRIVATE KEY-----"
    headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n"
    assert redact(f"{begin}\n{headers}{line}\n{end}") == "[redacted:private-key]"
    assert redact(f"{begin}\n{line}\nno, {begin}\n{line}\n{end}!").count(line) == 0


def test_records_of_the_wrong_shape_say_nothing_and_break_nothing(log, project, tmp_path):
    odd = [None, 0, 1.5, True, "", "x", [], {}, [None], {"a": 1}, 10**18]
    a = log("s1")
    answered(a, project)
    for value in odd:
        for kind in ("user", "assistant", "attachment", "progress", "queue-operation"):
            whole = {
                "type": kind,
                "message": {"content": "hey"},
                "attachment": {"type": "file"},
                "data": {"message": {"message": {"content": [value]}}},
                "operation": "enqueue",
                "content": "abc",
            }
            for key in (*whole, "uuid", "timestamp", "cwd", "gitBranch", "origin", "toolUseResult", "parentToolUseID"):
                a.raw(json.dumps(whole | {key: value}).encode())
        for tool in ("Read", "Bash", "Grep", "Write", "Edit", "mcp"):
            given = {"file_path": PATH, "command": f"cat {PATH}", "path": PATH, "output_mode": "content"}
            for key in (*given, "content"):
                a.result(a.call(tool, **given | {key: value}), value, value)
                a.result(a.call(tool, **given), "x", {"file": {key: value, "content": value, "filePath": value}})
                a.result(a.call(tool, **given), "x", {"file": value, "stdout": value, "mode": value, "content": value})
        for kind in ("nested_memory", "file", "edited_text_file", "invoked_skills", "hook_success", "queued_command"):
            for key in ("content", "path", "filename", "snippet", "skills", "stdout", "prompt", "commandMode"):
                a.attach(**{"type": kind, "content": {"path": PATH, "content": "x"}, "filename": PATH, key: value})
    a.save()
    found = mined(tmp_path / "logs", project)
    assert found.skipped == []
    assert found.pairs or found.tally.left_out
