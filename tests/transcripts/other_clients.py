"""Invented logs of Codex CLI, Gemini CLI and OpenCode in their true form."""

import json
import sqlite3

CWD = "/home/u/app"
BLOCK = "<ladder-notes>\nRun `shipctl revert --wave violet` and wait for the tangerine dashboard.\n</ladder-notes>"


class Rollout:
    """A log of Codex CLI; `day` and the turns' numbers give ids that are ordered by time, as UUIDs of version 7 are."""

    def __init__(self, path, session="0199-0000", *, cwd=CWD, **meta):
        self.path, self.session, self.clock, self.turn = path, session, 0, ""
        self.lines = []
        self.record(
            "session_meta", id=session, cwd=cwd, cli_version="0.139.0", source="cli", git={"branch": "main"}, **meta
        )

    def record(self, kind, time="", **payload):
        self.clock += 1
        time = time or f"2026-03-01T{self.clock // 60:02d}:{self.clock % 60:02d}:00.000Z"
        self.lines.append(json.dumps({"timestamp": time, "type": kind, "payload": payload}).encode())

    def begin(self, turn):
        self.turn = turn
        self.record("event_msg", type="task_started", turn_id=turn)
        self.record("turn_context", turn_id=turn, cwd=CWD)

    def told(self, text, role="user"):
        self.record("response_item", type="message", role=role, content=[{"type": "input_text", "text": text}])

    def ask(self, text, turn=""):
        self.begin(turn or f"{self.session}-t{self.clock:03d}")
        self.told(text)
        self.record("event_msg", type="user_message", message=text, images=[])

    def say(self, text):
        self.record("event_msg", type="agent_message", message=text)
        self.record("response_item", type="message", role="assistant", content=[{"type": "output_text", "text": text}])

    def call(self, name, given, output, identity=""):
        identity = identity or f"call_{self.session}_{self.clock}"
        self.record("response_item", type="function_call", name=name, arguments=json.dumps(given), call_id=identity)
        self.record("response_item", type="function_call_output", call_id=identity, output=output)
        return identity

    def run(self, command, output, **keys):
        head = "Chunk ID: ab12\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n"
        return self.call("exec_command", {"cmd": command, **keys}, head + output)

    def patch(self, text, output='{"output":"Success. Updated the following files:\\n","metadata":{"exit_code":0}}'):
        identity = f"call_{self.session}_{self.clock}"
        self.record("response_item", type="custom_tool_call", name="apply_patch", input=text, call_id=identity)
        self.record("response_item", type="custom_tool_call_output", call_id=identity, output=output)

    def save(self, end=b"\n"):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"\n".join(self.lines) + end)
        return self.path


def database(path, sessions, *, columns=("parent_id", "revert")):
    """Write a database of OpenCode: for each session (id, folder, parent, revert) its messages (role, parts, data)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    base = sqlite3.connect(path)
    further = "".join(f", {name} text" for name in columns)
    base.execute(f"CREATE TABLE IF NOT EXISTS session (id text, directory text{further}, time_updated integer)")
    base.execute(
        "CREATE TABLE IF NOT EXISTS message"
        " (id text, session_id text, time_created integer, time_updated integer, data text)"
    )
    base.execute(
        "CREATE TABLE IF NOT EXISTS part (id text, message_id text, session_id text, time_updated integer, data text)"
    )
    for identity, (folder, parent, revert, messages) in sessions.items():
        values = [identity, folder, *((parent, revert) if columns else ()), 0]
        base.execute(f"INSERT INTO session VALUES ({','.join('?' * len(values))})", values)
        for number, (role, parts, *data) in enumerate(messages):
            message, at = f"msg_{identity}_{number:03d}", 1_770_000_000_000 + 60_000 * number
            whole = {"role": role, "time": {"created": at}, **(data[0] if data else {})}
            base.execute("INSERT INTO message VALUES (?,?,?,?,?)", (message, identity, at, at, json.dumps(whole)))
            for place, part in enumerate(parts):
                text = part if isinstance(part, str) else json.dumps(part)
                base.execute(
                    "INSERT INTO part VALUES (?,?,?,?,?)",
                    (f"prt_{number:03d}_{place:03d}", message, identity, at, text),
                )
    base.commit()
    base.close()
    return path
