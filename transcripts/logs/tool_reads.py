"""Which text of which files a tool's answer or an attachment brought into view."""

import re
from contextlib import suppress
from typing import Any, NamedTuple

import orjson

from transcripts.logs.json_texts import texts_in
from transcripts.logs.shell import NOTE_SUFFIXES, Shown, by_ladder, shown

OWN_TAG = "<ladder-notes"
"""How the block begins that ladder's hook puts into a conversation; what stands in it is no evidence of anything."""

BY_LADDER = "ladder"
"""How a line came into view that ladder itself handed over: by a block, a command or its server."""

_NUMBERED = re.compile(r"^[^\S\n]*(\d{1,9})[→\t]([^\n]*)", re.MULTILINE)
_PREFIXED = re.compile(r"(.+?\.(?:md|mdx|markdown))(?:([:-])(\d+)\2|:)(.*)", re.DOTALL | re.IGNORECASE)
_LINE_NUMBER = re.compile(r"(\d+)[:-](.*)", re.DOTALL)
_FROM_LEFT = re.compile(r"\s*(\d+)(?:\t|  )(.*)", re.DOTALL)
_UNCHANGED = re.compile(r"(?i)\A\W*(?:wasted call\W+)?file (?:is )?unchanged")
_PREVIEW = re.compile(r"\nPreview[^\n]*\n")
_SAVED_TO = re.compile(r"saved to: [^\n]*\n(?:[ \t]*\n)?")
_OF_FILES = re.compile(r"(?i)note|file|doc|vault|memor|content|resource|ladder")
"""In the name of a server's tool: it may show files, although its input names none."""
_HEADED = re.compile(r"\s*[=#*-]{2,}[>:]? *(\S.*?\.(?:md|mdx|markdown)) *(?:[<:]?[=#*-]{2,})?\s*", re.IGNORECASE)
_PATTERN = frozenset("*?[{$")
_LAST_LINE = 2**31
"""No file has a line of this number: what is greater was made up, and no number that JSON can be counted on to hold."""


class Read(NamedTuple):
    """Lines of a note that came into the agent's view."""

    paths: tuple[str, ...]
    """The file as the log names it; several when the lines are of one of them, none when the log names no file."""
    lines: tuple[str, ...]
    """Text lines without their ends."""
    first: int
    """Number of the first line in the file, 0 when unknown."""
    how: str
    """`Read`, `Bash`, `Grep`, `PowerShell`, `MCP`, `nested_memory`, `attachment`, `hook`, `subagent` or `ladder`."""
    sure: bool
    """False: a line counts only where it is found word for word in a note."""
    whole: bool
    """All of the file was read."""
    offset: int = 0
    """Byte offset of the record that asked for it (the tool's call), or of the attachment."""
    step: int = 0
    """How many events of the turn came before the call."""

    @property
    def path(self) -> str:
        """The file's path as logged, "" when the log names none."""
        return self.paths[0] if self.paths else ""


class Call(NamedTuple):
    """A tool's call that waits for its result."""

    name: str
    given: dict[str, Any]
    """The tool's input."""
    offset: int
    """Byte offset of the record."""
    step: int
    """How many events of the turn came before."""
    turn: int
    """Number of the turn."""
    agent: bool
    """A sub-agent called it."""


def is_note(path: object) -> bool:
    """Tell whether a path can be a note's, by its ending."""
    return isinstance(path, str) and path.lower().endswith(NOTE_SUFFIXES)


def text_of(content: object) -> str:
    """Return the text of a `tool_result`'s content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(
        block["text"]
        for block in content
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    )


def split_lines(text: str) -> tuple[str, ...]:
    """Cut a text at its line feeds alone, carriage returns before them and the empty last line taken off."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(line.removesuffix("\r") for line in lines)


