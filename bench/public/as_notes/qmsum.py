"""QMSum as notes: a note a meeting, its summary the head, its topics the sections, its turns the paragraphs."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bench.public.as_notes.note_set import Line, NoteSet, NoteWriter, Question, in_held_half, one_line
from bench.public.set_files import ODD_ERRORS, LeftOut, each, found, json_lines, read_json, text

#: General queries whose answer sums up the whole meeting, as the head of a note does.
SUMMARY = re.compile(
    r"whole meeting|main (discussion )?(points|topics)|meeting (be )?about|summari[sz]e the meeting", re.IGNORECASE
)


#: Least words of a cited turn that is evidence: a shorter one ("Mm-hmm .") answers nothing [F-064].
SHORTEST_EVIDENCE = 8


#: The authors' repository holds each meeting three times: `data/ALL/jsonl` is all of them at once.
FILES = ("*.jsonl", "*.json")


def meetings(place: Path, left_out: LeftOut) -> Iterator[Mapping[str, Any]]:
    """Yield the meetings of a file or folder, of all of its files: a meeting a line, or a file."""
    everything = place / "data" / "ALL" / "jsonl"
    for path in found(everything if everything.is_dir() else place, FILES):
        if path.suffix == ".jsonl":
            rows = list(json_lines(path))
        else:
            whole = read_json(path)
            rows = whole if isinstance(whole, list) else [whole]
        if any(isinstance(row, dict) and "meeting_transcripts" in row for row in rows):  # else: another file
            yield from each(rows, _meeting, left_out)


def _meeting(_: int, row: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(row["meeting_transcripts"], list):
        raise TypeError("`meeting_transcripts` is no list")
    return row


def load(place: Path, *, heads: bool = True) -> NoteSet:
    """Read the meetings of `place`; `heads=False` leaves out the written summaries (the harder pool)."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = LeftOut({"no span cited": 0})
    for number, meeting in enumerate(meetings(place, left_out)):
        note = NoteWriter(f"meetings/{number:03d}")
        _write(note, meeting, number, left_out, heads=heads)
        notes[note.name] = note.data()
        questions += each(meeting.get("specific_query_list"), partial(_question, note, left_out), left_out)
    if not notes:
        raise ValueError(f"{place}: holds no meeting of QMSum")
    return NoteSet("qmsum" if heads else "qmsum-no-heads", notes, questions, left_out)


def _question(note: NoteWriter, left_out: LeftOut, number: int, asked: Mapping[str, Any]) -> Question | None:
    lines: list[Line] = []
    for first, last in asked.get("relevant_text_span") or ():
        for turn in range(int(first), int(last) + 1):
            lines += note.lines.get(turn, [])
    meeting = note.name.rpartition("/")[2]
    told = text(asked["query"])
    if not lines:
        left_out["no span cited"] += 1
        return None
    return Question(
        id=f"{meeting}/{number}",
        text=told,
        group=meeting,
        held=in_held_half(note.name),
        evidence=tuple(lines),
        asked="",
    )


def _write(note: NoteWriter, meeting: Mapping[str, Any], number: int, left_out: LeftOut, *, heads: bool) -> None:
    note.block(f"# Meeting {number:03d}")
    if heads:
        summaries = each(meeting.get("general_query_list"), _summary, left_out)
        if summary := next(summaries, ""):
            note.block(summary)
    topics = dict(reversed(list(each(meeting.get("topic_list"), _topic, left_out))))
    if 0 not in topics:
        topics[0] = "Opening"
    for place, turn in enumerate(meeting["meeting_transcripts"]):
        if place in topics:
            note.block(f"## {one_line(topics[place])}")
        try:
            speaker, content = text(turn["speaker"]), text(turn["content"])
        except ODD_ERRORS as error:
            left_out.odd(error)
            continue
        # {disfmarker}, {vocalsound} and their like are marks of the transcribers, not words of the meeting.
        said = one_line(re.sub(r"\{[a-z]+\}", " ", content))
        says_something = len(said.split()) >= SHORTEST_EVIDENCE
        note.block(f"{speaker}: {said}", place if says_something else None)


def _summary(_: int, asked: Mapping[str, Any]) -> str | None:
    return one_line(text(asked["answer"])) if SUMMARY.search(text(asked["query"])) else None


def _topic(_: int, topic: Mapping[str, Any]) -> tuple[int, str]:
    return int(topic["relevant_text_span"][0][0]), text(topic["topic"])
