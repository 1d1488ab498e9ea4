"""What other clients than Claude Code say and hear: their events in its words, and the hook's answers in theirs.

The installed command names its client (`--client codex`), and nothing is guessed from an event. Without the flag this
module is not loaded.
"""

from __future__ import annotations

from ladder.client.clients import CLIENTS
from ladder.client.words import in_claudes_words, own_words, unquoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, object]


class Dialect:
    """How one client speaks: `hears` turns its event into one of Claude Code's, `says` an answer into its own."""

    __slots__ = ("hears", "says")

    def __init__(self, hears: Callable[[Document], Document], says: Callable[[Document, str], Document | None]) -> None:
        self.hears = hears
        self.says = says


def dialect_of(name: str) -> Dialect | None:
    """Return the dialect of a client, None for one that is not known."""
    return DIALECTS.get(name)


def _heard(client: str, event: Document) -> Document:
    """Return an event with Claude Code's names for its moment and its tool, and with where its log is read."""
    said = event.get("hook_event_name")
    means = next((each.means for each in CLIENTS[client].events if each.name == said), said)
    heard = event | {"hook_event_name": means, "log_form": client}
    tool, given = event.get("tool_name"), event.get("tool_input")
    if isinstance(tool, str) and isinstance(given, dict):
        heard["tool_name"], heard["tool_input"] = in_claudes_words(client, tool, given)
    return heard


def _text_and_denial(answer: Document) -> tuple[object, object]:
    output = answer.get("hookSpecificOutput")
    output = output if isinstance(output, dict) else {}
    return output.get("additionalContext", ""), output.get("permissionDecisionReason", "")


def _codex_hears(event: Document) -> Document:
    return _heard("codex", event)


def _codex_says(answer: Document, _event: str) -> Document:
    """Codex calls a hook failed that asks to be asked, and runs the tool: so the call is denied."""
    output = answer["hookSpecificOutput"]
    if isinstance(output, dict) and output.get("permissionDecision") == "ask":
        return {"hookSpecificOutput": output | {"permissionDecision": "deny"}}
    return answer


def _gemini_hears(event: Document) -> Document:
    """Before a tool's call Gemini CLI takes a denial and nothing else: what is said of it comes with the result."""
    heard = _heard("gemini", event)
    heard["facts"] = "later" if heard["hook_event_name"] == "PreToolUse" else ""
    prompt, given = event.get("prompt"), heard.get("tool_input")
    if isinstance(prompt, str):
        heard["prompt"] = own_words(prompt)
        heard["brief"] = "first"  # see the table of clients: there is no SessionStart for us
    if isinstance(given, dict):
        folder, cwd = given.get("dir_path"), event.get("cwd")
        if heard["tool_name"] == "Bash" and isinstance(folder, str) and isinstance(cwd, str) and folder:
            heard["cwd"] = f"{cwd}/{folder}" if not folder.startswith("/") and folder[1:3] != ":\\" else folder
        given["replace_all"] = bool(given.get("allow_multiple")) or given.get("expected_replacements", 1) != 1
    return heard


def _gemini_says(answer: Document, event: str) -> Document:
    text, denial = _text_and_denial(answer)
    if denial:
        return {"decision": "deny", "reason": denial}
    if event == "BeforeTool":
        return {"systemMessage": text}  # the guard's warning: the person reads it
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _opencode_hears(event: Document) -> Document:
    heard = _heard("opencode", event)
    heard["facts"] = "later" if heard["hook_event_name"] == "PreToolUse" else ""
    prompt, given = event.get("prompt"), heard.get("tool_input")
    if isinstance(prompt, str):
        heard["prompt"] = unquoted(prompt)
    if isinstance(given, dict) and heard["tool_name"] == "Bash" and isinstance(folder := given.get("workdir"), str):
        cwd = event.get("cwd")
        heard["cwd"] = f"{cwd}/{folder}" if not folder.startswith("/") and folder[1:3] != ":\\" else folder
    return heard


def _opencode_says(answer: Document, event: str) -> Document:
    """Our own plugin hears: the same form, under the event's own name."""
    output = answer["hookSpecificOutput"]
    if not isinstance(output, dict):
        return answer
    changed: Document = {"hookEventName": event}
    if "permissionDecision" in output:
        changed["permissionDecision"] = "deny"
    return {"hookSpecificOutput": output | changed}


DIALECTS = {
    "codex": Dialect(_codex_hears, _codex_says),
    "gemini": Dialect(_gemini_hears, _gemini_says),
    "opencode": Dialect(_opencode_hears, _opencode_says),
}
