"""The guard: would this tool call change or remove a dated entry of a note, or write outside the notes through a link?

Runs inside the hook, so it knows neither CommonMark nor regular expressions: it scans lines. It works from the tool's
input and the file alone, says nothing when in doubt, and never raises. A test holds it against `notes.markdown.parse`.
"""

from __future__ import annotations

try:
    import posix as _guard_os
except ImportError:  # Windows
    import nt as _guard_os  # type: ignore[import-not-found, no-redef, unused-ignore]

from ladder.hook.guard.commands import GUARDDEEDS_ADDING
from ladder.hook.guard.entries import guard_entries
from ladder.hook.guard.git_index import git_index, git_keeps, git_top
from ladder.hook.guard.shell import GUARDSHELL_WINDOWS, guard_join, guard_shell_writes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHELLS = ("Bash", "PowerShell")
#: Words in the name of an MCP server's tool that writes, and what its fields are called.
_WRITING = (
    "write", "edit", "replace", "create", "save", "update", "delete", "remove", "unlink", "move", "rename", "patch",
)  # fmt: skip
_PATHS = ("path", "file_path", "filepath", "filePath", "relative_path", "file", "filename", "source", "uri")
_OLD = ("old_string", "oldText", "old_str", "old_text", "oldString")
_NEW = ("new_string", "newText", "new_str", "new_text", "newString")
_CONTENTS = ("content", "contents", "text", "file_text", "data")
_LINKS = 40  # links followed one after the other; more is a loop


def guarded_roots(trees: Sequence[str], roots: Sequence[tuple[str, str]], client: str) -> list[str]:
    """The folders and files in which the guard judges, of `roots`: (path, prefix of its notes' names).

    It judges where somebody asked for it: in a project with a `ladder.toml` or a ledger, and in the user's own notes
    where these have a ledger. `trees` is the project's folder in each work tree of its repository, that of `roots`
    first: what is guarded in one is in all. Never in the folder of the client's memory, `client` being the client's own
    folder: the client writes these files anew whenever it likes.
    """
    kept = guard_join("", client) + "/projects"
    own = [(guard_join("", path), prefix) for path, prefix in roots]
    own = [(path, prefix) for path, prefix in own if prefix != "@memory/" and not _inside(path, kept)]
    users = [path for path, prefix in own if prefix == "@user/"]
    folders = [guard_join("", tree) for tree in trees]
    project: list[str] = []
    for path, prefix in own:
        if prefix != "@user/":
            project += guard_twins(path, folders)
    asked = [*folders, *project]
    if any([_exists(folder + "/ladder.toml") for folder in folders]) or any(map(_ledger, asked)):  # noqa: C419 (a generator costs more here)
        return [*dict.fromkeys(project), *users]
    return [path for path in users if _ledger(path)]


def guard_twins(path: str, trees: Sequence[str]) -> list[str]:
    """`path` in each of the work trees, where it lies in one of them; else itself alone."""
    for tree in sorted(trees, key=len, reverse=True):  # one tree may lie in another
        if _inside(path, tree):
            return [other.rstrip("/") + path[len(tree.rstrip("/")) :] for other in trees]
    return [path]


def _ledger(path: str) -> bool:
    """Whether a folder of notes, or that of a single note, holds a ledger."""
    folder = path.rpartition("/")[0] if path.lower().endswith(".md") else path
    return _exists(folder + "/.ladder/notes")


def _exists(path: str) -> bool:
    try:
        _guard_os.stat(path)
    except (OSError, ValueError):
        return False
    return True


def guard_denial(
    event: dict[str, object],
    read_bytes: Callable[[str], bytes | None],
    roots: Sequence[str] | None = None,
    listed: Callable[[], Sequence[str]] = tuple,
    *,
    done: bool = False,
) -> str | None:
    """Why the tool call of a PreToolUse event must not be made, in a few sentences; None when it may.

    With `done` it says so of a call that will have been made when the text is read.

    `read_bytes(path)` gives a file's bytes, or None when there is none. `roots` are the absolute folders and files that
    hold notes; without them every `.md` file counts, and the event's `cwd` is what links must not lead out of.
    `listed()` gives the absolute paths of all notes; it is called only for a shell command with a folder or a glob.
    """
    try:
        return _judge(event, read_bytes, roots, listed, done=done)
    except Exception:  # noqa: BLE001 (a guard that fails must not stand in anybody's way)
        return None


