"""Loaders over invented miniatures in the sets' own schemas."""

import hashlib

import orjson
import pytest

from bench.public.catalogue import Options, load, sets
from bench.public.measures import score
from bench.public.sets.longmemeval import KNOWN, moment
from bench.public.sets.memfusebench import Wanted


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps(value))
    return path


LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which kiln did I buy?",
        "question_date": "2024/03/05 (Tue) 10:30",
        "answer_session_ids": ["s2"],
        "haystack_dates": ["2024/03/01 (Fri) 09:00", "2024/03/02 (Sat) 09:00", "2024/03/02 (Sat) 09:00"],
        "haystack_session_ids": ["s1", "s2", "s2"],
        "haystack_sessions": [
            [{"role": "user", "content": "hello"}],
            [{"role": "user", "content": "I bought a raku kiln", "has_answer": True}],
            [{"role": "user", "content": "twice the same id"}],
        ],
    },
    {
        "question_id": "q2_abs",
        "question_type": "single-session-user",
        "question": "never said",
        "question_date": "2024/03/05 (Tue) 10:30",
        "answer_session_ids": ["elsewhere"],
        "haystack_dates": ["2024/03/01 (Fri) 09:00"],
        "haystack_session_ids": ["s1"],
        "haystack_sessions": [[{"role": "user", "content": "hello"}]],
    },
]


def test_longmemeval_has_a_pool_a_question_and_dates(tmp_path):
    found = load("longmemeval", put(tmp_path / "s.json", LONGMEMEVAL), Options())
    assert [(question.id, question.kind) for question in found.questions] == [
        ("q1", "single-session-user"),
        ("q2_abs", "abstention"),
    ]
    assert found.left_out == {"abstention": 0}
    assert [document.id for document in found.pools["q1"]] == ["s1", "s2"]
    assert found.pools["q1"][1].text == "user: I bought a raku kiln"
    assert found.pools["q1"][1].time == "2024-03-02T09:00"
    assert found.questions[0].asked == "2024-03-05T10:30"
    assert "no published SHA-256 matches" in found.about


def test_longmemeval_counts_500_with_abstention_and_470_without(tmp_path):
    # The published file has 500 questions, 30 of them on what was never said; cited or not, each of them can be missed.
    cited = [{**LONGMEMEVAL[0], "question_id": f"q{number}"} for number in range(470)]
    never = [{**LONGMEMEVAL[1], "question_id": f"n{number}_abs"} for number in range(20)]
    never += [{**LONGMEMEVAL[1], "question_id": f"m{number}_abs", "answer_session_ids": []} for number in range(10)]
    path = put(tmp_path / "longmemeval_s.json", cited + never)
    everything = load("longmemeval", path, Options())
    scored = load("longmemeval", path, Options(abstention=False))
    assert (len(everything.questions), len(scored.questions)) == (500, 470)
    assert scored.left_out == {"abstention": 30}
    assert len(scored.pools) == 470
    values = [score(question, ["s2"]) for question in everything.questions]
    assert sum(value["R@5 any"] for value in values) == 470


def test_longmemeval_oracle_has_only_the_evidence_sessions_and_times_may_be_iso(tmp_path):
    # Oracle haystacks are not sorted; the cleaned files and what others reshaped have the same fields.
    rows = [
        {
            **LONGMEMEVAL[0],
            "question_date": "2024-03-05T10:30:00+00:00",
            "haystack_dates": ["2024-03-02T09:00:00", "2024/03/01 (Fri) 09:00"],
            "haystack_session_ids": ["s2", "s1"],
            "haystack_sessions": LONGMEMEVAL[0]["haystack_sessions"][1::-1],
        }
    ]
    found = load("longmemeval", put(tmp_path / "longmemeval_oracle", rows), Options())
    assert [document.time for document in found.pools["q1"]] == ["2024-03-02T09:00", "2024-03-01T09:00"]
    assert found.questions[0].asked == "2024-03-05T10:30"
    assert moment("some day") == ""


