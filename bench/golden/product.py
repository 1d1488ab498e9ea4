"""The golden cases' door to the product: the only module here that imports what is asked.

A move of the product changes the imports at the top of this file and nothing else. What comes out of here is plain
values: names, numbers, texts.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import time
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from ladder.hook.bundle.build import BOOTSTRAP, write_hook
from ladder.hook.edge import Reply
from ladder.hook.event import Moment
from ladder.hook.hand_over import BUDGET, compose
from ladder.hook.main import answer_event
from ladder.index.background import asked_file
from ladder.index.format import HEADER_SIZE, unpack_header
from ladder.index.overlay import open_fresh
from ladder.index.reader import open_index
from ladder.indexing.pipeline import PreparedNotes, build_from_bytes
from ladder.indexing.update import fresh_index
from ladder.lean.paths import cache_folder, index_file
from ladder.learning.model import open_learned
from ladder.learning.update import learn, lesson
from ladder.query.query import Context, query
from ladder.ranking.passages import rank_passages
from ladder.ranking.survey import survey
from ladder.reading.answer import answer
from ladder.reading.rungs import map_note, suggest
from ladder.speaking.by_meaning import worth_looking
from ladder.speaking.verdict import decide, decide_by_meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ladder.index.overlay import FreshIndex
    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query

    #: Id and context of a question.
    Asked = tuple[str, Mapping[str, Any]]
    #: Id, ISO time, context at its start, notes opened with the context before each.
    Turn = tuple[str, str, Mapping[str, Any], Sequence[tuple[str, Mapping[str, Any]]]]

#: The day that is today in every case, a Wednesday, in seconds since 1970 and as ISO time.
NOW = 1_715_767_200
NOW_ISO = "2024-05-15T10:00:00Z"
#: Passages that are kept, and budgets that blocks are kept of, in tokens.
PASSAGES = 40
BUDGETS = (300, 1000, 2000)
#: Seconds that a process of the bundle may take; a busy machine must not fail a comparison.
_PATIENCE = 30


@contextlib.contextmanager
def pinned(home: Path) -> Iterator[None]:
    """Run the product with a home of its own, in UTC, in the C locale, on the fixed day."""
    names = (
        "HOME", "USERPROFILE", "CLAUDE_CONFIG_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME",
        "XDG_STATE_HOME", "LOCALAPPDATA", "WIN_PD_OVERRIDE_LOCAL_APPDATA",
    )  # fmt: skip
    values = {name: str(home / name.lower()) for name in names} | {"TZ": "UTC", "LC_ALL": "C.UTF-8"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LADDER_", "GIT_"))}
    gmtime, strftime = time.gmtime, time.strftime

    def instant(seconds: float | None = None) -> time.struct_time:
        return gmtime(NOW if seconds is None else seconds)

    def written(form: str, when: Any = None) -> str:  # noqa: ANN401 (a struct_time or a tuple)
        return strftime(form, instant() if when is None else when)

    with (
        mock.patch.dict(os.environ, kept | values, clear=True),
        mock.patch.multiple(time, time=lambda: float(NOW), gmtime=instant, localtime=instant, strftime=written),
    ):
        yield


def kept_folder() -> Path:
    """Where lines lie that must not go into the repository."""
    return Path(cache_folder()) / "golden"


# --- indexes -------------------------------------------------------------------------------------------------------


def index_of(notes: Mapping[str, bytes], target: Path, changed: Mapping[str, float] | None = None) -> Index:
    """The open index of notes given by name; `changed` says when each was changed, in seconds since 1970."""
    build_from_bytes(notes, target, prepared=PreparedNotes(keep=False), changed=changed)
    return open_index(str(target))


def index_parts(notes: Mapping[str, bytes], target: Path, changed: Mapping[str, float]) -> dict[str, object]:
    """Digests of an index file: its blocks as bytes, its description without who made it and when."""
    with index_of(notes, target, changed) as index:
        described = dict(index._meta)  # noqa: SLF001 (every field counts)
    data = target.read_bytes()
    offset, _ = unpack_header(data[:HEADER_SIZE], len(data))
    body = data[HEADER_SIZE:offset]
    for field in ("made_by", "begun"):
        described.pop(field)
    return {"bytes": len(body), "body": hashlib.sha256(body).hexdigest(), "described": dict(sorted(described.items()))}


# --- questions -----------------------------------------------------------------------------------------------------


def taught(target: Path, turns: Sequence[Turn]) -> Learned | None:
    """What is learned from turns, month by month as sessions end."""
    for _, lot in groupby(sorted(turns, key=lambda turn: turn[1]), key=lambda turn: turn[1][:7]):
        learn([lesson(*turn) for turn in lot], target)
    return open_learned(str(target))


def asked(
    index: Index,
    notes: Mapping[str, bytes],
    context: Mapping[str, Any],
    learned: Learned | None = None,
    near: Any = None,  # noqa: ANN401 (a Near, or what stands for one)
) -> dict[str, Any]:
    """All that the product makes of a message: see `lines.PARTS`; with `near` also by its meaning."""
    made = query(Context(**context))
    made.near = near

    def read(n: int) -> bytes | None:
        return notes.get(index.note(n).name)

    scene = survey(index, made, learned=learned)
    passages = rank_passages(scene)[:PASSAGES]
    name = [index.note(n).name for n in range(index.count)]
    first = sorted(scene.weights.items(), key=lambda pair: (-pair[1], pair[0]))
    scored = [[name[n], sum(scene.totals[n].values()), dict(sorted(scene.totals[n].items()))] for n in scene.candidates]
    parts: dict[str, Any] = {
        "notes": scored,
        "terms": [[term, weight] for term, weight in first],
        "named terms": [[term, weight] for term, weight in sorted(scene.names.items())],
        "passages": [[name[each.note], each.section, each.paragraph, each.promise, each.cost] for each in passages],
        "conversation": scene.heard,
        "dates": [list(each) for each in scene.dates],
        "mended": sorted((scene.query.mended or {}).items()),
        "suggest": [[found.name, *found.why] for found in suggest(index, made, learned=learned)],
    }
    for budget in BUDGETS:
        block = answer(index, made, budget, learned=learned, read=read)
        parts[f"block {budget}"] = [block.tokens, block.text]
    if scene.candidates:
        rows = map_note(index, scene.candidates[0], scene.weights) if context.get("search") else []
        parts["map"] = [[row.number, row.title, row.cost, list(row.hits)] for row in rows]
    if near is not None:
        parts["by meaning"] = _meant(index, query(Context(**context)), near, read)
    return parts | _spoken(index, made, learned, read)


def _meant(
    index: Index,
    made: Query,
    near: Any,  # noqa: ANN401 (as above)
    read: Callable[[int], bytes | None],
) -> list[Any]:
    """Whether the hook would look at what the message means, and what it would say then."""
    looks = worth_looking(index, made)
    decision = decide_by_meaning(index, made, None, near)
    block = compose(decision, BUDGET, read) if decision.speaks else None
    names = [index.note(n).name for n in decision.meant or []]
    return [looks, decision.speaks, names, [block.tokens, block.text] if block else []]


def _spoken(index: Index, made: Query, learned: Learned | None, read: Callable[[int], bytes | None]) -> dict[str, Any]:
    """What the hook would do at the message."""
    seen = decide(index, made, learned)
    whole = decide(index, made, learned, glance=False)
    block = compose(seen, BUDGET, read) if seen.speaks else None
    return {
        "may speak": seen.search is not None,
        "speaks": whole.speaks,
        "opening": whole.opening,
        # They are summed over a set of words, whose order changes with each process.
        "answered": round(whole.answer.probability, 12),
        "held": [round(whole.answer.share, 12), whole.answer.terms],
        "hook": [block.tokens, block.text, [index.note(n).name for n in block.notes]] if block else [],
    }


# --- the hook ------------------------------------------------------------------------------------------------------


def project_of(root: Path, notes: Mapping[str, tuple[bytes, int]]) -> None:
    """Write a project's notes, name -> (content, time of its file), and index it; no process is started."""
    root.mkdir(parents=True)
    (root / "ladder.toml").write_text(
        'folders = ["notes"]\nclient_memory = false\nuser_folder = ""\n', encoding="utf-8"
    )
    for name, (data, when) in notes.items():
        write_note(root, name, data, when)
    for folder in sorted({path.parent for path in (root / "notes").rglob("*")}, reverse=True):
        os.utime(folder, (NOW - 400 * 86_400, NOW - 400 * 86_400))
    reindex(root)
    # Asked a moment ago, so far as the hook can tell: the clock of a process may say any day.
    asked_at = Path(asked_file(str(root)))
    asked_at.write_bytes(b"")
    os.utime(asked_at, (4e9, 4e9))


