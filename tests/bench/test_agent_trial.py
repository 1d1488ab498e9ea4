"""The trial of an agent: what is right, what each arm sees, failures, what it costs, a person's look."""

import hashlib
import io
import json
import sys

import pytest

from bench.tasks.agent_run import run
from bench.tasks.agent_trial import (
    Asked,
    QuestionsError,
    Run,
    answer_in,
    estimate,
    figures,
    is_right,
    load,
    plan,
    spread,
    table,
    telling,
)  # fmt: skip
from bench.tasks.agents.claude_code import ClientError, answer_of
from ladder.cli.app import app

LINE = "Backups are kept for 35 days in the vault of Reykjavik."
NOTE = f"# Backups\n\n{LINE}\n\n## Port\n\nThe proxy listens on 8443.\n"
ASKED = Asked("q", "how long are backups kept?", "ops/backup.md", "", (LINE,))
SAY = """
import json, os, pathlib, shutil, subprocess, sys
row = json.loads(sys.stdin.readline())
settings = pathlib.Path(row["settings"])
def say(answer, **more):
    print("thinking")
    print(json.dumps({"answer": answer, **more}))
"""


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "mine"
    (folder / "ops").mkdir(parents=True)
    (folder / "ops" / "backup.md").write_text(NOTE, encoding="utf-8")
    return folder


@pytest.fixture
def agent(tmp_path):
    def made(code):
        path = tmp_path / "stand_in.py"
        path.write_text(SAY + code, encoding="utf-8")
        return [sys.executable, str(path)]

    return made


def ladder(words, monkeypatch):
    """Run `ladder bench agent` as from a script; return code, output."""
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    code = app(["bench", "agent", *map(str, words)], prog_name="ladder", standalone_mode=False)
    return code, out.getvalue()


def a_run(arm, answer="", failure="", tokens=None, name="q"):
    return Run(name, arm, "a", answer, failure, tokens, tokens, tokens, 1.0)


def test_the_telling_words_are_the_lines_own_and_rarest():
    lines = spread([NOTE])
    assert telling(LINE, ASKED.text, lines) == ["35", "day", "vault", "reykjavik"]
    assert telling("backups kept", ASKED.text, lines) == ["kept", "backup"]  # the title says it too


@pytest.mark.parametrize(
    ("answer", "right"),
    [("35 days.", True), ("They stay 35 DAYS in the vault", True), ("Reykjavik", False), ("Backups are kept.", False),
     ("", False), ("I don't know", False)],
)  # fmt: skip
def test_an_answer_is_right_with_half_of_the_telling_words(answer, right):
    assert is_right(answer, ASKED, spread([NOTE])) is right


def test_another_answering_line_suffices_alone():
    both = Asked("q", ASKED.text, ASKED.note, "", (LINE, "Retention: five weeks"))
    assert is_right("Five weeks of retention", both, {})
    assert not is_right("five vaults", both, {})


def test_questions_name_their_line_as_text_or_by_its_digest(tmp_path):
    digest = hashlib.sha256(LINE.encode()).hexdigest()[:16]
    rows = [
        {"question": "a?", "note": "n", "line": f"  {LINE} "},
        {"question": "b?", "note": "n", "line": digest, "also": [["n", "The proxy listens on 8443."]], "corpus": "c"},
        {"question": "c?", "note": "n", "line": "0123456789abcdef"},
        {"question": "d?", "kind": "needless"},
    ]
    file = tmp_path / "q.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found, left = load(file, lambda corpus, note: NOTE)
    assert [(each.text, each.lines, each.corpus) for each in found] == [
        ("a?", (LINE,), ""),
        ("b?", (LINE, "The proxy listens on 8443."), "c"),
    ]
    assert len(left) == 2
    file.write_text('{"question": "x"}\n', encoding="utf-8")
    with pytest.raises(QuestionsError, match=r"q\.jsonl:1"):
        load(file, lambda corpus, note: NOTE)


