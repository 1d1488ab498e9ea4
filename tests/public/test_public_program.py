"""Any program as a system: what it answers, and every way in which it may not."""

import os
import sys
import time
from pathlib import Path

import pytest

from bench.public.model import Document, Question, QuestionSet, Turn
from bench.public.run import run
from bench.public.systems.program import Program, ProgramError
from ladder.indexing.token_counts import count

DOCUMENTS = (
    Document("garden", (Turn("user", "The tomatoes need stakes before June."),)),
    Document("kiln", (Turn("user", "I bought a raku kiln from Osvaldo."),)),
    Document("boat", (Turn("user", "The boat's rudder squeaks."),)),
)
QUESTIONS = (
    Question("q", "Who sold me the raku kiln?", "one", "pool", frozenset({"kiln"})),
    Question("r", "What squeaks?", "one", "pool", frozenset({"boat"})),
)
SET = QuestionSet("mini", {"pool": DOCUMENTS}, QUESTIONS, {}, "invented")
READ = """
import json, sys, time
rows = [json.loads(line) for line in sys.stdin.buffer]
documents = [row for row in rows if "document" in row]
asked = [row for row in rows if "question" in row]
def say(row, ids, **more):
    print(json.dumps({"question": row["question"], "ids": ids, **more}), flush=True)
"""


@pytest.fixture
def ask(tmp_path):
    """Run a program of this code over the set; return it and its outcome. One that is never stopped hangs the test."""

    def told(code, limit=30.0):
        path = tmp_path / "peer.py"
        path.write_text(READ + code, encoding="utf-8")
        system = Program([sys.executable, str(path)], QUESTIONS, limit)
        outcome = run("peer", system, SET, QUESTIONS)
        return system, outcome

    return told


def test_a_program_is_a_system(ask):
    code = "for row in asked: say(row, [d['document'] for d in documents if 'kiln' in d['text']])"
    system, outcome = ask(code)
    assert [answer.ranked for answer in outcome.answers] == [("kiln",), ("kiln",)]
    assert [answer.values["R@1"] for answer in outcome.answers] == [1.0, 0.0]
    assert list(system.remarks(2, 2)) == []


def test_the_time_of_a_question_is_that_between_two_lines(ask):
    _, outcome = ask("say(asked[0], []); time.sleep(0.4); say(asked[1], [])")
    assert 0 < outcome.answers[1].milliseconds <= 1000 * outcome.seconds
    assert outcome.seconds >= 0.4, "no machine sleeps less"


def test_a_program_may_write_the_text_that_it_shows(ask):
    _, outcome = ask("say(asked[0], ['kiln'], text='a raku kiln')")
    assert [answer.tokens for answer in outcome.answers] == [count("a raku kiln"), 0]


def test_ids_of_no_document_are_dropped_and_told_and_what_comes_twice_counts_once(ask):
    system, outcome = ask("for row in asked: say(row, ['nowhere', 'boat', 'boat', 7, 'kiln'] + ['x'] * 1000)")
    assert [answer.ranked for answer in outcome.answers] == [("boat", "kiln")] * 2
    assert list(system.remarks(2, 2)) == ["2004 ids that are of no document, which were dropped"]


def test_more_ids_than_were_asked_for_are_cut():
    code = "import json, sys\nprint(json.dumps({'question': 'q', 'ids': [f'd{n}' for n in range(90)]}))"
    many = [Document(f"d{place}", (Turn("", "kiln"),)) for place in range(100)]
    search = Program([sys.executable, "-c", code], QUESTIONS[:1])(many)
    assert list(search(QUESTIONS[0], 50)) == [f"d{place}" for place in range(50)]


def test_a_question_without_a_line_is_a_miss_and_told(ask):
    system, outcome = ask("say(asked[1], ['boat']); say({'question': 'unasked'}, ['boat'])")
    assert [answer.values["MRR"] for answer in outcome.answers] == [0.0, 1.0]
    assert list(system.remarks(2, 2)) == ["1 questions without a line, which count as misses"]


def test_a_program_that_is_stopped_keeps_what_it_answered(ask):
    system, outcome = ask("say(asked[1], ['boat'])\ntime.sleep(600)", limit=3)
    assert [(answer.question, answer.ranked) for answer in outcome.answers] == [("r", ("boat",))]
    assert list(system.remarks(1, 2)) == ["stopped after 3 s (--limit), its row is of 1 of 2 questions"]


def test_a_program_that_closes_its_output_and_goes_on_is_stopped(ask):
    _, outcome = ask("say(asked[0], [])\nimport os; os.close(1); time.sleep(600)", limit=3)
    assert len(outcome.answers) == 1


@pytest.mark.skipif(os.name == "nt", reason="a group of processes is stopped at once only where there are groups")
def test_what_a_program_started_is_stopped_with_it(ask, tmp_path):
    code = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
for row in asked: say(row, ['kiln'])
"""
    # It holds the program's output open: nobody waits for its ten minutes, whether the program ends or not.
    for more in ("", "time.sleep(600)"):
        _, outcome = ask(code + more, limit=5)
        assert len(outcome.answers) == 2
        pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
        with pytest.raises(ProcessLookupError):
            _gone(pid)


def _gone(pid):
    for _ in range(50):
        os.kill(pid, 0)
        # Without an init that takes orphans in, a dead one stays as a zombie.
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z":
            raise ProcessLookupError
        time.sleep(0.1)


def test_a_program_that_reads_nothing_may_answer(ask):
    # More documents than a pipe holds: nobody may wait for the other.
    many = [Document(f"d{place}", (Turn("", "kiln " * 2000),)) for place in range(100)]
    code = "import json\nfor _ in range(1000): print(json.dumps({'question': 'q', 'ids': ['d3'] * 50}))"
    search = Program([sys.executable, "-c", code], QUESTIONS[:1], 30)(many)
    assert list(search(QUESTIONS[0], 50)) == ["d3"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("sys.exit('no licence')", "ended with 1: no licence"),
        ("say(asked[0], ['kiln']); sys.exit(3)", "ended with 3: it says nothing on stderr"),
        (
            "print('first', file=sys.stderr); print('last', file=sys.stderr); print(file=sys.stderr); sys.exit(4)",
            "last",
        ),
        ("print('nonsense')", "line 1 of its output .*: nonsense"),
        ("print(); print('[1, 2]')", "line 2 of its output"),
        ("say(asked[0], 'kiln')", "line 1 of its output"),
        ('print(\'{"question": "q"}\')', "line 1 of its output"),
        ("while True: print('x' * 100)", "line 1 of its output"),
        ("while True: sys.stdout.write('x' * 100000)", "line 1 of its output"),
        ("sys.stdout.buffer.write(bytes([255, 254, 10]))", "line 1 of its output"),
    ],
)
def test_a_program_that_fails_is_named_with_what_it_did(ask, code, told):
    with pytest.raises(ProgramError, match=told):
        ask(code)


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(ProgramError, match="no-such-peer"):
        run("peer", Program(["no-such-peer"], QUESTIONS), SET, QUESTIONS)
