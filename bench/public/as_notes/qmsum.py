"""QMSum as notes: a note a meeting, its summary the head, its topics the sections, its turns the paragraphs."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.public.as_notes.note_set import Line, NoteSet, NoteWriter, Question, in_held_half, one_line
from bench.public.set_files import found, json_lines, read_json

#: General queries whose answer sums up the whole meeting, as the head of a note does.
SUMMARY = re.compile(
    r"whole meeting|main (discussion )?(points|topics)|meeting (be )?about|summari[sz]e the meeting", re.IGNORECASE
)


#: Least words of a cited turn that is evidence: a shorter one ("Mm-hmm .") answers nothing [F-064].
SHORTEST_EVIDENCE = 8


#: The authors' repository holds each meeting three times: `data/ALL/jsonl` is all of them at once.
FILES = ("*.jsonl", "*.json")


def meetings(place: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the meetings of a file or folder, of all of its files: a meeting a line, or a file."""
    everything = place / "data" / "ALL" / "jsonl"
    for path in found(everything if everything.is_dir() else place, FILES):
        if path.suffix == ".jsonl":
            rows = list(json_lines(path))
        else:
            whole = read_json(path)
            rows = whole if isinstance(whole, list) else [whole]
        yield from (row for row in rows if isinstance(row, dict) and "meeting_transcripts" in row)


def load(place: Path, *, heads: bool = True) -> NoteSet:
    """Read the meetings of `place`; `heads=False` leaves out the written summaries (the harder pool)."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = {"no span cited": 0}
    for number, meeting in enumerate(meetings(place)):
        note = NoteWriter(f"meetings/{number:03d}")
        _write(note, meeting, number, heads=heads)
        notes[note.name] = note.data()
        for place_of, asked in enumerate(meeting.get("specific_query_list") or ()):
            lines: list[Line] = []
            for first, last in asked.get("relevant_text_span") or ():
                for turn in range(int(first), int(last) + 1):
                    lines += note.lines.get(turn, [])
            if not lines:
                left_out["no span cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{number:03d}/{place_of}",
                    text=asked["query"],
                    group=f"{number:03d}",
                    held=in_held_half(note.name),
                    evidence=tuple(lines),
                    asked="",
                )
            )
    if not notes:
        raise ValueError(f"{place}: holds no meeting of QMSum")
    return NoteSet("qmsum" if heads else "qmsum-no-heads", notes, questions, left_out)


def _write(note: NoteWriter, meeting: Mapping[str, Any], number: int, *, heads: bool) -> None:
    note.block(f"# Meeting {number:03d}")
    if heads:
        for asked in meeting.get("general_query_list") or ():
            if SUMMARY.search(asked["query"]):
                note.block(one_line(asked["answer"]))
                break
    topics = {
        int(topic["relevant_text_span"][0][0]): topic["topic"] for topic in reversed(meeting.get("topic_list") or [])
    }
    if 0 not in topics:
        topics[0] = "Opening"
    for place, turn in enumerate(meeting["meeting_transcripts"]):
        if place in topics:
            note.block(f"## {one_line(topics[place])}")
        # {disfmarker}, {vocalsound} and their like are marks of the transcribers, not words of the meeting.
        said = one_line(re.sub(r"\{[a-z]+\}", " ", turn["content"]))
        says_something = len(said.split()) >= SHORTEST_EVIDENCE
        note.block(f"{turn['speaker']}: {said}", place if says_something else None)
