"""`ladder init`: writes `ladder.toml`, and gives whoever has no notes a good example."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.terminal import FOUND, Failure

_TOML = """# Which files of this project are notes, and how ladder treats them. Every key may be left out.

# Folders or single files that hold notes, relative to this file.
folders = [{folders}]
# globs = ["**/*.md"]
# excludes = ["archive/"]

# The client's own memory folder of this project holds notes too.
# client_memory = true
# Notes that every project sees; "" for none.
# user_folder = "{user}"

# Tokens: what a head may have, and what the hook may add to a message.
# head_budget = 400
# hook_budget = 600

# What the guard does about an edit of a dated entry: "deny", "warn" or "off".
# guard = "deny"

# Working folders whose sessions are never mined.
# mine_exclude = ["~/private/**"]
"""

_TITLE = "How this project keeps notes"
_HEAD = """One Markdown file a topic. The text up to the first heading is the *head*: what is true now, in a few lines,
rewritten whenever it changes. What happened goes to the *history* below, dated, and is never changed afterwards.

    ladder note new "Deploy rollback"
    ladder note head deploy-rollback "Rollbacks take 4 minutes; the canary aborts by itself."
    ladder note append deploy-rollback --title "canary abort" "The health check timed out."
"""
_FIRST = 'Next: ladder note new "your first topic"'
_ENTRY = "Notes begun with `ladder init`. This note may go once there are others."


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def init(
        folder: Annotated[Path | None, typer.Argument(help="The project; by default the current folder's.")] = None,
    ) -> int:
        """Write ladder.toml, and a first note where there is none.

        It lies at the project's root; the note is a good example. Where there is one already, nothing is written.
        """
        from notes import find_notes, load_settings, project_root
        from notes.files.elsewhere import is_vault
        from notes.files.project import CONFIG
        from notes.files.settings import DEFAULT_FOLDERS, user_notes
        from notes.writing.store import StoreError, append_entry, create

        if folder is not None and not folder.is_dir():
            raise Failure(f"{folder} is not a folder")
        root = project_root(folder or Path.cwd())
        path = root / CONFIG
        if path.exists():
            print(f"{path} exists already; nothing was changed")
            _next(len(find_notes(load_settings(root))))
            return FOUND
        settings = load_settings(root)
        present = ["."] if is_vault(root) else [name for name in DEFAULT_FOLDERS if (root / name).exists()]
        held = find_notes(replace(settings, folders=(".",)) if present == ["."] else settings)
        text = _TOML.format(
            folders=", ".join(f'"{name}"' for name in present or ["notes"]), user=user_notes().as_posix()
        )
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            print(path)
            if held:
                _next(len(held))
                return FOUND
            where = root / next((n for n in present if not n.endswith(".md")), "notes")
            with told_of_ledger([where]):
                place = create(where, _TITLE, head=_HEAD)
                append_entry(place, _ENTRY, title="begun")
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from error
        except StoreError as error:
            raise Failure(str(error)) from error
        print(place.path)
        print(f"No notes yet, so this is the first. {_FIRST}")
        return FOUND


def _next(held: int) -> None:
    print(f'{held} notes found. Next: ladder suggest "what you want to know"' if held else f"No notes yet. {_FIRST}")
