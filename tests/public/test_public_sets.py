"""Loaders over invented miniatures in the sets' own schemas."""

import orjson
import pytest
from typer.testing import CliRunner

from bench.public.catalogue import Options, load, sets
from bench.public.set_files import moment
from ladder.cli.app import app
from ladder.cli.terminal import Failure


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps(value))
    return path


@pytest.mark.parametrize(
    ("told", "read"),
    [
        ("2023/05/30 (Tue) 23:40", "2023-05-30T23:40"),
        ("2024-03-05T10:30:00+02:00", "2024-03-05T10:30"),
        ("2024-03-05", "2024-03-05"),
        ("2024/03/05 10:30", "2024-03-05T10:30"),
        (1767312000, "2026-01-02T00:00"),
        (1767312000000, "2026-01-02T00:00"),
        ("some day", ""),
        ("(", ""),
        (10**30, ""),
        (None, ""),
        (True, ""),
    ],
)
def test_times_are_read_as_the_sets_write_them(told, read):
    assert moment(told) == read


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
    assert found.left_out == {"adversarial": 1, "no session cited": 1, "conversations that stand twice": 0}
    assert found.pools["c1"][1].text == "Ben: See a hive"


def test_locomo_with_the_audits_citations(tmp_path):
    put(tmp_path / "locomo10.json", LOCOMO)
    put(tmp_path / "audit_errors.json", [{"question": "Wrongly cited?", "correct_evidence": ["D2:1"]}])
    found = load("locomo", tmp_path, Options(corrected=True))
    assert found.questions[1].gold == {"S2"}


def test_locomo_as_others_have_it(tmp_path):
    # One file of the repository, in its own folder; a talk a file; fields that a reshaped copy lacks.
    put(tmp_path / "data" / "locomo10.json", LOCOMO)
    (tmp_path / ".git").mkdir()
    put(tmp_path / ".git" / "locomo.json", LOCOMO)
    assert len(load("locomo", tmp_path, Options()).questions) == 2
    assert len(load("locomo", tmp_path / "data" / "locomo10.json", Options()).questions) == 2
    talk = {
        "session_1": [{"speaker": "Ada", "text": "I keep bees"}],
        "session_1_date_time": "2023-05-08",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1"}],
    }
    bare = {"conversation": talk, "qa": [{"question": "Bees?", "category": 4, "evidence": "D1:1"}]}
    bare["qa"].append({"question": "Nothing cited?", "category": 1})
    found = load("locomo", put(tmp_path / "one" / "talk.json", bare), Options())
    assert [question.gold for question in found.questions] == [{"S1"}]
    bare["qa"] = [{"question": "Bees?", "category": one, "evidence": ["D1:1"]} for one in ("4", "5", 2)]
    kinds = [question.kind for question in load("locomo", put(tmp_path / "two.json", bare), Options()).questions]
    assert kinds == ["single-hop", "temporal"]
    assert [(document.said, document.time) for document in found.pools["talk-0"]] == [
        ("Ada: I keep bees", "2023-05-08"),
        ("Ben: ", ""),
    ]
    # A folder with the ten and with some of them asks each question once.
    put(tmp_path / "data" / "locomo_some.json", LOCOMO)
    found = load("locomo", tmp_path / "data", Options())
    assert (len(found.questions), found.left_out["conversations that stand twice"]) == (2, 1)


def test_locomos_tuned_conversations_are_known_by_name(tmp_path):
    # The ten, in any order: what was tuned on is never called held.
    rows = [{**LOCOMO[0], "sample_id": name} for name in ("conv-50", "conv-49", "conv-26", "conv-30")]
    found = load("locomo", put(tmp_path / "locomo10.json", rows), Options())
    held = {question.pool: question.held for question in found.questions}
    assert held == {"conv-50": True, "conv-49": True, "conv-26": False, "conv-30": True}


def test_locomo_of_another_shape_is_said_in_one_line(tmp_path):
    cases = {"nothing": [{"sample_id": "c"}], "no turns": [{**LOCOMO[0], "conversation": {"session_1": ["x"]}}]}
    for value in cases.values():
        with pytest.raises(ValueError, match=r"locomo.json"):
            load("locomo", put(tmp_path / "locomo.json", value), Options())
    (tmp_path / "locomo.json").write_text("<html>", encoding="utf-8")
    with pytest.raises(ValueError, match="not JSON"):
        load("locomo", tmp_path, Options())
    put(tmp_path / "locomo.json", LOCOMO)
    with pytest.raises(FileNotFoundError, match=r"holds no audit_errors\.json"):
        load("locomo", tmp_path, Options(corrected=True))


