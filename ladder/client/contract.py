"""What Claude Code promises its hooks: events, the fields they bring, what they accept, and their limits.

The hook loads this file at each event, so the other clients stand in `clients.py`, in the same form. These contracts
change: when a client moves, these two files are what has to move with it.
"""

from __future__ import annotations


class Event:
    """One event of a client that the hook listens to.

    `name` is the client's word, `means` Claude Code's word for the same moment. `matcher` narrows the event ("" =
    always), `timeout` is what the settings ask for in seconds, `fields` are the input fields that the hook uses beyond
    the common ones, `speaks` says whether text can be handed back.
    """

    __slots__ = ("fields", "matcher", "means", "name", "speaks", "timeout")

    def __init__(
        self, name: str, matcher: str, timeout: int, fields: tuple[str, ...], *, speaks: bool = True, means: str = ""
    ) -> None:
        self.name = name
        self.means = means or name
        self.matcher = matcher
        self.timeout = timeout
        self.fields = fields
        self.speaks = speaks


class Client:
    """One coding agent: where its settings and logs lie, which events it has, how much text it takes.

    `config_env` names the variable that moves its folder, `folder` the default under the home folder; `settings` and
    `project_settings` are the files below that folder and below a project that hold the hook. `plugin` says that the
    file is a plugin of our own, and not settings of the user's. `text_cap` is the number of characters (with
    `cap_in_bytes`: bytes) above which the client hides a hook's text, 0 for none; `exec_since` is the version that
    first took `args` (a command without a shell), None for none; `second` is what the settings count as one second.

    `comments` says whether the settings may hold comments, `hook_name` what its list of hooks calls ours ("" =
    nothing), `shell` what runs a command on Windows.

    `common` are the fields of every event, `tools` maps the client's tools to Claude Code's name for such a tool and
    to its own names of the fields. `logs` says where session logs lie, `log_days` how long they are kept unless told
    otherwise (`log_setting`; 0 and "": for ever). `approval` is what the person has to do before the hook runs;
    `unguarded` says what the guard cannot prevent. All of it was seen in requests of `version`, on the day `seen`.
    """

    __slots__ = (
        "approval",
        "cap_in_bytes",
        "comments",
        "common",
        "config_env",
        "events",
        "exec_since",
        "folder",
        "hook_name",
        "log_days",
        "log_setting",
        "logs",
        "name",
        "plugin",
        "program",
        "project_settings",
        "second",
        "seen",
        "settings",
        "shell",
        "text_cap",
        "title",
        "tools",
        "unguarded",
        "version",
    )

    def __init__(
        self,
        name: str,
        *,
        title: str,
        version: str,
        seen: str,
        program: str,
        config_env: str,
        folder: str,
        settings: str,
        project_settings: str,
        text_cap: int,
        events: tuple[Event, ...],
        common: tuple[str, ...],
        logs: str,
        cap_in_bytes: bool = False,
        exec_since: tuple[int, int, int] | None = None,
        second: int = 1,
        plugin: bool = False,
        comments: bool = False,
        hook_name: str = "",
        shell: str = "cmd",
        tools: dict[str, tuple[str, dict[str, str]]] | None = None,
        log_days: int = 0,
        log_setting: str = "",
        approval: str = "",
        unguarded: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.title = title
        self.version = version
        self.seen = seen
        self.program = program
        self.config_env = config_env
        self.folder = folder
        self.settings = settings
        self.project_settings = project_settings
        self.text_cap = text_cap
        self.cap_in_bytes = cap_in_bytes
        self.exec_since = exec_since
        self.second = second
        self.plugin = plugin
        self.comments = comments
        self.hook_name = hook_name
        self.shell = shell
        self.events = events
        self.common = common
        self.tools = tools or {}
        self.logs = logs
        self.log_days = log_days
        self.log_setting = log_setting
        self.approval = approval
        self.unguarded = unguarded


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
    title="Claude Code",
    version="2.1.197",
    seen="2026-11",
    program="claude",
    config_env="CLAUDE_CONFIG_DIR",
    folder=".claude",
    settings="settings.json",
    # A project's `settings.json` is committed, and the entry holds paths of this machine.
    project_settings=".claude/settings.local.json",
    common=COMMON_FIELDS,
    logs="~/.claude/projects/**/*.jsonl",
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
