# ruff: noqa: E501 (tables of inputs)
"""The guard: what it denies, what it lets pass, and that its scan agrees with the parser."""

import subprocess
import sys
from pathlib import Path

import pytest
from counted import lines_run
from hypothesis import given, settings
from hypothesis import strategies as st
from test_entry_forms import FORMS
from test_parse_golden import GOLDEN

from ladder.hook.guard.entries import guard_dated, guard_entries
from ladder.hook.guard.judge import guard_denial, guarded_roots
from ladder.hook.guard.shell import guard_join, guard_shell_writes
from notes import parse
from notes.writing.ledger import dated

NOTE = "# Deploy\n\nAll is well.\n\n## How\n\nlike this\n\n## History\n\n### 2026-09-01 first\n\nwhat was\n\n### 2026-09-02 second\n\nmore\n"
FILES = {"/p/notes/deploy.md": NOTE.encode(), "/p/notes/plain.md": b"# Plain\n\ntext\n", "/p/src/a.py": b"x = 1\n"}
ROOTS = ("/p/notes",)


def _ask(tool, **given):
    event = {"tool_name": tool, "tool_input": given, "cwd": "/p"}
    return guard_denial(event, FILES.get, ROOTS)


def test_edits_of_head_and_body_pass():
    assert _ask("Edit", file_path="/p/notes/deploy.md", old_string="All is well.", new_string="All is broken.") is None
    assert (
        _ask("Edit", file_path="notes/deploy.md", old_string="like this", new_string="like that\n\n## More\n\nx")
        is None
    )
    assert _ask("Write", file_path="/p/notes/deploy.md", content=NOTE.replace("like this", "anew")) is None


def test_a_new_entry_passes():
    more = NOTE + "\n### 2026-09-03 third\n\nz\n"
    assert _ask("Write", file_path="/p/notes/deploy.md", content=more) is None
    front = NOTE.replace("### 2026-09-01", "### 2026-08-31 zeroth\n\ny\n\n### 2026-09-01")
    assert _ask("Write", file_path="/p/notes/deploy.md", content=front) is None


def test_a_changed_entry_is_denied_by_name_with_an_offer():
    said = _ask("Edit", file_path="/p/notes/deploy.md", old_string="what was", new_string="what never was")
    assert '"2026-09-01 first"' in said
    assert "ladder note append deploy" in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "edits",
    [
        [{"old_string": "like this", "new_string": "a"}, {"old_string": "more", "new_string": "less"}],
        [{"old_string": "### 2026-09-02 second\n\nmore\n", "new_string": ""}],
        [{"old_string": "2026-09-02", "new_string": "2026-09-03", "replace_all": True}],
    ],
)
def test_multi_edit(edits):
    assert "2026-09-02 second" in _ask("MultiEdit", file_path="/p/notes/deploy.md", edits=edits)


def test_an_edit_that_does_not_fit_is_the_tools_own_business():
    assert _ask("Edit", file_path="/p/notes/deploy.md", old_string="nowhere", new_string="x") is None


def test_write_that_drops_or_reorders_entries_is_denied():
    assert "2026-09-01 first" in _ask("Write", file_path="/p/notes/deploy.md", content="# Deploy\n")
    first, second = "### 2026-09-01 first\n\nwhat was\n", "### 2026-09-02 second\n\nmore\n"
    turned = NOTE.replace(first + "\n" + second, second + "\n" + first)
    assert _ask("Write", file_path="/p/notes/deploy.md", content=turned) is not None


def test_what_is_no_note_passes():
    assert _ask("Write", file_path="/p/src/a.py", content="") is None
    assert _ask("Write", file_path="/p/notes/plain.md", content="") is None
    assert _ask("Write", file_path="/p/notes/new.md", content="# New\n") is None
    assert (
        guard_denial(
            {"tool_name": "Write", "tool_input": {"file_path": "/q/deploy.md", "content": ""}}, FILES.get, ROOTS
        )
        is None
    )


@pytest.mark.parametrize(
    "command",
    [
        "echo x > notes/deploy.md",
        "cd notes && echo x >deploy.md",
        "echo x >| 'notes/deploy.md'",
        "make &> notes/deploy.md",
        "echo x | tee notes/deploy.md",
        "cp other.md notes/deploy.md",
        "mv -f other.md notes/deploy.md",
        "rm -f notes/deploy.md",
        "truncate -s 0 notes/deploy.md",
        "dd if=/dev/null of=notes/deploy.md",
        "cat > notes/deploy.md <<'EOF'\n# Deploy\n\nnothing left\nEOF\n",
        "sudo tee notes/deploy.md < x",
    ],
)
def test_shell_commands_that_overwrite_are_denied(command):
    assert _ask("Bash", command=command) is not None


