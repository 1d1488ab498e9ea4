"""Every loader of a published set leaves out records of another shape, counts them, and reads the rest."""

import copy

import orjson
import pytest

from bench.public.as_notes.replay import SETS
from bench.public.catalogue import Options, load
from bench.public.set_files import ODD
from tests.public.test_public_longmemeval import LONGMEMEVAL
from tests.public.test_public_sets import LOCOMO, MEETING, person, put

#: What stands where the set has an object or a text.
ODD_VALUES = ["text", 7, None, [], {}]


def _locomo(folder, change):
    whole = copy.deepcopy(LOCOMO)
    change(whole)
    return put(folder / "locomo.json", whole)


@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("talk", lambda whole, odd: whole.append(odd)),
        ("question", lambda whole, odd: whole[0]["qa"].append(odd)),
        ("question's text", lambda whole, odd: whole[0]["qa"].append({**whole[0]["qa"][0], "question": odd or None})),
        ("turn", lambda whole, odd: whole[0]["conversation"]["session_1"].append(odd)),
        ("turn's text", lambda whole, odd: whole[0]["conversation"]["session_1"].append({"text": {"odd": odd}})),
    ],
)
def test_locomo(tmp_path, where, change, odd):
    if (where, odd) in (("question's text", "text"), ("question's text", 7)) or (where == "turn" and odd == {}):
        return  # a text like another; a turn in which nothing is said
    place = _locomo(tmp_path, lambda whole: change(whole, odd))
    found = load("locomo", place, Options())
    assert [question.id for question in found.questions] == ["c1/0", "c1/1"]
    assert found.left_out[ODD] == 1
    notes = SETS["locomo"][1](place)
    assert [question.id for question in notes.questions] == ["c1/0", "c1/1"]
    assert notes.left_out[ODD] == 1


@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize("where", ["record", "question", "citation", "turn of a chat"])
def test_lifebench(tmp_path, where, odd):
    """A turn of `agent_chat` that is text, as in published copies of other people, ended all with TypeError."""
    person(tmp_path / "ada")
    questions = tmp_path / "ada" / "QA" / "QA_clean.json"
    sms = tmp_path / "ada" / "phone_data" / "sms.json"
    if where == "record":
        put(sms, [*orjson.loads(sms.read_bytes()), odd])
    elif where == "question":
        put(questions, [*orjson.loads(questions.read_bytes()), odd])
    elif where == "citation":
        put(questions, [*orjson.loads(questions.read_bytes()), {"question": "Who?", "evidence": [odd]}])
    else:
        talk = {"turn 1": {"user": {"content": "hi"}, "agent": odd or 7}}
        put(tmp_path / "ada" / "phone_data" / "agent_chat.json", [
            {"phone_id": 1, "date": "2025-01-01", "conversation": talk},
            {"phone_id": 2, "date": "2025-01-01", "conversation": {"turn 1": {"user": {"content": "hi"}}}},
        ])  # fmt: skip
    found = load("lifebench", tmp_path, Options())
    assert [question.id for question in found.questions] == ["ada/0", "ada/1"]
    ignored = where == "question" and odd == {}  # an object without evidence is left out for that
    assert found.left_out.get(ODD, 0) == (0 if ignored else 1)
    if where == "turn of a chat":
        assert [document.id for document in found.pools["ada"]] == ["agent_chat/2", "sms/1"]
    notes = SETS["lifebench"][1](tmp_path)
    assert [question.id for question in notes.questions] == ["ada/0", "ada/1"]
    assert notes.left_out.get(ODD, 0) == (0 if ignored else 1)


@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize("where", ["meeting", "turn's text", "query", "topic"])
def test_qmsum(tmp_path, where, odd):
    meeting = copy.deepcopy(MEETING)
    before = load("qmsum", put(tmp_path / "a" / "m.json", [meeting]), Options())
    notes_before = SETS["qmsum"][1](tmp_path / "a")
    rows = [meeting]
    if where == "meeting":
        rows.append(odd)
    elif where == "turn's text":
        meeting["meeting_transcripts"].append({"speaker": "Ada", "content": [odd]})
    elif where == "query":
        meeting["specific_query_list"].append({"query": odd, "relevant_text_span": [[0, 0]]} if odd != "text" else odd)
    else:
        meeting["topic_list"] = [*meeting.get("topic_list", ()), {"topic": "x", "relevant_text_span": odd}]
    found = load("qmsum", put(tmp_path / "b" / "m.json", rows), Options())
    assert [question.text for question in found.questions if question.text != "7"] == [
        question.text for question in before.questions
    ]
    fine = where == "query" and odd == 7  # a number is text to ask with
    assert found.left_out.get(ODD, 0) == (0 if fine or where == "topic" else 1)
    notes = SETS["qmsum"][1](tmp_path / "b")
    assert [one.id for one in notes.questions][: len(notes_before.questions)] == [
        one.id for one in notes_before.questions
    ]
    assert notes.left_out.get(ODD, 0) == (0 if fine else 1)


@pytest.mark.parametrize("odd", ODD_VALUES)
@pytest.mark.parametrize("where", ["question", "session", "turn", "turn's text", "question's text"])
def test_longmemeval(tmp_path, where, odd):
    rows = copy.deepcopy(LONGMEMEVAL[:1])
    if where == "question":
        rows.append(odd)
    elif where == "question's text":
        rows.append({**rows[0], "question_id": "q9", "question": [odd]})
    elif where == "session":
        rows[0]["haystack_sessions"][0] = odd if odd != [] else None
    elif where == "turn":
        rows[0]["haystack_sessions"][0].append(odd if odd != {} else None)
    else:
        rows[0]["haystack_sessions"][0].append({"role": "user", "content": [[odd]]})
    found = load("longmemeval", put(tmp_path / "s.json", rows), Options())
    assert [question.id for question in found.questions] == ["q1"]
    assert found.left_out[ODD] == 1
    assert set(found.pools) == {"q1"}


@pytest.mark.parametrize("odd", ["text", 7, None, []])
@pytest.mark.parametrize("where", ["event", "question", "event's text", "question's text"])
def test_memfusebench(tmp_path, where, odd):
    whole = {
        "events": [{"id": "e1", "text": "The kiln was fired."}],
        "questions": [{"id": "q1", "question": "What was fired?", "source_events": ["e1"]}],
    }
    if where in ("event", "question"):
        whole[f"{where}s"].append(odd)
    elif where == "event's text":
        whole["events"].append({"id": "e2", "text": [odd]})
    else:
        whole["questions"].append({"id": "q2", "question": [odd], "source_events": ["e1"]})
    found = load("memfusebench", put(tmp_path / "m.json", whole), Options())
    assert [question.text for question in found.questions] == ["What was fired?"]
    assert found.left_out[ODD] == 1


@pytest.mark.parametrize("odd", [None, [], {}, True])
def test_a_folders_own_questions_are_named_by_their_line(tmp_path, odd):
    """They are the person's own file: what is wrong in it is to be mended there, not passed over."""
    (tmp_path / "a.md").write_text("# A\n\nOne.\n", encoding="utf-8")
    lines = [{"question": "One?", "notes": ["a"]}, {"question": odd, "notes": ["a"]}]
    (tmp_path / "questions.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    with pytest.raises(ValueError, match=r"questions\.jsonl:2: needs an object"):
        load("folder", tmp_path, Options())
