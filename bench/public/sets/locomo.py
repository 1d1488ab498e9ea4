"""LoCoMo (Maharana et al.), session level: a pool a conversation, its sessions the documents."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.public.as_notes import locomo
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import LeftOut, each, moment, text

KINDS = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop"}


def load(place: Path, *, corrected: bool = False) -> QuestionSet:
    """Read the conversations of a file or folder, categories 1 to 4; `corrected` takes the audit's citations."""
    left_out = LeftOut({"adversarial": 0, "no session cited": 0})
    talks = locomo.talks(place, left_out)
    right = locomo.corrections(place, talks) if corrected else {}
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    for name, row in talks:
        pools[name] = _sessions(row["conversation"], left_out)
        turns = {turn.id: document.id for document in pools[name] for turn in document.turns}
        last = max((document.time for document in pools[name]), default="")
        for number, asked, told, cited in each(row["qa"], partial(_asked, name, right, left_out), left_out):
            gold = frozenset(turns[turn] for turn in cited if turn in turns)
            if not gold:
                left_out["no session cited"] += 1
                continue
            questions.append(
                Question(
                    id=f"{name}/{number}",
                    text=told,
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


def _asked(
    talk: str,
    right: Mapping[tuple[str, str], Sequence[str]],
    left_out: LeftOut,
    number: int,
    asked: Mapping[str, Any],
) -> tuple[int, Mapping[str, Any], str, list[str]] | None:
    """Return a question's place, itself, its text and the turns that it cites."""
    if locomo.is_adversarial(asked):
        left_out["adversarial"] += 1
        return None
    told = text(asked["question"])
    return number, asked, told, locomo.cited(asked, right.get((talk, told)))


def _sessions(talk: Mapping[str, Any], left_out: LeftOut) -> tuple[Document, ...]:
    found = []
    for number in locomo.sessions(talk):
        turns = tuple(each(talk[f"session_{number}"], partial(_turn, number), left_out))
        if turns:
            found.append(
                Document(f"S{number}", turns, time=_moment(str(talk.get(f"session_{number}_date_time") or "")))
            )
    return tuple(found)


def _turn(session: int, place: int, turn: Mapping[str, Any]) -> Turn:
    said = [text(turn[name]) for name in ("text", "blip_caption") if turn.get(name)]
    return Turn(str(turn.get("speaker") or ""), " ".join(said), str(turn.get("dia_id") or f"D{session}:{place + 1}"))


def _moment(told: str) -> str:
    try:
        return locomo.moment(told).isoformat(timespec="minutes")
    except ValueError:
        return moment(told)
