"""The typer app, and how a command ends; its commands stand in `commands.py`."""

import errno
import os
import shlex
import sys
from importlib.metadata import version
from typing import Annotated, Any, TextIO

import typer

from ladder.cli.commands import TopGroup
from ladder.cli.terminal import FOUND, WRONG_USE, Failure, warn

_INTERRUPTED = 130
"""What a shell shows for a program that Ctrl-C has ended."""

_LONGEST_NAME = 200
"""Characters of a file's name that an error shows."""

#: Arguments that are free text.
_TEXTS = ("question", "text", "title")

#: What holds for every command.
CONTEXT = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="ladder",
    cls=TopGroup,
    context_settings=CONTEXT,
    help="Brings the one note line that answers today's message into a coding agent's view.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"ladder {version('ladder-notes')}\n")
        raise typer.Exit


@app.callback()
def _ladder(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Keep `ladder` a group of commands, however few there are, and the installed hook as new as this package."""
    from ladder.install.record import renew

    renew()


def run() -> None:
    """Run the command in `sys.argv`; a failure is one line on stderr, a closed pipe is silent."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    out = sys.stdout
    try:
        code = app(prog_name="ladder", standalone_mode=False)
        out.flush()
    except Failure as failure:
        warn(str(failure))
        code = failure.code
    except typer.Abort:
        code = _INTERRUPTED
    except SystemExit:
        # typer answers a closed pipe with exit code 1, after it has put wrappers in the streams' place.
        if sys.stdout is out:
            raise
        code = _closed(out)
    except OSError as error:
        code = _closed(out) if _is_closed_pipe(error) else _refused(out, error)
    except Exception as error:  # noqa: BLE001 (raised again, unless it is the user's to mend)
        code = _wrong_use(error)
    sys.exit(code if isinstance(code, int) else FOUND)


def _open_streams() -> None:
    """Give the command the streams that its caller has closed (`>&-`): nothing to read, nobody who reads."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 (open as long as the process)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (as above)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (as above)


def _refused(out: TextIO, error: OSError) -> int:
    """Say in one line what the system refused (a full disk, a name that is too long); what was printed stays."""
    where = f"{str(error.filename)[:_LONGEST_NAME]}: " if error.filename else ""
    warn(f"{where}{error.strerror or error}")
    try:
        out.flush()
    except OSError:  # it is the output that cannot be written
        _closed(out)
    return WRONG_USE


def _wrong_use(error: Exception) -> int:
    """Say what is wrong with `ladder.toml` or with the words of the command; anything else is ours, and is raised."""
    from notes import SettingsError

    if isinstance(error, SettingsError):
        warn(str(error))
    elif type(error).__name__ == "NoArgsIsHelpError":
        error.show()  # type: ignore[attr-defined]
    elif isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):
        warn(str(error))  # pathlib's word for it before Python 3.13, then an OSError
    elif hasattr(error, "format_message"):
        # typer carries click inside, whose usage errors know what is wrong and with which command.
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "ladder"
        warn(f"{error.format_message().rstrip('.')}; {_text_instead(error, context)}see {command} --help")
    else:
        raise error
    return WRONG_USE


def _text_instead(error: Any, context: Any) -> str:  # noqa: ANN401 (typer carries click inside, under a private name)
    """What to type where a text that begins with `-` was taken for an option; empty where none may have been meant."""
    name = getattr(error, "option_name", "")
    if type(error).__name__ != "NoSuchOption" or getattr(error, "possibilities", None) or context is None:
        return ""
    words = sys.argv[1:]
    at = next((i for i, word in enumerate(words) if word.startswith(name)), -1)
    takes_text = any(each.name in _TEXTS for each in context.command.params)
    if at < 0 or not takes_text or any(word.startswith("-") for word in words[at + 1 :]):
        return ""
    return f"if it is a text: {shlex.join(['ladder', *words[:at], '--', *words[at:]])}; "


def _is_closed_pipe(error: OSError) -> bool:
    return error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL)


def _closed(out: TextIO) -> int:
    """The reader (`| head`) has what it wanted: whatever is still buffered goes nowhere, silently."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    return FOUND
