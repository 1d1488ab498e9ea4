"""What the hook did in a project: how often it spoke, what that cost, how long it took, and whether it was of use.

All of it comes from the hook's own private log (`ladder.hook.log`) and, for the use, from the session logs: a note that
was suggested and then opened by the agent has been *read through*.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ladder.hook.log import read_log
from ladder.lean.paths import project_state

#: Events that a person causes by sending a message.
MESSAGE = "UserPromptSubmit"

#: How the session is called in which `ladder doctor` tries the hook: nobody's.
TRIAL = "ladder-doctor"


@dataclass(frozen=True, slots=True)
class Event:
    """One event that the hook answered."""

    time: float
    """Seconds since 1970."""
    name: str
    session: str
    ms: float
    """From the hook's first line to its answer; the interpreter's start comes on top."""
    tokens: int
    """Handed over; 0: silent."""
    notes: tuple[str, ...]
    silent: str
    """Why nothing was said, "" when something was."""
    wrong: str
    """What went wrong, "" when nothing did."""
    meaning: str = ""
    """"" when the sentence model was not asked, "found" or "asked" when it was, else why it could not be."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Sums over the events of one project."""

    since: float
    """Time of the first event, seconds since 1970; 0 when there is none."""
    events: Mapping[str, int]
    """Events by name."""
    messages: int
    spoke: int
    """Messages at which notes were named."""
    silent: Mapping[str, int]
    """Silent messages by reason."""
    asked_meaning: int
    """Messages at which the sentence model was asked, since words had nothing to say."""
    spoke_by_meaning: int
    """Of these, at how many notes were named."""
    tokens: int
    """Handed over in all, at messages and elsewhere."""
    suggested: int
    """Notes named, each time counted."""
    opened: int
    """Of these, how many the agent opened later in the same session."""
    checked: int
    """Of these, how many stand in sessions whose logs are still there to be looked at."""
    p50: float
    p95: float
    p99: float
    """Milliseconds a message; 0 when there is none."""
    wrong: Mapping[str, int]
    """What went wrong, by kind."""
    never: tuple[str, ...]
    """Notes that were never suggested."""

    @property
    def read_through(self) -> float:
        """Share of the suggestions that could be looked at whose note was opened."""
        return self.opened / self.checked if self.checked else 0.0


def events_of(root: Path, days: float = 0) -> list[Event]:
    """Return the events that the hook's log of a project holds, oldest first; with `days` only the last ones."""
    path = Path(project_state(str(root))) / "hook.log"
    earliest = time.time() - days * 86_400 if days else 0.0
    found = [_event(record) for record in read_log(path.as_posix())]
    return [event for event in found if event.time >= earliest and not event.session.startswith(TRIAL)]


def _event(record: dict[str, object]) -> Event:
    def number(key: str) -> float:
        value = record.get(key)
        return float(value) if isinstance(value, int | float) else 0.0

    def text(key: str) -> str:
        value = record.get(key)
        return value if isinstance(value, str) else ""

    named = record.get("n")
    notes = [entry[0] for entry in named if isinstance(entry, list) and entry] if isinstance(named, list) else []
    return Event(
        time=number("t"),
        name=text("e"),
        session=text("s"),
        ms=number("ms"),
        tokens=int(number("k")),
        notes=tuple(str(note) for note in notes),
        silent=text("q"),
        wrong=text("x"),
        meaning=_meaning(record.get("m"), spoke=bool(notes)),
    )


def _meaning(value: object, *, spoke: bool) -> str:
    if isinstance(value, int | float):
        return "found" if spoke else "asked"
    return value if isinstance(value, str) else ""


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that `share` of the values do not exceed (nearest rank); 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))] if ordered else 0.0


def stats_of(events: list[Event], opened: Mapping[str, list[tuple[float, str]]], notes: Iterable[str]) -> Stats:
    """Sum up events. `opened` holds (time, note) of what the agent opened in each session, `notes` all names."""
    messages = [event for event in events if event.name == MESSAGE]
    suggestions = [(event, note) for event in events for note in event.notes]
    checked = [(event, note) for event, note in suggestions if event.session in opened]
    read = [
        (event, note)
        for event, note in checked
        if any(when >= event.time - 1 and _same_note(path, note) for when, path in opened[event.session])
    ]
    seen = {note for _, note in suggestions}
    latencies = [event.ms for event in messages]
    return Stats(
        since=events[0].time if events else 0.0,
        events=Counter(event.name for event in events),
        messages=len(messages),
        spoke=sum(bool(event.notes) for event in messages),
        silent=Counter(event.silent or event.wrong or "?" for event in messages if not event.notes),
        asked_meaning=sum(event.meaning in ("found", "asked") for event in messages),
        spoke_by_meaning=sum(event.meaning == "found" for event in messages),
        tokens=sum(event.tokens for event in events),
        suggested=len(suggestions),
        opened=len(read),
        checked=len(checked),
        p50=percentile(latencies, 0.50),
        p95=percentile(latencies, 0.95),
        p99=percentile(latencies, 0.99),
        wrong=Counter(
            [event.wrong for event in events if event.wrong]
            + [f"meaning: {event.meaning}" for event in messages if event.meaning not in ("", "found", "asked")]
        ),
        never=tuple(sorted(set(notes) - seen)),
    )


def _same_note(path: str, note: str) -> bool:
    """Say whether a logged path, or what a `ladder` command was given, is the note of that name."""
    folded, wanted = path.replace("\\", "/").casefold(), note.casefold()
    bare = folded.partition("#")[0].removesuffix(".md")
    return bare == wanted or bare.endswith("/" + wanted)
