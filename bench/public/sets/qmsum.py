"""QMSum (Zhong et al.), meeting level: one pool, each meeting a document, its turns as they were spoken."""

from pathlib import Path

from bench.public.as_notes.note_set import in_held_half, one_line
from bench.public.as_notes.qmsum import meetings
from bench.public.model import Document, Question, QuestionSet, Turn


def load(place: Path) -> QuestionSet:
    """Read a file or folder of meetings; the specific queries are the questions, their meeting is the gold.

    A meeting that stands in several files takes part once.
    """
    documents: list[Document] = []
    questions: list[Question] = []
    left_out = {"general queries": 0, "meetings that stand twice": 0}
    seen: set[tuple[Turn, ...]] = set()
    for meeting in meetings(place):
        said = meeting["meeting_transcripts"]
        turns = tuple(Turn(str(turn.get("speaker") or ""), one_line(turn.get("content") or "")) for turn in said)
        if turns in seen:
            left_out["meetings that stand twice"] += 1
            continue
        seen.add(turns)
        name = f"{len(documents):03d}"
        documents.append(Document(name, turns))
        left_out["general queries"] += len(meeting.get("general_query_list") or ())
        questions += [
            Question(
                id=f"{name}/{number}",
                text=str(asked["query"]),
                kind="specific",
                pool="meetings",
                gold=frozenset({name}),
                group=name,
                held=in_held_half(f"meetings/{name}"),
            )
            for number, asked in enumerate(meeting.get("specific_query_list") or ())
        ]
    if not documents:
        raise ValueError(f"{place}: holds no meeting of QMSum")
    return QuestionSet(
        "qmsum", {"meetings": tuple(documents)}, tuple(questions), left_out, f"{len(documents)} meetings"
    )