@pytest.mark.parametrize(
    "command",
    [
        "echo x >> notes/deploy.md",
        "cat notes/deploy.md > /tmp/copy.md",
        "grep -n '> notes/deploy.md' x",
        "echo 'a > notes/deploy.md'",
        "echo x | tee -a notes/deploy.md",
        "cat > notes/other.md <<'EOF'\n> notes/deploy.md\nrm notes/deploy.md\nEOF\n",
        f"cat > notes/deploy.md <<'EOF'\n{NOTE}EOF\n",
        "echo x > $NOTE",
        "ls 2>&1 | head",
        "# > notes/deploy.md",
        "diff <(cat a) notes/deploy.md",
        "mv notes/deploy.md notes/archive.md",
    ],
)
def test_other_shell_commands_pass(command):
    assert _ask("Bash", command=command) is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_what_only_adds_is_not_let_through_a_link_that_leads_out(tmp_path):
    root = tmp_path.resolve() / "notes"
    root.mkdir()
    (tmp_path / "outside.md").write_text("x", encoding="utf-8")
    (root / "link.md").symlink_to(tmp_path / "outside.md")
    (root / "real.md").write_text(NOTE, encoding="utf-8")

    def ask(command):
        event = {"tool_name": "Bash", "tool_input": {"command": command}, "cwd": str(tmp_path.resolve())}
        return guard_denial(event, lambda p: Path(p).read_bytes(), (str(root),))

    for command in ("echo x >> notes/{}", "echo x | tee -a notes/{}", "cat <<E >> notes/{}\nx\nE"):
        assert "leads out of the notes" in ask(command.format("link.md")), command
        assert ask(command.format("real.md")) is None, command


SERVER = "mcp__files__"
DEPLOY = "/p/notes/deploy.md"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("write_file", {"path": DEPLOY, "content": "# Deploy\n"}),
        ("write_file", {"path": "notes/deploy.md", "content": ""}),
        ("edit_file", {"path": DEPLOY, "edits": [{"oldText": "what was", "newText": "x"}]}),
        ("str_replace", {"file_path": DEPLOY, "old_str": "what was", "new_str": "x"}),
        ("create_or_update", {"filename": DEPLOY, "contents": "x"}),
        ("move_file", {"source": DEPLOY, "destination": "/tmp/x"}),
        ("delete_file", {"path": DEPLOY}),
    ],
)
def test_file_tools_of_a_server_are_judged(tool, given):
    assert "2026-09-01 first" in _ask(SERVER + tool, **given)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read_file", {"path": DEPLOY}),
        ("write_file", {"path": "/p/src/a.py", "content": ""}),
        ("write_file", {"path": DEPLOY, "content": NOTE + "\n### 2026-09-03 third\n\nx\n"}),
        ("edit_file", {"path": DEPLOY, "edits": [{"oldText": "All is well.", "newText": "x"}]}),
        ("append_file", {"path": DEPLOY, "content": "x"}),
        ("write_file", {"path": 7, "content": []}),
        ("edit_file", {"path": DEPLOY, "edits": [3]}),
    ],
)
def test_other_calls_of_a_server_pass(tool, given):
    assert _ask(SERVER + tool, **given) is None


def test_what_is_said_where_the_guard_only_warns_is_said_of_what_was_done():
    edit = {"file_path": DEPLOY, "old_string": "what was", "new_string": "x"}
    said = guard_denial({"tool_name": "Edit", "tool_input": edit}, FILES.get, ROOTS, done=True)
    assert "this Edit changed or removed the dated entry" in said
    assert "ladder note restore deploy" in said
    asked = guard_denial({"tool_name": "Edit", "tool_input": edit}, FILES.get, ROOTS)
    assert "may be appended, with the Edit tool or `ladder note append deploy" in asked


def test_an_entry_is_quoted_in_whole_words():
    line = "2026-02-11: the canary stopped the deploy: opening time 4.1 s because the firmware was old and slow"
    ((quoted, _),) = guard_entries(f"## History\n\n- {line}\n")
    assert quoted == "2026-02-11: the canary stopped the deploy: opening time 4.1 s because the…"


TASKS = "# Week\n\n- [ ] 2026-10-01 call the bank\n- [x] 2026-10-02 pay the rent\n\n1. [ ] 2026-10-03 a\n2. [X] 2026-10-04 b\n"


@pytest.mark.parametrize("over", ["", "## History\n\n"])
def test_a_task_list_with_days_is_no_history(over):
    text = TASKS.replace("\n\n", "\n\n" + over, 1)
    assert guard_entries(text) == []
    assert dated(parse(text.encode())) == []
    files = {"/p/notes/week.md": text.encode()}
    edit = {"file_path": "/p/notes/week.md", "old_string": "[ ] 2026-10-01", "new_string": "[x] 2026-10-01"}
    assert guard_denial({"tool_name": "Edit", "tool_input": edit, "cwd": "/p"}, files.get, ROOTS) is None


