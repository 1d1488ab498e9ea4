"""QMSum as notes: a note a meeting, its summary the head, its topics the sections, its turns the paragraphs."""

import re
from pathlib import Path
from typing import Any

import orjson

from bench.asnotes.noteset import Line, NoteSet, NoteWriter, Question, in_held_half, one_line

#: General queries whose answer sums up the whole meeting, as the head of a note does.
SUMMARY = re.compile(
    r"whole meeting|main (discussion )?(points|topics)|meeting (be )?about|summari[sz]e the meeting", re.IGNORECASE
)


#: A cited turn of fewer words ("Mm-hmm .") says nothing, and to show it answers nothing: it is no evidence.
SHORTEST_EVIDENCE = 8


def load(folder: Path, *, heads: bool = True) -> NoteSet:
    """Read `meetings_dev.jsonl` of `folder`; `heads=False` leaves out the written summaries (the harder pool)."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = {"no span cited": 0}
    for number, raw in enumerate((folder / "meetings_dev.jsonl").read_bytes().split(b"\n")):
        if not raw.strip():
            continue
        meeting = orjson.loads(raw)
        note = NoteWriter(f"meetings/{number:03d}")
        _write(note, meeting, number, heads=heads)
        notes[note.name] = note.data()
        for place, asked in enumerate(meeting["specific_query_list"]):
            lines: list[Line] = []
            for first, last in asked["relevant_text_span"]:
                for turn in range(int(first), int(last) + 1):
                    lines += note.lines.get(turn, [])
            if not lines:
                left_out["no span cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{number:03d}/{place}",
                    text=asked["query"],
                    group=f"{number:03d}",
                    held=in_held_half(note.name),
                    evidence=tuple(lines),
                    asked="",
                )
            )
    return NoteSet("qmsum", notes, questions, left_out)


def _write(note: NoteWriter, meeting: dict[str, Any], number: int, *, heads: bool) -> None:
    note.block(f"# Meeting {number:03d}")
    if heads:
        for asked in meeting["general_query_list"]:
            if SUMMARY.search(asked["query"]):
                note.block(one_line(asked["answer"]))
                break
    topics = {int(topic["relevant_text_span"][0][0]): topic["topic"] for topic in reversed(meeting["topic_list"])}
    if 0 not in topics:
        topics[0] = "Opening"
    for place, turn in enumerate(meeting["meeting_transcripts"]):
        if place in topics:
            note.block(f"## {one_line(topics[place])}")
        # {disfmarker}, {vocalsound} and their like are marks of the transcribers, not words of the meeting.
        said = one_line(re.sub(r"\{[a-z]+\}", " ", turn["content"]))
        says_something = len(said.split()) >= SHORTEST_EVIDENCE
        note.block(f"{turn['speaker']}: {said}", place if says_something else None)
