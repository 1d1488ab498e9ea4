"""What each client promises its hooks: events, the fields they bring, what they accept, and their limits.

One table, because these contracts change: when a client moves, this file is what has to move with it. Read from
Claude Code's hook reference as of autumn 2026. A further client is a further `Client` in `CLIENTS`.
"""

from __future__ import annotations


class Event:
    """One event of a client that the hook listens to.

    `matcher` narrows the event ("" = always), `timeout` is what the settings ask for in seconds, `fields` are the input
    fields that the hook uses beyond the common ones, `speaks` says whether text can be handed back.
    """

    __slots__ = ("fields", "matcher", "name", "speaks", "timeout")

    def __init__(self, name: str, matcher: str, timeout: int, fields: tuple[str, ...], *, speaks: bool = True) -> None:
        self.name = name
        self.matcher = matcher
        self.timeout = timeout
        self.fields = fields
        self.speaks = speaks


class Client:
    """One coding agent: where its settings and logs lie, which events it has, how much text it takes.

    `config_env` names the variable that moves its folder, `folder` the default under the home folder; `text_cap` is the
    number of characters above which the client hides a hook's text; `exec_since` is the version that first took `args`
    (a command without a shell); `log_days` is how long it keeps session logs unless told otherwise (`log_setting`).
    """

    __slots__ = (
        "config_env",
        "events",
        "exec_since",
        "folder",
        "log_days",
        "log_setting",
        "name",
        "program",
        "text_cap",
    )

    def __init__(
        self,
        name: str,
        *,
        program: str,
        config_env: str,
        folder: str,
        text_cap: int,
        exec_since: tuple[int, int, int],
        log_days: int,
        log_setting: str,
        events: tuple[Event, ...],
    ) -> None:
        self.name = name
        self.program = program
        self.config_env = config_env
        self.folder = folder
        self.text_cap = text_cap
        self.exec_since = exec_since
        self.log_days = log_days
        self.log_setting = log_setting
        self.events = events


#: Fields that every event of Claude Code brings. `agent_id` is there only inside a sub-agent.
COMMON_FIELDS = ("session_id", "transcript_path", "cwd", "hook_event_name", "agent_id")

#: Tools whose call names a file, with the field that holds its path. MultiEdit is of older versions: 2.1.197 (November
#: 2026) has it no more, and offers Grep and Glob only on request.
FILE_TOOLS = {
    "Read": "file_path",
    "Edit": "file_path",
    "Write": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
}

#: Tools whose call is a shell command (field `command`).
SHELL_TOOLS = ("Bash", "PowerShell")

#: Tools whose call searches files for a pattern (field `pattern`). Glob asks for names: what notes hold of them was
#: opened later no more often than by chance.
SEARCH_TOOLS = ("Grep",)

#: The tools for which Claude Code starts the hook; names joined by `|` are compared whole, not as a pattern.
#: A file tool of an MCP server is one when its name says that it writes.
TOOL_MATCHER = (
    f"^({'|'.join((*FILE_TOOLS, *SEARCH_TOOLS, *SHELL_TOOLS))}"
    "|mcp__.*(write|edit|replace|create|save|update|delete|remove|unlink|move|rename|patch).*)$"
)

CLAUDE_CODE = Client(
    "claude-code",
    program="claude",
    config_env="CLAUDE_CONFIG_DIR",
    folder=".claude",
    text_cap=10_000,
    exec_since=(2, 1, 139),
    log_days=30,
    log_setting="cleanupPeriodDays",
    events=(
        Event("UserPromptSubmit", "", 5, ("prompt",)),
        # 2.1.197 sends no `fork`: a fork says `resume`. The documentation of 2.1.240 lists it.
        Event("SessionStart", "startup|resume|clear|compact|fork", 5, ("source",)),
        Event("PreToolUse", TOOL_MATCHER, 5, ("tool_name", "tool_input")),
        # Nothing that SessionEnd prints is read, and all its hooks share 1.5 s: it only marks the session for mining.
        Event("SessionEnd", "", 5, ("reason",), speaks=False),
    ),
)

#: Every client that `ladder install` knows, by the name typed on the command line.
CLIENTS = {CLAUDE_CODE.name: CLAUDE_CODE}
