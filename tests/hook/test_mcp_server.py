"""The MCP server's tools are the rungs."""

import asyncio
import json
import subprocess
import sys

import pytest

from ladder.mcp_server import Rungs, server

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


def test_it_speaks_the_protocol_on_stdin_and_stdout(project):
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "read", "arguments": {"note": "rollback#paging"}}},
    ]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ladder", "mcp"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project,
    )  # fmt: skip
    for message in asked:
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    answers = {}
    while 2 not in answers:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        answer = json.loads(line)
        answers[answer.get("id")] = answer
    process.stdin.close()
    process.wait(timeout=10)
    process.stdout.close()
    process.stderr.close()
    assert "Page the captain." in json.dumps(answers[2]["result"])
