"""The MCP server's tools are the rungs."""

import asyncio
import json
import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from ladder.index.format import IndexBroken
from ladder.lean.paths import project_data
from ladder.query.dates.calendar import now_here
from ladder.reading import rungs as reading
from ladder.serving.mcp import PART, Rungs, in_parts
from ladder.serving.stdio import CannotTell, answers

NOTE = (
    "# Rollback\n\nUndo the rollout.\n\n## Procedure\n\nFreeze the queue, then undo.\n\n"
    "## Paging\n\nPage the captain.\n"
)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "rollback.md").write_text(NOTE, encoding="utf-8", newline="")
    return tmp_path


def test_the_rungs(project):
    rungs = Rungs(project)
    assert rungs.suggest("how do I undo a rollout?").startswith("notes/rollback  head ")
    assert rungs.suggest("xyzzy") == "No note shares anything with the question."
    assert rungs.suggest("26 November 2026") == "No note has an entry of 2026-11-26."
    shown = rungs.map("rollback", "freeze the queue")
    assert shown.startswith("notes/rollback\n")
    assert "#procedure  body" in shown
    assert "<- " in next(line for line in shown.split("\n") if "#procedure" in line)
    assert rungs.read("rollback", "procedure") == "## Procedure\n\nFreeze the queue, then undo.\n\n"
    assert rungs.read("rollback#paging") == "## Paging\n\nPage the captain.\n"
    assert rungs.read("rollback") == NOTE.rstrip("\n"), "a small note comes whole"
    with pytest.raises(CannotTell, match="no note called 'rolback'"):
        rungs.read("rolback")
    said = rungs.answer("how do I undo a rollout?")
    assert said.startswith("notes/rollback ("), "one piece needs no mark of the best"
    assert "Undo the rollout." in said
    assert rungs.answer("xyzzy") == "No note shares anything with the question."
    (project / "notes" / "rollback.md").write_text(NOTE.replace("Freeze", "Halt"), encoding="utf-8", newline="")
    assert "Halt the queue" in rungs.read("rollback", "procedure"), "an edit is seen at once"