def _judge(
    event: dict[str, object],
    read_bytes: Callable[[str], bytes | None],
    roots: Sequence[str] | None,
    listed: Callable[[], Sequence[str]],
    *,
    done: bool,
) -> str | None:
    tool = event.get("tool_name")
    given = event.get("tool_input")
    cwd = str(event.get("cwd") or "")
    if not isinstance(given, dict):
        return None
    notes = _GuardKnown(roots if roots is not None else ((cwd,) if cwd else ()), listed, read_bytes)
    for path, change, verb in _changes(str(tool), given, cwd, notes):
        if not _is_note(path, roots):
            continue
        led = _led_out(path, notes.roots)
        if led and done:
            return f"{path} leads out of the notes to {led}: this {verb} wrote there."
        if led:
            return f"{path} leads out of the notes to {led}; nothing is written through a link. Name the file itself."
        data = read_bytes(path)
        if data is None:
            continue
        old = _text(data)
        new = change(old)
        if new is None:
            continue
        lost = _lost(old, new)
        if lost:
            name = path.replace("\\", "/").rpartition("/")[2]
            short = name.removesuffix(".md")
            sure = " " not in verb  # `sed -i`, `git checkout` depend on more than the words say
            if done:
                how = "changed or removed" if sure else "may have changed or removed"
                return (
                    f'{name}: this {verb} {how} the dated entry "{lost}". A history only grows; '
                    f"`ladder note check {short}` says what was lost, `ladder note restore {short}` gives it back."
                )
            would = "would" if sure else "may"
            how = "by an edit or with" if event.get("log_form") else "with the Edit tool or"  # a client names its tools
            return (
                f'{name}: this {verb} {would} change or remove the dated entry "{lost}". A history only grows: a new '
                f'dated entry may be appended, {how} `ladder note append {short} "…"`; a correction is '
                "such an entry. Head and body can be edited."
            )
    return None


class _GuardKnown:
    """The notes there are, for what a shell command says of folders and globs; listed when first asked for."""

    def __init__(
        self, roots: Sequence[str], listed: Callable[[], Sequence[str]], read_bytes: Callable[[str], bytes | None]
    ) -> None:
        self._read_bytes = read_bytes
        self.roots = [guard_join("", root) for root in roots]
        self._listed = listed
        self._paths: list[str] | None = None

    def holds(self, path: str) -> bool:
        return any(_inside(path, root) for root in self.roots)

    def below(self, folder: str) -> list[str]:
        if not self.holds(folder) and not any(_inside(root, folder) for root in self.roots):
            return []
        if self._paths is None:
            self._paths = [guard_join("", path) for path in self._listed()]
        return [path for path in self._paths if _inside(path, folder)]

    def unkept(self, folder: str, *, tracked: bool, top: bool) -> list[str]:
        tree = git_top(folder)
        index = git_index(tree) if tree else b""
        if not index:
            return []
        found = []
        for path in self.below(tree if top else folder):
            if _inside(path, tree) and (data := self._read_bytes(path)) is not None:
                kept = git_keeps(index, path[len(tree) + 1 :], data)
                if kept is (False if tracked else None):
                    found.append(path)
        return found


def _changes(
    tool: str, given: dict[str, object], cwd: str, notes: _GuardKnown
) -> list[tuple[str, Callable[[str], str | None], str]]:
    """(absolute path, what the file's text becomes, verb) of each file the call would write."""
    if tool in _SHELLS:
        command = str(given.get("command") or "")
        # In PowerShell a backslash parts folders, and escapes nothing.
        writes = guard_shell_writes(command.replace("\\", "/") if tool == "PowerShell" else command, cwd, notes)
        found: list[tuple[str, Callable[[str], str | None], str]] = [
            (path, _constant(text) if verb not in GUARDDEEDS_ADDING else str, verb) for path, text, verb in writes
        ]
        return found + (_by_patch(command, cwd) if "apply_patch" in command.partition("*** Begin Patch")[0] else [])
    if tool == "apply_patch":
        return _by_patch(str(given.get("command") or ""), cwd)
    if tool.startswith("mcp__"):
        return _by_server(tool, given, cwd)
    path = given.get("file_path")
    if not isinstance(path, str) or not path:
        return []
    path = guard_join(cwd, path)
    if tool == "Write":
        return [(path, _constant(str(given.get("content") or "")), "Write")]
    if tool == "Edit":
        return [(path, _edits([given]), "Edit")]
    if tool == "MultiEdit":
        edits = given.get("edits")
        return [(path, _edits(edits if isinstance(edits, list) else []), "MultiEdit")]
    return []


