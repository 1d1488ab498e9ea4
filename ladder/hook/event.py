"""One event that the hook answers, and what it needs for it: project, index, what the session was shown, the log."""
# pathlib costs more to import than the whole answer:
# ruff: noqa: PTH109

from __future__ import annotations

import os
import time

from ladder.hook.log import write_log
from ladder.hook.session import SessionState, load_state
from ladder.lean.paths import project_data, project_state, state_folder
from ladder.lean.project import root_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.hook.edge import Reply
    from ladder.index.overlay import FreshIndex
    from ladder.learning.model import Learned

#: The moments at which the hook speaks when the setting `moments` says nothing.
MOMENTS = ("start", "message", "call", "search")

#: Characters of a path; longer ones are none on any system, and to look for the folders above them takes seconds.
LONGEST_PATH = 32_767


class Moment:
    """One event, and what has been found out about it so far."""

    __slots__ = (
        "_index",
        "_looked",
        "_state",
        "cwd",
        "event",
        "folder",
        "itself",
        "log",
        "name",
        "record",
        "reply",
        "root",
        "session",
        "started",
    )

    def __init__(self, event: dict[str, object], reply: Reply, started: float, itself: tuple[str, ...] = ()) -> None:
        self.event = event
        self.itself = itself
        self.reply = reply
        self.started = started
        self.name = self.text("hook_event_name")
        self.session = self.text("session_id")
        self.log = self.text("transcript_path")
        cwd = self.text("cwd")
        self.cwd = cwd if 0 < len(cwd) <= LONGEST_PATH else os.getcwd()
        self.root = root_of(self.cwd)
        self.folder = state_folder().replace("\\", "/")
        self._state: SessionState | None = None
        self._index: FreshIndex | None = None
        self._looked = False
        self.record: dict[str, object] = {
            "t": round(time.time(), 3),
            "e": self.name,
            "s": self.session[:40],
        }

    def text(self, field: str) -> str:
        """Return a field of the event if it is text, else ""."""
        value = self.event.get(field)
        return value if isinstance(value, str) else ""

    @property
    def in_subagent(self) -> bool:
        """Whether the event comes from inside a sub-agent."""
        return bool(self.event.get("agent_id"))

    @property
    def state(self) -> SessionState:
        """What this session has been shown."""
        if self._state is None:
            self._state = load_state(f"{self.folder}/sessions", self.session)
        return self._state

    def index(self) -> FreshIndex | None:
        """Return the project's index, up to date with the files as far as time allows; None when there is none yet."""
        if not self._looked:
            from ladder.hook.index import current_index  # noqa: PLC0415 (not every event asks the index)

            self._index = current_index(
                self.root, self.itself, patient=self.name in ("SessionStart", "UserPromptSubmit")
            )
            self._looked = True
        return self._index

    def index_to_speak_from(self) -> FreshIndex | None:
        """Return the index; None, and noted why, for a sub-agent, which did not ask, and where there are no notes."""
        index = None if self.in_subagent else self.index()
        if index is not None and index.count:
            return index
        self.silent("sub-agent" if self.in_subagent else "no index" if index is None else "no notes")
        return None

    def learned(self) -> Learned | None:
        """Return what was learned in the project, None when nothing was."""
        from ladder.learning.model import open_learned  # noqa: PLC0415 (not every event asks)

        return open_learned(project_data(self.root) + "/learned")

    @property
    def now(self) -> str:
        """The time now on this machine's clock, ISO."""
        from ladder.query.dates.calendar import now_here  # noqa: PLC0415 (not every event asks)

        return now_here()

    def setting(self, name: str) -> object:
        """Return a setting of the project as the index knows it, None without an index."""
        index = self.index()
        return None if index is None else index.settings.get(name)

    def on(self, name: str) -> bool:
        """Whether the hook speaks at the moment `name` in this project."""
        chosen = self.setting("moments")
        return name in (chosen if isinstance(chosen, list | tuple) else MOMENTS)

    def silent(self, why: str) -> None:
        """Note why nothing is said."""
        self.record["q"] = why

    def write_down(self) -> None:
        """Add the event to the hook's log; called once, at the end or when time has run out."""
        record, self.record = self.record, {}
        if record:
            record["ms"] = round((time.perf_counter() - self.started) * 1000, 2)
            record["cpu"] = round(time.process_time() * 1000, 2)
            write_log(project_state(self.root).replace("\\", "/") + "/hook.log", record)

    def failed(self, error: BaseException) -> None:
        """Note what went wrong and where, for `ladder doctor`; never whose words were being looked at."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = ""
        if trace is not None:
            code = trace.tb_frame.f_code  # in the bundle it knows no lines but the first
            where = f" in {code.co_name}:{code.co_firstlineno}+{trace.tb_lasti}"
        said = f": {error.strerror}" if isinstance(error, OSError) else ""
        self.record["x"] = f"{type(error).__name__}{said}{where}"
