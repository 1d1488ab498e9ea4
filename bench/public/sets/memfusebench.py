"""MemFuseBench: questions anchored in events of many sources, to its published description (no public copy is known).

The file is one JSON object (or a list of scenarios) whose parts are looked for by several names, so that a renamed
field does not lose the set: events (`events`, `memories`, `records`) with `id`, `text`, `source`, `device`, `location`,
`user`, `time`, and a `noise` or `adversarial` mark; questions (`questions`, `qa`) with `id`, `question`, `dimension`,
`scenario`, `time`, and an answer checklist whose points name their source events. Scenarios may be a list, an object
by name, or a field of events and questions that stand in one list; then the events are one pool, unless ids come again.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.set_files import LeftOut, each, moment, one_of, read_json, text, unique

FILES = ("memfusebench*.json", "*.json")
EVENTS = ("events", "memories", "records", "items", "memory_events")
QUESTIONS = ("questions", "qa", "queries", "qas")
SCENARIOS = ("scenarios", "data", "cases", "dataset")
SCENARIO = ("scenario", "scenario_id", "scenario_name")
ID = ("id", "event_id", "memory_id", "question_id", "qid", "uid")
TEXT = ("text", "content", "description", "body", "summary", "message")
ASKED = ("question", "query", "text")
TIME = ("time", "timestamp", "datetime", "date", "asked_at", "ask_time", "question_time", "created_at")
CHECKLIST = ("checklist", "answer_checklist", "answer_points", "points")
SOURCES = (
    *("source_events", "sources", "event_ids", "evidence", "source_event_ids", "evidence_ids", "supporting_events"),
    *("gold_events", "source_event", "anchors", "anchor_events", "event_id"),
)
#: Fields of an event that systems may look at.
TAGS = ("source", "device", "location", "user")
#: Marks of an event that is there to mislead, and the fields that such a mark may stand in.
DISTRACTORS = ("noise", "adversarial")
MARKED = ("type", "label", "kind", "tag", "tags", "labels", "role", "category")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which questions take part; empty means all."""

    scenario: str = ""
    dimension: str = ""
    source_tags: tuple[str, ...] = ()


def load(place: Path, wanted: Wanted) -> QuestionSet:
    """Read the set. A question with no event of its pool behind it is left out and counted.

    Raises:
        ValueError: the file holds no events or no questions under any known name.
    """
    path = one_of(place, FILES)
    pools: dict[str, tuple[Document, ...]] = {}
    questions: list[Question] = []
    left_out = LeftOut({"not asked for": 0, "no event cited": 0})
    parts = list(_parts(read_json(path), left_out))
    for pool, (_, events, asked) in zip(unique(name for name, _, _ in parts), parts, strict=True):
        documents: dict[str, Document] = {}
        for event in each(events, _event, left_out):
            documents.setdefault(event.id, event)
        pools[pool] = tuple(documents.values())
        names = unique(str(number if (found := _first(row, ID)) is None else found) for number, row in enumerate(asked))
        for name, row in zip(names, asked, strict=True):
            points = _points(row, documents.keys())
            gold = frozenset[str]().union(*points)
            scenario = str(_first(row, SCENARIO) or pool)
            kind = str(row.get("dimension") or "question")
            if not _is_wanted((scenario, pool), kind, {documents[one].tags.get("source", "") for one in gold}, wanted):
                left_out["not asked for"] += 1
            elif not gold:
                left_out["no event cited"] += 1
            elif not isinstance(told := _first(row, ASKED), str) or not told:
                left_out.odd(TypeError("a question has no text"))
            else:
                questions.append(
                    Question(
                        id=f"{pool}/{name}",
                        text=told,
                        kind=kind,
                        pool=pool,
                        gold=gold,
                        asked=moment(_first(row, TIME)),
                        group=f"{pool}/{name}",
                        held=True,
                        checklist=tuple(point for point in points if point),
                    )
                )
    if not any(pools.values()) or not (questions or sum(left_out.values())):
        raise ValueError(f"{path}: holds no events ({', '.join(EVENTS)}) or no questions ({', '.join(QUESTIONS)})")
    return QuestionSet("memfusebench", pools, tuple(questions), left_out, path.name)


