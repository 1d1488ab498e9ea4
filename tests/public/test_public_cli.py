"""`ladder bench public` as it is typed, over an invented miniature; what is not there; the template of the docs."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.public import adapters
from ladder.cli.app import app
from ladder.cli.terminal import Failure

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


def test_measures_by_kind_and_rows_of_an_earlier_run(miniature, tmp_path):
    earlier = tmp_path / "earlier.jsonl"
    assert ask("memfusebench", "--data", miniature, "--system", "grep", "--out", earlier).exit_code == 0
    row = json.loads(earlier.read_text(encoding="utf-8"))
    assert (row["system"], row["question"], row["ranked"][0]) == ("grep", "move/q1", "e1")
    words = ["memfusebench", "--data", miniature, "--system", "ladder", "--earlier", earlier]
    found = json.loads(ask(*words, "--json").stdout)["systems"]
    assert [one["system"] for one in found] == ["ladder", "grep"]
    assert found[1]["against"]["R@5 any"]["value"] == 0.0
    assert found[1]["kinds"]["who"]["R@1 any"]["value"] == 1.0
    page = ask(*words, "--measure", "R@5 any", "--measure", "checklist@20").stdout
    assert "R@5 any against ladder" in page
    assert "checklist@20 against ladder" in page


def test_earlier_rows_of_another_set_or_of_no_question_are_refused(miniature, tmp_path):
    earlier = tmp_path / "earlier.jsonl"
    row = {"set": "memfusebench", "system": "x", "question": "other", "values": {}, "ranked": [], "ms": 1, "tokens": 1}
    for told, why in (
        ({**row, "set": "qmsum"}, "1: no result of memfusebench"),
        (row, "x was asked none of these questions"),
    ):
        earlier.write_text(json.dumps(told), encoding="utf-8")
        with pytest.raises(Failure, match=why):
            ask("memfusebench", "--data", miniature, "--system", "grep", "--earlier", earlier)


def test_a_measure_that_is_unknown_is_named(miniature):
    with pytest.raises(Failure, match="R@3: no such measure; there are R@1, R@5"):
        ask("memfusebench", "--data", miniature, "--measure", "R@3")


def test_two_runs_are_compared_question_by_question(tmp_path):
    def put(name, values):
        rows = [{"system": "x", "question": key, "values": {"MRR": value}} for key, value in values.items()]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    put("before", {"a": 1.0, "b": 0.5, "c": 0.25, "gone": 1.0})
    put("after", {"a": 1.0, "b": 1.0, "c": 0.0, "new": 1.0})
    words = ["bench", "compare", str(tmp_path / "before"), str(tmp_path / "after"), "--measure", "MRR"]
    done = CliRunner().invoke(app, words, catch_exceptions=False, standalone_mode=False)
    assert done.stdout.splitlines() == [
        "MRR: 1 won, 1 lost, of 3 that both runs have",
        "  0.25 -> 0.00  x  c",
        "  0.50 -> 1.00  x  b",
    ]


def test_a_program_is_found_from_where_the_command_was_typed(miniature, tmp_path, monkeypatch):
    # It runs in a folder of its own, as the commands of the docs do.
    code = TEMPLATE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    (tmp_path / "peers").mkdir()
    monkeypatch.chdir(tmp_path)
    for place in ("peers/one.py", "two.py"):
        (tmp_path / place).write_text(code, encoding="utf-8")
        words = ["--system", "grep", "--program", f'"{Path(sys.executable).as_posix()}" {place}', "--json"]
        if os.name == "nt":
            words[3] = f"{sys.executable} {place}"
        found = json.loads(ask("memfusebench", "--data", miniature, *words).stdout)["systems"]
        assert [one["system"] for one in found] == ["grep", Path(place).stem]
        assert found[1]["rates"]["R@5 any"]["value"] == 1.0


TWO = """
import json, sys, time
asked = [row["question"] for line in sys.stdin.buffer if "question" in (row := json.loads(line))]
print(json.dumps({"question": asked[-1], "ids": ["e1"]}), flush=True)
"""


def test_a_program_that_fails_or_is_stopped_leaves_the_other_rows(miniature, tmp_path):
    shape = json.loads(json.dumps(MINIATURE))
    shape["scenarios"][0]["questions"] += [{"id": "q2", "question": "Raku kiln?", "evidence": ["e1"]}]
    miniature.write_text(json.dumps(shape), encoding="utf-8")
    words = ["memfusebench", "--data", miniature, "--system", "ladder", "--system", "grep", "--limit", 3]
    for name, code in (("dead", "raise SystemExit(3)"), ("slow", "time.sleep(60)"), ("mute", "")):
        told = TWO + code if name != "mute" else "import time\ntime.sleep(60)"
        (tmp_path / f"{name}.py").write_text(told, encoding="utf-8")
        words += ["--program", f"{Path(sys.executable).as_posix()} {(tmp_path / name).as_posix()}.py"]
    earlier = tmp_path / "results.jsonl"
    done = ask(*words, "--out", earlier)
    assert done.return_value == 1
    assert "ended with 3" in done.stderr
    assert "slow: stopped after 3 s (--limit), its row is of 1 of 2 questions" in done.stderr
    assert "mute: stopped after 3 s (--limit), its row is of 0 of 2 questions" in done.stderr
    rows = [line.split("|")[1].strip() for line in done.stdout.split("\n") if line.startswith("| ")]
    assert rows[:4] == ["system", "ladder", "grep", "slow, 1 of 2"]
    # What was written of it is still of one question when it is read again.
    again = ask("memfusebench", "--data", miniature, "--system", "ladder", "--earlier", earlier, "--json")
    assert [(row["system"], row["n"]) for row in json.loads(again.stdout)["systems"]] == [
        ("ladder", 2),
        ("grep", 2),
        ("slow", 1),
    ]


def test_results_are_written_after_each_system(miniature, tmp_path):
    # The program finds what the system before it wrote.
    out = tmp_path / "out.jsonl"
    code = f"import pathlib, sys; sys.exit(pathlib.Path({str(out)!r}).read_text(encoding='utf-8').count('grep'))"
    (tmp_path / "peer.py").write_text(code, encoding="utf-8")
    command = f"{Path(sys.executable).as_posix()} {(tmp_path / 'peer.py').as_posix()}"
    done = ask("memfusebench", "--data", miniature, "--system", "grep", "--program", command, "--out", out)
    assert "ended with 1: it says nothing on stderr" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memfusebench_dataset.json", "out.jsonl", "peer.py"]


def test_where_no_system_ran_there_is_no_table(miniature):
    words = ["memfusebench", "--data", miniature, "--system", "grep", "--earlier", miniature.with_name("none")]
    with pytest.raises(Failure, match="none"):
        ask(*words)
    for out in (miniature.parent, miniature.parent / "none" / "out.jsonl"):
        with pytest.raises(Failure, match="not a file in a folder that is there"):
            ask(*words[:-2], "--program", "no-such-peer", "--out", out)
    with pytest.raises(Failure, match="--program: no command"):
        ask(*words[:-2], "--program", " ")
    with pytest.raises(Failure, match="No closing quotation"):
        ask(*words[:-2], "--program", "peer 'half")


def test_questions_are_drawn_from_all_of_the_set_the_same_each_time(miniature):
    shape = json.loads(json.dumps(MINIATURE))
    row = shape["scenarios"][0]["questions"][0]
    shape["scenarios"][0]["questions"] = [{**row, "id": f"q{number:02d}"} for number in range(40)]
    miniature.write_text(json.dumps(shape), encoding="utf-8")

    def drawn(wanted):
        out = miniature.with_name("out.jsonl")
        words = ["--system", "grep", "--max-questions", wanted, "--out", out]
        page = ask("memfusebench", "--data", miniature, *words).stdout
        return page.split("n = ")[1].split(" questions")[0], [
            json.loads(line)["question"] for line in out.read_text(encoding="utf-8").split("\n") if line
        ]

    head, names = drawn(10)
    assert head == "10 of 40"
    assert (len(set(names)), names) == (10, sorted(names))
    assert names != [f"move/q{number:02d}" for number in range(10)]
    assert drawn(10)[1] == names
    assert drawn(0)[0] == drawn(99)[0] == "40"


def test_a_set_that_is_not_there_is_said_and_is_no_failure_unless_strict(tmp_path):
    (tmp_path / "locomo").mkdir()
    assert ask("qmsum", "--data", tmp_path).return_value == 0
    assert ask("qmsum", "--data", tmp_path, "--strict").return_value == 1


def test_the_template_of_the_docs_is_a_program(tmp_path):
    code = TEMPLATE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    path = tmp_path / "template.py"
    path.write_text(code, encoding="utf-8")
    rows = [{"document": "a", "title": "", "text": "boat"}, {"document": "b", "title": "Kiln", "text": "hot"}]
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


def test_without_the_extra_one_line_says_which(monkeypatch, miniature):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(Failure, match=r"^`ladder bench public` needs the extra `public`; ") as caught:
        ask("memfusebench", "--data", miniature, "--system", "bm25s")
    assert "\n" not in str(caught.value)
