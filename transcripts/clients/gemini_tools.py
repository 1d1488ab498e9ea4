"""Gemini CLI's tools as Claude Code's."""

import re
from collections.abc import Iterator
from typing import Any

from transcripts.clients.one_form import Form, file_of, names, shell

_PATHS = ("file_path", "absolute_path", "path")
_OWN = names(
    "list_directory glob google_web_search web_fetch save_memory write_todos activate_skill ask_user "
    "enter_plan_mode exit_plan_mode get_internal_docs codebase_investigator cli_help generalist"
)
"""Tools that show no notes; any other name is a server's tool."""
_SEARCHES = ("search_file_content", "grep_search", "ripgrep", "grep")
_PARTLY = re.compile(
    r"\A\s*IMPORTANT: The file content has been truncated\.\nStatus: Showing lines (\d+)-(\d+) of (\d+) total lines\.\n"
    r".*?--- FILE CONTENT \(truncated\) ---\n",
    re.DOTALL,
)
_SECTION = re.compile(r"^--- (.+?) ---\n", re.MULTILINE)
_END_OF_FILES = re.compile(r"\n*--- End of content ---\s*\Z")
_OUTPUT = re.compile(
    r"(?:^|\n)Output: (.*?)(?=\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): |\Z)", re.DOTALL
)
_FOUND_IN, _FOUND = re.compile(r"File: (.+)"), re.compile(r"L(\d+): ?(.*)")


def call_of(call: Form) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the calls that a call of Gemini CLI stands for: id, name and input. Each of many files is one."""
    identity, name, given = _of(call)
    path = _path(given)
    if name == "read_file":
        yield identity, "Read", {"file_path": path}
    elif name == "read_many_files":
        for number, (each, _) in enumerate(_sections(_output(call))):
            yield f"{identity}#{number}", "Read", {"file_path": each}
    elif name == "run_shell_command":
        yield identity, "Bash", shell(given.get("command"), given.get("dir_path") or given.get("directory") or "")
    elif name in _SEARCHES:
        where = given.get("dir_path") or given.get("path") or ""
        yield identity, "Grep", {"pattern": given.get("pattern", ""), "path": where, "output_mode": "content"}
    elif name == "write_file":
        yield identity, "Write", {"file_path": path, "content": given.get("content", "")}
    elif name in ("replace", "edit"):
        both = {key: given.get(key, "") for key in ("old_string", "new_string")}
        yield identity, "Edit", {"file_path": path, **both}
    elif name in _OWN:
        yield identity, name, given
    elif name:
        yield identity, name if name.startswith("mcp__") else f"mcp__{name.removeprefix('mcp_')}", given


def results_of(call: Form) -> Iterator[tuple[str, str, Form | None, bool]]:
    """Yield the results: id, text, what Claude Code's records say of it beside, and whether the call failed."""
    identity, name, given = _of(call)
    status = call.get("status")
    if status not in ("success", "error", "cancelled"):
        return  # it is still at work
    output, hooks = _parted(_output(call))
    if status != "success":
        yield identity, output + hooks, None, True
    elif name == "read_file":
        text, first, total = _part(output, given)
        yield identity, text + hooks, file_of(_path(given), text, first, total), False
    elif name == "read_many_files":
        for number, (path, text) in enumerate(_sections(output)):
            yield f"{identity}#{number}", text + ("" if number else hooks), file_of(path, text), False
    elif name == "run_shell_command":
        shown = call.get("resultDisplay")
        found = _OUTPUT.search(output)
        text = found[1] if found else output
        yield identity, (shown if isinstance(shown, str) and shown else text) + hooks, None, False
    elif name in _SEARCHES:
        yield identity, output + hooks, {"mode": "content", "content": _lines_found(output)}, False
    else:
        yield identity, output + hooks, None, False


def _of(call: Form) -> tuple[str, str, dict[str, Any]]:
    name, given = call.get("name"), call.get("args")
    return str(call.get("id") or ""), name if isinstance(name, str) else "", given if isinstance(given, dict) else {}


def _path(given: dict[str, Any]) -> str:
    return next((given[key] for key in _PATHS if isinstance(given.get(key), str)), "")


def _output(call: Form) -> str:
    """Return what the model was shown: the texts of the responses of `result`."""
    result = call.get("result")
    found: list[str] = []
    for part in result if isinstance(result, list) else [result]:
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        response = answer.get("response") if isinstance(answer, dict) else None
        if isinstance(response, dict):
            found.extend(text for key in ("output", "error") if isinstance(text := response.get(key), str))
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            found.append(part["text"])
        elif isinstance(part, str):
            found.append(part)
    return "\n".join(found)


def _part(output: str, given: dict[str, Any]) -> tuple[str, int, int]:
    """Return the text of a file that was read, the number of its first line, and of lines in the file (0: all)."""
    if match := _PARTLY.match(output):
        return output[match.end() :], int(match[1]), int(match[3])
    offset = given.get("offset")
    return output, (offset + 1 if isinstance(offset, int) and offset > 0 else 1), 0


def _parted(output: str) -> tuple[str, str]:
    """Return what a tool answered, and what hooks have put behind it."""
    at = output.find("<hook_context>")
    return (output, "") if at < 0 else (output[:at].removesuffix("\n\n"), "\n\n" + output[at:])


def _sections(output: str) -> list[tuple[str, str]]:
    pieces = _SECTION.split(_END_OF_FILES.sub("", output))
    return [(path, text.strip("\n")) for path, text in zip(pieces[1::2], pieces[2::2], strict=True)]


def _lines_found(output: str) -> str:
    """Return what a search found as `path:number:line`."""
    path, found = "", []
    for line in output.split("\n"):
        if match := _FOUND_IN.fullmatch(line):
            path = match[1]
        elif path and (match := _FOUND.fullmatch(line)):
            found.append(f"{path}:{match[1]}:{match[2]}")
    return "\n".join(found)