def test_where_the_guard_judges(tmp_path):
    project, user, memory = tmp_path / "p", tmp_path / "user", tmp_path / "client" / "projects" / "-p" / "memory"
    for folder in (project / "notes", user, memory):
        folder.mkdir(parents=True)
    client = (tmp_path / "client").as_posix()
    own = [(project / "notes").as_posix(), (project / "CLAUDE.md").as_posix()]
    roots = [(own[0], ""), (own[1], ""), (memory.as_posix(), "@memory/"), (user.as_posix(), "@user/")]
    assert guarded_roots([project.as_posix()], roots, client) == []
    (user / ".ladder" / "notes").mkdir(parents=True)
    assert guarded_roots([project.as_posix()], roots, client) == [user.as_posix()]
    for ledger in (project / "notes", project):  # the latter of CLAUDE.md
        (ledger / ".ladder" / "notes").mkdir(parents=True)
        assert guarded_roots([project.as_posix()], roots, client) == [*own, user.as_posix()]
        (ledger / ".ladder" / "notes").rmdir()
    tree = (tmp_path / "wt").as_posix()
    (project / "ladder.toml").touch()
    both = guarded_roots([project.as_posix(), tree], roots, client)
    assert both == [own[0], f"{tree}/notes", own[1], f"{tree}/CLAUDE.md", user.as_posix()]
    (memory / ".ladder" / "notes").mkdir(parents=True)
    assert guarded_roots([project.as_posix()], roots, client) == [*own, user.as_posix()]
    named = [*roots, (memory.as_posix() + "/more", "@memory2/")]  # also where ladder.toml names the folder
    assert guarded_roots([project.as_posix()], named, client) == [*own, user.as_posix()]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_r25_writing_through_a_link_is_denied_and_names_it(tmp_path):
    root = tmp_path.resolve() / "notes"
    root.mkdir()
    outside = tmp_path.resolve() / "outside.md"
    outside.write_text("x", encoding="utf-8")
    (root / "link.md").symlink_to(outside)
    (root / "inside.md").symlink_to(root / "real.md")
    (root / "real.md").write_text("x", encoding="utf-8")

    def ask(name):
        event = {"tool_name": "Write", "tool_input": {"file_path": str(root / name), "content": "y"}}
        return guard_denial(event, lambda p: Path(p).read_bytes(), (str(root),))

    assert str(outside) in ask("link.md")
    assert ask("inside.md") is None
    assert ask("real.md") is None


@pytest.mark.parametrize(
    "event",
    [{}, {"tool_name": 5}, {"tool_name": "Edit", "tool_input": None}, {"tool_name": "Edit", "tool_input": {"file_path": 7}},
     {"tool_name": "MultiEdit", "tool_input": {"file_path": "/p/notes/deploy.md", "edits": [3]}}, {"tool_name": "Bash", "tool_input": {"command": "<<"}}],
)  # fmt: skip
def test_malformed_events_pass(event):
    assert guard_denial(event, FILES.get, ROOTS) is None


def test_a_failing_reader_blocks_nothing():
    def broken(_path):
        raise RuntimeError("broken")

    assert guard_denial({"tool_name": "Write", "tool_input": {"file_path": "/a.md", "content": ""}}, broken) is None


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_command_is_read_without_error(command):
    assert isinstance(guard_shell_writes(command, "/p"), list)


@given(
    st.lists(
        st.sampled_from([*NOTE.split("\n"), "```", "<!--", "-->", "- 2026-01-01 x", "- y", "    2026-01-01"]),
        max_size=30,
    )
)
@settings(max_examples=200, deadline=None)
def test_a_text_loses_nothing_to_itself(lines):
    text = "\n".join(lines)
    event = {"tool_name": "Write", "tool_input": {"file_path": "/a.md", "content": text}}
    assert guard_denial(event, lambda _path: text.encode()) is None


@pytest.mark.parametrize(
    "text",
    ["2026-09-02", "2026/09/02: x", "2 Sep 2026", "2. September 2026 x", "Sep 2, 2026", "2026年9月2日", "02.09.2026", "[1.2.0] - 2026-09-02",
     "Wed, 2 Sep 2026", "**2026-09-02** x", "2 de septiembre de 2026", "v1.2 (2026-09-02)", "20260902", "2-Sep-2026", "2026년 9월 2일"],
)  # fmt: skip
def test_dates_that_both_know(text):
    assert guard_dated(text)


