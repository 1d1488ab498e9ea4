"""`claude -p --output-format json` as an agent of `ladder bench agent`: `--agent "claude-code WORDS"`.

Words after the name are handed to the client (`--model haiku`, `--max-turns 20`). CLAUDE_PROGRAM names another program
than `claude`. Tokens in are all that the model was sent, cached or not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Fields of `usage` that add up to what the model was sent.
SENT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class ClientError(Exception):
    """The client did not answer; the message says why."""


def answer_of(printed: str) -> dict[str, Any]:
    """Return the protocol's answer from what the client printed.

    That is one object, or with `--verbose` a list of all messages, whose last is that object. The list holds each tool
    call. The object holds only the number of turns, which without its last is the number of rounds of tool calls: at
    most the number of calls.

    Raises:
        ClientError: it is neither, or says that it is an error.
    """
    try:
        found = json.loads(printed)
    except ValueError as error:
        raise ClientError(f"the client printed no JSON: {printed.strip()[:200]}") from error
    messages = found if isinstance(found, list) else [found]
    last = messages[-1] if messages and isinstance(messages[-1], dict) else {}
    if last.get("type") != "result":
        raise ClientError("the client printed no result")
    # An error may call itself a success (`subtype`): `is_error` decides, then whether there is a text.
    if last.get("is_error") or not isinstance(last.get("result"), str):
        raise ClientError(f"the client says {last.get('subtype', 'error')}: {str(last.get('result', ''))[:200]}")
    usage = last.get("usage") or {}
    turns = last.get("num_turns")
    calls = _calls(messages) if isinstance(found, list) else max(int(turns) - 1, 0) if turns else None
    return {
        "answer": last["result"],
        "tokens_in": sum(int(usage.get(name) or 0) for name in SENT) if usage else None,
        "tokens_out": usage.get("output_tokens"),
        "tool_calls": calls,
        "cost_usd": last.get("total_cost_usd"),
    }


def _calls(messages: Sequence[Any]) -> int:
    return sum(
        block.get("type") == "tool_use"
        for message in messages
        if message.get("type") == "assistant"
        for block in message["message"]["content"]
    )


def main(words: Sequence[str]) -> int:
    """Answer the question on stdin; exit 1 with a line on stderr when the client did not."""
    asked = json.loads(sys.stdin.buffer.read())
    # The text on stdin: a question that begins with a dash is no option.
    command = [os.environ.get("CLAUDE_PROGRAM", "claude"), "-p", "--output-format", "json", *words]
    try:
        done = subprocess.run(
            command, input=asked["question"].encode(), capture_output=True, cwd=asked["folder"], check=False
        )
        answer = answer_of(done.stdout.decode("utf-8", "replace"))
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror or error}\n")
        return 1
    except ClientError as error:
        said = done.stderr.decode("utf-8", "replace").strip()
        sys.stderr.write(f"{error} {said[-200:]}".strip() + "\n")
        return 1
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
