"""Every text or path that a command takes may hold bytes that are no UTF-8: a line says so, and nothing breaks."""

import io
import sys
from pathlib import Path
from typing import get_args

import pytest

from ladder.cli import run
from ladder.cli.help_text import commands

ODD = "x \udcff"
#: What these do by themselves is no matter of their arguments: they serve, ask the system, or run for minutes.
LONG = {"mcp", "hook", "weekly install", "bench agent", "bench fetch", "bench hook", "bench public"}


def texts():
    for words, command in commands(hidden=True):
        for parameter in command.params:
            kind = parameter.type_descriptor.annotation
            if not hasattr(command, "commands") and {kind, *get_args(kind)} & {str, Path}:
                yield " ".join(words[1:]), parameter.name


@pytest.mark.parametrize(("called", "name"), [each for each in texts() if each[0] not in LONG])
def test_bytes_that_are_no_utf8_break_nothing(called, name, tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nThe canary waits.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    [command] = [each for words, each in commands(hidden=True) if " ".join(words[1:]) == called]
    given = []
    for parameter in command.params:
        if parameter.name == name:
            given += [ODD] if parameter.param_type_name == "argument" else [parameter.opts[0], ODD]
        elif parameter.param_type_name == "argument" and parameter.required:
            given.append("a")
    out = io.BytesIO()
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, io.TextIOWrapper(io.BytesIO() if stream == "stdin" else out, encoding="utf-8"))
    monkeypatch.setattr(sys, "argv", ["ladder", *called.split(), *given])
    with pytest.raises(SystemExit):
        run()
