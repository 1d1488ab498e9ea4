"""The wire of an MCP server on stdin and stdout: JSON-RPC 2.0, one message a line (specification of 2025-11-25).

Written out because a client waits for the server at each of its starts: importing the package `mcp` takes ten times as
long as everything here. Only what a server of tools needs: initialize, ping, tools/list, tools/call.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: Versions of the protocol whose handshake this is, the newest first; of another the newest is offered.
PROTOCOLS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_NOT_JSON, _NO_REQUEST, _NO_METHOD, _WRONG_PARAMETERS, _OURS = -32700, -32600, -32601, -32602, -32603


class CannotTell(Exception):  # noqa: N818 (it is what a tool answers, and no fault of the server)
    """A tool cannot do what it was asked; the message says why, on one line."""


class Parameter(NamedTuple):
    """An argument of a tool."""

    name: str
    about: str
    required: bool = True
    kind: str = "string"
    """`string` or `integer`."""


class Tool(NamedTuple):
    """A tool as a client sees it, and its function."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    run: Callable[..., str]
    reads: bool = True
    """It changes nothing, which clients may let pass without asking."""

    def described(self) -> dict[str, Any]:
        """Return the tool as `tools/list` has it."""
        return {
            "name": self.name,
            "description": self.about,
            "inputSchema": {
                "type": "object",
                "properties": {each.name: {"type": each.kind, "description": each.about} for each in self.parameters},
                "required": [each.name for each in self.parameters if each.required],
                "additionalProperties": False,
            },
            "annotations": {
                "readOnlyHint": self.reads, "destructiveHint": False, "idempotentHint": self.reads,
                "openWorldHint": False,
            },
        }  # fmt: skip

    def wrong(self, given: Mapping[str, Any]) -> str:
        """Return what is wrong with the arguments; empty when nothing is."""
        known = {each.name: each for each in self.parameters}
        for name, value in given.items():
            if name not in known:
                return f"{self.name} has no argument {name!r}; it has {', '.join(known)}"
            kind = int if known[name].kind == "integer" else str
            if not isinstance(value, kind) or isinstance(value, bool):
                return f"{name} must be {'a number' if kind is int else 'a text'}"
        lacking = [each.name for each in self.parameters if each.required and each.name not in given]
        return f"{self.name} needs {', '.join(lacking)}" if lacking else ""


class Server(Protocol):
    """What is served."""

    name: str
    version: str
    tools: tuple[Tool, ...]

    def instructions(self) -> str:
        """Return what the client tells its model of the server."""


class _Refused(Exception):  # noqa: N818 (a reply of the protocol)
    """An error of the protocol, with its code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve(server: Server) -> None:
    """Answer the messages on stdin until it ends. What anything else prints goes to stderr: stdout is the wire."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr
    with out:
        for answer in answers(server, iter(sys.stdin.buffer.readline, b"")):
            try:
                out.write(answer)
                out.flush()
            except OSError:  # the client is gone
                return


def answers(server: Server, lines: Iterable[bytes]) -> Iterable[bytes]:
    """Return a line for each message of `lines` that wants an answer."""
    for line in lines:
        if not line.strip():
            continue
        reply: Any
        try:
            message = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            reply = _error(None, _NOT_JSON, "not JSON")
        else:
            if isinstance(message, list):
                reply = [one for one in (_answer(server, each) for each in message) if one] or None
            else:
                reply = _answer(server, message)
        if reply is not None:
            yield json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _answer(server: Server, message: object) -> dict[str, Any] | None:
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        if isinstance(message, dict) and ("result" in message or "error" in message):
            return None  # an answer to what was never asked
        return _error(None, _NO_REQUEST, "no request")
    if "id" not in message:
        return None  # a notification
    given = message.get("params")
    try:
        result = _result(server, message["method"], given if isinstance(given, dict) else {})
    except _Refused as refused:
        return _error(message["id"], refused.code, str(refused))
    except Exception as error:  # noqa: BLE001 (one call that fails must not end the server)
        return _error(message["id"], _OURS, f"{type(error).__name__}: {error}")
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _error(number: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def _result(server: Server, method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        asked = given.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in PROTOCOLS else PROTOCOLS[0],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": server.name, "version": server.version},
            "instructions": server.instructions(),
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [tool.described() for tool in server.tools]}
    if method == "tools/call":
        return _called(server, given)
    raise _Refused(_NO_METHOD, f"no method {method}")


def _called(server: Server, given: Mapping[str, Any]) -> dict[str, Any]:
    tool = next((each for each in server.tools if each.name == given.get("name")), None)
    if tool is None:
        raise _Refused(_WRONG_PARAMETERS, f"no tool {given.get('name')!r}")
    arguments = given.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise _Refused(_WRONG_PARAMETERS, "arguments must be an object")
    # Some clients send null for what is left out.
    arguments = {name: _paired(value) for name, value in arguments.items() if value is not None}
    wrong = tool.wrong(arguments)
    if not wrong:
        try:
            return {"content": [{"type": "text", "text": tool.run(**arguments)}], "isError": False}
        except CannotTell as error:
            wrong = str(error)
    return {"content": [{"type": "text", "text": wrong}], "isError": True}


def _paired(value: object) -> object:
    """Return a text with its surrogates in pairs; one alone, which no UTF-8 can hold, becomes U+FFFD."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