def _by_patch(command: str, cwd: str) -> list[tuple[str, Callable[[str], str | None], str]]:
    """What `apply_patch` would do, called as a tool or in a shell, perhaps behind a `cd`."""
    from ladder.hook.guard.patch import guard_patched, guard_patches  # noqa: PLC0415 (few calls are patches)

    before = command[: command.find("*** Begin Patch")].lstrip()
    if before.startswith("cd "):
        cwd = guard_join(cwd, before[3:].partition("&&")[0].partition(";")[0].strip().strip("'\""))
    patches = guard_patches(command)
    return [(path, change, "apply_patch") for patch in patches for path, change in guard_patched(patch, cwd)]


def _by_server(tool: str, given: dict[str, object], cwd: str) -> list[tuple[str, Callable[[str], str | None], str]]:
    """What a file tool of an MCP server would write, as far as its name and its fields tell."""
    name = tool.rpartition("__")[2].lower()
    path = _first_of(given, _PATHS)
    if not path or not guard_writes(tool) or "append" in name or "insert" in name:
        return []
    path = guard_join(cwd, path)
    edits = given.get("edits")
    if isinstance(edits, list):
        return [(path, _edits([edit for edit in edits if isinstance(edit, dict)]), name)]
    if _first_of(given, _OLD):
        return [(path, _edits([given]), name)]
    content = [given[key] for key in _CONTENTS if isinstance(given.get(key), str)]
    if content:
        return [(path, _constant(str(content[0])), name)]
    goes = any(word in name for word in ("delete", "remove", "unlink", "move", "rename"))
    return [(path, _constant(""), name)] if goes else []


def guard_writes(tool: str) -> bool:
    """Whether the name of an MCP server's tool says that it writes files."""
    name = tool.rpartition("__")[2].lower()
    return tool.startswith("mcp__") and any(word in name for word in _WRITING)


def _first_of(given: dict[str, object], keys: Sequence[str]) -> str:
    return next((value for key in keys if isinstance(value := given.get(key), str) and value), "")


def _constant(text: str) -> Callable[[str], str | None]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lambda _old: lines


def _edits(edits: list[dict[str, object]]) -> Callable[[str], str | None]:
    """The edits one after the other; None when one of them does not fit, for then the tool itself refuses."""

    def change(text: str) -> str | None:
        for edit in edits:
            old = _first_of(edit, _OLD).replace("\r\n", "\n")
            new = _first_of(edit, _NEW).replace("\r\n", "\n")
            if not old or old not in text:
                return None
            text = text.replace(old, new) if edit.get("replace_all") else text.replace(old, new, 1)
        return text

    return change


def _text(data: bytes) -> str:
    text = data.decode("utf-8", "surrogateescape")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _lost(old: str, new: str) -> str | None:
    """The first line of an entry of `old` that `new` does not hold, whole and in its place; None when all stay."""
    known: dict[str, bool] = {}
    now = [text for _, text in guard_entries(new, known)]
    at = 0
    for opening, text in guard_entries(old, known):
        found = at
        while found < len(now) and now[found] != text:
            found += 1
        if found == len(now):
            return opening
        at = found + 1
    return None


def _is_note(path: str, roots: Sequence[str] | None) -> bool:
    if not path.lower().endswith(".md"):
        return False
    return roots is None or any(_inside(path, guard_join("", root)) for root in roots)


def _inside(path: str, root: str) -> bool:
    root = root.rstrip("/") or "/"
    if GUARDSHELL_WINDOWS:  # where `c:/Notes` is `C:/notes`
        path, root = path.casefold(), root.casefold()
    return path == root or path.startswith(root if root == "/" else root + "/")


def _led_out(path: str, roots: Sequence[str]) -> str | None:
    """Where `path` really lies when that is outside all `roots`, although it is named inside one; else None."""
    if not any(_inside(path, guard_join("", root)) for root in roots):
        return None
    real = _real(path)
    if real is None or real == path:
        return None
    if any(_inside(real, _real(guard_join("", root)) or root) for root in roots):
        return None
    return real


def _real(path: str) -> str | None:
    """`path` with every link followed; None for a loop. What does not exist is no link."""
    todo = [p for p in path.split("/") if p][::-1]
    real = "/" if path.startswith("/") else ""
    links = 0
    while todo:
        part = todo.pop()
        if part == ".":
            continue
        if part == "..":
            real = real.rpartition("/")[0] or "/"
            continue
        here = (real.rstrip("/") + "/" + part) if real else part
        try:
            target = _guard_os.readlink(here)
        except (OSError, ValueError):
            real = here
            continue
        links += 1
        if links > _LINKS:
            return None
        target = target.replace("\\", "/").removeprefix("//?/")
        if target.startswith("/") or target[1:2] == ":":
            real = "/" if target.startswith("/") else ""
        todo.extend([p for p in target.split("/") if p][::-1])
    return real or "/"
