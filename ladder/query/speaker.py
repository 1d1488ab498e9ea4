"""Who speaks in a text of a log or an event: the person, or the client and other programs in the person's name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: How a text begins that the client or a program wrote in the user's name.
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

#: How the hook's own block begins and ends.
_OWN, _OWN_END = "<ladder-notes", "</ladder-notes>"

#: Last words of the tags of notices (`<task-notification>`); other versions of a client use other first words.
_NOTICES = frozenset(
    ["notification", "event", "reminder", "caveat", "stdout", "stderr", "hook", "update", "message", "task"]
)

#: What the client puts before or behind the person's words, in the same text.
_BEFORE_WORDS = ("system-reminder", "ide_opened_file", "ide_selection")


def spoken(text: str) -> str:
    """Return what the person said in a text: as typed, `/name arguments` of a slash command, "" of a machine's text."""
    bare = (_without_own(text) if _OWN in text else text).strip()
    cut = True
    while cut:
        cut = False
        for name in _BEFORE_WORDS:
            if bare.startswith(f"<{name}>") and f"</{name}>" in bare:
                bare = bare[bare.index(f"</{name}>") + len(name) + 3 :].strip()
                cut = True
            elif bare.endswith(f"</{name}>") and f"<{name}>" in bare:
                bare = bare[: bare.rindex(f"<{name}>")].strip()
                cut = True
    if bare.startswith(("<command-message>", "<command-name>")):
        called = _between(bare, "command-name").strip()
        called = "/" + called.lstrip("/") if called else ""
        return f"{called} {_between(bare, 'command-args').strip()}".strip()
    return "" if bare.startswith(MACHINE) or _is_notice(bare) else bare


def _without_own(text: str) -> str:
    """Return a text without the blocks of ladder, which some clients put into the prompt; an unclosed one stays."""
    kept = []
    at = 0
    while (start := text.find(_OWN, at)) >= 0 and (end := text.find(_OWN_END, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_OWN_END)
    return "".join([*kept, text[at:]])


def _is_notice(text: str) -> bool:
    """Return whether a text begins with the tag of a notice: lower case and hyphens, ending in a word of notices."""
    if not text.startswith("<"):
        return False
    end = 1
    while text[end : end + 1] == "-" or ("a" <= text[end : end + 1] <= "z"):
        end += 1
    after = text[end : end + 1]
    parts = text[1:end].split("-")
    for at, part in enumerate(parts):
        if not part:
            return False
        if at and part in _NOTICES and (at + 1 < len(parts) or not (after.isalnum() or after == "_")):
            return True
    return False


def _between(text: str, tag: str) -> str:
    start = text.find(f"<{tag}>")
    end = text.find(f"</{tag}>", start)
    return text[start + len(tag) + 2 : end] if 0 <= start < end else ""


def command_name(message: str) -> str:
    """Return the slash command that a message is, `/name`; "" for ordinary words, also such that begin with a path.

    A name begins with an ASCII letter and holds letters, digits and `_:.-`; white space or nothing stands behind it.
    transcripts/logs/speech.py has the same for logs (a test holds the two equal).
    """
    first = message.lstrip()[:1] == "/" and message.split(None, 1)[0]
    if not first or not first[1:2].isalpha() or not first[1:2].isascii():
        return ""
    return "" if [char for char in first[1:] if not (char.isalnum() or char in "_:.-")] else first


def message_of(record: dict[str, Any]) -> str:
    """Return what the person said in a record of type `user`; "" when it is not the person who speaks."""
    if record.get("isMeta") or record.get("isCompactSummary") or record.get("promptSource") == "system":
        return ""
    origin = record.get("origin")
    if isinstance(origin, dict) and origin.get("kind") not in (None, "human"):
        return ""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return spoken(content)
    if not isinstance(content, list) or any(isinstance(b, dict) and b.get("type") == "tool_result" for b in content):
        return ""
    texts = [
        spoken(block["text"])
        for block in content
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    return "\n".join([text for text in texts if text])


def text_of(content: object) -> str:
    """Return the text of a content field: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(
        [
            block["text"]
            for block in content
            if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
        ]
    )
