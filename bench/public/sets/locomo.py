"""LoCoMo (Maharana et al.), session level: a pool a conversation, its sessions the documents."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.public.as_notes import locomo
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import moment

KINDS = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop"}


def load(place: Path, *, corrected: bool = False) -> QuestionSet:
    """Read the conversations of a file or folder, categories 1 to 4; `corrected` takes the audit's citations."""
    talks, twice = locomo.talks(place)
    right = locomo.corrections(place, talks) if corrected else {}
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"adversarial": 0, "no session cited": 0, "conversations that stand twice": twice}
    for name, row in talks:
        pools[name] = _sessions(row["conversation"])
        turns = {turn.id: document.id for document in pools[name] for turn in document.turns}
        last = max((document.time for document in pools[name]), default="")
        for number, asked in enumerate(row["qa"]):
            if locomo.is_adversarial(asked):
                left_out["adversarial"] += 1
                continue
            cited = locomo.cited(asked, right.get((name, asked["question"])))
            gold = frozenset(turns[turn] for turn in cited if turn in turns)
            if not gold:
                left_out["no session cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{name}/{number}",
                    text=str(asked["question"]),
                    kind=KINDS.get(str(asked["category"]), f"category {asked['category']}"),
                    pool=name,
                    gold=gold,
                    asked=last,
                    # Three held conversations are too few to redraw; questions on one session hang together most.
                    group=f"{name}/{min(gold)}",
                    held=name not in locomo.TUNED,
                )
            )
    about = f"{len(pools)} conversations, citations as {'corrected by the audit' if corrected else 'published'}"
    return QuestionSet("locomo", pools, tuple(questions), left_out, about)


def _sessions(talk: Mapping[str, Any]) -> tuple[Document, ...]:
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
        for number in locomo.sessions(talk)
    )


def _moment(text: str) -> str:
    try:
        return locomo.moment(text).isoformat(timespec="minutes")
    except ValueError:
        return moment(text)
