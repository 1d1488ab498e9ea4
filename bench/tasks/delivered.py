"""Does what the notes hold reach the agent? Whole sessions are replayed through the hook's own code, event by event.

Each session meets the notes as they stood when it began, in a folder of its own, and a log that grows as it did. Of
each mined pair is asked: was a line of its evidence handed over before the agent read it by itself, at which event, and
what had been spent by then? In the same run is counted how often the hook spoke in turns that needed no note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.questions import note_name
from bench.tasks.handed import Handed, Narrowed, Replayed, Told, Variant, Wanted
from bench.tasks.hook_events import AskedMoment, Past, calls_of
from bench.tasks.next_note import located
from ladder.indexing.token_counts import count_many
from ladder.lean.paths import make_folder
from transcripts import session_turns, working_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.corpus.corpus import Corpus
    from bench.tasks.next_note import Notes
    from ladder.index.overlay import FreshIndex
    from ladder.learning.model import Learned
    from transcripts import Session

#: How a log says that the conversation was compacted: what was handed over before is gone from it.
_COMPACTED = b'"subtype":"compact_boundary"'
#: What the hook answers when it does not say itself at which moment it speaks.
_MOMENT_OF = {"SessionStart": "start", "UserPromptSubmit": "message", "PreToolUse": "call"}


def replay(
    corpus: Corpus, notes: Notes, place: Path, variants: Sequence[Variant], *, learning: bool = False, half: str = "all"
) -> Iterator[Replayed]:
    """Replay the sessions of a corpus, in order of time; `half` is all, early or late."""
    make_folder(place)
    folders = {folder for session in corpus.sessions if (folder := working_folder(session))}
    locate = located(notes, folders)
    past = Past(notes, place)
    learned = corpus.learned if learning else {}
    begun = []
    for session in corpus.sessions:
        first = next(iter(session_turns(session)), None)
        if first is not None:
            begun.append((first.time, session.id, session))
    begun.sort(key=lambda each: each[:2])
    middle = len(begun) // 2
    chosen = {"all": begun, "early": begun[:middle], "late": begun[middle:]}[half]
    for began, _, session in chosen:
        version = notes.at(began)
        if version is not None:
            index = past.at(version)
            texts = notes.texts(version)
            yield _session(corpus, session, began, index, texts, locate, place, variants, learned.get(session.id))


def _session(
    corpus: Corpus,
    session: Session,
    began: str,
    index: FreshIndex,
    texts: dict[str, bytes],
    locate: Any,  # noqa: ANN401 (what `located` gives)
    place: Path,
    variants: Sequence[Variant],
    learned: Learned | None,
) -> Replayed:
    told = [Told(session.id) for _ in variants]
    echoed = {(pair.session, pair.turn) for pair in corpus.found.pairs}
    log = place / "session.jsonl"
    data = session.file.read_bytes()
    compacted = _places(data, _COMPACTED)
    found = list(session_turns(session))
    read: list[str] = []
    opened: list[tuple[int, str]] = []
    with log.open("wb") as target:
        grown = 0

        def event(name: str, turn: int, offset: int, now: str, **fields: object) -> list[bool]:
            nonlocal grown
            if offset > grown:
                target.write(data[grown:offset])
                target.flush()
                grown = offset
            spoke = []
            for number, (variant, each) in enumerate(zip(variants, told, strict=True)):
                given = {
                    "hook_event_name": name, "session_id": session.id, "transcript_path": str(log), "cwd": index.root,
                    **fields,
                }  # fmt: skip
                asked = AskedMoment(given, index, str(place / f"state-{number}"), variant, learned, now)
                text = asked.answer()
                if text:
                    moment, named = str(asked.record.get("w", _MOMENT_OF[name])), asked.record.get("n", ())
                    notes = tuple(str(row[0]) for row in named) if isinstance(named, list) else ()
                    each.handed.append(Handed(moment, turn, offset, 0, text, notes))
                    if asked.reply.changed is not None:
                        each.narrowed.append(Narrowed(offset, notes[0], int(str(asked.reply.changed["limit"])), text))
                spoke.append(bool(text))
            return spoke

        event("SessionStart", 0, 0, began, source="startup")
        for turn in found:
            while compacted and compacted[0] <= turn.offset:
                at = compacted.pop(0)
                for one in told:
                    one.lost.append(at)
                event("SessionStart", turn.number, at, turn.time, source="compact")
            locator = locate(turn)
            if locator:
                mine = [each for each in turn.reads if any(locator.find(path, turn.cwd) for path in each.paths)]
                read += ["\n".join(each.lines) for each in mine]
                places = [(each.offset, locator.find(path, turn.cwd)) for each in turn.reads for path in each.paths]
                opened += [(offset, note_name(place.note)) for offset, place in places if place]
            if turn.message and turn.kind != "queued":  # what is typed while the agent works fires no event
                spoke = event("UserPromptSubmit", turn.number, turn.offset, turn.time, prompt=turn.message)
                if not (turn.reads or turn.notes_written or (turn.session, turn.number) in echoed):
                    for each, now in zip(told, spoke, strict=True):
                        each.vain.append(now)
                        each.needless.append(turn.number)
            for given, offset in calls_of(turn, index.root, locator, data):
                event("PreToolUse", turn.number, offset, turn.time, **given)
    for each in told:
        costs = count_many([handed.text.encode("utf-8", "replace") for handed in each.handed])
        each.handed = [handed._replace(tokens=cost) for handed, cost in zip(each.handed, costs, strict=True)]
    ends = {turn.number: turn.events[-1].offset + 1 if turn.events else turn.offset for turn in found}
    wanted = list(_wanted(corpus, session.id, texts, ends))
    reads = {each.offset: each.lines for turn in found for each in turn.reads}
    for one in told:
        one.narrowed = [_weighed(each, reads.get(each.offset, ()), wanted) for each in one.narrowed]
    own = sum(count_many([text.encode("utf-8", "replace") for text in read]))
    return Replayed(session.id, began, len(found), wanted, own, told, opened)


def _weighed(narrowed: Narrowed, lines: Sequence[str], wanted: Sequence[Wanted]) -> Narrowed:
    """Return a read made narrow with what it cost before and after, and which pairs' evidence it kept."""
    first = list(lines[: narrowed.limit])
    before, after = count_many(
        ["\n".join(each).encode("utf-8", "replace") for each in (lines, [*first, narrowed.text])]
    )
    there = {line.strip() for line in (*first, *narrowed.text.split("\n"))}
    kept = [
        any(line in there for line in each.lines)
        for each in wanted
        if each.offset == narrowed.offset and each.note == narrowed.note
    ]
    return narrowed._replace(before=before, after=after, kept=tuple(kept))


