"""MemFuseBench to its description: no public copy is known, so the loader takes what comes near to it."""

import copy

import orjson
import pytest

from bench.public.catalogue import Options, load
from bench.public.sets.memfusebench import Wanted


def put(path, value):
    path.write_bytes(orjson.dumps(value))
    return path


MEMFUSE = {
    "scenarios": [
        {
            "scenario": "move",
            "events": [
                {"id": 1, "text": "Van booked", "source": "mail", "device": "phone", "time": "2026-01-01"},
                {"id": 2, "content": "Sale on vans", "source": "push", "type": "noise"},
                {"id": 3, "text": "Keys at the office", "source": "sms"},
            ],
            "questions": [
                {
                    "id": "a",
                    "question": "What is ready for the move?",
                    "dimension": "fusion",
                    "checklist": [{"point": "van", "source_events": [1]}, {"point": "keys", "source_events": [3, 99]}],
                },
                {"id": "b", "question": "Who sold a van?", "dimension": "single", "evidence": [99]},
            ],
        }
    ]
}


def test_memfusebench_points_distractors_and_tags(tmp_path):
    found = load("memfusebench", put(tmp_path / "m.json", MEMFUSE), Options())
    assert found.questions[0].gold == {"1", "3"}
    assert found.questions[0].checklist == (frozenset("1"), frozenset("3"))
    assert found.left_out == {"not asked for": 0, "no event cited": 1}
    assert found.pools["move"][1].tags["distractor"] == "noise"
    assert found.pools["move"][0].title == "mail, phone"


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (Wanted(scenario="move"), 1),
        (Wanted(scenario="other"), 0),
        (Wanted(dimension="single"), 0),
        (Wanted(source_tags=("sms",)), 1),
        (Wanted(source_tags=("push",)), 0),
    ],
)
def test_memfusebench_asks_what_is_wanted(tmp_path, wanted, count):
    found = load("memfusebench", put(tmp_path / "m.json", MEMFUSE), Options(wanted=wanted))
    assert len(found.questions) == count


def test_memfusebench_of_another_shape_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"m\.json: holds no events"):
        load("memfusebench", put(tmp_path / "m.json", {"rows": []}), Options())


def shaped(change):
    value = copy.deepcopy(MEMFUSE)
    part = value["scenarios"][0]
    return change(part, part["events"], part["questions"])


def by_name(part, events, asked):
    return {"scenarios": {"move": {"events": events, "questions": asked}}}


def without_scenarios(part, events, asked):
    return {"memories": events, "qa": [{**row, "scenario": "move"} for row in asked]}


def keyed_at_the_top(part, events, asked):
    return {"version": "1.0", "move": {"records": {str(row.pop("id")): row for row in events}, "questions": asked}}


def a_list(part, events, asked):
    return [part, "a remark", {"name": "no events here"}]


def points_as_text(part, events, asked):
    asked[0].update(checklist=["the van", "the keys"], evidence=[{"event_id": 1}, {"event_id": "3"}])
    return {"data": [part]}


def points_by_name(part, events, asked):
    asked[0]["checklist"] = {"p1": {"evidence_ids": [1]}, "p2": {"sources": ["sms"], "event_ids": 3}}
    return part


def marks_elsewhere(part, events, asked):
    del events[1]["type"]
    events[1]["tags"] = ["Noise", "x"]
    events[0]["is_noise"] = False
    events[2]["adversarial"] = "false"
    return part


@pytest.mark.parametrize(
    "change",
    [by_name, without_scenarios, keyed_at_the_top, a_list, points_as_text, points_by_name, marks_elsewhere],
)
def test_other_shapes_of_the_same(tmp_path, change):
    found = load("memfusebench", put(tmp_path / "m.json", shaped(change)), Options())
    first = next(question for question in found.questions if "ready" in question.text)
    assert first.gold == {"1", "3"}
    assert [document.id for document in found.pools[first.pool]] == ["1", "2", "3"]
    marked = [document.id for document in found.pools[first.pool] if "distractor" in document.tags]
    assert marked == ["2"]
    if change is not points_as_text:
        assert first.checklist == (frozenset("1"), frozenset("3"))
    assert found.pools[first.pool][0].time == "2026-01-01"


def test_ids_that_come_again_in_each_scenario_make_pools(tmp_path):
    events = [{"id": 1, "text": f"Van {name}", "scenario": name} for name in ("move", "trip")]
    asked = [
        {"id": "a", "question": f"Van of {name}?", "scenario": name, "source_events": [1]} for name in ("move", "trip")
    ]
    found = load("memfusebench", put(tmp_path / "m.json", {"events": events, "questions": asked}), Options())
    assert [(question.id, question.pool) for question in found.questions] == [("move/a", "move"), ("trip/a", "trip")]
    assert [document.said for document in found.pools["trip"]] == ["Van trip"]
    # Without repeated ids the events are one pool, and the scenario is still what --scenario asks for.
    events[1]["id"] = asked[1]["source_events"][0] = 2
    path = put(tmp_path / "m.json", {"events": events, "questions": asked})
    found = load("memfusebench", path, Options(wanted=Wanted(scenario="trip")))
    assert [(question.text, len(found.pools[question.pool])) for question in found.questions] == [("Van of trip?", 2)]


def test_rows_without_ids_and_ids_that_stand_twice(tmp_path):
    events = [{"text": "Van"}, {"text": "Keys"}, {"id": 5, "text": "first"}, {"id": 5, "text": "second"}]
    asked = [{"question": "Keys?", "evidence": [1]}, {"question": "Keys again?", "evidence": [1]}]
    asked += [
        {"id": "x", "question": "Five?", "evidence": [5]},
        {"id": "x", "question": "Five again?", "evidence": [5]},
    ]
    found = load("memfusebench", put(tmp_path / "m.json", {"events": events, "questions": asked}), Options())
    assert [document.said for document in found.pools["0"]] == ["Van", "Keys", "first"]
    assert [question.id for question in found.questions] == ["0/0", "0/1", "0/x", "0/x#2"]


@pytest.mark.parametrize("value", [[], {}, 7, None, "text", {"events": 5, "questions": []}, {"scenarios": [1, 2]}])
def test_what_is_nothing_of_it_is_said_in_one_line(tmp_path, value):
    with pytest.raises(ValueError, match=r"m\.json: holds no events"):
        load("memfusebench", put(tmp_path / "m.json", value), Options())
