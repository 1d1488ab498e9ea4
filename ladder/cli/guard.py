"""`ladder guard`: tries by hand what the hook would say about an edit."""

import sys
from pathlib import Path

import orjson
import typer

from ladder.cli.options import Folder, Json, settings_of
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, show_json, warn


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def guard(notes: Folder = None, json: Json = False) -> int:
        """Say whether a tool call would be denied by the guard, and why.

        A PreToolUse event (JSON) comes on the standard input. Prints why not (exit code 0), or nothing (exit code 1).
        It answers whatever the key guard of ladder.toml says, and only where there is a ladder.toml or a ledger, as the
        hook does.
        """
        from ladder.hook.guard.judge import guard_denial, guarded_roots
        from ladder.lean.project import trees_of
        from notes import client_folder, find_notes, note_roots

        settings = settings_of(notes)
        try:
            event = orjson.loads(sys.stdin.buffer.read())
        except orjson.JSONDecodeError as error:
            raise Failure(f"the standard input is not JSON: {error}") from error
        if not isinstance(event, dict):
            raise Failure("the standard input is not a JSON object")
        event.setdefault("cwd", settings.root)
        roots = guarded_roots(trees_of(settings.root), note_roots(settings), str(client_folder()))
        if not roots:
            warn(f"{settings.root} has neither ladder.toml nor a ledger: the guard judges nothing there")
        denial = guard_denial(event, _read, roots, lambda: [str(note.path) for note in find_notes(settings)])
        if json:
            show_json({"decision": "deny" if denial else "allow", "reason": denial, "guard": settings.guard})
        elif denial:
            sys.stdout.write(denial + "\n")
        return FOUND if denial else NOTHING_FOUND


def _read(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        return None
