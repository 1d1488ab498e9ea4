"""Every way in which a note comes into view."""

import json

import pytest

from notes import find_notes, folder_settings
from transcripts import mine, session_turns, sessions
from transcripts.logs.shell import shown, written

TEXT = "# N\n\nThe heron alarm fires at violet dusk.\nTangerine ledgers drain before noon.\n"
PATH = "/home/u/app/docs/n.md"
LINE = "The heron alarm fires at violet dusk."


def only(log):
    [session] = sessions(log.save())
    [turn] = session_turns(session)
    return turn


def read_lines(turn):
    return {(read.how, read.path): [line for line in read.lines if line] for read in turn.reads}


@pytest.mark.parametrize("between", ["→", "\t"])
def test_numbered_text_in_both_separators_where_the_file_is_missing(log, between):
    a = log("s1")
    a.user("x")
    tool = a.call("Read", file_path=PATH, offset=3)
    a.result(tool, f"     3{between}{LINE}\n     4{between}\n<system-reminder>be careful</system-reminder>\n")
    [read] = only(a).reads
    assert (read.lines, read.first) == ((LINE, ""), 3)


def test_the_files_own_text_is_used_where_it_stands(log):
    a = log("s1")
    a.user("x")
    tool = a.call("Read", file_path=PATH)
    file = {"filePath": PATH, "content": TEXT, "startLine": 1, "numLines": 4, "totalLines": 4}
    preview = "<persisted-output>\nOutput too large\n</persisted-output>"
    a.result(tool, preview, {"type": "text", "file": file})
    [read] = only(a).reads
    assert read.whole
    assert LINE in read.lines


def test_a_read_that_answers_only_unchanged_is_the_read_before(log):
    a = log("s1")
    a.user("x")
    a.read(PATH, TEXT)
    tool = a.call("Read", file_path=PATH)
    answer = "Wasted call — file unchanged since your last Read."
    a.result(tool, answer, {"type": "file_unchanged", "file": {"filePath": PATH}})
    first, second = only(a).reads
    assert first.lines == second.lines
    assert first.step < second.step


def test_shells_and_searches(log):
    a = log("s1")
    a.user("x")
    a.bash("cd /home/u/app && cat docs/n.md | head -5", TEXT)
    a.bash("grep -n heron docs/n.md", f"3:{LINE}")
    a.bash("grep -rn heron docs", f"docs/n.md:3:{LINE}\ndocs/other.md-9-Another heron.")
    tool = a.call("Grep", pattern="heron", path="/home/u/app", output_mode="content")
    a.result(tool, f"docs/n.md:3:{LINE}", {"mode": "content", "content": f"docs/n.md:3:{LINE}", "numLines": 1})
    tool = a.call("PowerShell", command="Get-Content docs\\n.md | Select-Object -First 3")
    a.result(tool, TEXT, {"stdout": TEXT, "stderr": ""})
    found = [(read.how, read.path, read.sure, next(line for line in read.lines if line)) for read in only(a).reads]
    assert found == [
        ("Bash", "/home/u/app/docs/n.md", True, "# N"),
        ("Bash", "docs/n.md", True, LINE),
        ("Bash", "docs/n.md", False, LINE),
        ("Bash", "docs/other.md", False, "Another heron."),
        ("Grep", "docs/n.md", True, LINE),
        ("PowerShell", "docs\\n.md", True, "# N"),
    ]


