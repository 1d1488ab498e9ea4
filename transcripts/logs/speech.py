"""Who is speaking in a record of type `user`: the person, or the client in the person's name."""

import re
from typing import Any, Literal

Kind = Literal["typed", "slash", "queued", "machine"]

MACHINE = (
    "<system-reminder>",
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    '{"task_id":',
    "<teammate-message",
    "<ide_opened_file>",
    "<ide_selection>",
    "<ci-monitor-event>",
    "<bash-exit-code>",
    "<channel source=",
    "<fork-boilerplate>",
    "<remote-review>",
    "<tick>",
    "<user-prompt-submit-hook>",
    "Caveat:",
    "[Request interrupted",
    "Base directory for this skill",
    "This session is being continued from a previous conversation",
    "[SYSTEM NOTIFICATION",
)
"""How a text begins that the client wrote in the user's name."""

PROGRAMS = frozenset(("sdk-py", "sdk-ts", "subagent"))
"""Entry points (`entrypoint`) of sessions that programs run through the client's libraries, or that agents began.

Editors and the desktop application have entry points of their own; `sdk-cli` is `claude -p`, which people type too.
"""
_NOTICE = re.compile(r"<(?:[a-z]+-)+(?:notification|event|reminder|caveat|stdout|stderr|hook|update|message|task)\b")
"""Notices that clients of other versions send under other names."""
_AROUND = ("system-reminder", "ide_opened_file", "ide_selection")
"""What the client puts before or behind the person's words, in the same text."""
_OWN, _OWN_END = "<ladder-notes", "</ladder-notes>"
_NAME = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_SLASH = re.compile(r"\s*/[A-Za-z][\w:.-]*(\s|\Z)")
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)


def spoken(text: str) -> tuple[str, Kind]:
    """Return what the person said in a text and how: as typed, as a slash command, or ("", "machine") for nothing.

    Reminders that the client put before or behind the words are taken off, and ladder's own blocks wherever they
    stand: some clients put them into the prompt itself. A slash command gives `/name arguments`, which is what
    was typed and what a hook sees; its expanded body comes in a record of its own that says so (`isMeta`).
    """
    bare = (without_own(text) if _OWN in text else text).strip()
    cut = True
    while cut:
        cut = False
        for name in _AROUND:
            if bare.startswith(f"<{name}>") and f"</{name}>" in bare:
                bare = bare[bare.index(f"</{name}>") + len(name) + 3 :].strip()
                cut = True
            elif bare.endswith(f"</{name}>") and f"<{name}>" in bare:
                bare = bare[: bare.rindex(f"<{name}>")].strip()
                cut = True
    if not bare:
        return "", "machine"
    if bare.startswith(("<command-message>", "<command-name>")):
        called_by, arguments = _NAME.search(bare), _ARGUMENTS.search(bare)
        called = "/" + called_by.group(1).lstrip("/") if called_by and called_by.group(1) else ""
        said = f"{called} {arguments.group(1).strip() if arguments else ''}".strip()
        return (said, "slash") if said else ("", "machine")
    if bare.startswith(MACHINE) or _NOTICE.match(bare):
        return "", "machine"
    return bare, "slash" if is_slash(bare) else "typed"


def is_slash(message: str) -> bool:
    """Say whether a message is a slash command: `/name` alone or before white space, as in `ladder.query.speaker`."""
    return bool(_SLASH.match(message))


def without_own(text: str) -> str:
    """Return a text without ladder's own blocks; one that never ends stays."""
    kept = []
    at = 0
    while (start := text.find(_OWN, at)) >= 0 and (end := text.find(_OWN_END, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_OWN_END)
    return "".join([*kept, text[at:]])


def own_blocks(text: str) -> str:
    """Return ladder's own blocks in a text, "" when there is none."""
    kept = []
    at = 0
    while (start := text.find(_OWN, at)) >= 0 and (end := text.find(_OWN_END, start)) >= 0:
        at = end + len(_OWN_END)
        kept.append(text[start:at])
    return "\n".join(kept)


def message_of(record: dict[str, Any]) -> tuple[str, Kind]:
    """Return what the person said in a record of type `user`, ("", "machine") when it is not the person.

    Only text counts, given as a string or as text blocks alike; a record that carries tool results is the client's
    answer to the agent, whatever its role says. Summaries made when a conversation was compacted, records marked
    `isMeta` and those of sub-agents are not the person either.
    """
    if record.get("isMeta") or record.get("isCompactSummary") or record.get("isSidechain"):
        return "", "machine"
    if record.get("promptSource") == "system":
        return "", "machine"
    origin = record.get("origin")
    if isinstance(origin, dict) and origin.get("kind") not in (None, "human"):
        return "", "machine"
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return spoken(content)
    if not isinstance(content, list) or any(isinstance(b, dict) and b.get("type") == "tool_result" for b in content):
        return "", "machine"
    texts: list[str] = []
    kind: Kind = "machine"
    for block in content:
        if not isinstance(block, dict) or block.get("type") != "text" or not isinstance(block.get("text"), str):
            continue
        said, how = spoken(block["text"])
        if said:
            texts.append(said)
            kind = how if kind == "machine" else kind
    return "\n".join(texts), kind