def test_the_seed_draws_the_order_and_each_pair_is_together():
    many = [Asked(str(n), "", "", "", ()) for n in range(40)]
    order = plan(many, 3)
    assert order == plan(many, 3) != plan(many, 4)
    pairs = list(zip(order[::2], order[1::2], strict=True))
    assert all(a[0] == b[0] and {a[1], b[1]} == {"with", "without"} for a, b in pairs)
    assert {arm for _, arm in order[::2]} == {"with", "without"}


@pytest.mark.parametrize(
    "printed", [b"", b"hello", b"[]", b"3", b'{"text": 1}', b'{"answer": 3}', b'{"answer": "a", "tokens_in": "many"}',
                b'{"answer": "a", "tool_calls": -1}'],
)  # fmt: skip
def test_what_is_no_answer_is_refused(printed):
    with pytest.raises(ValueError, match="no JSON answer"):
        answer_in(printed)


def test_figures_are_paired_and_a_failure_is_no_right_answer():
    other = Asked("r", "which port?", "ops/proxy.md", "", ("The proxy listens on 8443.",))
    runs = [
        a_run("with", "35 days", tokens=10), a_run("without", "35 days", tokens=30),
        a_run("with", "8443, the proxy listens", tokens=5, name="r"), a_run("without", "", "ended with 3", name="r"),
    ]  # fmt: skip
    found = figures([ASKED, other], runs, lambda _: spread([NOTE]), {("q", "with"): True, ("q", "without"): False})
    assert (found.right["with"].value, found.right["without"].value, found.right_change.value) == (1.0, 0.5, 0.5)
    tokens = found.numbers[0]
    assert (tokens.n, tokens.with_ladder, tokens.without, tokens.change.value) == (1, 10.0, 30.0, -20.0)
    assert found.failures == {"without": {"ended with 3": 1}}
    assert (found.agree.value, found.reviewed_change.value) == (0.5, 1.0)
    assert any("1 (1 ended with 3)" in line for line in table(found))


def test_the_estimate_is_of_earlier_runs_where_there_are_any():
    assert estimate(10, []) == (600_000, False)
    assert estimate(10, [a_run("with", "x", tokens=100)]) == (2000, True)


LOOK = """
found = subprocess.run([shutil.which("ladder"), "answer", row["question"]], capture_output=True, text=True)
say(json.dumps({
    "cwd": os.getcwd() == row["folder"], "hook": (settings / "settings.json").is_file(), "code": found.returncode,
    "said": found.stdout, "off": os.environ.get("LADDER_OFF"),
    "config": os.environ["CLAUDE_CONFIG_DIR"] == str(settings),
}), tokens_in=7)
pathlib.Path("ops/backup.md").unlink()
"""


def test_only_the_arm_with_ladder_has_hook_and_command_and_the_notes_stay(notes, agent):
    seen = {arm: run(agent(LOOK), ASKED, arm, notes, 60, "a") for arm in ("with", "without")}
    assert [one.failure for one in seen.values()] == ["", ""]
    told = {arm: json.loads(one.answer) for arm, one in seen.items()}
    assert all(one["cwd"] and one["config"] for one in told.values())
    assert (told["with"]["hook"], told["with"]["code"], told["with"]["off"]) == (True, 0, None)
    assert LINE in told["with"]["said"]
    assert (told["without"]["hook"], told["without"]["code"], told["without"]["off"]) == (False, 127, "1")
    assert (notes / "ops" / "backup.md").read_text(encoding="utf-8") == NOTE
    assert (seen["with"].tokens_in, seen["with"].tokens_out) == (7, None)


HOOKED = """
entry = json.loads((settings / "settings.json").read_text())["hooks"]["UserPromptSubmit"][0]["hooks"][0]
event = {"hook_event_name": "UserPromptSubmit", "prompt": row["question"], "cwd": row["folder"], "session_id": "s",
         "transcript_path": str(settings / "s.jsonl")}
words = [entry["command"], *entry["args"]]
say(subprocess.run(words, input=json.dumps(event), capture_output=True, text=True).stdout)
"""


def test_the_hook_of_the_arm_brings_the_line(notes, agent):
    for topic in ("garden", "harbour", "kiln", "bakery", "orchard", "tramway"):
        text = f"# {topic.title()}\n\nThe {topic} opens at nine and has its own gate.\n"
        (notes / f"{topic}.md").write_text(text, encoding="utf-8")
    assert "35 days" in run(agent(HOOKED), ASKED, "with", notes, 60, "a").answer