def write_note(root: Path, name: str, data: bytes, when: int) -> None:
    """Write one note of a project."""
    file = root / "notes" / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    os.utime(file, (when, when))


def reindex(root: Path) -> None:
    """Bring a project's index up to date."""
    fresh_index(root).close()


def project_index(root: Path) -> FreshIndex:
    """A project's index with what changed in its files since on top, as the hook opens it."""
    return open_fresh(index_file(str(root)))


def hook_says(event: Mapping[str, object]) -> dict[str, object]:
    """What the hook puts on stdout at an event, asked in this process, and what it writes into its own log."""
    reply = Reply()
    moment = Moment(dict(event), reply, 0.0)
    try:
        answer_event(moment)
    except Exception as error:  # noqa: BLE001 (the hook itself catches it, writes it down and says what it has)
        moment.record["x"] = type(error).__name__
    told = {key: value for key, value in moment.record.items() if key not in ("t", "ms", "cpu", "s")}
    return {"stdout": reply.document, "log": told}


def bundle_file(target: Path) -> Path:
    """Write what the installed hook runs into the folder `target`."""
    write_hook(target)
    return target


def bundle_says(bundle: Path, event: Mapping[str, object]) -> str:
    """What the bundle writes to stdout at an event, run as a client runs it; what it complains of comes behind."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", BOOTSTRAP, str(bundle)],
        input=json.dumps(event).encode("utf-8"), capture_output=True, check=False, timeout=_PATIENCE,
    )  # fmt: skip
    return (done.stdout + done.stderr).decode("utf-8", "replace") + (
        f"exit {done.returncode}" if done.returncode else ""
    )


def sample_questions(folder: Path) -> tuple[dict[str, bytes], list[Asked]]:
    """The bundled sample's notes, and its questions at each moment; what was mined is kept in `folder`."""
    from bench.sample import ROOT  # noqa: PLC0415 (only the sample needs it)

    return mined_questions(ROOT, ROOT / "logs", folder)