def reads_of(call: Call, content: object, extra: object) -> list[Read]:
    """Return what of notes a tool's result shows; `extra` is the record's `toolUseResult`, which some logs lack.

    A repeated Read that answers only "unchanged" gives one Read without lines and with `whole` set: the caller knows
    what was read before.
    """
    how = "subagent" if call.agent else call.name
    found: list[Read]
    if call.name == "Read":
        found = _of_read(call.given.get("file_path"), text_of(content), extra)
    elif call.name in ("Bash", "PowerShell"):
        command = call.given.get("command")
        if isinstance(command, str) and by_ladder(command):
            lines = split_lines(_output(text_of(content), extra))
            return [Read((), lines, 0, BY_LADDER, sure=False, whole=False, offset=call.offset, step=call.step)]
        plan = shown(command) if isinstance(command, str) else None
        found = _of_shell(plan, _output(text_of(content), extra)) if plan else []
    elif call.name.startswith("mcp__") and "ladder" in call.name:
        lines = split_lines(text_of(content))
        return [Read((), lines, 0, BY_LADDER, sure=False, whole=False, offset=call.offset, step=call.step)]
    elif call.name.startswith("mcp__"):
        found = _of_server(call.name, call.given, text_of(content))
        how = "MCP" if found and not call.agent else how
    elif call.name == "Grep":
        found = _of_grep(call.given, text_of(content), extra)
    else:
        return []
    return [
        read._replace(how=how, offset=call.offset, step=call.step)
        for read in found
        if OWN_TAG not in "\n".join(read.lines[:400])
    ]


def numbered(text: str) -> tuple[tuple[str, ...], int]:
    """Return the lines of a text whose lines begin with their number, and the first number (0 when there is none)."""
    found = _NUMBERED.findall(_without_reminder(text))
    first = next((int(number) for number, _ in found if int(number)), 0)
    return tuple([line.removesuffix("\r") for _, line in found]), first


def _without_reminder(text: str) -> str:
    """Take off the reminder that the client put at the end of a text, and the empty lines before it."""
    begins = text.find("<system-reminder>") if text.rstrip().endswith("</system-reminder>") else -1
    return text[:begins].rstrip("\n") if begins >= 0 else text


def _preview(text: str) -> str | None:
    """Return what of an output that was put into a file is shown all the same, None where a text is no such thing."""
    shown = text.rstrip()
    if not shown.startswith("<persisted-output>") or not shown.endswith("</persisted-output>"):
        return None
    begins = _PREVIEW.search(shown) or _SAVED_TO.search(shown)
    if not begins:
        return None
    return shown[begins.end() :].removesuffix("</persisted-output>").removesuffix("\n").removesuffix("\n...")


def _of_read(path: object, text: str, extra: object) -> list[Read]:
    file = extra.get("file") if isinstance(extra, dict) else None
    if not isinstance(file, dict):
        file = {}
    named = file.get("filePath")
    path = named if isinstance(named, str) else path
    if not isinstance(path, str) or not is_note(path):
        return []
    if (isinstance(extra, dict) and extra.get("type") == "file_unchanged") or _UNCHANGED.match(text):
        return [Read((path,), (), 0, "Read", sure=True, whole=True)]
    if isinstance(file.get("content"), str):
        first, lines = file.get("startLine"), split_lines(file["content"])
        first = first if isinstance(first, int) and 0 <= first < _LAST_LINE else 1
        total = file.get("totalLines")
        whole = first <= 1 and isinstance(total, int) and len(lines) >= total - 1
        return [Read((path,), lines, first, "Read", sure=True, whole=whole)]
    lines, first = numbered(text)
    return [Read((path,), lines, first, "Read", sure=True, whole=False)] if lines else []


def _output(text: str, extra: object) -> str:
    if isinstance(extra, dict) and isinstance(extra.get("stdout"), str):
        return str(extra["stdout"])
    preview = _preview(text)
    return text if preview is None else preview


def _of_shell(plan: Shown, output: str) -> list[Read]:
    if not output or OWN_TAG in output:
        return []
    named = tuple(path for path in plan.paths if path and not _PATTERN.intersection(path))
    rest: list[str] = []
    under = ""
    groups: dict[str, list[str]] = {}
    for line in split_lines(output):
        if (plan.anywhere or len(plan.paths) > 1) and (title := _HEADED.fullmatch(line)):
            under = title[1]  # of several files `head` and `tail` print each name first, and so do loops
            continue
        if under and line.startswith("==="):
            under = ""
        if under:
            groups.setdefault(under, []).append(line)
            continue
        match = _PREFIXED.fullmatch(line) if plan.prefixed else None
        if match:
            groups.setdefault(match[1], []).append(match[4])
            continue
        if plan.numbered:
            bare = _LINE_NUMBER.fullmatch(line) if plan.prefixed else _FROM_LEFT.fullmatch(line)
            rest.append(bare[2] if bare else line)
        else:
            rest.append(line)
    found = [Read((path,), tuple(lines), 0, "", sure=False, whole=False) for path, lines in groups.items()]
    if named and rest:
        found.append(Read(named, tuple(rest), 0, "", sure=plan.sure, whole=False))
    if plan.anywhere and rest:
        found.append(Read((), tuple(rest), 0, "", sure=False, whole=False))
    return found


