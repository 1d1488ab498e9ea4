"""Writes one session in a client's log format: a record a line, fields as the client of that version wrote them."""

import datetime as dt
import re
import uuid
from typing import Any

import orjson

from bench.sample.past_notes import lines_of

_SPACE = uuid.UUID("6d1f0c5e-5a1e-4c07-9f0e-0d9a1b7c2e44")
_HOMES = {"mara": "/home/mara/skerry", "jonas": "C:\\Users\\jonas\\src\\skerry"}
#: The client numbered the lines of a Read as `     12→text` up to here, then as `12<TAB>text`.
_LAST_ARROW = (2, 1, 81)
#: From here on records say how the client was started.
_ENTRYPOINT = (2, 1, 91)


def project_folder(cwd: str) -> str:
    """The folder under `projects/` that the client makes of a working folder; lossy, as the client's is."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


class Writer:
    """The records of one session, in order, each one line of bytes."""

    def __init__(self, name: str, person: str, time: dt.datetime, version: str, branch: str) -> None:
        self.session = str(uuid.uuid5(_SPACE, name))
        self.cwd = _HOMES[person]
        self.separator = "\\" if "\\" in self.cwd else "/"
        tree = branch.removeprefix("worktree:")
        if tree != branch:
            self.cwd += f"-{tree}"
        self.branch, self.version, self.time = tree, version, time
        self.numbers = tuple(int(part) for part in version.split("."))
        self.lines: list[bytes] = []
        self.agents: dict[str, list[bytes]] = {}
        self.agent = ""
        self.parent: str | None = None
        self.count = 0
        self.message = ""
        self.prompt = ""

    # What the steps of a scenario call.

    def user(self, text: str, **extra: Any) -> None:  # noqa: ANN401 (fields of the client's record)
        """One message that the person typed; long lists of blocks are one text block in newer clients."""
        self._pass(40 + 17 * (self.count % 11))
        self.prompt = self._id("prompt")
        content: Any = text if self.count % 3 else [{"type": "text", "text": text}]
        self._record("user", message={"role": "user", "content": content}, **extra)

    def slash(self, name: str, args: str) -> None:
        """A slash command as the client writes it, and what it printed."""
        text = (
            f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n"
            f"            <command-args>{args}</command-args>"
        )
        self._pass(30)
        self._record("user", message={"role": "user", "content": text})
        output = "<local-command-stdout></local-command-stdout>"
        self._record("user", message={"role": "user", "content": output})

    def say(self, text: str) -> None:
        """A text block of the agent."""
        if self.numbers > _LAST_ARROW and not self.message and self.count % 5 == 0:
            self._assistant({"type": "thinking", "thinking": "", "signature": self._id("thought").replace("-", "")})
        self._assistant({"type": "text", "text": text})

    def read(self, path: str, text: str, first: int, last: int) -> None:
        """A Read of a file, whole (`last` 0) or a range of its lines, counted from 1."""
        lines = lines_of(text)
        seen = lines[first - 1 : last or len(lines)]
        asked: dict[str, Any] = {"file_path": self._path(path)}
        if last:
            asked |= {"offset": first, "limit": last - first + 1}
        number = "{:>6}→{}" if self.numbers <= _LAST_ARROW else "{}\t{}"
        shown = "\n".join(number.format(first + at, line) for at, line in enumerate(seen))
        file = self._file(path, seen, first, len(lines))
        self._tool("Read", asked, shown, {"type": "text", "file": file})

    def bash(self, command: str, output: str) -> None:
        """A shell command and what it printed."""
        result = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        shown = output or "(Bash completed with no output)"
        self._tool("Bash", {"command": command}, shown, result)

    def grep(self, pattern: str, path: str, found: list[str]) -> None:
        """The Grep tool in content mode."""
        text = "\n".join(found)
        result = {"mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": len(found)}
        self._tool("Grep", {"pattern": pattern, "path": path, "output_mode": "content", "-n": True}, text, result)

    def edit(self, path: str, old: str, new: str) -> None:
        """An Edit, or a Write when there was nothing before."""
        where = self._path(path)
        if not old:
            result: dict[str, Any] = {"type": "create", "filePath": where, "content": new, "structuredPatch": []}
            self._tool("Write", {"file_path": where, "content": new}, f"File created successfully at: {where}", result)
            return
        patch = [f"-{line}" for line in old.split("\n")] + [f"+{line}" for line in new.split("\n")]
        hunk = {"oldStart": 1, "oldLines": old.count("\n") + 1, "newStart": 1, "newLines": new.count("\n") + 1}
        result = {"filePath": where, "oldString": old, "newString": new, "structuredPatch": [hunk | {"lines": patch}]}
        asked = {"file_path": where, "old_string": old, "new_string": new}
        self._tool("Edit", asked, f"The file {where} has been updated.", result)

    def task(self, prompt: str, notes: list[tuple[str, str]], report: str) -> None:
        """A sub-agent: its own file holds what it read, the session only its report."""
        call = self._call("Task", {"description": "Search", "prompt": prompt, "subagent_type": "Explore"})
        main, self.lines, parent, self.parent = self.lines, [], self.parent, None
        self.agent, self.message = self._id("agent").replace("-", "")[:8], ""
        self._record("user", message={"role": "user", "content": prompt})
        for path, text in notes:
            self.read(path, text, 1, 0)
        self.say(report)
        self.agents[self.agent] = self.lines
        agent, self.agent, self.lines, self.parent, self.message = self.agent, "", main, parent, ""
        content = [{"type": "text", "text": report}]
        self._result(call, content, {"status": "completed", "prompt": prompt, "agentId": agent, "content": content})

    def queued(self, text: str) -> None:
        """A message typed while the agent worked; it stands in no other record."""
        for operation in ({"operation": "enqueue", "content": text}, {"operation": "remove"}):
            self._pass(2)
            self._write({"type": "queue-operation", **operation, "timestamp": self._now(), "sessionId": self.session})

    def attachment(self, **fields: Any) -> None:  # noqa: ANN401 (fields of the client's record)
        """A record of type attachment."""
        self._record("attachment", attachment=fields)

    def attached_file(self, path: str, text: str) -> None:
        """A file that the person named with an @."""
        lines = lines_of(text)
        content = {"type": "text", "file": self._file(path, lines, 1, len(lines))}
        self.attachment(type="file", filename=self._path(path), content=content, displayPath=path)

    def nested_memory(self, path: str, text: str) -> None:
        """A memory file that the client loaded by itself."""
        where = self._path(path)
        content = {"path": where, "type": "Project", "content": text, "contentDiffersFromDisk": False}
        self.attachment(type="nested_memory", path=where, content=content, displayPath=path)

    def compact(self, summary: str) -> None:
        """The boundary of a compaction and the summary that takes the conversation's place."""
        logical, self.parent = self.parent, None
        meta = {"trigger": "auto", "preTokens": 155000 + self.count}
        self._record(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            compactMetadata=meta,
            logicalParentUuid=logical,
            isMeta=False,
            level="info",
        )
        text = "This session is being continued from a previous conversation that ran out of context.\n\n" + summary
        message = {"role": "user", "content": text}
        self._record("user", message=message, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def repeat(self, earlier: "Writer") -> None:
        """A resumed session begins with a copy of the old one's records, under its own session id."""
        self.lines += [line.replace(earlier.session.encode(), self.session.encode()) for line in earlier.lines]
        self.parent = earlier.parent

    def broken(self) -> None:
        """Damage as it is met in real files: cut off, no object, a block of NUL, two records glued on one line."""
        cut = {"type": "system", "subtype": "turn_duration", "durationMs": 90125, "sessionId": self.session}
        self.lines.append(orjson.dumps(cut)[:-30] + b"\n")
        self.lines.append(b"[]\n")
        self.lines.append(b"\0" * 64 + b"\n")
        mode = orjson.dumps({"type": "mode", "mode": "normal", "sessionId": self.session})
        self.lines.append(mode + mode + b"\n")

    # What they share.

    def _path(self, path: str) -> str:
        return self.cwd + self.separator + path.replace("/", self.separator)

    def _file(self, path: str, seen: list[str], first: int, total: int) -> dict[str, Any]:
        content = "\n".join(seen)
        where = self._path(path)
        return {"filePath": where, "content": content, "numLines": len(seen), "startLine": first, "totalLines": total}

    def _id(self, kind: str) -> str:
        return str(uuid.uuid5(_SPACE, f"{self.session}:{kind}:{self.agent}:{self.count}"))

    def _pass(self, seconds: int) -> None:
        self.time += dt.timedelta(seconds=seconds, milliseconds=137)

    def _now(self) -> str:
        return self.time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _write(self, record: dict[str, Any]) -> None:
        self.count += 1
        self.lines.append(orjson.dumps(record) + b"\n")

    def _record(self, kind: str, **fields: Any) -> None:  # noqa: ANN401 (fields of the client's record)
        if kind != "assistant":
            self.message = ""
        self._pass(1 + self.count % 7)
        own = self._id("record")
        record: dict[str, Any] = {"parentUuid": self.parent, "isSidechain": bool(self.agent), "userType": "external"}
        record |= {"cwd": self.cwd, "sessionId": self.session, "version": self.version, "gitBranch": self.branch}
        if self.agent:
            record["agentId"] = self.agent
        if self.numbers >= _ENTRYPOINT:
            record["entrypoint"] = "cli"
            if kind == "user":
                record["promptId"] = self.prompt
        self._write(record | {"type": kind, **fields, "uuid": own, "timestamp": self._now()})
        self.parent = own

    def _assistant(self, block: dict[str, Any]) -> None:
        """One block a line; the blocks of one message share its id."""
        if not self.message:
            self.message = "msg_01" + self._id("message").replace("-", "")[:22]
        usage = {"input_tokens": 3, "cache_read_input_tokens": 14000 + 410 * self.count, "output_tokens": 61}
        message: dict[str, Any] = {
            "model": "claude-sonnet-4-5",
            "id": self.message,
            "type": "message",
            "role": "assistant",
        }
        message |= {"content": [block], "stop_reason": None, "stop_sequence": None, "usage": usage}
        self._record("assistant", message=message, requestId="req_" + self.message[4:])

    def _call(self, name: str, asked: dict[str, Any]) -> str:
        call = "toolu_01" + self._id("tool").replace("-", "")[:22]
        self._assistant({"type": "tool_use", "id": call, "name": name, "input": asked})
        return call

    def _tool(self, name: str, asked: dict[str, Any], shown: str, result: dict[str, Any]) -> None:
        self._result(self._call(name, asked), shown, result)

    def _result(self, call: str, shown: str | list[dict[str, Any]], result: dict[str, Any]) -> None:
        block = {"type": "tool_result", "tool_use_id": call, "content": shown}
        extra = {} if self.agent else {"toolUseResult": result, "sourceToolAssistantUUID": self.parent}
        self._record("user", message={"role": "user", "content": [block]}, **extra)
