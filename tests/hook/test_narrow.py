"""A whole read of a long note made narrow, where the project wants it: what comes, and when the read stays whole."""

import json

import pytest

from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.narrow import BEARING, FIRST, ROWS, WHOLE
from ladder.hook.on_tool import answer_tool
from ladder.indexing.token_counts import count
from ladder.indexing.update import fresh_index

HEAD = "# Relay\n\nThe relay forwards alarms to the pager.\n\n"
FILLER = "The relay keeps a queue of its own and drains it in order of arrival, oldest first.\n\n" * 9
TARGET = "## Port\n\nThe relay listens on port 8081 since the canary moved.\n\n"


def note(sections=20):
    parts = [f"## Part {n}\n\n{FILLER}" for n in range(sections)]
    return HEAD + "".join(parts[: sections // 2]) + TARGET + "".join(parts[sections // 2 :])


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("CACHE", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.setattr("ladder.hook.index.ask_update", lambda *_: None)  # nothing is started
    root = tmp_path / "project"
    (root / "notes").mkdir(parents=True)
    (root / "notes" / "relay.md").write_text(note(), encoding="utf-8", newline="")
    (root / "notes" / "short.md").write_text(HEAD + FILLER, encoding="utf-8", newline="")
    (root / "ladder.toml").write_text('read = "narrow"\n', encoding="utf-8")
    log = tmp_path / "log.jsonl"
    said = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "which port has the canary now?"}}
    log.write_text(json.dumps(said) + "\n", encoding="utf-8")
    fresh_index(root).close()
    return root


def read(root, name="relay", said=None, **given):
    """What the client is told about a read: (the changed input, the text for the agent)."""
    reply = Reply()
    reply.says = said
    event = {
        "hook_event_name": "PreToolUse", "cwd": str(root), "session_id": "s", "tool_name": "Read",
        "transcript_path": str(root.parent / "log.jsonl"),
        "tool_input": {"file_path": str(root / "notes" / f"{name}.md"), **given},
    }  # fmt: skip
    answer_tool(Moment(event, reply, 0.0))
    output = reply.document["hookSpecificOutput"] if reply.document else {}
    return output.get("updatedInput"), output.get("additionalContext", "")


def test_head_map_and_what_bears_on_the_message_come_instead(project):
    changed, text = read(project)
    lines = note().split("\n")
    assert changed == {"file_path": str(project / "notes" / "relay.md"), "offset": 1, "limit": changed["limit"]}
    assert "\n".join(lines[: changed["limit"]]).strip() == HEAD.strip()
    assert f"only lines 1 to {changed['limit']} come" in text
    assert "listens on port 8081" in text
    row = next(line for line in text.split("\n") if " Port (" in line)
    begin, end = map(int, row.split(" ")[0].split("-"))
    assert "\n".join(lines[begin - 1 : end]).strip() == TARGET.strip(), "the map's lines are the file's"
    assert count(text) < FIRST + BEARING + 20 * ROWS


def test_the_same_call_again_reads_the_whole_note(project):
    assert read(project)[0]
    assert read(project) == (None, "")
    assert read(project) == (None, ""), "it is in view now"


@pytest.mark.parametrize("given", [{"offset": 40}, {"limit": 20}, {"offset": 1, "limit": 5}])
def test_a_read_of_lines_stays_as_it_is(project, given):
    assert read(project, **given) == (None, "")


def test_a_short_note_and_another_file_are_read_whole(project):
    assert count(HEAD + FILLER) < WHOLE
    assert read(project, "short") == (None, "")
    (project / "notes" / "new.md").write_text(note(), encoding="utf-8")
    assert read(project, "none") == (None, "")


def test_it_is_off_unless_the_project_asks_for_it(project):
    (project / "ladder.toml").unlink()
    fresh_index(project).close()
    assert read(project) == (None, "")


def test_another_client_cannot_be_told_other_lines(project):
    assert read(project, said=lambda document: document) == (None, "")


def test_a_note_that_changed_since_is_cut_where_it_stands_now(project):
    (project / "notes" / "relay.md").write_text("---\ntags: x\n---\n" + note(), encoding="utf-8", newline="")
    changed, text = read(project)
    if changed is not None:  # the index caught up in time
        lines = ("---\ntags: x\n---\n" + note()).split("\n")
        begin, end = map(int, next(line for line in text.split("\n") if " Port (" in line).split(" ")[0].split("-"))
        assert "\n".join(lines[begin - 1 : end]).strip() == TARGET.strip()
    else:
        assert text == ""


def test_a_note_of_very_many_sections_has_a_short_map(project):
    many = HEAD + "".join(f"## Part {n}\n\n### Deep {n}\n\n{FILLER}" for n in range(300))
    (project / "notes" / "many.md").write_text(many, encoding="utf-8", newline="")
    fresh_index(project).close()
    _, text = read(project, "many")
    rows = [line for line in text.split("\n") if line[:1].isdigit()]
    assert len(rows) == ROWS
    assert int(rows[-1].split(" ")[0].split("-")[1]) == len(many.split("\n")) - 1, "the last row reaches to the end"


def test_a_note_without_headings_still_gives_its_first_lines(project):
    (project / "notes" / "flat.md").write_text(FILLER * 30, encoding="utf-8", newline="")
    fresh_index(project).close()
    changed, _ = read(project, "flat")
    first = "\n".join((FILLER * 30).split("\n")[: changed["limit"]])
    assert 0 < count(first) <= FIRST


def test_after_a_compaction_it_is_made_narrow_again(project):
    assert read(project)[0]
    reply = Reply()
    event = {"hook_event_name": "SessionStart", "cwd": str(project), "session_id": "s", "source": "compact"}
    from ladder.hook.on_session import answer_start

    answer_start(Moment(event, reply, 0.0))
    assert read(project)[0]
