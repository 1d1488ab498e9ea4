"""The guard: would this tool call change or remove a dated entry of a note, or write outside the notes through a link?

Runs inside the hook, so it knows neither CommonMark nor regular expressions: it scans lines. It works from the tool's
input and the file alone, says nothing when in doubt, and never raises. A test holds it against `notes.markdown.parse`.
"""

from __future__ import annotations

try:
    import posix as _guard_os
except ImportError:  # Windows
    import nt as _guard_os  # type: ignore[import-not-found, no-redef, unused-ignore]

from ladder.hook.guard.entries import guard_entries
from ladder.hook.guard.shell import GUARDSHELL_WINDOWS, guard_join, guard_shell_writes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHELLS = ("Bash", "PowerShell")
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
) -> str | None:
    """Why the tool call of a PreToolUse event must not be made, in one or two sentences; None when it may.

    `read_bytes(path)` gives a file's bytes, or None when there is none. `roots` are the absolute folders and files that
    hold notes; without them every `.md` file counts, and the event's `cwd` is what links must not lead out of.
    `listed()` gives the absolute paths of all notes; it is called only for a shell command with a folder or a glob.
    """
    try:
        return _judge(event, read_bytes, roots, listed)
    except Exception:  # noqa: BLE001 (a guard that fails must not stand in anybody's way)
        return None


def _judge(
    event: dict[str, object],
    read_bytes: Callable[[str], bytes | None],
    roots: Sequence[str] | None,
    listed: Callable[[], Sequence[str]],
) -> str | None:
    tool = event.get("tool_name")
    given = event.get("tool_input")
    cwd = str(event.get("cwd") or "")
    if not isinstance(given, dict):
        return None
    notes = _GuardKnown(roots if roots is not None else ((cwd,) if cwd else ()), listed)
    for path, change, verb in _changes(str(tool), given, cwd, notes):
        if not _is_note(path, roots):
            continue
        led = _led_out(path, notes.roots)
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
            by = " with the Edit tool" if tool in _SHELLS else ""
            might = "may" if " " in verb else "would"  # `sed -i`, `git checkout`: depends on more than the words say
            return (
                f'{name}: this {verb} {might} change or remove the dated entry "{lost}". A history only grows; '
                f'a correction is a new entry: ladder note append {short} "…". Head and body can be edited{by}.'
            )
    return None


class _GuardKnown:
    """The notes there are, for what a shell command says of folders and globs; listed when first asked for."""

    def __init__(self, roots: Sequence[str], listed: Callable[[], Sequence[str]]) -> None:
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


def _changes(
    tool: str, given: dict[str, object], cwd: str, notes: _GuardKnown
) -> list[tuple[str, Callable[[str], str | None], str]]:
    """(absolute path, what the file's text becomes, verb) of each file the call would write."""
    if tool in _SHELLS:
        command = str(given.get("command") or "")
        # In PowerShell a backslash parts folders, and escapes nothing.
        writes = guard_shell_writes(command.replace("\\", "/") if tool == "PowerShell" else command, cwd, notes)
        return [(path, _constant(text), verb) for path, text, verb in writes]
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


def _constant(text: str) -> Callable[[str], str | None]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lambda _old: lines


def _edits(edits: list[dict[str, object]]) -> Callable[[str], str | None]:
    """The edits one after the other; None when one of them does not fit, for then the tool itself refuses."""

    def change(text: str) -> str | None:
        for edit in edits:
            old = str(edit.get("old_string") or "").replace("\r\n", "\n")
            new = str(edit.get("new_string") or "").replace("\r\n", "\n")
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
