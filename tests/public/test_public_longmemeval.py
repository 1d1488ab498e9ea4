"""LongMemEval in the shapes that it is passed on in, over invented miniatures."""

import hashlib

import orjson
import pytest

from bench.public.catalogue import Options, load
from bench.public.measures import score
from bench.public.sets.longmemeval import KNOWN


def put(path, value):
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


def test_longmemeval_of_other_copies(tmp_path):
    # Without its usual ending, a question a line, within an object, with what may be missing missing.
    short = {key: value for key, value in LONGMEMEVAL[0].items() if not key.endswith(("_dates", "_date", "_type"))}
    lines = b"\n".join(map(orjson.dumps, [LONGMEMEVAL[0], {**LONGMEMEVAL[0], "question_id": "q9"}])) + b"\n"
    shapes = {
        "longmemeval_s": orjson.dumps([short]),
        "mine.jsonl": lines,
        "inner.json": orjson.dumps({"version": 2, "data": [{"question": "x", **short}]}),
        "longmemeval_indented.json": orjson.dumps([short, LONGMEMEVAL[1]], option=orjson.OPT_INDENT_2),
    }
    counts = {}
    for name, data in shapes.items():
        (tmp_path / name).write_bytes(data)
        found = load("longmemeval", tmp_path / name, Options())
        counts[name] = len(found.questions)
        assert [document.id for document in found.pools["q1"]] == ["s1", "s2"]
        assert found.questions[0].gold == {"s2"}
    assert list(counts.values()) == [1, 2, 1, 2]
    nothing = {**short, "haystack_sessions": [[{"role": "user", "content": None}], [], []]}
    found = load("longmemeval", put(tmp_path / "none.json", [nothing]), Options())
    assert [document.said for document in found.pools["q1"]] == ["user: ", ""]


def test_longmemeval_keeps_one_copy_of_a_turn_that_many_haystacks_hold(tmp_path):
    rows = [{**LONGMEMEVAL[0], "question_id": f"q{number}"} for number in range(3)]
    found = load("longmemeval", put(tmp_path / "longmemeval_m.json", rows), Options())
    assert len({id(found.pools[f"q{number}"][1].turns[0]) for number in range(3)}) == 1


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([LONGMEMEVAL[0], LONGMEMEVAL[0]], "question q1 stands twice"),
        ([{**LONGMEMEVAL[0], "haystack_dates": ["2024-03-01"]}], "zip"),
        ([{**LONGMEMEVAL[0], "haystack_sessions": ["text", "text", "text"]}], "a session is no list"),
        ([], "no questions"),
        ({"data": 1}, "no questions"),
        (7, "TypeError"),
    ],
)
def test_longmemeval_says_in_one_line_what_is_wrong(tmp_path, rows, told):
    with pytest.raises(ValueError, match=rf"s\.json: not a LongMemEval file .*{told}"):
        load("longmemeval", put(tmp_path / "s.json", rows), Options())
    (tmp_path / "s.json").write_bytes(orjson.dumps(LONGMEMEVAL)[:-40])
    with pytest.raises(ValueError, match=r"s\.json: not a LongMemEval file"):
        load("longmemeval", tmp_path / "s.json", Options())


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