def _places(data: bytes, sign: bytes) -> list[int]:
    """Where the lines with `sign` begin."""
    found = []
    at = data.find(sign)
    while at >= 0:
        found.append(data.rfind(b"\n", 0, at) + 1)
        at = data.find(sign, at + 1)
    return found


def _wanted(corpus: Corpus, session: str, texts: dict[str, bytes], ends: dict[int, int]) -> Iterator[Wanted]:
    """Yield the pairs of a session of whose evidence a line stood in the note when it began, one a turn and note."""
    found: dict[tuple[int, str], Wanted] = {}
    for pair in corpus.found.pairs:
        if pair.session != session or (corpus.level not in ("any", pair.level)):
            continue
        note = note_name(pair.note)
        then = texts.get(note, b"").decode("utf-8", "replace")
        stood = {line.strip() for line in then.split("\n")}
        lines = tuple(line.text for line in pair.lines if line.text in stood)
        if not lines:
            continue
        offset = ends.get(pair.turn, pair.offset) if pair.how == "subagent" else pair.offset
        before = found.get((pair.turn, note))
        if before is not None:
            offset, lines = min(offset, before.offset), tuple(dict.fromkeys((*before.lines, *lines)))
        found[pair.turn, note] = Wanted(pair.turn, offset, note, lines)
    yield from found.values()