def _parts(whole: object, left_out: LeftOut) -> Iterator[tuple[str, list[Row], list[Row]]]:
    """Yield each pool: its name, its events, its questions."""
    for name, part in _scenarios(whole):
        events, asked = list(_listed(part, EVENTS, left_out)), list(_listed(part, QUESTIONS, left_out))
        ids = [str(_first(row, ID)) for row in events]
        told = [str(_first(row, SCENARIO)) for row in events]
        if len(set(ids)) == len(ids) or len(set(zip(told, ids, strict=True))) <= len(set(ids)):
            yield name, events, asked
            continue
        # An id means another event in each scenario: then each is a pool of its own.
        for scenario in dict.fromkeys(told):
            yield (
                scenario,
                [row for row, one in zip(events, told, strict=True) if one == scenario],
                [row for row in asked if str(_first(row, SCENARIO)) == scenario],
            )


def _scenarios(whole: object) -> Iterator[tuple[str, Row]]:
    """Yield each part that holds events of its own, with its name."""
    if isinstance(whole, dict) and not any(name in whole for name in EVENTS):
        inner = next((whole[name] for name in SCENARIOS if isinstance(whole.get(name), (list, dict))), whole)
        parts = list(inner.items()) if isinstance(inner, dict) else list(enumerate(inner))
    else:
        parts = list(enumerate(whole if isinstance(whole, list) else [whole]))
    for place, part in parts:
        if isinstance(part, dict) and any(name in part for name in EVENTS):
            yield str(_first(part, (*SCENARIO, "name", "id")) or place), part


def _listed(part: Row, names: Sequence[str], left_out: LeftOut) -> Iterator[Row]:
    for name in names:
        rows = part.get(name)
        if isinstance(rows, dict):
            rows = [{"id": key, **row} if isinstance(row, dict) else row for key, row in rows.items()]
        if isinstance(rows, list):
            yield from each(rows, lambda _, row: row, left_out)
            return


def _event(number: int, row: Row) -> Document:
    tags = {name: str(row[name]) for name in TAGS if row.get(name) not in (None, "")}
    marks = {str(one).lower() for name in MARKED for one in _several(row.get(name))}
    for mark in DISTRACTORS:
        if _is_true(row.get(mark)) or _is_true(row.get(f"is_{mark}")) or mark in marks:
            tags["distractor"] = mark
    where = ", ".join(tags[name] for name in TAGS if name in tags)
    name = _first(row, ID)
    said = text(_first(row, TEXT) or "")
    title = str(row.get("title") or "")
    return Document(
        str(number if name is None else name),
        (Turn("", f"{title}: {said}" if title else said),),
        title=where,
        time=moment(_first(row, TIME)),
        tags=tags,
    )


def _points(row: Row, known: Collection[str]) -> list[frozenset[str]]:
    """Return the known events behind each point of the answer; one point for all of it where none names its own."""
    points = [_cited(point, known) for point in _listed(row, CHECKLIST, LeftOut())]
    return points if any(points) else [_cited(row, known)]


def _cited(row: Row, known: Collection[str]) -> frozenset[str]:
    """Return the known events that a point or a question names, whether as ids or as objects that have one."""
    for name in SOURCES:
        told = [str(_first(one, ID) if isinstance(one, dict) else one) for one in _several(row.get(name))]
        if found := frozenset(one for one in told if one in known):
            return found
    return frozenset()


def _several(value: object) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return list(value)
    return [] if value is None else [value]


def _is_true(value: object) -> bool:
    return str(value).lower() not in ("none", "false", "0", "no", "")


def _is_wanted(scenarios: tuple[str, str], kind: str, sources: set[str], wanted: Wanted) -> bool:
    return (
        wanted.scenario in ("", *scenarios)
        and wanted.dimension in ("", kind)
        and (not wanted.source_tags or bool(sources & set(wanted.source_tags)))
    )


def _first(row: Row, names: Sequence[str]) -> Any:  # noqa: ANN401 (whatever JSON holds there)
    return next((row[name] for name in names if row.get(name) is not None), None)
