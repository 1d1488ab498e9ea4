"""A folder of notes with a questions file: as documented, and as somebody may write it."""

import orjson
import pytest

from bench.public.catalogue import Options, load
from bench.public.run import run
from bench.public.systems import ladder


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


def test_a_folder_with_paths_as_somebody_writes_them(tmp_path):
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "proxy.md").write_bytes(b"# Proxy\r\n\r\nPort 8081.\r\n")
    cited = ["ops/proxy.md", "./ops/proxy.md", "ops\\proxy.md", "ops/proxy"]
    rows = [{"question": "Port?", "notes": [one]} for one in cited] + [{"question": "Port?", "notes": cited[0]}]
    data = b"\xef\xbb\xbf" + b"\r\n".join(map(orjson.dumps, rows)) + b"\r\n\r\n"
    (tmp_path / "questions.jsonl").write_bytes(data)
    found = load("folder", tmp_path, Options())
    assert [question.gold for question in found.questions] == [{"ops/proxy.md"}] * 5
    assert found.pools["notes"][0].text == "ops/proxy\n# Proxy\nPort 8081.\n"


def test_a_folders_ids_are_each_of_one_question(tmp_path):
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_bytes(b'{"question": "x", "notes": ["a"], "id": 7}\n' * 2)
    with pytest.raises(ValueError, match=r"questions\.jsonl:2: the id 7 stands twice"):
        load("folder", tmp_path, Options())


def test_ladder_reads_a_folders_notes_as_they_lie(tmp_path):
    # Their names, front matter and entries count, as in anybody's notes.
    texts = {
        "ops/kiln": "---\naliases: [furnace]\n---\n# Firing\n\nSlowly.\n\nThe furnace is hot.\n",
        "ops/boat": "# Boat\n\nThe rudder squeaks.\n\n## 2026-03-02\n\nRepaired the rudder.\n",
        "tent": "The tent stands beside the rudder of the boat.\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8", newline="\n")
    asked = [{"question": "What of the furnace?", "notes": ["ops/kiln"]}]
    asked += [{"question": "What was done to the rudder on 2026-03-02?", "notes": ["ops/boat"], "asked": "2026-04-01"}]
    (tmp_path / "questions.jsonl").write_bytes(b"\n".join(map(orjson.dumps, asked)))
    found = load("folder", tmp_path, Options())
    assert {document.id: ladder.as_note(document) for document in found.pools["notes"]} == {
        f"{name}.md": text.encode() for name, text in texts.items()
    }
    outcome = run("ladder", ladder.make, found, found.questions)
    assert [answer.ranked[0] for answer in outcome.answers] == ["ops/kiln.md", "ops/boat.md"]
