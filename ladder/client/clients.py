"""The table of clients: what each one's hooks get, what it takes of their answers, and what it keeps.

Read from the requests that the real programs sent to a stand-in for their model, headless, on the day that stands in
`seen`; `docs/clients.md` is the same table for people. What was not seen is not claimed.
"""

from __future__ import annotations

from ladder.client.contract import CLAUDE_CODE, Client, Event

#: Tools of an MCP server whose name says that they write.
_WRITING = "(write|edit|replace|create|save|update|delete|remove|unlink|move|rename|patch)"

CODEX = Client(
    "codex",
    title="Codex CLI",
    version="0.171.0",
    seen="2026-12-01",
    program="codex",
    config_env="CODEX_HOME",
    folder=".codex",
    settings="hooks.json",
    project_settings=".codex/hooks.json",
    # 2,500 tokens, counted as four bytes each; the rest is spilled to a file and a preview put in its place.
    text_cap=10_000,
    cap_in_bytes=True,
    common=("session_id", "transcript_path", "cwd", "hook_event_name", "model", "permission_mode", "agent_id"),
    events=(
        Event("UserPromptSubmit", "", 5, ("prompt",)),
        Event("SessionStart", "startup|resume|clear|compact", 5, ("source",)),
        Event("PreToolUse", f"^(Bash|apply_patch|mcp__.*{_WRITING}.*)$", 5, ("tool_name", "tool_input")),
        Event("SessionEnd", "", 3, ("reason",), speaks=False),
    ),
    # `exec_command`, and what code mode calls from its script, come as Bash.
    tools={"Bash": ("Bash", {"command": "command"}), "apply_patch": ("apply_patch", {"command": "command"})},
    logs="~/.codex/sessions/Y/M/D/rollout-*.jsonl",
    approval="Codex runs it only after you have approved it: start `codex`, type /hooks, and trust ladder's entries",
    unguarded=(
        "a command that runs in another folder (`workdir`) and names the note by its whole path",
        "what is typed into a program that runs already (`write_stdin`)",
        "anything before the hook is approved with /hooks",
    ),
)

GEMINI = Client(  # noqa: S604 (`shell` is a field of the table; nothing is started)
    "gemini",
    title="Gemini CLI",
    version="0.61.0",
    seen="2026-12-01",
    program="gemini",
    config_env="GEMINI_CLI_HOME",  # stands for the home folder
    folder=".",
    settings=".gemini/settings.json",
    project_settings=".gemini/settings.json",
    text_cap=0,
    second=1000,
    comments=True,
    hook_name="ladder",
    shell="powershell",
    common=("session_id", "transcript_path", "cwd", "hook_event_name", "timestamp"),
    events=(
        # Not SessionStart: what is said there stands before the person's first message, and with `--resume` the client
        # leaves out every message that begins with a hook's words. The brief comes behind the first message.
        Event("BeforeAgent", "", 5, ("prompt",), means="UserPromptSubmit"),
        Event(
            "BeforeTool",
            f"^(write_file|replace|run_shell_command|mcp_.*{_WRITING}.*)$",
            5,
            ("tool_name", "tool_input"),
            means="PreToolUse",
        ),
        Event(
            "AfterTool",
            "^(read_file|write_file|replace|run_shell_command)$",
            5,
            ("tool_name", "tool_input"),
            means="PostToolUse",
        ),
        Event("SessionEnd", "", 3, ("reason",), speaks=False),
    ),
    tools={
        "read_file": ("Read", {"absolute_path": "file_path"}),
        "write_file": ("Write", {}),
        "replace": ("Edit", {}),
        "run_shell_command": ("Bash", {}),
    },
    logs="~/.gemini/tmp/*/chats/session-*.jsonl",
)

OPENCODE = Client(
    "opencode",
    title="OpenCode",
    version="1.18.33",
    seen="2026-12-01",
    program="opencode",
    config_env="OPENCODE_CONFIG_DIR",
    folder=".config/opencode",
    settings="plugins/ladder.js",
    project_settings=".opencode/plugins/ladder.js",
    text_cap=0,
    plugin=True,
    common=("session_id", "cwd", "hook_event_name", "agent_id"),
    events=(
        Event("chat.message", "", 5, ("prompt", "told"), means="UserPromptSubmit"),
        Event("session.created", "", 5, ("source",), means="SessionStart"),
        Event("tool.execute.before", "", 5, ("tool_name", "tool_input"), means="PreToolUse"),
        Event("tool.execute.after", "", 5, ("tool_name", "tool_input"), means="PostToolUse"),
    ),
    tools={
        "read": ("Read", {"filePath": "file_path"}),
        "write": ("Write", {"filePath": "file_path"}),
        "edit": (
            "Edit",
            {
                "filePath": "file_path",
                "oldString": "old_string",
                "newString": "new_string",
                "replaceAll": "replace_all",
            },
        ),
        "bash": ("Bash", {}),
        "apply_patch": ("apply_patch", {"patchText": "command"}),
        "patch": ("apply_patch", {"patchText": "command"}),
    },
    logs="~/.local/share/opencode/opencode.db",
)

#: Every client that `ladder install` knows, by the name typed on the command line.
CLIENTS: dict[str, Client] = {client.name: client for client in (CLAUDE_CODE, CODEX, GEMINI, OPENCODE)}
