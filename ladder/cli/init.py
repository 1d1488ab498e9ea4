"""`ladder init`: writes `ladder.toml`, and gives whoever has no notes a good example."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.options import Json
from ladder.cli.terminal import FOUND, Failure, cost_shown, on_one_line, progress, show_json, table, warn

if TYPE_CHECKING:
    from transcripts import Session

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

# What a whole read of a long note brings: "whole", or "narrow": its head, a map of it, and what bears on the work.
# read = "whole"

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
        logs: Annotated[
            Path | None, typer.Option("--logs", help="Session logs of this project, wherever it was; default: its own.")
        ] = None,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
        team: Annotated[
            bool,
            typer.Option("--team", help="Have git merge notes entry by entry, in this clone, with `ladder merge`."),
        ] = False,
        json: Json = False,
    ) -> int:
        """Write ladder.toml, and a first note where there is none.

        It proposes the folders that hold Markdown files, hidden ones too, with how often the agent read them; on a
        terminal it asks. Then it builds the index. Where there is a ladder.toml already, nothing is written but what
        --team asks for: lines of .gitattributes, and a setting of this clone.
        """
        from notes import find_notes, load_settings, project_root
        from notes.files.project import CONFIG
        from notes.files.settings import user_notes
        from notes.writing.store import StoreError, append_entry, create

        if folder is not None and not folder.is_dir():
            raise Failure(f"{folder} is not a folder")
        root = project_root(folder or Path.cwd())
        path = root / CONFIG
        if path.exists():
            held = len(find_notes(load_settings(root)))
            said = _team(root, load_settings(root).folders, wanted=team, ask=not (yes or json))
            if json:
                folders = load_settings(root).folders
                show_json({"config": str(path), "created": False, "folders": folders, "notes": held, "note": None})
            else:
                print(f"{path} exists already; {'it stays as it is' if said else 'nothing was changed'}")
                _next(held)
            return FOUND
        chosen = _chosen(root, logs, ask=not (yes or json))
        text = _TOML.format(
            folders=", ".join(_toml_text(name) for name in chosen or ["notes"]), user=user_notes().as_posix()
        )
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            count = _indexed(root)
            first = None
            if not count:
                where = root / next((n for n in chosen if not n.endswith(".md")), "notes")
                with told_of_ledger([where]):
                    first = create(where, _TITLE, head=_HEAD)
                    append_entry(first, _ENTRY, title="begun")
                count = _indexed(root)
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from error
        except StoreError as error:
            raise Failure(str(error)) from error
        _team(root, chosen or ["notes"], wanted=team, ask=not (yes or json))
        if json:
            note = str(first.path) if first else None
            names = chosen or ["notes"]
            show_json({"config": str(path), "created": True, "folders": names, "notes": count, "note": note})
            return FOUND
        print(path)
        if first is None:
            _next(count)
        else:
            print(first.path)
            print(f"No notes yet, so this is the first. {_FIRST}")
        return FOUND


def _team(root: Path, folders: Sequence[str], *, wanted: bool, ask: bool) -> bool:
    """Set git's merge driver up where that is wanted; without it, offer it on a terminal, else name it."""
    from ladder.flows.merge_setup import lines, set_up, state

    now = state(root, next((f if f.endswith(".md") else f"{f}/note.md" for f in folders), ""))
    if now is None:
        if wanted:
            raise Failure(f"{root} is in no work tree of git")
        return False
    if not wanted and not (now.attributes and not now.driver):
        if now.driver or not (ask and sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        asked = "; ".join(lines(folders))
        warn(f"git can merge notes entry by entry: {asked} in .gitattributes, and a git config")
        wanted = typer.confirm("Set that up? (for notes that several people write)", default=False, err=True)
    if not wanted:
        if now.attributes:
            warn("git does not know the merge driver that .gitattributes names: ladder init --team")
        return False
    try:
        for line in set_up(root, folders):
            warn(line)
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}") from error
    return True


def _chosen(root: Path, logs: Path | None, *, ask: bool) -> list[str]:
    """The folders that are to hold the notes: all of a vault, else what is proposed and, on a terminal, agreed to."""
    from ladder.flows.note_folders import candidates
    from notes.files.elsewhere import is_vault

    if is_vault(root):
        return ["."]
    home = root in (Path(root.anchor), Path.home())  # nobody's notes are all that
    found = [] if home else candidates(root, progress(_sessions(root, logs), "reading logs"))
    proposed = [each for each in found if not each.why_not]
    if not (ask and proposed and sys.stdin.isatty() and sys.stderr.isatty()):
        return [each.path for each in proposed]
    table(
        ("FOLDER", "NOTES", "TOKENS", "READ", ""),
        [
            (on_one_line(each.path), str(each.notes), cost_shown(each.tokens, estimated=True), str(each.reads or ""),
             f"not proposed: {each.why_not}" if each.why_not else "")
            for each in found
        ],
        right=(1, 2, 3),
    )  # fmt: skip
    if typer.confirm(f"Take the {len(proposed)} that are proposed?", default=True, err=True):
        return [each.path for each in proposed]
    return [each.path for each in found if typer.confirm(f"{each.path}?", default=not each.why_not, err=True)]


def _sessions(root: Path, logs: Path | None) -> "list[Session]":
    """The sessions of the project, or all of `logs`."""
    from ladder.cli.mine import belongs
    from notes import load_settings
    from transcripts import everywhere, sessions

    if logs is not None:
        if not logs.exists():
            raise Failure(f"{logs} does not exist")
        return sessions(logs)
    settings = load_settings(root)
    return [each for each in everywhere() if belongs(each, root, settings)]


def _indexed(root: Path) -> int:
    """Build the index, so that the first session has it; how many notes it holds."""
    from ladder.indexing.update import fresh_index

    with fresh_index(root) as index:
        return index.living


def _toml_text(text: str) -> str:
    """A basic string of TOML."""
    return '"' + "".join(f"\\u{ord(c):04x}" if c in '"\\' or c < " " or c == "\x7f" else c for c in text) + '"'


def _next(held: int) -> None:
    print(f'{held} notes found. Next: ladder suggest "what you want to know"' if held else f"No notes yet. {_FIRST}")
