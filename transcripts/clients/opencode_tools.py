"""OpenCode's tools as Claude Code's."""

import re
from collections.abc import Iterator
from typing import Any

from transcripts.clients.one_form import Form, file_of, names, shell
from transcripts.clients.patch_text import calls_of, parts_of

_OWN = names(
    "glob list ls task todowrite todoread webfetch websearch codesearch skill question batch lsp "
    "lsp_diagnostics invalid plan_enter plan_exit"
)
"""Tools that show no notes; any other name is a server's tool."""
_CONTENT = re.compile(r"<(?:content|file)>\n(.*?)\n?</(?:content|file)>", re.DOTALL)
_PATH = re.compile(r"\A\s*<path>(.+?)</path>")
_NUMBERED = re.compile(r"(\d+)(?:: |:|\| )(.*)")
_TOTAL = re.compile(r"\((?:Showing lines \d+-\d+ of|End of file - total) (\d+)")
_FOUND_IN, _FOUND = re.compile(r"(\S.*):"), re.compile(r"\s+Line (\d+): (.*)")


def call_of(part: Form, cwd: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the calls that a tool's part stands for: id, name and input. A patch is one call for each file."""
    identity, name, given = _of(part)
    path = given.get("filePath", "")
    if name == "read":
        yield identity, "Read", {"file_path": path}
    elif name == "bash":
        yield identity, "Bash", shell(given.get("command"), given.get("workdir") or "", cwd)
    elif name == "grep":
        where = given.get("path", "")
        yield identity, "Grep", {"pattern": given.get("pattern", ""), "path": where, "output_mode": "content"}
    elif name == "write":
        yield identity, "Write", {"file_path": path, "content": given.get("content", "")}
    elif name in ("edit", "multiedit"):
        edits = given.get("edits")
        each = edits if isinstance(edits, list) else [given]
        new = "\n".join(str(edit.get("newString", "")) for edit in each if isinstance(edit, dict))
        yield identity, "Edit", {"file_path": path, "old_string": str(given.get("oldString", "")), "new_string": new}
    elif name in ("apply_patch", "patch"):
        text = given.get("patchText")
        for its, what in calls_of(parts_of(text), identity) if isinstance(text, str) else ():
            yield its, "apply_patch", what
    elif name in _OWN:
        yield identity, name, given
    elif name:
        yield identity, f"mcp__{name}", given


def result_of(part: Form) -> Iterator[tuple[str, str, Form | None, bool]]:
    """Yield the result: id, text, what Claude Code's records say of it beside, and whether the call failed."""
    identity, name, given = _of(part)
    state = part.get("state")
    if not isinstance(state, dict) or state.get("status") not in ("completed", "error"):
        return  # it is still at work
    if state["status"] == "error":
        yield identity, str(state.get("error") or ""), None, True
        return
    shown = state.get("output")
    output = shown if isinstance(shown, str) else ""
    path = given.get("filePath")
    if name == "read" and isinstance(path, str) and (lines := _lines(output)):
        text = "\n".join(line for _, line in lines)
        total = _TOTAL.search(output)
        end = lines[-1][0]
        # Where it does not say how long the file is, more follows.
        yield identity, output, file_of(path, text, lines[0][0], int(total[1]) if total else end + 2), False
    elif name == "grep":
        yield identity, output, {"mode": "content", "content": _lines_found(output)}, False
    else:
        yield identity, output, None, False


def attached_of(text: str) -> tuple[str, str] | None:
    """Return path and text of a file that the client put into a message; None for any other text."""
    path, lines = _PATH.match(text), _lines(text)
    return (path[1], "\n".join(line for _, line in lines)) if path and lines else None


def _lines(output: str) -> list[tuple[int, str]]:
    """Return the numbered lines of a file as a read shows them."""
    shown = _CONTENT.search(output)
    found = (_NUMBERED.fullmatch(line) for line in (shown[1] if shown else "").split("\n"))
    return [(int(match[1]), match[2]) for match in found if match]


def _of(part: Form) -> tuple[str, str, dict[str, Any]]:
    state, name = part.get("state"), part.get("tool")
    given = state.get("input") if isinstance(state, dict) else None
    identity = str(part.get("callID") or part.get("id") or "")
    return identity, name if isinstance(name, str) else "", given if isinstance(given, dict) else {}


def _lines_found(output: str) -> str:
    """Return what a search found as `path:number:line`."""
    path, found = "", []
    for line in output.split("\n"):
        if path and (match := _FOUND.fullmatch(line)):
            found.append(f"{path}:{match[1]}:{match[2]}")
        elif match := _FOUND_IN.fullmatch(line):
            path = match[1]
    return "\n".join(found)
