"""Every command's help: documented, printed verbatim, silent when its reader leaves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.cli.commands import BenchGroup, NoteGroup, TopGroup, WeeklyGroup
from ladder.cli.help_text import commands, document, help_text

HOUSE = Path(__file__).parents[2]
TABLES = (TopGroup, NoteGroup, BenchGroup, WeeklyGroup)
ALL = {" ".join(words[1:]): command for words, command in commands()}


def test_the_documentation_of_the_commands_is_their_help():
    assert (HOUSE / "docs" / "commands.md").read_text(encoding="utf-8") == document(), (
        "run: python -m ladder.cli.help_text > docs/commands.md"
    )


@pytest.mark.parametrize("name", ALL)
def test_every_command_and_option_says_what_it_is_for(name):
    command = ALL[name]
    assert command.help
    silent = [p.name for p in command.params if getattr(p, "param_type_name", "") == "option" and not p.help]
    assert silent == []


@pytest.mark.parametrize("width", [60, 78])
@pytest.mark.parametrize("name", [name for name in ALL if hasattr(ALL[name], "commands")])
def test_a_list_of_commands_says_each_in_whole_also_on_a_narrow_terminal(name, width):
    command = ALL[name]
    context = command.context_class(command, info_name=name, terminal_width=width, max_content_width=width)
    shown = command.get_help(context)
    assert max(len(line) for line in shown.split("\n")) <= width
    said = " ".join(shown.split())
    for child, entry in command.table.items():
        assert (f" {child} {entry.help}" in said) == bool(entry.heading)


@pytest.mark.parametrize("group", TABLES)
def test_each_line_of_a_table_is_the_first_of_the_commands_own_help(group):
    made = {name: command.help.split("\n")[0] for name, command in group(name="x").commands.items()}
    assert made == {name: entry.help for name, entry in group.table.items()}


def _imported(*words):
    """The command files that a call has loaded."""
    code = (
        "import sys; from ladder.entry import main; sys.argv[0] = 'ladder'\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "files = [each for each in sys.modules if each.startswith('ladder.cli.')]\n"
        "print('\\n' + ' '.join(sorted(file.removeprefix('ladder.cli.') for file in files)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=HOUSE, check=True)
    return set(done.stdout.rstrip().rpartition("\n")[2].split())


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["--help"], set()),
        (["-h"], set()),
        (["--version"], set()),
        (["suggest", "--help"], {"options", "rungs"}),
        (["bench", "--help"], {"bench", "bench.replay", "bench.said", "options"}),
        (["note", "--help"], {"note", "note.group"}),
    ],
)
def test_a_call_loads_no_command_file_but_its_own(words, files):
    assert _imported(*words) == files | {"app", "commands", "terminal"}


def test_a_former_name_says_the_one_of_today_and_does_the_work(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\nThe canary waits.\n", encoding="utf-8")
    calls = [
        (["why", "canary", "--notes", str(tmp_path)], "`ladder why` is now `ladder suggest --why`"),
        (["adopt", str(tmp_path)], "`ladder adopt` is now `ladder note adopt`"),
        (["bench", "lines", "--notes", str(tmp_path)], "`ladder bench lines` is now `ladder bench notes`"),
    ]
    for words, said in calls:
        assert said in _run(*words).stderr
    shown = _run("why", "canary", "--notes", str(tmp_path)).stdout
    assert shown == _run("suggest", "--why", "canary", "--notes", str(tmp_path)).stdout
    assert "Terms: canari " in shown


def _run(*words, **more):
    return subprocess.run(
        [sys.executable, "-m", "ladder", *words],
        capture_output=True, text=True, cwd=HOUSE, env=os.environ | more, check=False,
    )  # fmt: skip


def test_the_shell_completes_commands():
    done = _run(_LADDER_COMPLETE="complete_bash", COMP_WORDS="ladder su", COMP_CWORD="1")
    assert (done.stdout.split(), done.stderr) == (["suggest"], "")


@pytest.mark.parametrize("name", ALL)
def test_r64_help_shows_brackets_as_they_are(name):
    """Rich markup would eat `[slug]` and crash on `[/items]`."""
    text = help_text(("ladder", *name.split()), ALL[name])
    for line in (ALL[name].help or "").split("\n\n")[0].split("\n"):
        for word in line.split():
            if "[" in word:
                assert word in text


@pytest.mark.parametrize("name", ALL)
def test_r65_help_into_a_closed_pipe_is_silent(name):
    _closed_pipe(name.split(), {"PYTHONUNBUFFERED": "1"})


def test_r65_a_buffered_closed_pipe_is_silent_as_well():
    _closed_pipe([], {})


def _closed_pipe(words, more):
    command = [sys.executable, "-m", "ladder", *words, "--help"]
    env = os.environ | more
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=HOUSE) as process:
        process.stdout.close()
        complaint = process.stderr.read()
        assert (process.wait(30), complaint) == (0, b"")
