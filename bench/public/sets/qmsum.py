"""QMSum (Zhong et al.), meeting level: one pool, each meeting a document, its turns as they were spoken."""

from functools import partial
from pathlib import Path
from typing import Any

from bench.public.as_notes.note_set import in_held_half, one_line
from bench.public.as_notes.qmsum import meetings
from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import LeftOut, each, text


def load(place: Path) -> QuestionSet:
    """Read a file or folder of meetings; the specific queries are the questions, their meeting is the gold.

    A meeting that stands in several files takes part once.
    """
    documents: list[Document] = []
    questions: list[Question] = []
    left_out = LeftOut({"general queries": 0, "meetings that stand twice": 0})
    seen: set[tuple[Turn, ...]] = set()
    for meeting in meetings(place, left_out):
        turns = tuple(each(meeting["meeting_transcripts"], _turn, left_out))
        if turns in seen:
            left_out["meetings that stand twice"] += 1
            continue
        seen.add(turns)
        name = f"{len(documents):03d}"
        documents.append(Document(name, turns))
        general = meeting.get("general_query_list")
        left_out["general queries"] += len(general) if isinstance(general, list) else 0
        questions += each(meeting.get("specific_query_list"), partial(_question, name), left_out)
    if not documents:
        raise ValueError(f"{place}: holds no meeting of QMSum")
    return QuestionSet(
        "qmsum", {"meetings": tuple(documents)}, tuple(questions), left_out, f"{len(documents)} meetings"
    )


def _turn(_: int, turn: dict[str, Any]) -> Turn:
    return Turn(str(turn.get("speaker") or ""), one_line(text(turn.get("content") or "")))


def _question(meeting: str, number: int, asked: dict[str, Any]) -> Question:
    return Question(
        id=f"{meeting}/{number}",
        text=text(asked["query"]),
        kind="specific",
        pool="meetings",
        gold=frozenset({meeting}),
        group=meeting,
        held=in_held_half(f"meetings/{meeting}"),
    )