def test_longmemeval_knows_the_published_file_by_its_checksum(tmp_path, monkeypatch):
    path = put(tmp_path / "longmemeval_s", LONGMEMEVAL)
    monkeypatch.setitem(KNOWN, hashlib.sha256(path.read_bytes()).hexdigest(), "S, original")
    assert load("longmemeval", path, Options()).about == "longmemeval_s: S, original"


def test_a_folder_with_several_files_is_asked_to_name_one(tmp_path):
    put(tmp_path / "longmemeval_m.json", LONGMEMEVAL)
    put(tmp_path / "longmemeval_s.json", LONGMEMEVAL)
    with pytest.raises(ValueError, match=r"longmemeval_m\.json, longmemeval_s\.json; name one"):
        load("longmemeval", tmp_path, Options())


def test_longmemeval_names_a_file_of_another_kind(tmp_path):
    path = put(tmp_path / "s.json", [{"question_id": "q"}])
    with pytest.raises(ValueError, match=r"s\.json: not a LongMemEval file"):
        load("longmemeval", path, Options())


LOCOMO = [
    {
        "sample_id": "c1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ada", "dia_id": "D1:1", "text": "I keep bees"}],
            "session_2_date_time": "2:00 pm on 9 May, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "See", "blip_caption": "a hive"}],
        },
        "qa": [
            {"question": "What does Ada keep?", "category": 4, "evidence": ["D1:1; D2:1"]},
            {"question": "Wrongly cited?", "category": 1, "evidence": ["D1:1"]},
            {"question": "Never said?", "category": 5, "evidence": ["D1:1"]},
            {"question": "No such turn?", "category": 1, "evidence": ["D9:9"]},
        ],
    }
]


def test_locomo_at_session_level_with_several_ids_in_one_string(tmp_path):
    put(tmp_path / "locomo10.json", LOCOMO)
    found = load("locomo", tmp_path, Options())
    assert [sorted(question.gold) for question in found.questions] == [["S1", "S2"], ["S1"]]
    assert found.left_out == {"adversarial": 1, "no session cited": 1}
    assert found.pools["c1"][1].text == "Ben: See a hive"


def test_locomo_with_the_audits_citations(tmp_path):
    put(tmp_path / "locomo10.json", LOCOMO)
    put(tmp_path / "audit_errors.json", [{"question": "Wrongly cited?", "correct_evidence": ["D2:1"]}])
    found = load("locomo", tmp_path, Options(corrected=True))
    assert found.questions[1].gold == {"S2"}


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


def test_a_folder_of_notes_with_questions(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "kiln.md").write_text("# Kiln\n\nFires at 1240 degrees.\n", encoding="utf-8")
    lines = [{"question": "How hot?", "notes": ["sub/kiln.md"]}, {"question": "Gone?", "notes": ["gone.md"]}]
    (tmp_path / "questions.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    found = load("folder", tmp_path, Options())
    assert [question.gold for question in found.questions] == [{"sub/kiln.md"}]
    assert found.left_out == {"notes not found": 1}


def test_a_folder_names_the_line_that_is_no_question(tmp_path):
    (tmp_path / "questions.jsonl").write_bytes(b'{"question": "x", "notes": []}\n[1]\n')
    with pytest.raises(ValueError, match=r"questions\.jsonl:2: needs an object"):
        load("folder", tmp_path, Options())


def test_every_set_says_how_to_get_it():
    assert all(entry.url or entry.hint for entry in sets().values())


def test_a_part_has_its_own_address_and_not_the_checksum_of_the_set():
    entry = sets()["longmemeval"]
    assert {"m", "oracle", "s-cleaned", "m-cleaned", "oracle-cleaned"} == set(entry.parts)
    assert len({part.url for part in (entry, *entry.parts.values())}) == 6
    assert len({part.saved_as for part in (entry, *entry.parts.values())}) == 6
    assert entry.sha256.startswith("08d8dad4")
    assert not any(part.sha256 for part in entry.parts.values())


@pytest.mark.data
def test_real_sets_have_the_questions_that_their_authors_count(data):
    place = sets()["locomo"].find(data)
    found = load("locomo", place, Options())
    assert len(found.questions) == 1033
    assert len(load("qmsum", sets()["qmsum"].find(data), Options()).questions) == 567
