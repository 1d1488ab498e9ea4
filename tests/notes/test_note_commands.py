# ruff: noqa: E501 (texts as they are typed)
"""The note commands as typed, in a project of their own."""

import datetime as dt
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ladder.cli import run
from ladder.cli.app import app
from ladder.flows.note_folders import candidates
from notes import parse
from notes.writing.store import FOLDER
from transcripts import sessions


class Run:
    """Runs `ladder` in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *words, stdin="", code=0):
        out, err = io.BytesIO(), io.BytesIO()
        kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, Path.cwd()
        os.chdir(self.folder)
        sys.argv = ["ladder", *words]
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        sys.stdout, sys.stderr = (io.TextIOWrapper(b, encoding="utf-8", newline="\n") for b in (out, err))
        try:
            with pytest.raises(SystemExit) as end:
                run()
            sys.stdout.flush()
            sys.stderr.flush()
            self.err = err.getvalue().decode()
            assert end.value.code == code, self.err
            return out.getvalue().decode()
        finally:
            sys.argv, sys.stdin, sys.stdout, sys.stderr = kept[:4]
            os.chdir(kept[4])


@pytest.fixture
def ladder(tmp_path):
    (tmp_path / "ladder.toml").write_text(
        'folders = ["notes"]\nuser_folder = ""\nclient_memory = false\n', encoding="utf-8"
    )
    (tmp_path / "notes").mkdir()
    return Run(tmp_path)


def test_a_note_from_new_to_as_of(ladder):
    path = ladder("note", "new", "Deploy rollback", "--head", "It works.").strip()
    assert path.endswith("deploy-rollback.md")
    assert ladder("note", "append", "rollback", "one", "--title", "canary abort", "--date", "2026-09-02", code=1) == ""
    said = ladder("note", "append", "deploy-rollback", "one", "--title", "canary abort", "--date", "2026-09-02")
    assert said == "deploy-rollback#2026-09-02-canary-abort\n"
    ladder("note", "append", "Deploy-Rollback.md", "--date", "2026-09-03", stdin="# two\n")
    ladder("note", "head", "deploy-rollback", "-", stdin="It works no more.\n")
    text = ladder("note", "show", "deploy-rollback")
    assert text == (
        "# Deploy rollback\n\nIt works no more.\n\n## History\n\n### 2026-09-02 canary abort\n\none\n\n### 2026-09-03\n\n\\# two\n"
    )
    assert ladder("note", "show", "deploy-rollback#2026-09-02-canary-abort") == "### 2026-09-02 canary abort\n\none\n"
    assert ladder("note", "show", "deploy-rollback", "--head") == "It works no more.\n"
    log = ladder("note", "log", "deploy-rollback")
    assert "2026-09-02  2026-09-02-canary-abort  canary abort\n" in log
    assert "UTC: It works.\n" in log
    assert ladder("note", "show", "deploy-rollback", "--former", "1") == "It works.\n"
    told = json.loads(ladder("note", "show", "deploy-rollback", "--json"))
    ladder("note", "head", "deploy-rollback", "x", "--seen", "0" * 64, code=2)
    assert "changed since read" in ladder.err
    ladder("note", "head", "deploy-rollback", "x", "--seen", told["sha256"])


def test_check_finds_a_changed_entry_until_it_is_accepted(ladder):
    ladder("note", "new", "A", "--head", "h")
    ladder("note", "append", "a", "what was", "--date", "2026-09-02")
    assert ladder("note", "check") == ""
    path = ladder.folder / "notes" / "a.md"
    path.write_bytes(path.read_bytes().replace(b"what was", b"what never was"))
    for _ in range(2):
        said = ladder("note", "check", code=1)
        assert said.startswith("a:7: history: entry 2026-09-02 was changed since ")
        assert "'what was'" in said
    (finding,) = json.loads(ladder("note", "check", "--json", code=1))["findings"]
    assert (finding["kind"], finding["serious"]) == ("history", True)
    ladder("note", "check", "--accept", code=1)
    assert ladder("note", "check") == ""


def test_check_misses_a_note_that_is_gone(ladder):
    for name in ("A", "B"):
        ladder("note", "new", name, "--head", "h")
        ladder("note", "append", name, f"what was in {name}", "--date", "2026-09-02")
    folder = ladder.folder / "notes"
    (folder / "a.md").rename(folder / "renamed.md")
    assert ladder("note", "check") == "a: gone: the note is gone; its 1 dated entries stand in other notes\n"
    (folder / "b.md").unlink()
    assert "b: gone: the note is gone with 1 dated entries" in ladder("note", "check", code=1)
    ladder("note", "check", "--accept", code=1)
    assert ladder("note", "check") == ""


def test_check_holds_the_ledger_against_git(ladder):
    git = ["git", "-C", str(ladder.folder), "-c", "user.name=n", "-c", "user.email=e@x"]
    subprocess.run([*git, "init", "-q"], check=True)
    ladder("note", "new", "A", "--head", "h")
    ladder("note", "append", "a", "what was", "--date", "2026-09-02")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    # Somebody rewrites the note and makes the whole chain anew: it verifies, but not against what was committed.
    path = ladder.folder / "notes" / "a.md"
    path.write_bytes(path.read_bytes().replace(b"what was", b"what never was"))
    (ladder.folder / "notes" / FOLDER / "notes" / "a.md.jsonl").unlink()
    ladder("note", "check", "--json")
    said = ladder("note", "check", code=1)
    assert "written anew" in said
    assert "locks" not in subprocess.run([*git, "ls-files"], capture_output=True, text=True, check=True).stdout


def test_check_gives_advice(ladder):
    folder = ladder.folder / "notes"
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    (folder / "a.md").write_text(
        f"# A\n\n{'word ' * 900}\n\n[x](gone.md) [[B]] [[nowhere]] [ok](b.md)\n\nkey {token}\n\n"
        "## History\n\n- 2026-09-03: b\n- 2026-09-01: a\n- 2026-09-04: c\n- no date\n",
        encoding="utf-8",
    )
    (folder / "b.md").write_text("# B\n\nx\n", encoding="utf-8")
    (folder / "c.md").write_bytes(b"# C\n\n\xa2\n")
    found = json.loads(ladder("note", "check", "--json", code=1))["findings"]
    kinds = sorted((f["note"], f["kind"]) for f in found)
    assert kinds == [
        ("a", "head"), ("a", "link"), ("a", "link"), ("a", "order"), ("a", "secret"), ("a", "undated"), ("c", "encoding"),
    ]  # fmt: skip
    assert token not in json.dumps(found)


def test_check_prints_ten_alike_of_a_note_and_counts_the_rest(ladder):
    items = "".join(f"- item {n}\n" for n in range(30))
    (ladder.folder / "notes" / "a.md").write_text(
        f"# A\n\nx\n\n## History\n\n- 2026-09-01: a\n{items}", encoding="utf-8"
    )
    lines = ladder("note", "check").splitlines()
    assert len(lines) == 11
    assert lines[9] == "a:17: undated: entry item-9 bears no date"
    assert lines[10] == "a: undated: 20 more"
    assert len(json.loads(ladder("note", "check", "--json"))["findings"]) == 30
    ladder("note", "check")
    assert "30 undated" in ladder.err


def test_fix_repairs_what_is_safe_and_asks(ladder):
    folder = ladder.folder / "notes"
    (folder / "deep").mkdir()
    (folder / "deep" / "b.md").write_bytes(b"# B\n\nx\n")
    (folder / "a.md").write_bytes(
        b"# A\n\n[b](b.md#x)\n\n## History\n\n### 2026-09-01\n\n[b](c.md)\n\n## End\n\nno line end"
    )
    before = (folder / "a.md").read_bytes()
    assert "+[b](deep/b.md#x)" in ladder("note", "fix", "--dry-run")
    ladder("note", "fix", stdin="n\n")
    assert (folder / "a.md").read_bytes() == before
    ladder("note", "fix", "--yes")
    assert (folder / "a.md").read_bytes() == before.replace(b"(b.md#x)", b"(deep/b.md#x)") + b"\n"
    ladder("note", "fix", "--yes", code=1)


def test_adopt_reports_and_changes_nothing_unless_told(ladder):
    folder = ladder.folder / "vault"
    folder.mkdir()
    note = b"# A\n\n## How\n\nx\n\n## Status\n\ngood\n\n## Changes\n\nnone\n"
    (folder / "a.md").write_bytes(note)
    said = ladder("adopt", str(folder))
    assert '"Status" is named as a state but is not the first section' in said
    assert '"Changes" is named as a history but holds no date' in said
    assert (folder / "a.md").read_bytes() == note
    ladder("adopt", str(folder), "--write", stdin="y\n")
    assert (folder / "a.md").read_bytes() == b"# A\n\n## Status\n\ngood\n\n## How\n\nx\n\n## Changes\n\nnone\n"
    assert parse((folder / "a.md").read_bytes()).text(parse((folder / "a.md").read_bytes()).head) == "good"


def test_as_of_from_the_ledger_and_from_git(ladder, monkeypatch):
    ladder("note", "new", "A", "--head", "first")
    ladder("note", "append", "a", "one", "--date", "2020-01-01")
    ladder("note", "append", "a", "two", "--date", "2020-01-03")
    path = ladder.folder / "notes" / "a.md"
    ledger = ladder.folder / "notes" / FOLDER / "notes" / "a.md.jsonl"
    ledger.unlink()
    text = ladder("note", "asof", "a", "2020-01-02")
    assert "one" in text
    assert "two" not in text
    assert "older ones are not known" in ladder.err
    git = ["git", "-C", str(ladder.folder), "-c", "user.name=n", "-c", "user.email=e@x"]
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T12:00:00Z")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2020-01-01T12:00:00Z")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    committed = path.read_text(encoding="utf-8")
    ladder("note", "head", "a", "second")
    assert ladder("note", "asof", "a", "2020-01-02") == committed
    assert "git commit" in ladder.err
    ladder("note", "asof", "a", "yesterday", code=2)
    # What the ledger saw after the last commit counts for the days after it.
    assert ladder("note", "asof", "a", dt.datetime.now().astimezone().date().isoformat()).startswith("# A\n\nsecond\n")
    assert "from the ledger" in ladder.err


@pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "a\\..\\b"])
def test_r27_no_command_reaches_out_of_the_notes(ladder, name):
    (ladder.folder / "x.md").write_text("# X\n", encoding="utf-8")
    for words in (("append", name, "x"), ("head", name, "x"), ("show", name), ("log", name)):
        assert ladder("note", *words, code=1) == ""
        assert "no note called" in ladder.err
    ladder("note", "new", name, code=2)
    ladder("note", "new", "t", "--in", name, code=2)
    assert (ladder.folder / "x.md").read_text(encoding="utf-8") == "# X\n"
    assert list((ladder.folder / "notes").iterdir()) == []


def test_a_note_is_named_by_its_title_or_alias_too(ladder):
    folder = ladder.folder / "notes"
    (folder / "heat.md").write_text("---\naliases: [HP, shared]\n---\n# Heat pump\n\nx\n", encoding="utf-8")
    (folder / "tariff.md").write_text("---\naliases: shared\n---\n# Tariff\n\nx\n", encoding="utf-8")
    for name in ("Heat pump", "HP", "heat"):
        assert ladder("note", "append", name, "filter").startswith("heat#2")
    ladder("note", "append", "shared", "x", code=2)
    assert ladder.err == "ladder: 'shared' may be heat, tariff; name one\n"


def test_a_question_comes_from_the_standard_input_too(ladder):
    (ladder.folder / "notes" / "a.md").write_text('# A\n\nthe "zebra" runs\n', encoding="utf-8")
    for command in ("suggest", "answer", "why"):
        assert ladder(command, "-", stdin='where is the "zebra"?\n') == ladder(command, 'where is the "zebra"?')
    ladder("suggest", "-", stdin="lion", code=1)


def test_a_name_that_is_none_gives_names_like_it(ladder):
    (ladder.folder / "notes" / "second-note.md").write_text("# T\n\nx\n", encoding="utf-8")
    for name in ("second", "secnd-note"):
        for command in (("note", "append", name, "x"), ("note", "show", name), ("read", name)):
            ladder(*command, code=1)
            assert ladder.err == f"ladder: no note called '{name}'; near: second-note\n"
    ladder("suggest", "zebra", code=1)
    assert ladder.err == "ladder: no note has to do with it; there is one\n"


def test_two_notes_of_one_name_are_both_told(ladder):
    for folder in ("a", "b"):
        ladder("note", "new", "Same", "--in", folder)
    ladder("note", "append", "same", "x", code=2)
    assert "a/same, b/same" in ladder.err
    ladder("note", "append", "b/same", "x")


def test_an_editor_gives_the_text(ladder, monkeypatch):
    if os.name == "nt":
        pytest.skip("a POSIX terminal is needed")
    import pty

    ladder("note", "new", "A", "--head", "old")
    editor = ladder.folder / "editor.py"
    editor.write_text(
        "import sys, pathlib\np = pathlib.Path(sys.argv[1])\np.write_text(p.read_text() + 'and more\\n')\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor}")
    _, terminal = pty.openpty()
    command = [sys.executable, "-m", "ladder", "note", "head", "a"]
    subprocess.run(command, cwd=ladder.folder, stdin=terminal, check=True)
    os.close(terminal)
    os.close(_)
    assert (ladder.folder / "notes" / "a.md").read_text(encoding="utf-8") == "# A\n\nold\nand more\n"


def test_init_gives_an_example_and_says_what_next(tmp_path):
    ladder = Run(tmp_path)
    said = ladder("init")
    assert "Next: ladder note new" in said
    (note,) = (tmp_path / "notes").glob("*.md")
    parsed = parse(note.read_bytes())
    assert parsed.head.end > parsed.head.start
    assert len(parsed.entries) == 1
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    said = ladder("init")
    assert "exists already; nothing was changed" in said
    assert "1 notes found. Next: ladder suggest" in said
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    ladder("init", "nowhere", code=2)
    assert ladder.err == "ladder: nowhere is not a folder\n"


@pytest.mark.parametrize(
    ("git", "ignored", "told"), [(True, "", True), (True, ".ladder/\n", False), (False, "", False)]
)
def test_a_new_ledger_folder_is_told_of_once_where_git_would_show_it(ladder, git, ignored, told):
    if git:
        subprocess.run(["git", "init", "-q", ladder.folder], check=True)
    (ladder.folder / ".gitignore").write_text(ignored, encoding="utf-8")
    ladder("note", "new", "A", "--head", "h")
    assert (f"{ladder.folder / 'notes' / '.ladder'} is new" in ladder.err) == told
    assert ladder.err.count("\n") == told
    ladder("note", "append", "a", "x")
    ladder("note", "head", "a", "y")
    assert ladder.err == ""


def test_check_tells_of_the_ledger_that_it_begins(ladder):
    subprocess.run(["git", "init", "-q", ladder.folder], check=True)
    (ladder.folder / "notes" / "a.md").write_text("# A\n\n- 2026-01-01: a\n- 2026-01-02: b\n", encoding="utf-8")
    ladder("note", "check", "--look")
    assert "is new" not in ladder.err
    ladder("note", "check")
    assert f"echo .ladder/ >> {ladder.folder / 'notes' / '.gitignore'}" in ladder.err


def test_what_finds_nothing_says_so_in_one_line(ladder):
    for words in (("suggest", "x"), ("answer", "x"), ("suggest", "--why", "x"), ("index",), ("note", "check")):
        ladder(*words, code=1)
        assert ladder.err.startswith(f"ladder: no notes in {ladder.folder}: `ladder init`"), words
        assert ladder.err.count("\n") == 1
    for letter in "abc":
        (ladder.folder / "notes" / f"{letter}.md").write_text(
            f"# {letter * 4}\n\n## S\n\ntext {letter * 4}\n", encoding="utf-8"
        )
    for words in (("suggest", "zebra"), ("answer", "zebra")):
        assert ladder(*words, code=1) == ""
        assert ladder.err == "ladder: none of the 3 notes has to do with it\n"
    assert json.loads(ladder("suggest", "zebra", "--json", code=1)) == {"schema": 1, "notes": []}
    assert ladder.err == ""
    assert ladder("answer", "aaaa", "-b", "1", code=1) == ""
    assert ladder.err == "ladder: no paragraph of what answers fits in 1 tokens\n"
    (ladder.folder / "notes" / "empty.md").write_bytes(b"")
    ladder("read", "empty", "--all", code=1)
    assert ladder.err == "ladder: empty is empty\n"
    ladder("note", "log", "a", code=1)
    assert ladder.err == "ladder: a has no dated entry and no former head\n"
    ladder("note", "fix", code=1)
    assert ladder.err == "ladder: nothing to repair\n"


def test_an_empty_sum_is_no_note_that_was_seen(ladder):
    assert ladder("note", "new", "Seen", "--head", "one")
    ladder("note", "head", "seen", "two", "--seen", "", code=2)
    assert ladder.err == "ladder: seen changed since read; read it again and repeat the change\n"


def test_a_folder_that_differs_by_case_alone_is_the_one_that_is_there(ladder):
    first = ladder("note", "new", "One", "--in", "Ops/Deep").strip()
    second = ladder("note", "new", "Two", "--in", "ops/deep").strip()
    assert Path(second).parent == Path(first).parent


def test_a_note_was_not_there_before_its_first_commit(ladder):
    git = ["git", "-C", str(ladder.folder), "-c", "user.name=n", "-c", "user.email=e@example.com"]
    folder = ladder.folder / "notes"
    folder.mkdir(exist_ok=True)
    (folder / "old.md").write_text("# Old\n\nhead of today\n", encoding="utf-8")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    when = {**os.environ, "GIT_COMMITTER_DATE": "2026-09-10T12:00:00Z", "GIT_AUTHOR_DATE": "2026-09-10T12:00:00Z"}
    subprocess.run([*git, "commit", "-qm", "x"], check=True, env=when)
    assert ladder("note", "asof", "old", "2026-09-12") == "# Old\n\nhead of today\n"
    ladder("note", "asof", "old", "2026-09-08", code=1)
    assert ladder.err == "ladder: old did not exist on 2026-09-08\n"


def test_init_takes_the_folders_that_are_there(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n", encoding="utf-8")
    (tmp_path / "CLAUDE.md").write_text("# C\n", encoding="utf-8")
    said = Run(tmp_path)("init")
    assert "2 notes found. Next: ladder suggest" in said
    assert 'folders = ["CLAUDE.md", "docs"]' in (tmp_path / "ladder.toml").read_text(encoding="utf-8")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["CLAUDE.md", "docs", "ladder.toml"]


def test_init_proposes_hidden_folders_by_what_the_logs_read_and_no_copies(tmp_path):
    project = tmp_path / "project"
    texts = {f".planning/phases/{n}.md": f"# Phase {n}\n\nplan {n}\n" for n in range(12)}
    texts |= {f"web/{n}.md": f"# Phase {n}\n\nplan {n}\n" for n in range(12)}  # copies
    texts |= {f"many/{n}/README.md": "# The same\n" for n in range(12)}
    texts |= {".claude/agents/a.md": "# Agent\n", ".cursor/rules/r.md": "# Rule\n", "dist/d.md": "# Made\n"}
    texts |= {"node_modules/x/README.md": "# X\n", "README.md": "# R\n", "other/.git/HEAD": "", "other/o.md": "# O\n"}
    texts |= {"LICENSE.md": "# MIT\n"}
    for name, text in texts.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    (project / ".git").mkdir()
    path = str(project / ".planning" / "phases" / "3.md")
    call = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": path}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "1\tplan 3"}
    shared = {"cwd": str(project), "sessionId": "s", "timestamp": "2026-09-02T10:00:00Z"}
    records = [
        {"type": "user", "uuid": "1", **shared, "message": {"role": "user", "content": "go on"}},
        {"type": "assistant", "uuid": "2", **shared, "message": {"role": "assistant", "id": "m", "content": [call]}},
        {"type": "user", "uuid": "3", **shared, "message": {"role": "user", "content": [result]}},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    found = {each.path: each for each in candidates(project, sessions(log))}
    assert found[".planning"][1:] == (12, found[".planning"].tokens, 1, "")
    assert {path: each.why_not for path, each in found.items() if each.why_not} == {
        "web": "copies of what stands elsewhere", "many": "the same text in many places",
        "dist": "generated or other people's", "LICENSE.md": "boilerplate, never read",
    }  # fmt: skip
    said = json.loads(Run(project)("init", "--logs", str(log), "--yes", "--json"))
    assert said["folders"] == [".planning", ".claude/agents", ".cursor/rules", "README.md"]
    assert said["notes"] == 15
    assert Run(project)("read", ".planning/phases/3").endswith("plan 3\n")


def test_a_vault_is_taken_whole_and_files_elsewhere_are_told_of(tmp_path):
    ladder = Run(tmp_path)
    for name in "abcd":
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nzebra\n", encoding="utf-8")
    ladder("suggest", "zebra", code=1)
    assert ladder.err.endswith('says where others lie; 4 Markdown files are there, folders = ["."] takes them all\n')
    (tmp_path / ".obsidian").mkdir()
    assert "4 notes found" in ladder("init")
    assert 'folders = ["."]\n' in (tmp_path / "ladder.toml").read_text(encoding="utf-8")
    assert not (tmp_path / "notes").exists()
    assert ladder("suggest", "zebra").count("zebra") == 4


def test_init_says_as_json_what_it_did(tmp_path):
    ladder = Run(tmp_path)
    made = json.loads(ladder("init", "--json"))
    shared = {"schema": 1, "config": str(tmp_path / "ladder.toml"), "folders": ["notes"], "notes": 1}
    assert made == {**shared, "created": True, "note": made["note"]}
    assert Path(made["note"]).is_file()
    again = json.loads(ladder("init", "--json"))
    assert again == {**shared, "created": False, "note": None}


def test_guard_by_hand(ladder):
    ladder("note", "new", "A", "--head", "h")
    ladder("note", "append", "a", "x", "--date", "2026-09-02")
    event = {"tool_name": "Write", "tool_input": {"file_path": "notes/a.md", "content": "gone"}}
    assert '"2026-09-02"' in ladder("guard", stdin=json.dumps(event))
    event["tool_input"] = {"file_path": "README.md", "content": "x"}
    assert ladder("guard", stdin=json.dumps(event), code=1) == ""
    ladder("guard", stdin="[]", code=2)
    ladder("guard", stdin="{", code=2)


@pytest.mark.parametrize(
    "words",
    [
        ("append", "deploy", "a \udcff b"),
        ("append", "deploy", "--title", "\udcff", "text"),
        ("head", "deploy", "a \udcff b"),
        ("new", "T \udcff"),
        ("new", "Two", "--head", "\udcff"),
        ("new", "Two", "--in", "\udcff"),
    ],
)
def test_what_is_not_utf8_is_written_nowhere_and_said_in_one_line(ladder, words):
    ladder("note", "new", "Deploy", "--head", "It works.")
    before = {path: path.read_bytes() for path in (ladder.folder / "notes").glob("*") if path.is_file()}
    assert ladder("note", *words, code=2) == ""
    assert ladder.err.count("\n") == 1, ladder.err
    assert {path: path.read_bytes() for path in (ladder.folder / "notes").glob("*") if path.is_file()} == before


def test_a_head_may_be_a_list(ladder):
    ladder("note", "new", "Deploy", "--head", "It works.")
    ladder("note", "head", "deploy", "- one\n- two")
    assert (ladder.folder / "notes/deploy.md").read_text(encoding="utf-8") == "# Deploy\n\n- one\n- two\n"


def test_of_a_binary_file_nothing_is_said_but_that_it_is_no_note(tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    noise = bytes((n * 7919 + n // 251) % 256 for n in range(60_000))
    (tmp_path / "notes" / "noise.md").write_bytes(b"# N\n\n" + noise)
    (tmp_path / "notes" / "latin.md").write_bytes("# L\n\nTür und Tor.\n".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    checked = CliRunner().invoke(app, ["note", "check", "--json"])
    assert [(f["note"], f["kind"]) for f in json.loads(checked.stdout)["findings"]] == [
        ("notes/latin", "encoding"), ("notes/noise", "encoding"),
    ]  # fmt: skip
    adopted = CliRunner().invoke(app, ["note", "adopt", "notes", "--json"])
    assert [row["note"] for row in json.loads(adopted.stdout)["notes"]] == ["latin"]
    assert "binary, so no note: " in adopted.stderr
    said = CliRunner().invoke(app, ["index"]).stderr.split("\n")
    assert [line.split(" /")[0] for line in said if "/notes/" in line] == [
        "ladder: binary, so no note, and nothing of it is indexed:",
        "ladder: not UTF-8, so only in part readable, and never written:",
    ]


@pytest.mark.parametrize(
    ("folder", "where"),
    [("ops", "notes/ops"), ("notes/ops", "notes/ops"), ("notes", "notes"), ("./notes/Ops", "notes/Ops"), ("", "notes")],
)
def test_a_folder_may_be_named_from_where_one_stands(ladder, folder, where):
    path = ladder("note", "new", "Canary", "--in", folder).strip()
    assert Path(path) == ladder.folder / where / "canary.md"
