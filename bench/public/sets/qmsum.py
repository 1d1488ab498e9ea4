"""QMSum (Zhong et al.), meeting level: one pool, each meeting a document, its turns as they were spoken."""

from pathlib import Path

import orjson

from bench.asnotes.noteset import in_held_half, one_line
from bench.public.model import Document, Question, QuestionSet, Turn


def load(folder: Path) -> QuestionSet:
    """Read every `*.jsonl` of `folder`; the specific queries are the questions, their meeting is the gold."""
    documents: list[Document] = []
    questions: list[Question] = []
    left_out = {"general queries": 0}
    for path in sorted(folder.glob("*.jsonl")):
        for raw in path.read_bytes().split(b"\n"):
            if not raw.strip():
                continue
            meeting = orjson.loads(raw)
            name = f"{len(documents):03d}"
            turns = tuple(Turn(turn["speaker"], one_line(turn["content"])) for turn in meeting["meeting_transcripts"])
            documents.append(Document(name, turns))
            left_out["general queries"] += len(meeting["general_query_list"])
            questions += [
                Question(
                    id=f"{name}/{place}",
                    text=asked["query"],
                    kind="specific",
                    pool="meetings",
                    gold=frozenset({name}),
                    group=name,
                    held=in_held_half(f"meetings/{name}"),
                )
                for place, asked in enumerate(meeting["specific_query_list"])
            ]
    if not documents:
        raise FileNotFoundError(f"{folder}: holds no *.jsonl")
    return QuestionSet(
        "qmsum", {"meetings": tuple(documents)}, tuple(questions), left_out, f"{len(documents)} meetings"
    )
