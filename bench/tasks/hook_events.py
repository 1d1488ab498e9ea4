"""The events of a replayed session, as the client would have sent them, over the notes as they stood when it began."""

from __future__ import annotations

import io
import json
import os
import tarfile
import time
from typing import TYPE_CHECKING, Any

from ladder.client.contract import FILE_TOOLS, SEARCH_TOOLS, SHELL_TOOLS
from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.main import answer_event
from ladder.index.overlay import open_fresh
from ladder.indexing.pipeline import build_index
from ladder.indexing.update import surroundings_of
from notes import find_notes, folder_settings, git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.corpus.versions import Version
    from bench.tasks.handed import Variant
    from bench.tasks.next_note import Notes
    from ladder.index.overlay import FreshIndex
    from ladder.learning.model import Learned
    from transcripts import Turn
    from transcripts.logs.locate import Locator


class AskedMoment(Moment):
    """An event that meets the notes as they stood, and a session's state of its own."""

    __slots__ = ("known", "variant", "when")

    def __init__(
        self,
        event: dict[str, object],
        index: FreshIndex,
        folder: str,
        variant: Variant,
        known: Learned | None,
        now: str,
    ) -> None:
        super().__init__(event, Reply(), time.perf_counter())
        self._index = index
        self._looked = True
        self.folder = folder
        self.variant = variant
        self.known = known
        self.when = now

    def setting(self, name: str) -> object:
        """The setting as the variant has it."""
        varied = {
            "hook_budget": self.variant.budget, "gate": self.variant.gate, "moments": self.variant.moments,
            "read": self.variant.read,
        }.get(name)  # fmt: skip
        return super().setting(name) if varied is None else varied

    def learned(self) -> Learned | None:
        """What was learned before the session."""
        return self.known

    @property
    def now(self) -> str:
        """When the event came, ISO."""
        return self.when

    def answer(self) -> str:
        """What the hook hands over."""
        answer_event(self)
        output: Any = (self.reply.document or {}).get("hookSpecificOutput", {})
        return str(output.get("additionalContext", ""))


class Past:
    """A corpus's notes as folders and indexes, each version made when a session first needs it."""

    def __init__(self, notes: Notes, place: Path) -> None:
        """`place` is a folder that is thrown away."""
        self.notes = notes
        self.place = place
        self._indexes: dict[str, FreshIndex] = {}

    def at(self, version: Version) -> FreshIndex:
        """The index over the version's files."""
        if version.commit not in self._indexes:
            root = self.place / version.commit
            root.mkdir(parents=True)
            words = ("archive", version.commit, ".")
            archive = git.output(*words, folder=self.notes.versions.folder, patience=git.WORK_PATIENCE)
            if archive is None:
                raise RuntimeError(f"git has no archive of {version.commit} in {self.notes.versions.folder}")
            with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
                packed.extractall(root, filter="data")
            settings = folder_settings(root)
            files = find_notes(settings)
            changed = self.notes.changed(version)
            for file in files:
                moment = changed.get(file.name, 0.0)
                os.utime(file.path, (moment, moment))
            target = self.place / f"{version.commit}.ladder"
            build_index(find_notes(settings), target, root=str(root), surroundings=surroundings_of(settings))
            self._indexes[version.commit] = open_fresh(str(target))
        return self._indexes[version.commit]


def calls_of(turn: Turn, root: str, locator: Locator | None, data: bytes) -> Iterator[tuple[dict[str, object], int]]:
    """Yield the calls for which the client starts the hook, with paths as they are in the folder of then.

    `data` is the session's log.
    """
    here = turn.cwd.replace("\\", "/").rstrip("/")
    for event in turn.events:
        if event.kind != "called":
            continue
        if event.tool in FILE_TOOLS and event.path:
            place = locator.find(event.path, turn.cwd) if locator else None
            path = event.path.replace("\\", "/")
            if place is not None and place.exists:
                path = f"{root}/{place.note}"
            elif here and path.startswith(here + "/"):
                path = root + path[len(here) :]
            given: dict[str, object] = {FILE_TOOLS[event.tool]: path}
            if event.tool == "Read":
                asked = _input(data, event.offset, event.tool)
                given |= {key: asked[key] for key in ("offset", "limit") if key in asked}
        elif event.tool in SHELL_TOOLS and event.text:
            given = {"command": event.text.replace(turn.cwd, root) if turn.cwd else event.text}
        elif event.tool in SEARCH_TOOLS:
            given = _input(data, event.offset, event.tool)
        else:
            continue
        yield {"tool_name": event.tool, "tool_input": given, "tool_use_id": f"call-{event.offset}"}, event.offset


def _input(data: bytes, offset: int, tool: str) -> dict[str, object]:
    """The input of the first call of a tool in the record at `offset`."""
    record = json.loads(data[offset : data.find(b"\n", offset) + 1 or len(data)])
    content = record.get("message", {}).get("content", [])
    return next((dict(block["input"]) for block in content if block.get("name") == tool), {})
