"""LoCoMo (Maharana et al.), session level: a pool a conversation, its sessions the documents."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.asnotes.locomo import ADVERSARIAL
from bench.asnotes.locomo import moment as spoken
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.sets.files import found, moment, read_json

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
#: The conversations that anything was tuned on; the published ten hold three more that nothing has seen.
TUNED = frozenset({"conv-26", "conv-41", "conv-43", "conv-47"})
FILES = ("locomo*.json", "*.json")
AUDIT = "audit_errors.json"


def load(place: Path, *, corrected: bool = False) -> QuestionSet:
    """Read the conversations of a file or folder, categories 1 to 4; `corrected` takes the audit's citations."""
    paths = [path for path in found(place, FILES) if path.name != AUDIT]
    samples = [sample for path in paths for sample in _samples(path)]
    if not samples:
        raise ValueError(f"{place}: holds no conversation of LoCoMo")
    right = _corrections(paths[0].with_name(AUDIT), samples) if corrected else {}
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"adversarial": 0, "no session cited": 0, "conversations that stand twice": 0}
    for name, sample in samples:
        if name in pools:
            left_out["conversations that stand twice"] += 1
            continue
        pools[name] = _sessions(sample["conversation"])
        turns = {turn.id: document.id for document in pools[name] for turn in document.turns}
        last = max((document.time for document in pools[name]), default="")
        for number, asked in enumerate(sample["qa"]):
            if asked["category"] == ADVERSARIAL:
                left_out["adversarial"] += 1
                continue
            cited = right.get((name, asked["question"])) or asked.get("evidence") or []
            cited = cited if isinstance(cited, str) else " ".join(map(str, cited))
            gold = frozenset(turns[turn] for turn in re.findall(r"D\d+:\d+", cited) if turn in turns)
            if not gold:
                left_out["no session cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{name}/{number}",
                    text=str(asked["question"]),
                    kind=KINDS.get(asked["category"], f"category {asked['category']}"),
                    pool=name,
                    gold=gold,
                    asked=last,
                    # Three held conversations are too few to redraw; questions on one session hang together most.
                    group=f"{name}/{min(gold)}",
                    held=name not in TUNED,
                )
            )
    about = f"{len(pools)} conversations, citations as {'corrected by the audit' if corrected else 'published'}"
    return QuestionSet("locomo", pools, tuple(questions), left_out, about)


def _samples(path: Path) -> list[tuple[str, Any]]:
    """Return name and content of each conversation in a file that holds one or many."""
    whole = read_json(path)
    if isinstance(whole, dict):
        whole = [whole] if "conversation" in whole else list(whole.values())
    rows = [row for row in whole if isinstance(row, dict) and "conversation" in row and "qa" in row]
    return [(str(row.get("sample_id") or f"{path.stem}-{number}"), row) for number, row in enumerate(rows)]


def _sessions(talk: Mapping[str, Any]) -> tuple[Document, ...]:
    numbers = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key) and talk[key])
    return tuple(
        Document(
            f"S{number}",
            tuple(
                Turn(
                    str(turn.get("speaker") or ""),
                    f"{turn.get('text') or ''} {turn.get('blip_caption') or ''}".strip(),
                    str(turn.get("dia_id") or f"D{number}:{place}"),
                )
                for place, turn in enumerate(talk[f"session_{number}"], start=1)
            ),
            time=_moment(str(talk.get(f"session_{number}_date_time") or "")),
        )
        for number in numbers
    )


def _moment(text: str) -> str:
    try:
        return spoken(text).isoformat(timespec="minutes")
    except ValueError:
        return moment(text)


def _corrections(path: Path, samples: list[tuple[str, Any]]) -> dict[tuple[str, str], list[str]]:
    """Return (conversation, question) -> the turns that the audit found to be the right ones."""
    if not path.is_file():
        raise FileNotFoundError(f"{path.parent}: --corrected needs the audit's {AUDIT} beside the set")
    asked = {question["question"]: name for name, sample in samples for question in sample["qa"]}
    return {
        (asked[error["question"]], error["question"]): error["correct_evidence"]
        for error in read_json(path)
        if error.get("correct_evidence") and error["question"] in asked
    }
