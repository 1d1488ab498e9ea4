"""MemFuseBench: questions anchored in events of many sources, to its published description (no public copy is known).

The file is one JSON object (or a list of scenarios) whose lists are looked for by several names, so that a renamed
field does not lose the set: events (`events`, `memories`, `records`) with `id`, `text`, `source`, `device`, `location`,
`user`, `time`, and a `noise` or `adversarial` mark; questions (`questions`, `qa`) with `id`, `question`, `dimension`,
`scenario`, `time`, and an answer checklist whose points name their source events.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bench.public.model import Document, Question, QuestionSet, Turn

EVENTS = ("events", "memories", "records", "items")
QUESTIONS = ("questions", "qa", "queries")
SCENARIOS = ("scenarios", "data", "cases")
ID = ("id", "event_id", "memory_id", "question_id", "qid")
TEXT = ("text", "content", "description", "body", "summary")
ASKED = ("question", "query", "text")
TIME = ("time", "timestamp", "datetime", "date", "asked_at", "ask_time")
CHECKLIST = ("checklist", "answer_checklist", "answer_points", "points")
SOURCES = ("source_events", "sources", "event_ids", "evidence", "source_event_ids")
#: Fields of an event that systems may look at.
TAGS = ("source", "device", "location", "user")
#: Marks of an event that is there to mislead.
DISTRACTORS = ("noise", "adversarial")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which questions take part; empty means all."""

    scenario: str = ""
    dimension: str = ""
    source_tags: tuple[str, ...] = ()


def load(path: Path, wanted: Wanted) -> QuestionSet:
    """Read the set. A question with no event of its pool behind it is left out and counted.

    Raises:
        ValueError: the file holds no events or no questions under any known name.
    """
    try:
        whole = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{path}: not JSON ({error})") from error
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = {"not asked for": 0, "no event cited": 0}
    for scenario, part in _scenarios(whole):
        documents = tuple(_event(row) for row in _listed(part, EVENTS))
        pools[scenario] = documents
        sources = {document.id: document.tags.get("source", "") for document in documents}
        for row in _listed(part, QUESTIONS):
            points = _points(row, sources)
            gold = frozenset[str]().union(*points)
            kind = str(row.get("dimension") or "question")
            if not _is_wanted(row, scenario, kind, {sources[one] for one in gold}, wanted):
                left_out["not asked for"] += 1
            elif not gold:
                left_out["no event cited"] += 1
            else:
                name = f"{scenario}/{_first(row, ID) or len(questions)}"
                questions.append(
                    Question(
                        id=name,
                        text=str(_first(row, ASKED) or ""),
                        kind=kind,
                        pool=scenario,
                        gold=gold,
                        asked=str(_first(row, TIME) or ""),
                        group=name,
                        held=True,
                        checklist=tuple(point for point in points if point),
                    )
                )
    if not any(pools.values()) or not (questions or sum(left_out.values())):
        raise ValueError(f"{path}: holds no events ({', '.join(EVENTS)}) or no questions ({', '.join(QUESTIONS)})")
    return QuestionSet("memfusebench", pools, tuple(questions), left_out, path.name)


def _scenarios(whole: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each part that holds events of its own, with its name."""
    parts = whole if isinstance(whole, list) else None
    if isinstance(whole, dict):
        parts = next((whole[name] for name in SCENARIOS if isinstance(whole.get(name), list)), [whole])
    for place, part in enumerate(parts or ()):
        if isinstance(part, dict):
            yield str(part.get("scenario") or part.get("name") or part.get("id") or place), part


def _listed(part: Mapping[str, Any], names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    for name in names:
        rows = part.get(name)
        if isinstance(rows, dict):
            rows = [{"id": key, **row} for key, row in rows.items() if isinstance(row, dict)]
        if isinstance(rows, list):
            yield from (row for row in rows if isinstance(row, dict))
            return


def _event(row: Mapping[str, Any]) -> Document:
    tags = {name: str(row[name]) for name in TAGS if row.get(name) not in (None, "")}
    for mark in DISTRACTORS:
        if row.get(mark) or mark in (row.get("type"), row.get("label"), row.get("kind")):
            tags["distractor"] = mark
    where = ", ".join(tags[name] for name in TAGS if name in tags)
    text = str(_first(row, TEXT) or "")
    return Document(str(_first(row, ID)), (Turn("", text),), title=where, time=str(_first(row, TIME) or ""), tags=tags)


def _points(row: Mapping[str, Any], known: Mapping[str, str]) -> list[frozenset[str]]:
    """Return the known events behind each point of the answer; one point for the whole answer without a checklist."""
    rows = next((row[name] for name in CHECKLIST if isinstance(row.get(name), list)), None)
    cited = [_first(point, SOURCES) for point in rows if isinstance(point, dict)] if rows else [_first(row, SOURCES)]
    return [
        frozenset(str(one) for one in (names if isinstance(names, list) else [names])) & set(known) for names in cited
    ]


def _is_wanted(row: Mapping[str, Any], scenario: str, kind: str, sources: set[str], wanted: Wanted) -> bool:
    return (
        wanted.scenario in ("", scenario, row.get("scenario"))
        and wanted.dimension in ("", kind)
        and (not wanted.source_tags or bool(sources & set(wanted.source_tags)))
    )


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401 (whatever JSON holds there)
    return next((row[name] for name in names if row.get(name) is not None), None)