def test_attachments(log):
    a = log("s1")
    a.user("x")
    a.attach(type="nested_memory", path=PATH, content={"path": PATH, "type": "Project", "content": TEXT})
    for kind in ("file", "already_read_file"):
        file = {"filePath": PATH, "content": TEXT, "numLines": 4, "startLine": 1, "totalLines": 4}
        a.attach(type=kind, filename=PATH, content={"type": "text", "file": file})
    a.attach(type="edited_text_file", filename=PATH, snippet=f"3\t{LINE}\n\n... [3 lines truncated] ...")
    a.attach(type="hook_additional_context", content=[LINE], hookName="UserPromptSubmit")
    a.attach(type="hook_success", content="", stdout='{"hookSpecificOutput":{"additionalContext":"Said aside."}}')
    a.say("ok")
    turn = only(a)
    assert [read.how for read in turn.reads] == [
        "nested_memory",
        "attachment",
        "attachment",
        "attachment",
        "hook",
        "hook",
    ]
    assert all(LINE in read.lines for read in turn.reads[:5])
    assert turn.reads[5].lines == ("Said aside.",)


def test_r54_sub_agents_are_no_sessions_and_their_reads_are_the_parents(log, tmp_path):
    a = log("s1")
    a.user("first")
    a.say("Nothing yet.")
    a.user("second")
    tool = a.call("Task", prompt="Find the heron rule.", description="d", subagent_type="Explore")
    inside = log("agent-a1", folder=tmp_path / "logs" / "s1" / "subagents", session="s1")
    inside.clock = a.clock
    inside.user("Find the heron rule.", isSidechain=True, agentId="a1")
    reading = inside.call("Read", file_path=PATH)
    inside.result(reading, f"     3→{LINE}")
    inside.lines = [line.replace(b'"isSidechain":false', b'"isSidechain":true') for line in inside.lines]
    inside.save()
    compaction = log("agent-acompact-9", folder=inside.path.parent, session="s1")
    compaction.user("Summarise.", isSidechain=True)
    compaction.save()
    a.clock = inside.clock
    a.result(tool, "There is a rule.")
    a.user("third")
    a.say("Fine.")
    a.save()
    [session] = sessions(tmp_path / "logs")
    assert (session.id, [path.name for path in session.agents]) == ("s1", ["agent-a1.jsonl"])
    found = list(session_turns(session))
    assert [turn.message for turn in found] == ["first", "second", "third"]
    assert [read_lines(turn) for turn in found] == [{}, {("subagent", PATH): [LINE]}, {}]
    assert found[1].reads[0].step == 0  # at the Task call, which is the turn's first event


def test_sub_agents_calls_in_progress_records(log):
    a = log("s1")
    a.user("x")
    a.say("I ask.")
    tool = a.call("Task", prompt="Find it.", description="d", subagent_type="Explore")
    block = {"type": "tool_use", "id": "in1", "name": "Read", "input": {"file_path": PATH}}
    answer = {"type": "tool_result", "tool_use_id": "in1", "content": f"     3→{LINE}"}
    for kind, content in (("assistant", block), ("user", answer)):
        message = {"type": kind, "message": {"id": "m", "content": [content]}}
        a.record("progress", data={"type": "agent_progress", "message": message}, parentToolUseID=tool)
    a.result(tool, "Seen.")
    [read] = only(a).reads
    assert (read.how, read.lines, read.step) == ("subagent", (LINE,), 1)


@pytest.mark.parametrize(
    ("command", "paths", "sure"),
    [
        ("cat README.md 2>/dev/null | head -120", ("README.md",), True),
        ("sed -n '1,20p' docs/a.md", ("docs/a.md",), True),
        ("sed 's/a/b/' docs/a.md", ("docs/a.md",), False),
        ("cat a.md; git log", ("a.md",), False),
        ("cat docs/*.md", ("docs/*.md",), False),
        ("git show main:docs/a.md", ("docs/a.md",), False),
        ("wc -l a.md", None, None),
        ("git commit -m 'see a.md'", None, None),
        ("git commit -m \"$(cat <<'EOF'\nsee a.md\nEOF\n)\"", None, None),
        ("cat > a.md <<'EOF'\nx\nEOF", None, None),
        ("grep -c heron a.md", ("a.md",), False),
        ("type docs\\a.md", ("docs\\a.md",), True),
        ("cat README.MD", ("README.MD",), True),
        ("head notes/a.markdown", ("notes/a.markdown",), True),
        ("grep -nR heron .", ("",), False),
        ("rg heron | head", ("",), False),
        ("grep heron *.txt", None, None),
    ],
)
def test_what_a_command_shows(command, paths, sure):
    found = shown(command)
    assert (found and found.paths, found and found.sure) == (paths, sure)


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("cat >> docs/a.md <<'EOF'\nx > b.md\nEOF", ("docs/a.md",)),
        ("cd docs && sed -i '' 's/a/b/' a.md", ("docs/a.md",)),
        ("echo x | tee -a a.md", ("a.md",)),
        ("git mv a.md b.md", ("a.md", "b.md")),
        ("cat a.md", ()),
        ("grep x a.md 2> err.md", ()),
    ],
)
def test_what_a_command_writes(command, paths):
    assert written(command) == paths


