"""`ladder forget`: take something out of all that ladder has kept, for good."""

from pathlib import Path

import typer

from ladder.cli.out import NOTHING_FOUND, Failure, show_json
from ladder.cli.place import whole

#: What is counted of what matched, in the order of telling.
KINDS = ("pair", "turn", "log line")


def add(app: typer.Typer) -> None:
    """Add `forget`."""
    app.command()(forget)


def forget(
    pattern: str = typer.Argument("", help="A text, whatever its case."),
    session: str = typer.Option("", help="A session's id: all that was mined from it."),
    note: str = typer.Option("", help="A note's path: all that was mined of it."),
    notes: Path | None = typer.Option(None, help="The folder of notes that was mined with; default: this project."),
    as_json: bool = typer.Option(False, "--json", help="Print what was done as JSON."),  # noqa: FBT003 (typer has the default first)
) -> None:
    """Remove what a text, a session or a note has left behind.

    From mined files, archive, learned routing and stats. A hash of it stays, so that mining the same logs again does
    not bring it back. The logs themselves and the notes are yours and stay as they are. Afterwards every file is
    searched, byte by byte.
    """
    from ladder.paths import project_data, project_state
    from notes import project_root
    from transcripts.forget import Forgetting, occurrences, search
    from transcripts.forget import forget as take_out
    from transcripts.tombstones import add_stones, name_stone, pattern_stones

    given = [value for value in (pattern, session, note) if value]
    if len(given) != 1 or not given[0].strip():
        raise Failure("give one of: a text, --session ID, --note PATH")
    root = str(whole(notes) if notes else project_root(Path.cwd()))
    data = Path(project_data(root))
    folders = [data, Path(project_state(root))]
    stores = [path for path in data.glob("mined*") if path.is_dir()] or [data / "mined"]
    wanted = given[0]
    if session:
        stones = [name_stone("session", session)]
    elif note:
        stones = [name_stone("note", note)]
    else:
        stones = pattern_stones(pattern, list(occurrences(folders, pattern)))
    for store in stores:
        add_stones(store, stones)
    forms = {wanted, wanted.replace("/", "\\")} if note else {wanted}
    done = [take_out(folders, form) for form in sorted(forms)]
    named = _named_after(folders, session)
    for path in named:
        path.unlink()
    searched, size, left = search(folders, wanted)
    changed = sorted({path for one in done for path in one.changed})
    removed = sorted({path for one in done for path in one.removed})
    matched = {kind: count for kind in KINDS if (count := sum(one.matched.get(kind, 0) for one in done))}
    result = Forgetting(tuple(changed), tuple(removed), searched, size, left, matched)
    if as_json:
        show_json(result._asdict())
    else:
        if changed or removed or named:
            rows = ", ".join(_number(count, kind) for kind, count in matched.items())
            print(f"matched    {rows or 'no pair or turn'}")
            print(f"changed    {_number(len(changed), 'file')}")
            again = "is" if len(removed) == 1 else "are"
            print(f"removed    {_number(len(removed), 'file')} that {again} made anew from the rest")
        else:
            print("matched    nothing: no file that ladder keeps of this project holds it")
        says = "STILL THERE" if left else "nothing left" if searched else "nothing was ever kept of this project"
        print(f"searched   {_number(searched, 'file')}, {size / 1e6:.1f} MB: {says}")
    if left:
        raise Failure(f"still there: {', '.join(left)}")
    if not changed and not removed:
        raise typer.Exit(NOTHING_FOUND)


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _named_after(folders: list[Path], session: str) -> list[Path]:
    if not session:
        return []
    return [path for folder in folders if folder.is_dir() for path in folder.rglob(f"{session}*") if path.is_file()]
