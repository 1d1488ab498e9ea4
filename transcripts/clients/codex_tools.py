"""Codex's tools as Claude Code's: a command, a patch, a file that was read, and what came back."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import orjson

from transcripts.clients.one_form import Around, Form, names, shell
from transcripts.clients.patch_text import Part, calls_of, parts_of
from transcripts.logs.json_texts import texts_in

_SHELLS = frozenset(("exec_command", "shell", "shell_command", "container.exec", "unified_exec"))
_SCRIPT = "exec"
"""A program that the model wrote, which calls the tools: what these did stands in the log as items of its own."""
_ITEM_OF_SCRIPT = "exec-"
OF_SCRIPT = re.compile(r"Script (?:completed|failed|running|terminated)[^\n]*\nWall time ")
"""How the output of such a program begins."""
_OWN = names(
    "write_stdin update_plan view_image spawn_agent wait_agent close_agent send_input resume_agent list_dir "
    "grep_files tool_suggest tool_search load_workspace_dependencies list_mcp_resources "
    "list_mcp_resource_templates wait request_user_input web_search"
)
"""Tools that show no notes; any other name is a server's tool."""
_HEADER = re.compile(
    r"\A(?:Command: .*?\n)?(?:Chunk ID: [^\n]*\n)?(?:Exit code: -?\d+\n)?Wall time: [^\n]*\n"
    r"(?:Process (?:exited with code|running with session ID) [^\n]*\n)?(?:Original token count: \d+\n)?"
    r"(?:Total output lines: \d+\n)?(?:\n)?Output:\n(?:Total output lines: \d+\n\n)?",
    re.DOTALL,
)
_FAILED = re.compile(
    r"(?:apply_patch verification failed|exec_command failed|Failed to |Invalid patch|aborted by user|patch rejected)"
    r"|(?:\w+: )+[^\n]*No such file or directory\s*\Z"
)
"""How Codex answers for a call that did nothing; the exit code of a command says no such thing (`grep`)."""
_NUMBERED = re.compile(r"^L(\d+): ?(.*)$")


def call_of(payload: Form, identity: str, cwd: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the calls that a call of Codex stands for: name, input and id. A patch is one call for each file."""
    name, given = payload.get("name"), _given(payload)
    if payload.get("type") == "local_shell_call":
        action = payload.get("action")
        if isinstance(action, dict):
            yield "Bash", shell(action.get("command"), action.get("working_directory"), cwd), identity
        return
    if not isinstance(name, str) or (name == _SCRIPT and payload.get("type") == "custom_tool_call"):
        return
    namespace = payload.get("namespace")
    if isinstance(namespace, str) and namespace.startswith("mcp__"):
        name = f"{namespace.rstrip('_')}__{name}"
    if name == "apply_patch":
        text = payload.get("input", given.get("input", given.get("patch")))
        for its, what in calls_of(parts_of(text), identity) if isinstance(text, str) else ():
            yield name, what, its
    elif name in _SHELLS:
        command = given.get("cmd", given.get("command"))
        ran = shell(command, given.get("workdir"), cwd)
        # A patch may also be given to a shell; it is the same patch.
        patch = parts_of(ran["command"]) if "*** Begin Patch" in ran["command"] else []
        if patch:
            for its, what in calls_of(patch, identity):
                yield "apply_patch", what, its
        else:
            yield "Bash", ran, identity
    elif name == "read_file":
        yield "Read", {"file_path": given.get("file_path", given.get("path", ""))}, identity
    elif name in _OWN or name.startswith("mcp__"):
        yield name, given, identity
    else:
        yield f"mcp__{name}", given, identity


def output_of(output: object) -> tuple[str, bool]:
    """Return the text of a call's output without what Codex wrote around it, and whether the call failed."""
    if isinstance(output, list):
        output = "\n".join(
            item["text"] for item in output if isinstance(item, dict) and isinstance(item.get("text"), str)
        )
    elif isinstance(output, dict):
        output = output.get("content") or output.get("output") or ""
    text = output if isinstance(output, str) else ""
    if text.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            value = orjson.loads(text)
            if isinstance(value, dict) and isinstance(value.get("output"), str):
                text = value["output"]
    bare = _HEADER.sub("", text, count=1)
    if _NUMBERED.match(bare.split("\n", 1)[0]):
        bare = _as_numbered(bare)
    return bare, bool(_FAILED.match(bare))


def item_calls(around: Around, item: Form) -> Iterator[Form]:
    """Yield the call and the result of what a script of the model's ran: other items stand in the log as calls too."""
    identity, what = item.get("id"), item.get("type")
    if not isinstance(identity, str) or not identity.startswith(_ITEM_OF_SCRIPT):
        return
    failed = item.get("status") in ("failed", "declined")
    if what == "CommandExecution":
        output = item.get("aggregated_output", item.get("stdout"))
        yield around.called(identity, "Bash", shell(item.get("command"), item.get("cwd"), around.cwd))
        yield from around.answered(identity, output if isinstance(output, str) else "")
    elif what == "FileChange" and isinstance(changes := item.get("changes"), dict):
        parts = [
            part for path, change in changes.items() if isinstance(change, dict) for part in _changed(path, change)
        ]
        for its, given in calls_of(parts, identity):
            yield around.called(its, "apply_patch", given)
        yield from around.answered(identity, str(item.get("stdout") or ""), failed=failed)
    elif what == "McpToolCall":
        sent = item.get("arguments")
        name = f"mcp__{item.get('server')}__{item.get('tool')}"
        yield around.called(identity, name, sent if isinstance(sent, dict) else {})
        shown = "\n".join(texts_in(item.get("result"), keys=False))
        yield from around.answered(identity, shown, failed=failed)


def _changed(path: str, change: Form) -> list[Part]:
    diff, content = change.get("unified_diff"), change.get("content")
    added = [line[1:] for line in diff.split("\n") if line.startswith("+")] if isinstance(diff, str) else []
    moved = change.get("move_path")
    text = content if isinstance(content, str) and change.get("type") == "add" else "\n".join(added)
    return [Part(path, text), *([Part(moved, text)] if isinstance(moved, str) else [])]


def _given(payload: Form) -> dict[str, Any]:
    given = payload.get("arguments")
    try:
        value: Any = orjson.loads(given) if isinstance(given, str) else given
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _as_numbered(text: str) -> str:
    """Return lines `L12: …` as Claude Code numbers them, which is how a Read's result is read."""
    found = (_NUMBERED.match(line) for line in text.split("\n"))
    return "\n".join(f"{match[1]}\t{match[2]}" for match in found if match)
