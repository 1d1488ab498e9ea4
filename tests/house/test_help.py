"""Every command's help: documented, printed verbatim, silent when its reader leaves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.cli.help_text import commands, document, help_text

HOUSE = Path(__file__).parents[2]
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


@pytest.mark.parametrize("name", [name for name in ALL if hasattr(ALL[name], "commands")])
def test_a_list_of_commands_says_each_in_whole_on_a_plain_terminal(name):
    command = ALL[name]
    context = command.context_class(command, info_name=name, terminal_width=78, max_content_width=78)
    assert [
        line for line in command.get_help(context).split("\n") if line.startswith("  ") and line.endswith("...")
    ] == []


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
