"""`ladder bench public` as it is typed, over an invented miniature; what is not there; the template of the docs."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.public import adapters
from ladder.cli.app import app

MINIATURE = {
    "scenarios": [
        {
            "scenario": "move",
            "events": [
                {"id": "e1", "text": "Bought a raku kiln from Osvaldo", "source": "chat", "time": "2026-01-02"},
                {"id": "e2", "text": "Kiln delivery on Friday", "source": "mail"},
                {"id": "e3", "text": "Kiln kiln kiln offer", "source": "mail", "noise": True},
            ],
            "questions": [
                {
                    "id": "q1",
                    "question": "Who sold the raku kiln?",
                    "dimension": "who",
                    "checklist": [{"point": "Osvaldo", "source_events": ["e1"]}],
                }
            ],
        }
    ]
}
TEMPLATE = Path(__file__).parents[2] / "docs" / "public.md"


def ask(*words):
    return CliRunner().invoke(app, ["bench", "public", *map(str, words)], catch_exceptions=False, standalone_mode=False)


@pytest.fixture
def miniature(tmp_path):
    path = tmp_path / "memfusebench_dataset.json"
    path.write_text(json.dumps(MINIATURE), encoding="utf-8")
    return path


def test_memfusebench_through_the_command(miniature):
    done = ask("memfusebench", "--data", miniature, "--system", "bm25s", "--dimension", "who", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    rates = found["systems"][0]["rates"]
    assert found["n"] == 1
    assert rates["R@1 any"]["value"] == 1.0
    assert rates["checklist@20"]["value"] == 1.0
    # Three events share a word with the question, one of them is noise.
    assert rates["distractors@20"]["value"] == pytest.approx(1 / 3)


def test_a_set_that_is_not_there_is_said_and_is_no_failure_unless_strict(tmp_path):
    (tmp_path / "locomo").mkdir()
    assert ask("qmsum", "--data", tmp_path).return_value == 0
    assert ask("qmsum", "--data", tmp_path, "--strict").return_value == 1


def test_the_template_of_the_docs_is_a_program(tmp_path):
    code = TEMPLATE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    path = tmp_path / "template.py"
    path.write_text(code, encoding="utf-8")
    rows = [{"document": "a", "text": "boat"}, {"document": "b", "text": "kiln"}]
    rows += [{"question": "q", "text": "kiln", "k": 1}]
    sent = "".join(json.dumps(row) + "\n" for row in rows).encode()
    done = subprocess.run([sys.executable, str(path)], input=sent, capture_output=True, check=True)
    assert json.loads(done.stdout) == {"question": "q", "ids": ["b"]}


def test_adapters_need_nothing_of_ours_and_do_not_hide_their_peer():
    files = [path for path in Path(adapters.__path__[0]).glob("*.py") if path.name != "__init__.py"]
    peers = {"basicmemory": {"basic_memory", "loguru"}, "memvid": {"memvid_sdk"}}
    assert {path.stem for path in files} == set(peers)
    for path in files:
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = set()
        for node in tree:
            if isinstance(node, ast.Import):
                names |= {one.name.split(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").split(".")[0])
        assert names - set(sys.stdlib_module_names) == peers[path.stem]
        assert path.stem not in names
