"""LoCoMo as notes: a note a pair of speakers, its sessions the dated entries, its turns the paragraphs."""

import datetime as dt
import re
from pathlib import Path
from typing import Any

import orjson

from bench.asnotes.noteset import Line, NoteSet, NoteWriter, Question, one_line

#: Questions of category 5 ask for what was never said; nothing is evidence for them.
ADVERSARIAL = 5
#: Conversations tuned on; the others are the held half. Alternate, in the order of the file.
TUNE_EVERY = 2


def samples(folder: Path) -> list[dict[str, Any]]:
    """Return the conversations of the set's file in `folder`, whatever number of them it holds.

    Raises:
        FileNotFoundError: no file of the set is in `folder`.
    """
    for path in sorted(folder.glob("locomo*.json")):
        return list(orjson.loads(path.read_bytes()))
    raise FileNotFoundError(f"{folder}: holds no locomo*.json")


def load(folder: Path) -> NoteSet:
    """Read the conversations of `folder`, citations corrected by `audit_errors.json` where it names right ones."""
    right = corrections(folder)
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = {"adversarial": 0, "no turn cited": 0}
    for number, sample in enumerate(samples(folder)):
        talk = sample["conversation"]
        pair = f"{talk['speaker_a']} and {talk['speaker_b']}"
        note = NoteWriter(pair.lower().replace(" ", "-"))
        last = _write(note, talk, pair)
        notes[note.name] = note.data()
        for place, asked in enumerate(sample["qa"]):
            if asked["category"] == ADVERSARIAL:
                left_out["adversarial"] += 1
                continue
            cited = right.get((sample["sample_id"], asked["question"])) or asked["evidence"]
            lines: list[Line] = []
            for turn in re.findall(r"D\d+:\d+", " ".join(cited)):
                lines += note.lines.get(turn, [])
            if not lines:
                left_out["no turn cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{sample['sample_id']}/{place}",
                    text=asked["question"],
                    group=sample["sample_id"],
                    held=number % TUNE_EVERY == 1,
                    evidence=tuple(dict.fromkeys(lines)),
                    asked=last,
                )
            )
    return NoteSet("locomo", notes, questions, left_out)


def _write(note: NoteWriter, talk: dict[str, Any], pair: str) -> str:
    """Write one conversation, oldest session first as in a log; return the day of its last session."""
    sessions = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key) and talk[key])
    days = {number: moment(talk[f"session_{number}_date_time"]) for number in sessions}
    note.block(f"# {pair}")
    first, last = min(days.values()), max(days.values())
    note.block(f"Talks of {pair}: {len(sessions)} sessions from {first:%Y-%m-%d} to {last:%Y-%m-%d}.")
    note.block("## History")
    for number in sessions:
        note.block(f"### {days[number]:%Y-%m-%d %H:%M}")
        for turn in talk[f"session_{number}"]:
            seen = f" [shares {one_line(turn['blip_caption'])}]" if turn.get("blip_caption") else ""
            note.block(f"{turn['speaker']}: {one_line(turn['text'])}{seen}", turn["dia_id"])
    return f"{last:%Y-%m-%d}"


def moment(text: str) -> dt.datetime:
    """Read `1:56 pm on 8 May, 2023`; no zone is known."""
    return dt.datetime.strptime(text.upper(), "%I:%M %p ON %d %B, %Y")  # noqa: DTZ007 (the set gives no zone)


def corrections(folder: Path) -> dict[tuple[str, str], list[str]]:
    """Return (conversation, question) -> the turns that an audit found to be the right ones."""
    asked = {question["question"]: sample["sample_id"] for sample in samples(folder) for question in sample["qa"]}
    found: dict[tuple[str, str], list[str]] = {}
    for error in orjson.loads((folder / "audit_errors.json").read_bytes()):
        question = error["question"]
        if question in asked and error.get("correct_evidence"):
            found[asked[question], question] = error["correct_evidence"]
    return found
