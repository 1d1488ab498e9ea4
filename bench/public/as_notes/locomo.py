"""LoCoMo as notes: a note a pair of speakers, its sessions the dated entries, its turns the paragraphs."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.public.as_notes.note_set import NoteSet, NoteWriter, Question, one_line
from bench.public.set_files import ODD_ERRORS, LeftOut, each, found, read_json, text

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


def talks(place: Path, left_out: LeftOut) -> list[Talk]:
    """Return the conversations of a file or folder, each once; those that come again are counted as left out.

    Raises:
        FileNotFoundError: no JSON file is there.
        ValueError: a file that is not JSON, or no conversation in any.
    """
    everything = [talk for path in found(place, FILES) if path.name != AUDIT for talk in _talks(path, left_out)]
    if not everything:
        raise ValueError(f"{place}: holds no conversation of LoCoMo")
    first = {talk.name: talk for talk in reversed(everything)}
    kept = [talk for talk in everything if first[talk.name] is talk]
    left_out["conversations that stand twice"] = len(everything) - len(kept)
    return kept


def _talks(path: Path, left_out: LeftOut) -> list[Talk]:
    """Return what a file holds, be it one conversation or many."""
    whole = read_json(path)
    if isinstance(whole, dict):
        whole = [whole] if "conversation" in whole else list(whole.values())
    if not isinstance(whole, list) or not any(isinstance(row, dict) and "conversation" in row for row in whole):
        return []  # another file that lies there
    return list(each(whole, partial(_talk, path.stem), left_out))


def _talk(file: str, number: int, row: Mapping[str, Any]) -> Talk:
    if not isinstance(row["conversation"], dict) or not isinstance(row["qa"], list):
        raise TypeError("`conversation` is no object, or `qa` no list")
    return Talk(str(row.get("sample_id") or f"{file}-{number}"), row)


def load(place: Path) -> NoteSet:
    """Read the conversations of `place`, citations corrected by `audit_errors.json` beside them, if it is there."""
    notes: dict[str, bytes] = {}
    questions: list[Question] = []
    left_out = LeftOut({"adversarial": 0, "no turn cited": 0})
    held = talks(place, left_out)
    right = corrections(place, held) if audit(place).is_file() else {}
    for name, sample in held:
        talk = sample["conversation"]
        try:
            pair = f"{text(talk['speaker_a'])} and {text(talk['speaker_b'])}"
        except ODD_ERRORS as error:
            left_out.odd(error)
            continue
        note = NoteWriter(pair.lower().replace(" ", "-"))
        while note.name in notes:
            note.name += "-"
        last = _write(note, talk, pair, left_out)
        if not last:
            continue
        notes[note.name] = note.data()

        def question(number: int, asked: Mapping[str, Any], name: str = name, last: str = last) -> Question | None:
            if is_adversarial(asked):
                left_out["adversarial"] += 1
                return None
            told = text(asked["question"])
            lines = [line for turn in cited(asked, right.get((name, told))) for line in note.lines.get(turn, ())]  # noqa: B023 (called at once)
            if not lines:
                left_out["no turn cited"] += 1
                return None
            return Question(
                id=f"{name}/{number}",
                text=told,
                group=name,
                held=name not in TUNED,
                evidence=tuple(dict.fromkeys(lines)),
                asked=last,
            )

        questions += each(sample["qa"], question, left_out)
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


def _write(note: NoteWriter, talk: Mapping[str, Any], pair: str, left_out: LeftOut) -> str:
    """Write one conversation, oldest session first as in a log; return the day of its last session, empty for none."""
    days: dict[int, dt.datetime] = {}
    for number in sessions(talk):
        try:
            days[number] = moment(talk[f"session_{number}_date_time"])
        except ODD_ERRORS as error:
            left_out.odd(error)
    if not days:
        return ""
    note.block(f"# {pair}")
    first, last = min(days.values()), max(days.values())
    note.block(f"Talks of {pair}: {len(days)} sessions from {first:%Y-%m-%d} to {last:%Y-%m-%d}.")
    note.block("## History")
    for number, day in days.items():
        note.block(f"### {day:%Y-%m-%d %H:%M}")
        for said, turn in each(talk[f"session_{number}"], _said, left_out):
            note.block(said, turn)
    return f"{last:%Y-%m-%d}"


def _said(_: int, turn: Mapping[str, Any]) -> tuple[str, str]:
    seen = f" [shares {one_line(turn['blip_caption'])}]" if turn.get("blip_caption") else ""
    return f"{text(turn['speaker'])}: {one_line(text(turn['text']))}{seen}", text(turn["dia_id"])


def moment(told: str) -> dt.datetime:
    """Read `1:56 pm on 8 May, 2023`; no zone is known."""
    return dt.datetime.strptime(told.upper(), "%I:%M %p ON %d %B, %Y")  # noqa: DTZ007 (the set gives no zone)


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
    names = {
        asked["question"]: talk.name
        for talk in held
        for asked in talk.row["qa"]
        if isinstance(asked, dict) and isinstance(asked.get("question"), str)
    }
    return {
        (names[error["question"]], error["question"]): error["correct_evidence"]
        for error in read_json(path)
        if error.get("correct_evidence") and error["question"] in names
    }