def mined_questions(root: Path, logs: Path, folder: Path) -> tuple[dict[str, bytes], list[Asked]]:
    """A project's notes, and the questions at each moment that logs give; what was mined is kept in `folder`."""
    from bench.corpus.gather import from_logs  # noqa: PLC0415 (not every group is mined)
    from bench.corpus.snapshot import read_files  # noqa: PLC0415 (as above)
    from bench.questions import MOMENTS, from_pairs  # noqa: PLC0415 (as above)
    from notes import load_settings  # noqa: PLC0415 (as above)
    from transcripts import sessions  # noqa: PLC0415 (as above)

    found = from_logs(sessions(logs), load_settings(root), mined=folder)
    questions = [
        (f"{question.id} {moment}", question.contexts[moment])
        for question in from_pairs(found.pairs, "reply", "today")
        for moment in MOMENTS
    ]
    return read_files((file.name, Path(file.path)) for file in found.notes), questions


def published_questions(name: str, data: Path) -> tuple[dict[str, bytes], list[Asked]]:
    """A published set as notes, and its questions.

    Raises:
        LookupError: the set is not in `data`.
    """
    from bench.public.as_notes.replay import SETS  # noqa: PLC0415 (only with data)
    from bench.public.catalogue import sets  # noqa: PLC0415 (as above)

    listed, read = SETS[name]
    place = sets()[listed].find(data)
    if place is None:
        raise LookupError(f"{name} is not in {data}")
    made = read(place)
    return made.notes, [(each.id, {"message": each.text, "now": each.asked}) for each in made.questions]
