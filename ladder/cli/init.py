"""`ladder init`: writes `ladder.toml`, and gives whoever has no notes a good example."""

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.out import FOUND, Failure

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
# hook_budget = 300

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
_ENTRY = "Notes begun with `ladder init`. This note may go once there are others."


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def init(
        folder: Annotated[Path | None, typer.Argument(help="The project; by default the current folder's.")] = None,
    ) -> int:
        """Write ladder.toml at the project's root; a project without notes gets one good example."""
        from notes import find_notes, load_settings, project_root
        from notes.project import CONFIG
        from notes.settings import DEFAULT_FOLDERS, user_notes
        from notes.store import StoreError, append_entry, create

        root = project_root(folder or Path.cwd())
        path = root / CONFIG
        if path.exists():
            raise Failure(f"{path} exists already; edit it")
        settings = load_settings(root)
        present = [name for name in DEFAULT_FOLDERS if (root / name).exists()]
        held = find_notes(settings)
        text = _TOML.format(
            folders=", ".join(f'"{name}"' for name in present or ["notes"]), user=user_notes().as_posix()
        )
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            print(path)
            if held:
                print(f'{len(held)} notes found. Next: ladder suggest "what you want to know"')
                return FOUND
            place = create(root / (next((n for n in present if not n.endswith(".md")), "notes")), _TITLE, head=_HEAD)
            append_entry(place, _ENTRY, title="begun")
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from error
        except StoreError as error:
            raise Failure(str(error)) from error
        print(place.path)
        print('No notes yet, so this is the first. Next: ladder note new "your first topic"')
        return FOUND
