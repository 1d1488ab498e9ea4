"""Invented logs in the client's true form, and a small project whose notes they read."""

import json
import uuid
from pathlib import Path

import pytest

CWD = "/home/u/app"


class Log:
    """Writes records as the client does; every method returns the record's uuid or the tool's id."""

    def __init__(self, path: Path, session: str = "", cwd: str = CWD):
        self.path = path
        self.session = session or path.stem
        self.cwd = cwd
        self.lines: list[bytes] = []
        self.all: list[bytes] = []
        self.clock = 0
        self.parent = None

    def record(self, kind, **keys):
        self.clock += 1
        day, hour, minute = 1 + self.clock // 1440, self.clock // 60 % 24, self.clock % 60
        identity = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session}/{self.clock}"))
        data = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "type": kind,
            "uuid": identity,
            "timestamp": f"2026-03-{day:02d}T{hour:02d}:{minute:02d}:00.000Z",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.90",
            "gitBranch": "main",
            "userType": "external",
        } | keys
        self.parent = identity
        self.lines.append(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
        self.all.append(self.lines[-1])
        return identity

    def user(self, content, **keys):
        return self.record("user", message={"role": "user", "content": content}, **keys)

    def say(self, text, message="", **keys):
        message = message or f"msg_{self.clock}"
        body = {
            "id": message,
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "text", "text": text}],
        }
        return self.record("assistant", message=body | keys.pop("body", {}), **keys)

    def call(self, name, **given):
        tool = f"toolu_{self.session}_{self.clock}"
        block = {"type": "tool_use", "id": tool, "name": name, "input": given}
        body = {"id": f"msg_{self.clock}", "type": "message", "role": "assistant", "model": "m", "content": [block]}
        self.record("assistant", message=body)
        return tool

    def result(self, tool, content, extra=None, **block):
        answer = {"type": "tool_result", "tool_use_id": tool, "content": content} | block
        keys = {} if extra is None else {"toolUseResult": extra}
        return self.user([answer], **keys)

    def read(self, path, text, start=1, total=None):
        """A Read call and its result, the text in both of its places."""
        lines = text.split("\n")
        tool = self.call("Read", file_path=path)
        shown = "\n".join(f"{start + i:6d}→{line}" for i, line in enumerate(lines))
        file = {
            "filePath": path,
            "content": text,
            "numLines": len(lines),
            "startLine": start,
            "totalLines": total or len(lines),
        }
        self.result(tool, shown, {"type": "text", "file": file})
        return tool

    def bash(self, command, output):
        tool = self.call("Bash", command=command, description="run it")
        self.result(tool, output, {"stdout": output, "stderr": "", "interrupted": False, "isImage": False})
        return tool

    def attach(self, **attachment):
        return self.record("attachment", attachment=attachment)

    def raw(self, line: bytes):
        self.lines.append(line)

    def save(self, end=b"\n"):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"\n".join(self.lines) + (end if self.lines else b""))
        return self.path


@pytest.fixture
def log(tmp_path):
    """Make a log: `log("name")` lies in the folder `logs`."""

    def make(name="s1", folder=None, **keys):
        return Log((folder or tmp_path / "logs") / f"{name}.jsonl", **keys)

    return make


NOTE = """# Deploy

The canary takes five percent of the traffic.

## Rollback

Run `shipctl revert --wave violet` and wait for the tangerine dashboard.
Never restart the quorum leader before the ledger has drained.

## History

### 2026-02-01 Aborted canary

The heron alarm fired because the mistral certificate had lapsed.
"""


@pytest.fixture
def project(tmp_path):
    """A folder of two notes."""
    folder = tmp_path / "app"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "deploy.md").write_text(NOTE, encoding="utf-8")
    (folder / "docs" / "style.md").write_text("# Style\n\nTabs are four columns wide.\n", encoding="utf-8")
    return folder
