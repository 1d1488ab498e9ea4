"""What a client makes of a hook's answer, by its own rules: whether it blocks, is refused, is cut, or is taken.

`ladder doctor` runs the installed hook with it, and so does the simulated client of the bench.
"""

import json
import subprocess
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from ladder.client.contract import CLAUDE_CODE, Client

#: Fields that Claude Code, Codex and our plugin for OpenCode know beside each event's `hookEventName`, by the moment.
_KNOWN = {
    "UserPromptSubmit": {"additionalContext"},
    "SessionStart": {"additionalContext"},
    "PreToolUse": {"additionalContext", "permissionDecision", "permissionDecisionReason"},
    "PostToolUse": {"additionalContext"},
}


class Answer(NamedTuple):
    """A hook's run, and what the client makes of it."""

    text: str
    """What reaches the agent, "" for nothing."""
    denied: str
    """Why a tool call is denied, "" when it is not."""
    faults: tuple[str, ...]
    """Why the answer would block the user, be refused or be cut; none for a good one."""
    seconds: float
    """Wall time of the whole process."""


def run_handler(
    handler: Mapping[str, Any],
    event: Mapping[str, object],
    *,
    client: Client = CLAUDE_CODE,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> Answer:
    """Start a handler of the settings as the client does, hand it `event`, and judge its answer."""
    command: list[str] | str = [handler["command"], *handler["args"]] if "args" in handler else handler["command"]
    begun = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            input=json.dumps(event).encode("ascii"),
            capture_output=True,
            timeout=float(handler.get("timeout", 600)),
            check=False,
            shell=isinstance(command, str),
            env=dict(env) if env is not None else None,
            cwd=cwd,
        )
    except OSError as error:
        return Answer("", "", (f"the command does not start: {error}",), time.perf_counter() - begun)
    except subprocess.TimeoutExpired:
        return Answer("", "", ("the hook was cancelled: it took too long",), time.perf_counter() - begun)
    seconds = time.perf_counter() - begun
    return judge(str(event.get("hook_event_name", "")), done.returncode, done.stdout, done.stderr, seconds, client)


def judge(event: str, code: int, stdout: bytes, stderr: bytes, seconds: float, client: Client = CLAUDE_CODE) -> Answer:
    """Say what the client makes of an exit code and what was printed."""
    faults: list[str] = []
    if code == 2:
        faults.append("exit code 2: the client blocks what the user asked for")
    elif code:
        faults.append(f"exit code {code}: the client shows an error ({stderr[:200].decode('utf-8', 'replace')})")
    if not stdout:
        return Answer("", "", tuple(faults), seconds)
    document = _document(stdout, faults)
    text, denied = (_gemini if client.name == "gemini" else _claude)(document, event, client, faults)
    if not isinstance(text, str) or not isinstance(denied, str):
        faults.append("the text is no text")
        text = denied = ""
    size = max(len(each.encode("utf-8", "replace") if client.cap_in_bytes else each) for each in (text, denied))
    if 0 < client.text_cap < size:
        unit = "bytes" if client.cap_in_bytes else "characters"
        faults.append(f"{size} {unit}: the client hides what is over {client.text_cap}")
    # Where the first message brings the brief, a block stands behind it.
    if text and text.casefold().count("</ladder-notes") > (2 if client.name == "gemini" else 1):
        faults.append("the block is closed twice")
    return Answer(text, denied, tuple(faults), seconds)


def _document(stdout: bytes, faults: list[str]) -> dict[str, Any]:
    try:
        document = json.loads(stdout.decode("utf-8"))
    except ValueError as error:
        faults.append(f"the output is not one JSON document: {error}")
        return {}
    return document if isinstance(document, dict) else {}


def _claude(document: dict[str, Any], event: str, client: Client, faults: list[str]) -> tuple[object, object]:
    """Return text and denial as Claude Code takes them, and Codex, which knows `deny` but not `ask`."""
    output = document.get("hookSpecificOutput")
    if not isinstance(output, dict) or set(document) != {"hookSpecificOutput"}:
        faults.append("the output is not {hookSpecificOutput: …}: the client ignores it")
        output = {}
    if output.get("hookEventName") != event:
        faults.append(f"the answer is for {output.get('hookEventName')!r}, the event is {event!r}")
    means = next((each.means for each in client.events if each.name == event), event)
    unknown = set(output) - {"hookEventName"} - _KNOWN.get(means, set())
    if unknown:
        faults.append(f"the client does not know {', '.join(sorted(unknown))}")
    decision = output.get("permissionDecision")
    if decision == "ask" and client is not CLAUDE_CODE:
        faults.append("the client knows no permissionDecision ask: it calls the hook failed")
    denied = output.get("permissionDecisionReason", "")
    return output.get("additionalContext", ""), denied if decision == "deny" or not isinstance(denied, str) else ""


def _gemini(document: dict[str, Any], event: str, _client: Client, faults: list[str]) -> tuple[object, object]:
    """Return text and denial as Gemini CLI takes them: before a tool's call it drops what is no denial."""
    unknown = set(document) - {"hookSpecificOutput", "decision", "reason", "systemMessage"}
    if unknown:
        faults.append(f"the client does not know {', '.join(sorted(unknown))}")
    output = document.get("hookSpecificOutput", {})
    if not isinstance(output, dict) or (output and output.get("hookEventName") != event):
        faults.append(f"the answer is not for {event!r}")
        output = {}
    text = output.get("additionalContext", "")
    if text and event == "BeforeTool":
        faults.append("the client drops what a hook says before a tool's call")
    return text, document.get("reason", "") if document.get("decision") == "deny" else ""
