"""LoCoMo as notes: a note a pair of speakers, its sessions the dated entries, its turns the paragraphs."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.public.as_notes.note_set import Line, NoteSet, NoteWriter, Question, one_line
from bench.public.set_files import found, read_json

#: Questions of category 5 ask for what was never said; nothing is evidence for them.
ADVERSARIAL = 5
#: The conversations that anything was tuned on; the published ten hold three more that nothing has seen.
TUNED = frozenset({"conv-26", "conv-41", "conv-43", "conv-47"})
FILES = ("locomo*.json", "*.json")
AUDIT = "audit_errors.json"


class Talk(NamedTuple):
    """One conversation: its name, and the object that the set has for it (`conversation` and `qa`)."""

    name: str
    row: Mapping[str, Any]


def talks(place: Path) -> tuple[list[Talk], int]:
    """Return the conversations of a file or folder, each once, and how often one came again.

    Raises:
        FileNotFoundError: no JSON file is there.
        ValueError: a file that is not JSON, or no conversation in any.
    """
    everything = [talk for path in found(place, FILES) if path.name != AUDIT for talk in _talks(path)]
    if not everything:
        raise ValueError(f"{place}: holds no conversation of LoCoMo")
    first = {talk.name: talk for talk in reversed(everything)}
    kept = [talk for talk in everything if first[talk.name] is talk]
    return kept, len(everything) - len(kept)


def _talks(path: Path) -> list[Talk]:
    """Return what a file holds, be it one conversation or many."""
    whole = read_json(path)
    if isinstance(whole, dict):
        whole = [whole] if "conversation" in whole else list(whole.values())
    rows = [row for row in whole if isinstance(row, dict) and "conversation" in row and "qa" in row]
    return [Talk(str(row.get("sample_id") or f"{path.stem}-{number}"), row) for number, row in enumerate(rows)]


def load(place: Path) -> NoteSet:
    """Read the conversations of `place`, citations corrected by `audit_errors.json` beside them, if it is there."""
    held, _ = talks(place)
    right = corrections(place, held) if audit(place).is_file() else {}
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = {"adversarial": 0, "no turn cited": 0}
    for name, sample in held:
        talk = sample["conversation"]
        pair = f"{talk['speaker_a']} and {talk['speaker_b']}"
        note = NoteWriter(pair.lower().replace(" ", "-"))
        while note.name in notes:
            note.name += "-"
        last = _write(note, talk, pair)
        notes[note.name] = note.data()
        for place_of, asked in enumerate(sample["qa"]):
            if is_adversarial(asked):
                left_out["adversarial"] += 1
                continue
            lines: list[Line] = []
            for turn in cited(asked, right.get((name, asked["question"]))):
                lines += note.lines.get(turn, [])
            if not lines:
                left_out["no turn cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{name}/{place_of}",
                    text=asked["question"],
                    group=name,
                    held=name not in TUNED,
                    evidence=tuple(dict.fromkeys(lines)),
                    asked=last,
                )
            )
    return NoteSet("locomo", notes, questions, left_out)


def is_adversarial(asked: Mapping[str, Any]) -> bool:
    """Tell whether a question asks for what was never said; some copies write the category as text."""
    return str(asked["category"]) == str(ADVERSARIAL)


def sessions(talk: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the sessions in which something is said."""
    return sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key) and talk[key])


def cited(asked: Mapping[str, Any], right: Sequence[str] | None) -> list[str]:
    """Return the turns that answer a question: `right` by the audit, or as published, several in one string too."""
    told = right or asked.get("evidence") or []
    return re.findall(r"D\d+:\d+", told if isinstance(told, str) else " ".join(map(str, told)))


def _write(note: NoteWriter, talk: Mapping[str, Any], pair: str) -> str:
    """Write one conversation, oldest session first as in a log; return the day of its last session."""
    numbers = sessions(talk)
    days = {number: moment(talk[f"session_{number}_date_time"]) for number in numbers}
    note.block(f"# {pair}")
    first, last = min(days.values()), max(days.values())
    note.block(f"Talks of {pair}: {len(numbers)} sessions from {first:%Y-%m-%d} to {last:%Y-%m-%d}.")
    note.block("## History")
    for number in numbers:
        note.block(f"### {days[number]:%Y-%m-%d %H:%M}")
        for turn in talk[f"session_{number}"]:
            seen = f" [shares {one_line(turn['blip_caption'])}]" if turn.get("blip_caption") else ""
            note.block(f"{turn['speaker']}: {one_line(turn['text'])}{seen}", turn["dia_id"])
    return f"{last:%Y-%m-%d}"


def moment(text: str) -> dt.datetime:
    """Read `1:56 pm on 8 May, 2023`; no zone is known."""
    return dt.datetime.strptime(text.upper(), "%I:%M %p ON %d %B, %Y")  # noqa: DTZ007 (the set gives no zone)


def audit(place: Path) -> Path:
    """Return where the audit's list lies: beside the set's file, or in its folder."""
    return (place if place.is_dir() else place.parent) / AUDIT


def corrections(place: Path, held: Sequence[Talk]) -> dict[tuple[str, str], list[str]]:
    """Return (conversation, question) -> the turns that an audit found to be the right ones.

    Raises:
        FileNotFoundError: the audit's list is not there.
    """
    path = audit(place)
    if not path.is_file():
        raise FileNotFoundError(f"{path.parent}: holds no {AUDIT}, the audit's list of corrected citations")
    names = {question["question"]: talk.name for talk in held for question in talk.row["qa"]}
    return {
        (names[error["question"]], error["question"]): error["correct_evidence"]
        for error in read_json(path)
        if error.get("correct_evidence") and error["question"] in names
    }