MEETING = {
    "general_query_list": [{"query": "Sum it up", "answer": "x"}],
    "specific_query_list": [{"query": "What of the kiln?", "answer": "y", "relevant_text_span": [["0", "0"]]}],
    "meeting_transcripts": [{"speaker": "Ada", "content": "The kiln is\nhot"}],
}


def test_qmsum_a_file_a_folder_and_the_authors_repository(tmp_path):
    other = {**MEETING, "meeting_transcripts": [{"speaker": "Ben", "content": "The boat"}]}
    lines = b"\n".join(map(orjson.dumps, [MEETING, other]))
    for place in ("data/ALL/jsonl/val.jsonl", "data/Product/jsonl/val.jsonl"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes(lines)
    put(tmp_path / "data" / "ALL" / "val" / "Bmr001.json", MEETING)
    for place in (".", "data/ALL/jsonl", "data/ALL/jsonl/val.jsonl", "data/Product"):
        found = load("qmsum", tmp_path / place, Options())
        assert (len(found.pools["meetings"]), len(found.questions)) == (2, 2)
    assert found.pools["meetings"][0].text == "Ada: The kiln is hot"
    assert found.left_out == {"general queries": 2, "meetings that stand twice": 0}
    assert len(load("qmsum", tmp_path / "data" / "ALL" / "val", Options()).questions) == 1
    # The same meeting in two files would have two right answers of which one is called wrong.
    (tmp_path / "data" / "ALL" / "jsonl" / "test.jsonl").write_bytes(orjson.dumps(MEETING))
    found = load("qmsum", tmp_path, Options())
    assert (len(found.questions), found.left_out["meetings that stand twice"]) == (2, 1)


def test_sets_in_other_places_and_shapes_as_notes_too(tmp_path):
    put(tmp_path / "LoCoMo" / "data" / "locomo10.json", [{**LOCOMO[0], "sample_id": "conv-30"}])
    (tmp_path / "qmsum").mkdir()
    bare = {"meeting_transcripts": MEETING["meeting_transcripts"], "specific_query_list": [{"query": "Hot?"}]}
    (tmp_path / "qmsum" / "val.jsonl").write_bytes(orjson.dumps(bare))
    person(tmp_path / "LifeBench-main" / "data" / "ada")

    def ask(name):
        words = ["bench", "sets", name, "--data", str(tmp_path), "--half", "all", "--json"]
        done = CliRunner().invoke(app, words, catch_exceptions=False, standalone_mode=False)
        return orjson.loads(done.stdout)

    assert ask("locomo")["questions"] == 2
    assert (ask("qmsum")["questions"], ask("qmsum")["left_out"]) == (0, {"no span cited": 1})
    assert ask("lifebench")["questions"] == 2
    (tmp_path / "qmsum" / "val.jsonl").write_bytes(b"{}")
    with pytest.raises(Failure, match="holds no meeting of QMSum"):
        ask("qmsum")
    with pytest.raises(Failure, match="lifebench is not in"):
        CliRunner().invoke(
            app,
            ["bench", "sets", "lifebench", "--data", str(tmp_path / "LoCoMo" / "data")],
            catch_exceptions=False,
            standalone_mode=False,
        )


def test_qmsum_without_what_is_not_needed_and_of_another_shape(tmp_path):
    bare = {"meeting_transcripts": [{"content": "hot"}], "specific_query_list": [{"query": "Hot?"}]}
    path = tmp_path / "val.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + orjson.dumps(bare) + b"\r\n")
    assert len(load("qmsum", tmp_path, Options()).questions) == 1
    for data, told in ((b"{}", "holds no meeting"), (b"[1", r"val\.jsonl:1: not JSON"), (b"", "holds no meeting")):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=told):
            load("qmsum", tmp_path, Options())
    path.write_bytes(orjson.dumps({"meeting_transcripts": [], "specific_query_list": [{}]}))
    with pytest.raises(ValueError, match=r"not qmsum as published .KeyError: 'query'"):
        load("qmsum", tmp_path, Options())