@pytest.mark.parametrize(
    ("code", "failure"),
    [("sys.exit('no credit')", "ended with 1: no credit"), ("print('hi')", "no JSON answer"),
     ("import time; time.sleep(60)", "stopped after 2 s")],
)  # fmt: skip
def test_a_program_that_fails_is_said_to(notes, agent, code, failure):
    done = run(agent(code), ASKED, "without", notes, 2, "a")
    assert (done.failure, done.answer) == (failure, "")
    assert "none.exe" in run(["none.exe"], ASKED, "without", notes, 2, "a").failure


def result(**more):
    """What the client prints with --output-format json."""
    cached = {"cache_creation_input_tokens": 1000, "cache_read_input_tokens": 20000}
    usage = {"input_tokens": 4, "output_tokens": 50} | cached
    return {
        "type": "result", "subtype": "success", "is_error": False, "duration_ms": 900, "num_turns": 3,
        "result": "35 days", "session_id": "s", "total_cost_usd": 0.01, "usage": usage, "permission_denials": [],
    } | more  # fmt: skip


def test_what_the_client_prints_becomes_an_answer():
    told = answer_of(json.dumps(result()))
    assert told == {"answer": "35 days", "tokens_in": 21004, "tokens_out": 50, "tool_calls": 2, "cost_usd": 0.01}
    call = {"type": "tool_use", "name": "Read", "input": {}}
    messages = [{"type": "system"}, {"type": "assistant", "message": {"content": [call, call, call]}}, result()]
    assert answer_of(json.dumps(messages))["tool_calls"] == 3


@pytest.mark.parametrize(
    "printed",
    ["", "Invalid API key", "[]", json.dumps(result(is_error=True)),
     json.dumps(result(subtype="error_max_turns", result=None))],
)  # fmt: skip
def test_a_client_that_did_not_answer_is_an_error(printed):
    with pytest.raises(ClientError):
        answer_of(printed)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in client is started by its first line")
def test_the_built_in_agent_from_command_to_table(notes, tmp_path, monkeypatch):
    client = tmp_path / "claude"
    client.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "assert sys.argv[1:] == ['-p', '--output-format', 'json', '--model', 'haiku']\n"
        f"assert sys.stdin.read() == {ASKED.text!r}\nprint(json.dumps({result()!r}))\n",
        encoding="utf-8",
    )
    client.chmod(0o755)
    monkeypatch.setenv("CLAUDE_PROGRAM", str(client))
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps({"question": ASKED.text, "note": "ops/backup.md", "line": LINE}), encoding="utf-8")
    words = ["--questions", file, "--notes", notes, "--agent", "claude-code --model haiku"]
    code, out = ladder([*words, "--yes"], monkeypatch)
    assert code == 0
    assert "| tokens in | 1 | 21,004.0 | 21,004.0 |" in out
    kept = tmp_path / "q.trial.jsonl"
    assert len(kept.read_text(encoding="utf-8").split("\n")) == 3
    assert kept.stat().st_mode & 0o077 == 0
    client.unlink()  # what is kept is not run again, so nothing is asked or paid
    answers = iter((True, False))
    monkeypatch.setattr("typer.confirm", lambda *_, **__: next(answers))
    code, out = ladder([*words, "--review", "--json"], monkeypatch)
    found = json.loads(out[out.index("{\n") :])
    assert found["right"]["with"]["value"] == 1.0
    assert sorted(rate["value"] for rate in found["reviewed"].values()) == [0.0, 1.0]


def test_without_a_terminal_and_without_yes_nothing_is_started(notes, agent, tmp_path, monkeypatch):
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps({"question": ASKED.text, "note": "ops/backup.md", "line": LINE}), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    words = ["--questions", file, "--notes", notes, "--agent", " ".join(agent("pathlib.Path('x').touch()"))]
    with pytest.raises(Exception, match=r"2 runs of the agent over 1 questions, about 120,000 tokens .*--yes"):
        ladder(words, monkeypatch)
    assert not (tmp_path / "q.trial.jsonl").exists()
