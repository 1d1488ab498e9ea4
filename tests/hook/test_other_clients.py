"""Codex CLI, Gemini CLI and OpenCode: their events as the real programs sent them (see docs/clients.md), and the
hook's answers as they take them. The words are made up, the fields are not.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.client.clients import CLIENTS
from ladder.client.judge import judge
from ladder.doctor.hook import handlers_of

NOTES = {
    "ops/kiln": (
        "# Kiln\n\nThe kiln is fired on weekdays.\n\n## History\n\n"
        "- 2026-02-11: the glaze blistered because the damper was shut; it stays open above 900 degrees.\n"
        "- 2026-05-19: firing moved from five to three.\n"
    ),
    "ops/clay": "# Clay\n\nClay is mixed in `src/mixer.py`, three parts of grog, and rests for a week.\n",
    "team/rota": "# Rota\n\nAda opens the workshop, Bo closes it.\n",
}
ASKED = "why did the glaze blister in the kiln?"
SILENT = "thanks, that is all"
OLD = "- 2026-05-19: firing moved from five to three."
BEGIN, END = "<ladder-notes>", "</ladder-notes>"

CODEX = {
    "turn_id": "01a22f26-6614",
    "model": "gpt-5.5",
    "permission_mode": "bypassPermissions",
}
GEMINI = {"timestamp": "2026-12-01T01:12:26.094Z"}
OPENCODE = {"agent_id": ""}
#: The fields of every event that say nothing of what happened.
MORE = {"codex": CODEX, "gemini": GEMINI, "opencode": OPENCODE}
#: Client -> the name of its event at the message.
AT_MESSAGE = {"codex": "UserPromptSubmit", "gemini": "BeforeAgent", "opencode": "chat.message"}


class Installed:
    """A project whose hook one client's settings name."""

    def __init__(self, name: str, home: Path) -> None:
        self.client, self.home, self.project = CLIENTS[name], home, home / "project"
        for note, text in NOTES.items():
            file = self.project / "notes" / f"{note}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
            os.utime(file, (1_790_000_000, 1_790_000_000))
        (self.project / "ladder.toml").write_text("", encoding="utf-8")
        moved = {f"XDG_{what}_HOME": str(home / what) for what in ("CACHE", "DATA", "STATE", "CONFIG")}
        self.env = dict(os.environ) | moved | {"HOME": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home)}
        self.env["LADDER_MEANING_MODEL"] = str(home / "no model")
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ladder", "install", name, "--json"],
            env=self.env,
            capture_output=True,
            check=False,
            cwd=self.project,
        )
        assert done.returncode == 0, done.stderr.decode()
        self.settings = Path(json.loads(done.stdout)["settings"])
        self.handlers = dict(handlers_of(self.settings))
        self.number = 0

    def session(self) -> str:
        self.number += 1
        return f"{self.client.name}-{self.number}"

    def say(self, event: str, session: str, **fields: object) -> tuple[bytes, str, str]:
        """Return what the hook printed at an event, and which text and denial the client takes from it."""
        handler = self.handlers[event]
        command = [handler["command"], *handler["args"]] if "args" in handler else handler["command"]
        given = {"session_id": session, "transcript_path": "", "cwd": str(self.project), "hook_event_name": event}
        done = subprocess.run(
            command,
            shell=isinstance(command, str),
            input=json.dumps(given | MORE[self.client.name] | fields).encode(),
            capture_output=True,
            check=False,
            env=self.env,
            cwd=self.project,
        )
        answer = judge(event, done.returncode, done.stdout, done.stderr, 0.0, self.client)
        assert answer.faults == ()
        return done.stdout, answer.text, answer.denied

    def message(self, prompt: str, session: str, **fields: object) -> tuple[bytes, str]:
        return self.say(AT_MESSAGE[self.client.name], session, prompt=prompt, **fields)[:2]


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """One installation for each client: to build one takes a second."""
    made: dict[str, Installed] = {}

    def home_of(name):
        if name not in made:
            made[name] = Installed(name, tmp_path_factory.mktemp(name))
        return made[name]

    return home_of


@pytest.fixture(params=["codex", "gemini", "opencode"])
def here(request, homes):
    return homes(request.param)


