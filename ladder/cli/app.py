"""The typer app, the list of files that add commands to it, and how a command ends."""

import importlib
import os
import sys

import typer

from ladder.cli.out import WRONG_USE, Failure

#: The files that hold commands, in the order of `ladder --help`. Each has `add(app: typer.Typer) -> None`.
COMMANDS: tuple[str, ...] = ()

app = typer.Typer(
    name="ladder",
    help="Brings the one note line that answers today's message into a coding agent's view.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _ladder() -> None:
    """Keep `ladder` a group of commands, however few there are."""


for _name in COMMANDS:
    importlib.import_module(f"ladder.cli.{_name}").add(app)


def run() -> None:
    """Run the command in `sys.argv`; a failure is one line on stderr, a closed pipe is silent."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except Failure as failure:
        print(f"ladder: {failure}", file=sys.stderr)
        code = failure.code
    except typer.Abort:
        code = WRONG_USE
    except BrokenPipeError:
        # The reader (`| head`) has what it wanted; whatever is still buffered goes nowhere, silently.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        # typer carries click inside; its usage errors know how to show themselves.
        if not hasattr(error, "show"):
            raise
        error.show()
        code = WRONG_USE
    sys.exit(code if isinstance(code, int) else 0)
