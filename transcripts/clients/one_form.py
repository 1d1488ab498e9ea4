"""The one form that the records of every client are brought into: Claude Code's, as far as turns are read from it.

What a client's reader yields is made by these functions alone, so that whoever adds a client sees what there is to say:
the person's words, a reply, a tool's call with its result, a file that the client attached, what ladder had put in.
"""

import shlex
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from transcripts.logs.speech import own_blocks, without_own
from transcripts.logs.tool_reads import OWN_TAG

Form = dict[str, Any]
"""The data of a `Record`."""
SUBAGENT = "subagent"
"""The entry point of what no person began (`speech.PROGRAMS`)."""
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "fish", "cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh"))
_RUN = frozenset(("-c", "-lc", "-ic", "-lic", "/c", "-command", "-Command"))


class Around(NamedTuple):
    """What holds for all records of one place in a log; "" for what is not known."""

    time: str = ""
    """ISO in UTC."""
    cwd: str = ""
    branch: str = ""
    entry: str = ""
    """`SUBAGENT` where an agent asked and no person did."""

    def of(self, kind: str, **keys: Any) -> Form:  # noqa: ANN401 (any JSON value)
        """Return a record of a kind."""
        known = {"timestamp": self.time, "cwd": self.cwd, "gitBranch": self.branch, "entrypoint": self.entry}
        return {"type": kind, **{key: value for key, value in known.items() if value}, **keys}

    def place(self) -> Form:
        """Return a record that says nothing but this."""
        return self.of("attachment")

    def said(self, text: str, identity: str = "") -> Form:
        """Return the person's words; `identity` is the same in every copy of the log, "" where the log has none."""
        named = {"uuid": identity} if identity else {}
        return self.of("user", message={"role": "user", "content": text}, **named)

    def replied(self, text: str) -> Form:
        """Return what the agent said."""
        return self.of("assistant", message={"role": "assistant", "content": [{"type": "text", "text": text}]})

    def called(self, identity: str, name: str, given: dict[str, Any]) -> Form:
        """Return a tool's call, its name and input as Claude Code has them."""
        block = {"type": "tool_use", "id": identity, "name": name, "input": given}
        return self.of("assistant", message={"role": "assistant", "content": [block]})

    def answered(self, identity: str, text: str, extra: Form | None = None, *, failed: bool = False) -> list[Form]:
        """Return a tool's result, and before it what ladder had put in where the client hands that on in the result."""
        bare = without_own(text)
        block: dict[str, Any] = {"type": "tool_result", "tool_use_id": identity, "content": bare}
        if failed:
            block["is_error"] = True
        keys = {} if extra is None else {"toolUseResult": extra}
        answer = self.of("user", message={"role": "user", "content": [block]}, **keys)
        return [answer] if bare == text else [self.injected(own_blocks(text)), answer]

    def attached(self, path: str, text: str) -> Form:
        """Return a whole file that the client put before the agent by itself."""
        return self.of("attachment", attachment={"type": "file", "filename": path, "content": file_of(path, text)})

    def injected(self, text: str) -> Form:
        """Return what a hook put before the agent."""
        return self.of("attachment", attachment={"type": "hook_additional_context", "content": [text]})


def file_of(path: str, text: str, first: int = 1, total: int = 0) -> Form:
    """Return lines of a file as the result of a Read has them; `total` 0: they are all there are from `first` on."""
    count = text.count("\n") + 1
    file = {"filePath": path, "content": text, "startLine": first, "totalLines": total or first - 1 + count}
    return {"type": "text", "file": file}


def shell(command: object, folder: object = "", cwd: str = "") -> dict[str, Any]:
    """Return the input of a shell's call: `command` a line or the words of one, run in `folder`, "" for `cwd`."""
    line = command if isinstance(command, str) else ""
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        runs = len(command) > 2 and command[0].replace("\\", "/").rsplit("/", 1)[-1] in _SHELLS and command[1] in _RUN
        line = command[2] if runs else shlex.join(command)
    where = path_of(folder) if isinstance(folder, str) else ""
    return {"command": f"cd {shlex.quote(where)} && {line}" if where and where.rstrip("/") != cwd.rstrip("/") else line}


def path_of(place: str) -> str:
    """Return the path that a `file:` address means, and any other text as it is."""
    return unquote(urlsplit(place).path) if place.startswith("file://") else place


def names(text: str) -> frozenset[str]:
    """Return the words of a text: a table of names that reads as one."""
    return frozenset(text.split())


def holds_own(text: str) -> bool:
    """Tell whether ladder's own block stands in a text."""
    return OWN_TAG in text