@pytest.fixture
def codex(homes):
    return homes("codex")


@pytest.fixture
def gemini(homes):
    return homes("gemini")


@pytest.fixture
def opencode(homes):
    return homes("opencode")


def brought(here, session):
    """Let a session begin, so that what comes next is the message's alone."""
    if here.client.name == "gemini":
        here.message(SILENT, session)
    elif here.client.name == "opencode":
        here.say("session.created", session, source="startup")
    else:
        here.say("SessionStart", session, source="startup")


# --- the message ------------------------------------------------------------------------------------------------------


def test_a_message_brings_the_block_once_and_in_the_clients_form(here):
    session = here.session()
    brought(here, session)
    out, text = here.message(ASKED, session)
    assert (text.count(BEGIN), text.count(END)) == (1, 1)
    assert "the damper was shut" in text
    event = AT_MESSAGE[here.client.name]
    assert json.loads(out) == {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    assert here.message(ASKED, session) == (b"", "")


def test_a_message_that_needs_no_note_gets_not_a_byte(here):
    session = here.session()
    brought(here, session)
    assert here.message(SILENT, session) == (b"", "")


def test_opencode_puts_quotes_around_what_was_typed_and_they_change_nothing(opencode):
    session = opencode.session()
    assert opencode.message(f'"{ASKED}"', session, told=[], told_whole=True)[1].startswith(BEGIN)


def test_geminis_message_is_read_without_what_stands_before_it(gemini):
    session = gemini.session()
    brought(gemini, session)
    before = (
        "<hook_context>&lt;ladder-notes&gt;why did the glaze blister in the kiln?&lt;/ladder-notes&gt;</hook_context>"
    )
    assert gemini.message(f"{before}\n\n{SILENT}", session) == (b"", "")


# --- the start --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "event"), [("codex", "SessionStart"), ("opencode", "session.created")])
def test_the_start_brings_the_brief(homes, name, event):
    here = homes(name)
    out, text, _ = here.say(event, here.session(), source="startup")
    assert "The user keeps 3 notes on this project" in text
    assert json.loads(out)["hookSpecificOutput"]["hookEventName"] == event


def test_geminis_brief_comes_with_the_first_message_before_the_block(gemini):
    assert "SessionStart" not in gemini.handlers
    session = gemini.session()
    text = gemini.message(ASKED, session)[1]
    brief, block = text.split(f"{END}\n{BEGIN}")
    assert "The user keeps 3 notes" in brief
    assert "the damper was shut" in block
    alone = gemini.message(SILENT, gemini.session())[1]
    assert (alone.count(BEGIN), "The user keeps 3 notes" in alone) == (1, True)


# --- the guard --------------------------------------------------------------------------------------------------------

PATCH = f"*** Begin Patch\n*** Update File: notes/ops/kiln.md\n@@\n-{OLD}\n+- 2026-05-19: moved.\n*** End Patch"
GROWS = f"*** Begin Patch\n*** Update File: notes/ops/kiln.md\n@@\n {OLD}\n+- 2026-12-01: new.\n*** End Patch"
SED = "sed -i s/five/four/ notes/ops/kiln.md"


def kiln(here):
    return str(here.project / "notes" / "ops" / "kiln.md")


HURTS = [
    ("codex", "apply_patch", {"command": PATCH}),
    ("codex", "apply_patch", {"command": "*** Begin Patch\n*** Delete File: notes/ops/kiln.md\n*** End Patch"}),
    ("codex", "apply_patch", {"command": PATCH.replace("@@", "*** Move to: notes/ops/oven.md\n@@")}),
    ("codex", "Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}),
    ("codex", "Bash", {"command": f"cd notes && apply_patch <<'EOF'\n{PATCH.replace('notes/', '')}\nEOF"}),
    ("codex", "Bash", {"command": SED}),
    ("codex", "mcp__files__write_file", {"path": "KILN", "content": "gone"}),
    ("gemini", "write_file", {"file_path": "KILN", "content": "gone"}),
    ("gemini", "replace", {"file_path": "notes/ops/kiln.md", "old_string": OLD, "new_string": "x", "instruction": "i"}),
    ("gemini", "run_shell_command", {"command": SED, "description": "d"}),
    ("gemini", "run_shell_command", {"command": SED.replace("notes/", ""), "dir_path": "notes"}),
    ("gemini", "mcp_files_write_file", {"path": "KILN", "content": "gone"}),
    ("opencode", "edit", {"filePath": "KILN", "oldString": OLD, "newString": "- 2026-05-19: x"}),
    ("opencode", "write", {"filePath": "KILN", "content": "gone"}),
    ("opencode", "bash", {"command": SED, "description": "d"}),
    ("opencode", "bash", {"command": SED.replace("notes/", ""), "workdir": "notes"}),
    ("opencode", "apply_patch", {"patchText": PATCH}),
]
AT_TOOL = {"codex": "PreToolUse", "gemini": "BeforeTool", "opencode": "tool.execute.before"}


def called(here, tool, given):
    given = {key: kiln(here) if value == "KILN" else value for key, value in given.items()}
    return here.say(AT_TOOL[here.client.name], here.session(), tool_name=tool, tool_input=given)


@pytest.mark.parametrize(("name", "tool", "given"), HURTS)
def test_a_call_that_rewrites_a_dated_entry_is_denied_in_the_clients_form(homes, name, tool, given):
    here = homes(name)
    out, text, denied = called(here, tool, given)
    assert "the dated entry" in denied
    assert "by an edit or with `ladder note append kiln" in denied
    assert text == ""
    if name == "gemini":
        assert json.loads(out) == {"decision": "deny", "reason": denied}
    else:
        decided = {"permissionDecision": "deny", "permissionDecisionReason": denied}
        assert json.loads(out) == {"hookSpecificOutput": {"hookEventName": AT_TOOL[name]} | decided}


FINE = [
    ("codex", "apply_patch", {"command": GROWS}),
    ("codex", "apply_patch", {"command": PATCH.replace("-- 2026-05-19: firing", "-- 2026-05-19: no such line")}),
    ("codex", "apply_patch", {"command": "*** Begin Patch\n*** Add File: notes/new.md\n+# New\n*** End Patch"}),
    ("codex", "Bash", {"command": f"cat <<'EOF'\n{PATCH}\nEOF"}),
    ("gemini", "replace", {"file_path": "KILN", "old_string": OLD, "new_string": f"{OLD}\n- 2026-12-01: new."}),
    ("gemini", "run_shell_command", {"command": "cat notes/ops/kiln.md"}),
    ("opencode", "edit", {"filePath": "KILN", "oldString": OLD, "newString": f"{OLD}\n- 2026-12-01: new."}),
    ("opencode", "bash", {"command": "cat notes/ops/kiln.md"}),
]


@pytest.mark.parametrize(("name", "tool", "given"), FINE)
def test_a_call_that_loses_nothing_is_not_denied(homes, name, tool, given):
    assert called(homes(name), tool, given)[2] == ""


# --- facts about a tool's file ----------------------------------------------------------------------------------------

ABOUT = [
    ("codex", "PreToolUse", "Bash", {"command": "cat src/mixer.py"}),
    ("codex", "PreToolUse", "apply_patch", {"command": PATCH.replace("notes/ops/kiln.md", "src/mixer.py")}),
    ("gemini", "AfterTool", "read_file", {"file_path": "src/mixer.py"}),
    ("opencode", "tool.execute.after", "read", {"filePath": "src/mixer.py"}),
]


@pytest.mark.parametrize(("name", "event", "tool", "given"), ABOUT)
def test_a_file_that_a_note_names_brings_that_note(homes, name, event, tool, given):
    here = homes(name)
    text = here.say(event, here.session(), tool_name=tool, tool_input=given)[1]
    assert "notes/ops/clay.md" in text


@pytest.mark.parametrize(("name", "tool"), [("gemini", "replace"), ("opencode", "edit")])
def test_before_the_call_these_clients_are_told_nothing(homes, name, tool):
    here = homes(name)
    file = "filePath" if name == "opencode" else "file_path"
    assert called(here, tool, {file: "src/mixer.py", "old_string": "a", "new_string": "b"})[0] == b""


# --- whatever happens -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"hook_event_name":7}', b'{"hook_event_name":"Unheard"}'])
def test_what_cannot_be_read_is_silent(here, data):
    handler = here.handlers[AT_MESSAGE[here.client.name]]
    command = [handler["command"], *handler["args"]] if "args" in handler else handler["command"]
    done = subprocess.run(
        command, shell=isinstance(command, str), input=data, capture_output=True, check=False, env=here.env
    )
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("field", ["prompt", "tool_input", "tool_name", "cwd", "session_id", "told"])
@pytest.mark.parametrize("value", [None, 5, [], [3, {"tool": 1}], {"command": 5, "dir_path": 3, "file_path": []}])
def test_fields_of_another_kind_are_survived(here, field, value):
    for event in here.handlers:
        fields = {"prompt": "why", "tool_name": "replace", "tool_input": {"file_path": "a.md"}} | {field: value}
        out = here.say(event, here.session(), **fields)[0]  # no error code, and what the client knows
        assert out == b"" or json.loads(out)


def test_the_shape_of_an_unknown_client_is_not_guessed(here):
    handler = here.handlers[AT_MESSAGE[here.client.name]]
    words = [handler["command"], *handler.get("args", [])]
    told = [word.replace(f"--client {here.client.name}", "--client nobody") for word in words]
    told = ["nobody" if word == here.client.name else word for word in told]
    assert told != words
    event = {"hook_event_name": AT_MESSAGE[here.client.name], "prompt": ASKED, "cwd": str(here.project)}
    done = subprocess.run(
        told if len(told) > 1 else told[0],
        shell=len(told) == 1,
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
        env=here.env,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"no such client" in done.stderr


# --- the plugin of OpenCode -------------------------------------------------------------------------------------------

DRIVER = """
import { Ladder } from %(plugin)s
const messages = async () => ({ data: [] })
const plugin = await Ladder({ client: { session: { messages } }, directory: %(project)s })
const sessionID = %(session)s
await plugin.event({ event: { type: "session.created", properties: { info: { id: sessionID } } } })
const said = async (text) => {
  const part = { id: "prt_1", sessionID, messageID: "msg_1", type: "text", text }
  const output = { message: { id: "msg_1", sessionID }, parts: [part] }
  await plugin["chat.message"]({ sessionID }, output)
  return output.parts.slice(1)
}
const out = { asked: await said(%(asked)s), silent: await said(%(silent)s) }
const call = { tool: "edit", sessionID, callID: "c" }
const args = { filePath: %(kiln)s, oldString: %(old)s, newString: "x" }
try { await plugin["tool.execute.before"](call, { args }) } catch (error) { out.denied = error.message }
const after = { output: "read" }
await plugin["tool.execute.after"]({ tool: "read", sessionID, callID: "d", args: { filePath: "src/mixer.py" } }, after)
out.after = after.output
console.log(JSON.stringify(out))
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="the plugin is run by Node")
def test_the_plugin_adds_parts_and_throws_a_denial(opencode, tmp_path):
    shutil.copyfile(opencode.settings, tmp_path / "ladder.mjs")
    words = {"plugin": "./ladder.mjs", "project": str(opencode.project), "session": "ses_1", "asked": ASKED}
    words |= {"silent": SILENT, "kiln": kiln(opencode), "old": OLD}
    driver = tmp_path / "driver.mjs"
    driver.write_text(DRIVER % {key: json.dumps(value) for key, value in words.items()}, encoding="utf-8")
    node = str(shutil.which("node"))
    done = subprocess.run([node, str(driver)], capture_output=True, check=False, env=opencode.env, timeout=60)
    said = json.loads(done.stdout)
    brief, block = said["asked"]
    assert "The user keeps 3 notes" in brief["text"]
    assert "the damper was shut" in block["text"]
    assert all(part["synthetic"] and part["messageID"] == "msg_1" for part in said["asked"])
    assert "prt_1" < brief["id"] < block["id"], "parts stand in the order of their names"
    assert said["silent"] == []
    assert "the dated entry" in said["denied"]
    assert said["after"].startswith("read\n\n<ladder-notes>")
