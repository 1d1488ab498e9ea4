"""What other clients' tools and messages are in Claude Code's words: for the hook's events and for their logs alike."""

from __future__ import annotations

from ladder.client.clients import CLIENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    Document = dict[str, object]

#: How a line of a patch in the form of `apply_patch` begins that names a file.
_NAMES = ("*** Add File: ", "*** Delete File: ", "*** Update File: ")


def in_claudes_words(client: str, tool: str, given: Document) -> tuple[str, Document]:
    """Return the name and the fields with which Claude Code would call a tool of `client`; another tool as it is."""
    name, fields = CLIENTS[client].tools.get(tool, (tool, {}))
    if client == "gemini" and tool.startswith("mcp_") and not tool.startswith("mcp__"):
        name = f"mcp__server__{tool[4:]}"  # `mcp_SERVER_TOOL`; where one ends and the other begins cannot be told
    elif client == "opencode" and tool not in CLIENTS[client].tools and "_" in tool:
        name = f"mcp__server__{tool}"  # `SERVER_TOOL`
    return name, {fields.get(field, field): value for field, value in given.items()}


def own_words(text: str) -> str:
    """Return a message to Gemini CLI without what the client put before it from hooks at the session's start."""
    while text.lstrip().startswith("<hook_context>") and "</hook_context>" in text:
        text = text.partition("</hook_context>")[2].lstrip()
    return text


def unquoted(text: str) -> str:
    """Return a message to OpenCode without the quotes that `opencode run` puts around words with blanks."""
    whole = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
    return text[1:-1] if whole else text


def patch_files(text: str) -> list[str]:
    """Return the paths that a patch in the form of `apply_patch` names, as they are written there."""
    return [line.partition(": ")[2].strip() for line in text.split("\n") if line.lstrip().startswith(_NAMES)]
