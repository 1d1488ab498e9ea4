"""The MCP server's tools are the rungs."""

import asyncio
import os
import sys
import time

import pytest
from typer.testing import CliRunner

from ladder.cli.app import app
from ladder.cli.terminal import Failure
from ladder.extra import missing_extra
from ladder.index.format import IndexBroken
from ladder.lean.paths import project_data
from ladder.serving import mcp as mcp_server
from ladder.serving.mcp import Rungs, server

pytest.importorskip("mcp")

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
    assert "no note called 'rolback'" in rungs.read("rolback")
    (project / "notes" / "rollback.md").write_text(NOTE.replace("Freeze", "Halt"), encoding="utf-8", newline="")
    assert "Halt the queue" in rungs.read("rollback", "procedure"), "an edit is seen at once"


def test_the_server_offers_them(project):
    made = server(project)
    tools = asyncio.run(made.list_tools())
    assert [tool.name for tool in tools] == ["suggest", "map", "read"]
    assert all(tool.description for tool in tools)


def test_a_client_reaches_every_tool_and_errors_are_one_line(project):
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
        ("read", {"note": "rollback"}, "Undo the rollout."),
        ("read", {"note": "rollback#paging"}, "## Paging\n\nPage the captain.\n"),
        ("read", {"note": "rollback", "section": "Procedure"}, "## Procedure\n"),
        ("read", {"note": "rollback", "section": "none"}, "notes/rollback has no section 'none'"),
        ("read", {"note": "../../etc/passwd"}, "no note called '../../etc/passwd'"),
        ("read", {"note": str(project / "notes" / "rollback.md")}, "Undo the rollout."),
    ]

    async def talk():
        command = StdioServerParameters(
            command=sys.executable, args=["-P", "-m", "ladder", "mcp"], cwd=project, env=dict(os.environ)
        )
        async with stdio_client(command) as (reader, writer), ClientSession(reader, writer) as session:
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert names == ["suggest", "map", "read"]
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


def test_without_the_extra_the_command_says_how_to_get_it(project, monkeypatch):
    monkeypatch.chdir(project)
    for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(Failure) as failed:
        CliRunner().invoke(app, ["mcp"], catch_exceptions=False)
    assert str(failed.value) == missing_extra("`ladder mcp`", "mcp")
    assert 'pip install ".[mcp]"' in str(failed.value)


def test_days_and_what_was_learned_count_as_on_the_command_line(project, monkeypatch):
    seen = {}

    def watched(index, query, *, learned):
        seen.update(now=query.now, learned=learned)
        return []

    monkeypatch.setattr(mcp_server, "suggest", watched)
    monkeypatch.setattr(mcp_server, "open_learned", lambda path: path)
    Rungs(project).suggest("what was it last week?")
    assert seen["learned"] == project_data(str(project)) + "/learned"
    assert seen["now"].startswith(time.strftime("%Y-"))


def test_an_index_that_turns_out_damaged_is_made_anew(project, monkeypatch):
    real, asked = mcp_server.suggest, []

    def broken(*args, **more):
        asked.append(1)
        if len(asked) == 1:
            raise IndexBroken("a note's checksum is wrong")
        return real(*args, **more)

    monkeypatch.setattr(mcp_server, "suggest", broken)
    assert Rungs(project).suggest("how do I undo a rollout?").startswith("notes/rollback")
    assert len(asked) == 2
