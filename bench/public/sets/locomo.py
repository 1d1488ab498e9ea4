"""LoCoMo (Maharana et al.), session level: a pool a conversation, its sessions the documents."""

import re
from pathlib import Path

from bench.asnotes.locomo import ADVERSARIAL, TUNE_EVERY, corrections, moment, samples
from bench.public.model import Document, Question, QuestionSet, Turn

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}


def load(folder: Path, *, corrected: bool = False) -> QuestionSet:
    """Read the conversations of `folder`, categories 1 to 4; `corrected` takes the audit's citations."""
    right = corrections(folder) if corrected else {}
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"adversarial": 0, "no session cited": 0}
    for number, sample in enumerate(samples(folder)):
        name = sample["sample_id"]
        talk = sample["conversation"]
        sessions = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key) and talk[key])
        days = {one: moment(talk[f"session_{one}_date_time"]).isoformat(timespec="minutes") for one in sessions}
        pools[name] = tuple(
            Document(
                f"S{one}",
                tuple(
                    Turn(turn["speaker"], f"{turn['text']} {turn.get('blip_caption') or ''}".strip(), turn["dia_id"])
                    for turn in talk[f"session_{one}"]
                ),
                time=days[one],
            )
            for one in sessions
        )
        turns = {turn.id: document.id for document in pools[name] for turn in document.turns}
        for place, asked in enumerate(sample["qa"]):
            if asked["category"] == ADVERSARIAL:
                left_out["adversarial"] += 1
                continue
            cited = " ".join(right.get((name, asked["question"])) or asked["evidence"])
            gold = frozenset(turns[turn] for turn in re.findall(r"D\d+:\d+", cited) if turn in turns)
            if not gold:
                left_out["no session cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{name}/{place}",
                    text=asked["question"],
                    kind=KINDS[asked["category"]],
                    pool=name,
                    gold=gold,
                    asked=max(days.values()),
                    # Three held conversations are too few to redraw; questions on one session hang together most.
                    group=f"{name}/{min(gold)}",
                    held=number % TUNE_EVERY == 1,
                )
            )
    about = "7 conversations, citations as corrected by the audit" if corrected else "citations as published"
    return QuestionSet("locomo", pools, tuple(questions), left_out, about)