@pytest.mark.parametrize(
    "text", ["", "x", "1.2.0", "2026", "2026-13-01", "On 2026", "Release notes", "3 things to do", "Step 2"]
)
def test_no_dates(text):
    assert not guard_dated(text)


def test_join():
    assert guard_join("/p", "notes/../notes/./a.md") == "/p/notes/a.md"
    assert guard_join("/p", "/x/../../a.md") == "/a.md"


@pytest.mark.parametrize(
    "command",
    [
        "Set-Content -Path notes\\deploy.md -Value 'x'",
        "'x' | Out-File .\\notes\\deploy.md -Encoding utf8",
        "'x' | Tee-Object notes/deploy.md",
        "Copy-Item other.md notes\\deploy.md",
        "Remove-Item notes\\deploy.md -Force",
        "Clear-Content notes\\deploy.md",
        "Set-Location notes; 'x' > deploy.md",
    ],
)
def test_commands_of_powershell_that_overwrite_are_denied(command):
    assert _ask("PowerShell", command=command) is not None


@pytest.mark.parametrize(
    "command",
    [
        "Get-Content notes\\deploy.md",
        "Add-Content notes\\deploy.md 'x'",
        "'x' | Out-File notes\\deploy.md -Append",
        "Set-Content -Path notes\\other.md -Value 'x'",
        "Move-Item notes\\deploy.md notes\\archive.md",
    ],
)
def test_other_commands_of_powershell_pass(command):
    assert _ask("PowerShell", command=command) is None


@pytest.mark.parametrize(
    ("folder", "path"),
    [
        ("C:\\p", "notes\\deploy.md"),
        ("C:\\p", "C:\\p\\notes\\deploy.md"),
        ("c:\\p", "c:\\P\\Notes\\deploy.md"),
        ("C:\\p\\src", "..\\notes\\deploy.md"),
        ("C:\\p", "/c/p/notes/deploy.md"),
    ],
)
def test_paths_of_windows_in_every_spelling(monkeypatch, folder, path):
    for module in ("ladder.hook.guard.judge", "ladder.hook.guard.shell"):
        monkeypatch.setattr(f"{module}.GUARDSHELL_WINDOWS", True)
    event = {"tool_name": "Write", "tool_input": {"file_path": path, "content": "gone"}, "cwd": folder}
    files = {"c:/p/notes/deploy.md": NOTE.encode()}
    for roots in (("C:\\p\\notes",), ("c:\\p\\notes\\",), None):
        assert guard_denial(event, lambda asked: files.get(asked.casefold()), roots) is not None
    assert guard_denial(event, lambda asked: files.get(asked.casefold()), ("D:\\p\\notes",)) is None


def test_the_scan_agrees_with_the_parser_on_real_notes(data):
    both = missed = extra = 0
    for path in sorted(data.glob("sessions/*/notes/**/*.md")):
        text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
        note = parse(text.encode())
        right = {note.text(e.span).strip() for e in dated(note)}
        mine = {t for _, t in guard_entries(text)}
        both += len(right & mine)
        missed += len(right - mine)
        extra += len(mine - right)
    print(f"entries that both find: {both}, only the parser: {missed}, only the scan: {extra}")
    assert both > 0.95 * (both + missed)
    assert extra < 0.02 * both


@pytest.mark.parametrize("text", [*(case[1] for case in GOLDEN), *("# T\n\nhead\n\n" + case[1] for case in FORMS)])
def test_the_scan_agrees_with_the_parser_on_notes_of_every_form(text):
    text = text.removeprefix("\ufeff").replace("\r", "\n")
    note = parse(text.encode())
    assert [t for _, t in guard_entries(text)] == [note.text(e.span).strip() for e in dated(note)]


def test_the_guard_imports_nothing_slow():
    program = "import sys; before = set(sys.modules); import ladder.hook.guard.judge; print(sorted(set(sys.modules) - before))"
    names = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for name in ("'re'", "'json'", "'dataclasses'", "'pathlib'", "'pyromark'", "'notes'", "'typing'"):
        assert name not in names


def test_the_work_for_a_note_of_a_megabyte_grows_with_its_size():
    counts = []
    for size in (3_500, 35_000):
        text = "# T\n\n## Log\n\n" + "".join(f"- 2026-01-{n % 28 + 1:02}: entry {n} of many\n" for n in range(size))
        last = f"entry {size - 1}"
        event = {"tool_name": "Edit", "tool_input": {"file_path": "/a.md", "old_string": last, "new_string": "x"}}
        said, lines = lines_run(guard_denial, event, {"/a.md": text.encode()}.get)
        assert last in said
        counts.append(lines)
    assert counts[1] < 12 * counts[0]
