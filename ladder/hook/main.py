"""Reads one event of a coding agent from stdin and answers it: which notes bear on what is about to happen.

    UserPromptSubmit  on_message.py  the passage of the notes that answers the message, when one does
    SessionStart      on_session.py  a brief: what the project's notes are, which moved lately
    PreToolUse        on_tool.py     the guard, and notes about the file, command or search at hand
    PostToolUse       on_tool.py     these notes, where a client hands nothing over before the deed
    SessionEnd, Stop  here           mark the session for mining

These are Claude Code's words; with `--client NAME` behind the command, `dialect.py` turns another client's into them.

It states facts and gives no orders, says nothing when nothing is worth it, and whatever goes wrong ends with exit
code 0.
"""

from __future__ import annotations

import os
import sys
import time

from ladder.hook.edge import Reply, complain, read_event, watch
from ladder.hook.event import Moment


def main(itself: tuple[str, ...] = ()) -> None:
    """Answer the event on stdin and end the process, with exit code 0 whatever happens.

    `itself` starts the ladder that runs this, where it is no installed copy, which has that written down.
    """
    started = time.perf_counter()
    if os.environ.get("LADDER_OFF", "") not in ("", "0"):
        os._exit(0)
    reply = Reply()
    moment: Moment | None = None
    try:
        watch(reply)
        event = read_event()
        if event is not None and "--client" in sys.argv:
            event = _translated(event, reply)
        if event is None:
            complain("the hook's input is not a JSON object")
        else:
            moment = Moment(event, reply, started, itself)
            reply.on_deadline.append(lambda: _ran_out(moment))
            answer_event(moment)
    except BaseException as error:  # noqa: BLE001 (the hook's one catch-all: no answer is worth a lost message)
        _fail(moment, error)
    _write_down(moment)
    reply.leave()


def _translated(event: dict[str, object], reply: Reply) -> dict[str, object]:
    """Return an event of the client that the command names, in Claude Code's words; the reply learns to speak its own.

    Of a client that is not known nothing is understood: its event is one without a name.
    """
    from ladder.hook.dialect import dialect_of  # noqa: PLC0415 (Claude Code's path does without)

    dialect = dialect_of(sys.argv[-1])
    if dialect is None:
        complain("no such client")
        return {}
    said = event.get("hook_event_name")
    reply.says = lambda answer: dialect.says(answer, said if isinstance(said, str) else "")
    return dialect.hears(event)


def answer_event(moment: Moment) -> None:
    """Put the answer to an event into its reply; an event that is not known gets none."""
    if moment.name == "UserPromptSubmit":
        from ladder.hook.on_message import answer_prompt  # noqa: PLC0415 (each event loads what it needs)

        if moment.event.get("brief") == "first" and moment.state.fresh:
            _brief_first(moment)
        else:
            answer_prompt(moment)
    elif moment.name in ("PreToolUse", "PostToolUse"):
        from ladder.hook.on_tool import answer_tool  # noqa: PLC0415 (as above)

        answer_tool(moment)
    elif moment.name == "SessionStart":
        from ladder.hook.on_session import answer_start  # noqa: PLC0415 (as above)

        answer_start(moment)
    elif moment.name in ("SessionEnd", "Stop"):
        from ladder.hook.on_session import mark_session  # noqa: PLC0415 (as above)

        mark_session(moment)
    else:
        moment.record = {}


def _brief_first(moment: Moment) -> None:
    """Answer a session's first message with the brief, then the block: for a client that has no better place for it."""
    from ladder.hook.on_message import answer_prompt  # noqa: PLC0415 (one client needs both)
    from ladder.hook.on_session import answer_start  # noqa: PLC0415 (as above)

    answer_start(moment)
    brief, tokens = moment.reply.text(), moment.record.get("k", 0)
    answer_prompt(moment)
    block = moment.reply.text()
    if brief and block != brief:
        moment.reply.say(moment.name, f"{brief}\n{block}")
        moment.record["k"] = tokens + moment.record.get("k", 0)  # type: ignore[operator]


def _fail(moment: Moment | None, error: BaseException) -> None:
    """Note the failure where `ladder doctor` finds it; what had been found by then is still said."""
    try:
        if moment is None:
            complain(type(error).__name__)
            return
        moment.failed(error)
    except BaseException as second:  # noqa: BLE001 (nothing is left but to say nothing)
        complain(type(second).__name__)


def _write_down(moment: Moment | None) -> None:
    try:
        if moment is not None:
            moment.write_down()
    except BaseException as error:  # noqa: BLE001 (a log that cannot be written is no reason to fail)
        complain(type(error).__name__)


def _ran_out(moment: Moment | None) -> None:
    if moment is not None and moment.record:
        moment.record["x"] = "time ran out"
        moment.write_down()