def _asked(rungs, *messages):
    """What the server answers, as a client reads it."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    return [json.loads(line) for line in answers(rungs, lines)]


def _call(name, **given):
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}


def _text(answer):
    return answer["result"]["content"][0]["text"]


def test_the_server_says_who_it_is_and_how_many_notes_there_are(project):
    (hello,) = _asked(Rungs(project), {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}})
    assert hello["result"]["serverInfo"] == {"name": "ladder", "version": version("ladder-notes")}
    assert hello["result"]["instructions"].startswith("The user's notes on this project (1), ")


@pytest.mark.parametrize("append", [False, True])
def test_the_tools_are_told_apart_by_whether_they_write(project, append):
    (listed,) = _asked(Rungs(project, append=append), {"jsonrpc": "2.0", "id": 0, "method": "tools/list"})
    writes = {tool["name"]: not tool["annotations"]["readOnlyHint"] for tool in listed["result"]["tools"]}
    reading = {"suggest": False, "answer": False, "map": False, "read": False}
    assert writes == (reading | {"append": True} if append else reading)
    assert all(tool["description"] for tool in listed["result"]["tools"])


def test_entries_are_appended_only_behind_the_switch(project):
    call = _call("append", note="rollback", text="The queue was frozen by hand.", title="by hand")
    (refused,) = _asked(Rungs(project), call)
    assert refused["error"]["message"] == "no tool 'append'"
    (done,) = _asked(Rungs(project, append=True), call)
    assert _text(done).startswith("notes/rollback#")
    assert _text(done).endswith("-by-hand")
    assert "The queue was frozen by hand." in (project / "notes" / "rollback.md").read_text(encoding="utf-8")


def test_whatever_a_client_sends_gets_an_answer_or_none_is_due(project):
    rungs = Rungs(project)
    (found,) = _asked(rungs, _call("suggest", question="undo \ud83d"))  # json writes it as an escape
    assert _text(found).startswith("notes/rollback  head ")
    sent = [b"{", [], 5, {"id": 1}, {"method": "tools/list"}, {"id": 2, "result": {}}, {"id": 3, "method": "x/y"}]
    assert [each["error"]["code"] for each in _asked(rungs, *sent)] == [-32700, -32600, -32600, -32601]
    (batch,) = _asked(rungs, [{"id": 1, "method": "ping"}, {"id": 2, "method": "ping"}])
    assert [each["result"] for each in batch] == [{}, {}]
    wrong = [_call("read"), _call("read", note=5), _call("read", note="rollback", sections="x"), _call("map", note="")]
    said = [each["result"] for each in _asked(rungs, *wrong)]
    assert [each["isError"] for each in said] == [True] * 4
    assert [each["content"][0]["text"] for each in said[:2]] == ["read needs note", "note must be a text"]


def test_a_section_that_no_client_would_take_whole_is_sent_in_parts(project):
    lines = "".join(f"Line {n} of a log that nobody cuts.\n" for n in range(20_000))
    (project / "notes" / "long.md").write_text(f"# Long\n\nHead.\n\n## Log\n\n{lines}", encoding="utf-8", newline="")
    rungs = Rungs(project)
    first = rungs.read("long", "log")
    assert len(first.encode()) < PART + 200
    count = int(first.rpartition("[part 1 of ")[2].split()[0])
    assert first.endswith(f"[part 1 of {count} of notes/long#log; go on with note='notes/long#log', part=2]")
    sent = [rungs.read("long#log", part=n).rpartition("\n[part ")[0] for n in range(1, count + 1)]
    assert "".join(sent) == f"## Log\n\n{lines}"
    with pytest.raises(CannotTell, match=f"has {count} parts"):
        rungs.read("long#log", part=count + 1)


@pytest.mark.parametrize(
    "text", ["", "\n", "short", "a\nb\n", "\n\n", "é" * PART, "x\n" * PART, "漢" * 20_000 + "\nend"]
)
def test_parts_are_the_text(text):
    parts = in_parts(text)
    assert "".join(parts) == text
    assert all(len(part.encode()) <= PART for part in parts)


def test_a_client_reaches_every_tool_and_errors_are_one_line(project):
    pytest.importorskip("mcp")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    (project / "notes" / "odd.md").write_bytes(b"# Odd\n\nzebra \xa2\n")
    calls = [
        ("suggest", {"question": "how do I undo a rollout?"}, "notes/rollback  head "),
        ("suggest", {"question": ""}, "No note shares anything with the question."),
        ("suggest", {"question": "zebra"}, "notes/odd  head "),
        ("map", {"note": "rollback", "question": "freeze"}, "notes/rollback\n"),
        ("map", {"note": "rolback"}, "no note called 'rolback'"),
        ("map", {"note": ""}, "no note called ''"),
        ("read", {"note": "rollback"}, "# Rollback\n"),
        ("read", {"note": "rollback#paging"}, "## Paging\n\nPage the captain.\n"),
        ("read", {"note": "rollback", "section": "Procedure"}, "## Procedure\n"),
        ("read", {"note": "rollback", "section": "none"}, "notes/rollback has no section 'none'"),
        ("read", {"note": "../../etc/passwd"}, "no note called '../../etc/passwd'"),
        ("read", {"note": str(project / "notes" / "rollback.md")}, "# Rollback\n"),
        ("answer", {"question": "how do I undo a rollout?"}, "notes/rollback ("),
    ]

    async def talk():
        command = StdioServerParameters(
            command=sys.executable, args=["-P", "-m", "ladder", "mcp"], cwd=project, env=dict(os.environ)
        )
        async with stdio_client(command) as (reader, writer), ClientSession(reader, writer) as session:
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert names == ["suggest", "answer", "map", "read"]
            for tool, given, begins in calls:
                answer = await session.call_tool(tool, given)
                assert answer.content[0].text.strip("\n").startswith(begins.strip("\n")), (tool, given)
            wrong = await session.call_tool("read", {})
            assert "note" in wrong.content[0].text
            (project / "ladder.toml").write_text("folders = ", encoding="utf-8")
            broken = (await session.call_tool("suggest", {"question": "rollout"})).content[0].text
            assert "ladder.toml, line 1: not TOML" in broken
            assert "\n" not in broken.strip()
            (project / "ladder.toml").unlink()
            again = await asyncio.gather(*[session.call_tool(*calls[0][:2]) for _ in range(4)])
            assert {answer.content[0].text.partition("  ")[0] for answer in again} == {"notes/rollback"}

    asyncio.run(asyncio.wait_for(talk(), 60))


def test_the_server_starts_without_what_only_its_tools_need(project):
    code = (
        "import sys; sys.argv = ['ladder', 'mcp']; from ladder.entry import main; main()\n"
        "print([name for name in ('typer', 'rich', 'numpy', 'tiktoken', 'mcp', 'asyncio', 'email.message')"
        " if name in sys.modules])"
    )
    hello = (
        b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    )
    done = subprocess.run([sys.executable, "-c", code], input=hello, capture_output=True, cwd=project, check=True)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1]
    assert done.stderr.decode().strip() == "[]", "what is printed beside the answers goes to stderr"


def test_days_and_what_was_learned_count_as_on_the_command_line(project, monkeypatch):
    from ladder.learning import model

    seen = {}

    def watched(index, query, *, learned, most):
        seen.update(now=query.now, learned=learned)
        return []

    monkeypatch.setattr(reading, "suggest", watched)
    monkeypatch.setattr(model, "open_learned", lambda path: path)
    Rungs(project).suggest("what was it last week?")
    assert seen["learned"] == project_data(str(project)) + "/learned"
    assert seen["now"][:10] == now_here()[:10]


def test_an_index_that_turns_out_damaged_is_made_anew(project, monkeypatch):
    real, asked = reading.suggest, []

    def broken(*args, **more):
        asked.append(1)
        if len(asked) == 1:
            raise IndexBroken("a note's checksum is wrong")
        return real(*args, **more)

    monkeypatch.setattr(reading, "suggest", broken)
    assert Rungs(project).suggest("how do I undo a rollout?").startswith("notes/rollback")
    assert len(asked) == 2