FOR = 'for f in docs/*.md; do echo "=== $f ==="; cat "$f"; done'
SAVED = "<persisted-output>\nOutput too large (40KB). Full output saved to: /x.txt\n\n…\n{note}\n</persisted-output>"


@pytest.mark.parametrize(
    ("tool", "given", "output"),
    [
        ("Bash", {"command": "cat docs/*.md"}, "{note}"),
        ("Bash", {"command": "head -40 docs/*.md"}, "==> docs/deploy.md <==\n{note}\n==> docs/style.md <==\n# Style\n"),
        ("Bash", {"command": FOR}, "=== docs/deploy.md ===\n{note}"),
        ("Bash", {"command": 'for f in docs/*.md; do\n  head -20 "$f"\ndone'}, "{note}"),
        ("Bash", {"command": "find docs -name '*.md' | xargs cat"}, "{note}"),
        ("Bash", {"command": "find docs -name '*.md' -exec cat {} +"}, "{note}"),
        ("Bash", {"command": "cd /home/u/app && head -n 40 docs/*"}, "==> docs/deploy.md <==\n{note}"),
        ("Bash", {"command": 'for f in docs/*; do cat "$f"; done'}, "{note}"),
        ("Bash", {"command": 'ls docs/*.md | while read f; do cat "$f"; done'}, "{note}"),
        ("mcp__filesystem__read_text_file", {"path": "/home/u/app/docs/deploy.md"}, "{note}"),
        ("mcp__filesystem__read_multiple_files", {"paths": ["docs/style.md", "docs/deploy.md"]}, "a:\n{note}"),
        ("mcp__vault__get_note", {"identifier": "deploy"}, "{json}"),
        ("Bash", {"command": "cat docs/deploy.md"}, SAVED),
    ],
)  # fmt: skip
def test_reads_that_name_no_single_file(tool, given, output, log, project, tmp_path):
    note = (project / "docs" / "deploy.md").read_text(encoding="utf-8")
    a = log("s1")
    a.user("how do we go back?")
    text = output.replace("{note}", note).replace("{json}", json.dumps({"content": note}))
    a.result(a.call(tool, **given), text)
    a.say("Run shipctl revert with the violet wave, then watch the tangerine dashboard.")
    a.save()
    found = mine(sessions(tmp_path / "logs"), find_notes(folder_settings(project)), project)
    assert [pair.note for pair in found.pairs] == ["docs/deploy.md"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "sed -i s/a/b/ docs/*.md"}),
        ("Bash", {"command": "find . -name '*.md' -exec sed -i s/a/b/ {} +"}),
        ("Bash", {"command": "wc -l docs/*.md"}),
        ("Bash", {"command": "wc -l docs/*"}),
        ("Bash", {"command": "echo $((2 * 3)) /* not a pattern */"}),
        ("mcp__browser__click", {"selector": "a"}),
    ],
)
def test_what_shows_no_note_is_no_read(tool, given, log):
    a = log("s1")
    a.user("do it")
    a.result(a.call(tool, **given), "The heron alarm fires at dusk.")
    [session] = sessions(a.save())
    assert [turn.reads for turn in session_turns(session)] == [()]