def _of_server(tool: str, given: dict[str, Any], text: str) -> list[Read]:
    """Return what a server's tool shows: of notes that its input names, or of any in which a line is found."""
    if OWN_TAG in text:
        return []
    named = tuple(dict.fromkeys(path for path in texts_in(given, keys=False) if is_note(path) and "\n" not in path))
    if not named and not _OF_FILES.search(tool):
        return []
    if text[:1] in ("{", "["):
        with suppress(orjson.JSONDecodeError):
            text = "\n".join(texts_in(orjson.loads(text), keys=False))
    with_numbers, _ = numbered(text)
    lines = split_lines(text)
    if len(with_numbers) * 2 > len(lines):
        lines = with_numbers
    return [Read(named, lines, 0, "", sure=False, whole=False)] if any(lines) else []


def _of_grep(given: dict[str, Any], text: str, extra: object) -> list[Read]:
    mode = extra.get("mode") if isinstance(extra, dict) else None
    if (mode or given.get("output_mode")) != "content":
        return []
    if isinstance(extra, dict) and isinstance(extra.get("content"), str):
        text = extra["content"]
    lines = [line for line in split_lines(text) if line and line != "--"]
    path = given.get("path")
    if isinstance(path, str) and is_note(path):
        bare = [_LINE_NUMBER.fullmatch(line) for line in lines]
        plain = tuple(match[2] for match in bare if match)
        return [Read((path,), plain if len(plain) == len(lines) else tuple(lines), 0, "", sure=True, whole=False)]
    groups: dict[str, list[str]] = {}
    for line in lines:
        if match := _PREFIXED.fullmatch(line):
            groups.setdefault(match[1], []).append(match[4])
    return [Read((name,), tuple(found), 0, "", sure=True, whole=False) for name, found in groups.items()]


def reads_of_attachment(attachment: dict[str, Any]) -> list[Read]:
    """Return what of notes an attachment shows; of ladder's own block its lines, and that it was ladder (`how`)."""
    kind, content = attachment.get("type"), attachment.get("content")
    if kind == "nested_memory" and isinstance(content, dict):
        text, path = content.get("content"), content.get("path") or attachment.get("path")
        if isinstance(text, str) and isinstance(path, str):
            return [Read((path,), split_lines(text), 1, "nested_memory", sure=True, whole=True)]
    elif kind in ("file", "already_read_file") and isinstance(content, dict):
        found = _of_read(attachment.get("filename"), "", content)
        return [read._replace(how="attachment") for read in found if read.lines]
    elif kind == "edited_text_file" and isinstance(attachment.get("snippet"), str):
        path = attachment.get("filename")
        lines, first = numbered(attachment["snippet"])
        if isinstance(path, str) and is_note(path) and lines:
            return [Read((path,), lines, first, "attachment", sure=True, whole=False)]
    elif kind == "invoked_skills" and isinstance(attachment.get("skills"), list):
        return [
            Read((skill["path"],), split_lines(skill["content"]), 0, "attachment", sure=False, whole=False)
            for skill in attachment["skills"]
            if isinstance(skill, dict) and is_note(skill.get("path")) and isinstance(skill.get("content"), str)
        ]
    elif text := hook_text(attachment):
        how = BY_LADDER if OWN_TAG in text else "hook"
        return [Read((), split_lines(text), 0, how, sure=False, whole=False)]
    return []


def own_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text if ladder's own block stands in it: nothing that was shown so counts as read."""
    return tuple(line.strip() for line in split_lines(text)) if OWN_TAG in text else ()


def hook_text(attachment: dict[str, Any]) -> str:
    """Return the text that a hook put before the agent by this attachment, "" when it is of another kind."""
    kind, content = attachment.get("type"), attachment.get("content")
    if kind not in ("hook_additional_context", "hook_success"):
        return ""
    if isinstance(content, list):
        return "\n".join(part for part in content if isinstance(part, str))
    if isinstance(content, str) and content:
        return content
    printed = attachment.get("stdout")
    if not isinstance(printed, str) or not printed.lstrip().startswith("{"):
        return ""
    try:
        answer = orjson.loads(printed)
    except orjson.JSONDecodeError:
        return ""
    inner = answer.get("hookSpecificOutput") if isinstance(answer, dict) else None
    added = inner.get("additionalContext") if isinstance(inner, dict) else None
    return added if isinstance(added, str) else ""
