"""Writes `docs/commands.md`, the help of every command: `python -m ladder.cli.help_text > docs/commands.md`."""

import sys
from collections.abc import Iterator
from typing import Any

import typer

from ladder.cli.app import CONTEXT, app

WIDTH = 100
"""Columns of the help text in the file, whatever the terminal."""

HEADING = """# Commands

The help of every command, as `ladder COMMAND --help` prints it. Written by `python -m ladder.cli.help_text`; a test
holds this file equal to it. Exit codes: 0 found, 1 nothing found, 2 wrong use.
"""


def commands(
    command: Any = None,  # noqa: ANN401 (typer carries click inside, under a private name)
    words: tuple[str, ...] = ("ladder",),
    *,
    hidden: bool = False,
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each command as the words that call it and its click command, groups before what is in them.

    Those that `--help` does not list only with `hidden`.
    """
    command = command or typer.main.get_command(app)
    yield words, command
    for name, child in getattr(command, "commands", {}).items():
        if hidden or not child.hidden:
            yield from commands(child, (*words, name), hidden=hidden)


def help_text(words: tuple[str, ...], command: Any) -> str:  # noqa: ANN401 (the same)
    """What `--help` prints, `WIDTH` columns wide."""
    context = command.context_class(
        command, info_name=" ".join(words), terminal_width=WIDTH, max_content_width=WIDTH, **CONTEXT
    )
    return str(command.get_help(context))


def document() -> str:
    """The whole file."""
    parts = [HEADING]
    for words, command in commands():
        parts.append(f"## {' '.join(words)}\n\n```text\n{help_text(words, command).rstrip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(document())