def person(folder, **more):
    sms = {
        "phone_id": 1,
        "contactName": "Ben",
        "message_type": "Send",
        "message_content": "Hi",
        "datetime": "2025-01-02",
    }
    put(folder / "phone_data" / "sms.json", [{**sms, **more}])
    evidence = [{"type": "sms", "id": "1"}]
    asked = [{"question": "Whom?", "evidence": evidence, "ask_time": "2025-01", "question_type": "single"}]
    asked += [{"question": "When?", "evidence": evidence}, {"question": "Why?"}]
    asked += [{"question": "Where?", "evidence": [{"type": "sms", "id": 9}], "ask_time": "2025-02-03"}]
    put(folder / "QA" / "QA_clean.json", asked)


def test_lifebench_with_missing_kinds_and_fields_and_folders_between(tmp_path):
    person(tmp_path / "life_bench_data" / "data_en" / "ada")
    person(tmp_path / "life_bench_data" / "data_en" / "ben")
    put(tmp_path / "life_bench_data" / "data_en" / "ben" / "QA" / "QA_raw.json", [])
    found = load("lifebench", tmp_path, Options())
    assert [(question.id, question.asked, question.held) for question in found.questions] == [
        ("ada/0", "2025-01-28", True),
        ("ada/1", "", False),
        ("ben/0", "2025-01-28", True),
        ("ben/1", "", False),
    ]
    assert found.left_out == {"no evidence": 2, "records not found": 2}
    assert found.pools["ada"][0].text == "Ben\nI: Hi"
    person(tmp_path / "life_bench_data" / "data_zh" / "ada")
    with pytest.raises(ValueError, match="holds ada twice"):
        load("lifebench", tmp_path, Options())


def test_lifebench_with_an_id_that_is_no_number_is_said_in_one_line(tmp_path):
    person(tmp_path / "ada")
    asked = [{"question": "Whom?", "evidence": [{"type": "sms", "id": "sms-1"}], "ask_time": "2025-01"}]
    put(tmp_path / "ada" / "QA" / "QA_clean.json", asked)
    with pytest.raises(ValueError, match=r"not lifebench as published .*sms-1"):
        load("lifebench", tmp_path, Options())


def test_lifebench_names_the_file_whose_records_it_cannot_read(tmp_path):
    person(tmp_path / "ada", phone_id=None)
    with pytest.raises(ValueError, match=r"sms\.json: a record lacks what it is read by"):
        load("lifebench", tmp_path, Options())
    with pytest.raises(FileNotFoundError, match="holds no"):
        load("lifebench", tmp_path / "ada" / "phone_data", Options())


def test_a_set_is_found_under_the_names_that_people_give_it(tmp_path):
    names = {"LoCoMo": "locomo", "QMSum-main": "qmsum", "Life_Bench": "lifebench"}
    for name in names:
        (tmp_path / name).mkdir()
    put(tmp_path / "longmemeval_s.json", [])
    put(tmp_path / "memfusebench_dataset.json", {})
    for name, entry in names.items():
        assert sets()[entry].find(tmp_path) == tmp_path / name
    assert sets()["longmemeval"].find(tmp_path) == tmp_path / "longmemeval_s.json"
    assert sets()["memfusebench"].find(tmp_path) == tmp_path / "memfusebench_dataset.json"
    # Two files of a set: which one is for the loader to ask.
    put(tmp_path / "longmemeval_m.json", [])
    assert sets()["longmemeval"].find(tmp_path) == tmp_path
    # A set's own folder, whatever it is called; a folder of other sets has none of this one.
    (tmp_path / "LoCoMo" / "data").mkdir()
    assert sets()["locomo"].find(tmp_path / "LoCoMo") == tmp_path / "LoCoMo"
    put(tmp_path / "LoCoMo" / "locomo10.json", LOCOMO)
    assert sets()["qmsum"].find(tmp_path / "LoCoMo") is None
    # Notes are where their questions are, though a note's folder be called like a set.
    assert sets()["folder"].find(tmp_path) is None
    put(tmp_path / "questions.jsonl", {})
    assert sets()["folder"].find(tmp_path) == tmp_path


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
