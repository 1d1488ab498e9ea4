"""`ladder mine`: session logs to pairs."""

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ladder.cli.out import NOTHING_FOUND, Failure, show_json, warn

if TYPE_CHECKING:
    from notes import Settings
    from transcripts import Mined, Session


def add(app: typer.Typer) -> None:
    """Add `mine`."""
    app.command()(mine)


def mine(
    logs: Path | None = typer.Option(
        None, help="A folder of session logs (or one log), all of it; default: this project's."
    ),
    notes: Path | None = typer.Option(None, help="The folder of notes; default: this project's notes."),
    glob: list[str] = typer.Option([], help="Which files of --notes are notes; default **/*.md."),
    out: Path | None = typer.Option(None, help="Where the pairs go; default: the project's data folder."),
    share: float = typer.Option(
        0.03, min=0, max=1, help="A word is uncommon in fewer than this share of the turns ..."
    ),
    floor: int = typer.Option(5, min=1, help="... or in fewer turns than this."),
    as_json: bool = typer.Option(False, "--json", help="Print the counts as JSON."),  # noqa: FBT003 (typer has the default first)
) -> None:
    """Find the note lines that answered in past sessions, and the questions that led to them."""
    from ladder.paths import project_data
    from notes import find_notes, folder_settings, load_settings, project_root
    from transcripts import mine as run
    from transcripts import projects_folder, redact, scope_of, sessions, write_pairs

    root = notes.absolute() if notes else project_root(Path.cwd())
    if notes and not notes.is_dir():
        raise Failure(f"no folder of notes: {notes}")
    settings = folder_settings(root, tuple(glob) or ("**/*.md",)) if notes else load_settings(root)
    folder = logs or projects_folder()
    if not folder.exists():
        raise Failure(f"no session logs: {folder} does not exist", NOTHING_FOUND)
    found = sessions(folder)
    if logs is None:
        found = [session for session in found if _belongs(session, root, settings)]
    if not found:
        raise Failure(f"no session logs of {root} in {folder}", NOTHING_FOUND)
    mined = run(
        found, find_notes(settings), root, share=share, floor=floor, in_scope=scope_of(settings, root), clean=redact
    )
    target = out or Path(project_data(str(root))) / "pairs.jsonl"
    write_pairs(mined.pairs, target)
    for item in mined.skipped[:20]:
        warn(f"{item.file}:{item.line}: skipped, {item.reason}")
    if len(mined.skipped) > 20:
        warn(f"and {len(mined.skipped) - 20} more lines skipped")
    if as_json:
        show_json({"logs": str(folder), "out": str(target), "bytes": mined.size, **_counts(mined)})
    else:
        _table(mined, folder, target)
    if not mined.pairs:
        raise typer.Exit(NOTHING_FOUND)


def _belongs(session: "Session", root: Path, settings: "Settings") -> bool:
    """Tell whether a session began in the project, by the folder that its records name."""
    from notes import project_root
    from notes.globs import matcher
    from transcripts import working_folder

    cwd = working_folder(session.file)
    if not cwd or (settings.mine_exclude and matcher(settings.mine_exclude)(cwd.replace("\\", "/").lstrip("/"))):
        return False
    folder = Path(cwd)
    return folder == root or root in folder.parents or (folder.is_dir() and project_root(folder) == root)


def _counts(mined: "Mined") -> dict[str, object]:
    return {**mined.tally._asdict(), "skipped": dict(Counter(item.reason for item in mined.skipped))}


def _table(mined: "Mined", folder: Path, target: Path) -> None:
    tally = mined.tally
    print(f"searched   {folder}")
    print(f"sessions   {tally.sessions}  ({mined.size / 1e6:.1f} MB)")
    print(f"turns      {tally.turns}  ({tally.questions} of the person; {tally.copies} copies in resumed sessions)")
    print(f"left out   {tally.left_out} turns in which the agent wrote to a note")
    print(f"reads      {tally.reads}  of Markdown files; {tally.notes_read} notes gave lines whose words came back")
    print(f"uncommon   a word in fewer than {tally.cut} turns")
    for level, meaning in (
        ("reply", "came back in the reply"),
        ("wrote", "came back in what the agent wrote into tools"),
    ):
        pairs, lines = tally.pairs[level], tally.lines[level]
        states = ", ".join(f"{state} {pairs[state]} / {lines[state]}" for state in ("alive", "moved", "gone"))
        print(f"{level:<10} {sum(pairs.values())} pairs / {sum(lines.values())} lines that {meaning}: {states}")
    print(f"notes      {tally.notes} with a pair whose line is still there")
    for reason, count in sorted(Counter(item.reason for item in mined.skipped).items()):
        print(f"skipped    {count} lines: {reason}")
    sys.stdout.write(f"pairs in   {target}\n")
