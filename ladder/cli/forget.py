"""`ladder forget`: take something out of all that ladder has kept, for good."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ladder.cli.options import whole
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, show_json
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from transcripts.privacy.forget import Forgetting

#: What is counted of what matched, in the order of telling.
KINDS = ("pair", "turn", "log line", "hook line", "run")

_PATHS = ("changed", "removed", "emptied")


def add(app: typer.Typer) -> None:
    """Add `forget`."""
    app.command()(forget)


def forget(
    pattern: str = typer.Argument("", help="A text, whatever its case."),
    session: str = typer.Option("", help="A session's id: all that was mined from it."),
    note: str = typer.Option("", help="A note's path: all that was mined of it."),
    notes: Path | None = typer.Option(None, help="The folder of notes that was mined with; default: this project."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would go; take nothing out."),  # noqa: FBT003 (as below)
    yes: bool = typer.Option(False, "--yes", help="Do not ask."),  # noqa: FBT003 (as below)
    as_json: bool = typer.Option(False, "--json", help="Print what was done as JSON."),  # noqa: FBT003 (typer has the default first)
) -> None:
    """Remove what a text, a session or a note has left behind.

    From mined files, archive, learned routing, runs of `ladder weekly` in ladder's data, and what the hook wrote down:
    its log, from which the stats come, and what each session was shown, here and elsewhere. A hash of it stays, so that
    mining the same logs again does not bring it back. The logs themselves and the notes are yours and stay as they are.
    On a terminal it asks first. Afterwards every file is searched, byte by byte.
    """
    from ladder.hook.session import state_file
    from ladder.lean.paths import project_data, project_state, state_folder
    from notes import project_root
    from transcripts.privacy.forget import Forgetting, kept_any, occurrences, search
    from transcripts.privacy.forget import forget as take_out
    from transcripts.turns.tombstones import add_stones, name_stone, pattern_stones

    given = [value for value in (pattern, session, note) if value]
    if len(given) != 1 or not given[0].strip():
        raise Failure("give one of: a text, --session ID, --note PATH")
    if pattern != pattern.encode("utf-8", "replace").decode():
        raise Failure("the text is not UTF-8; ladder keeps none that is not")
    root = str(whole(notes) if notes else project_root(Path.cwd()))
    data = Path(project_data(root))
    own = [data, Path(project_state(root))]
    sessions = Path(state_folder()) / "sessions"
    folders = [*own, sessions]
    known = kept_any(own)
    wanted = given[0]
    forms = {wanted, wanted.replace("/", "\\")} if note else {wanted}
    named = _named_after(own, Path(state_file(str(sessions), session)), session) if session else []
    if dry_run or (sys.stdin.isatty() and not (yes or as_json)):
        plan = [take_out(folders, form, note=bool(note), dry=True) for form in sorted(forms)]
        would = _told(plan, named)
        if as_json:
            paths = {key: sorted({path for one in plan for path in getattr(one, key)}) for key in _PATHS}
            show_json(paths | {"named": list(map(str, named))})
        else:
            print("\n".join(would) if would else "nothing matches: no file that ladder keeps of this project holds it")
        if dry_run or not would:
            raise typer.Exit(FOUND if would else NOTHING_FOUND)
        if not typer.confirm("Take it out for good? There is no way back."):
            raise typer.Exit(NOTHING_FOUND)
    stores = [path for path in data.glob("mined*") if path.is_dir()] or [data / "mined"]
    if session:
        stones = [name_stone("session", session)]
    elif note:
        stones = [name_stone("note", note)]
    else:
        stones = pattern_stones(pattern, list(occurrences(own, pattern)))
    for store in stores:
        add_stones(store, stones)
    done = [take_out(folders, form, note=bool(note)) for form in sorted(forms)]
    for path in named:
        path.unlink(missing_ok=True)
    searched, size, left = search(folders, wanted)
    gone = set(map(str, named))
    changed = sorted({path for one in done for path in one.changed} - gone)
    removed = sorted({path for one in done for path in one.removed} - gone)
    emptied = sorted({path for one in done for path in one.emptied} - gone)
    matched = {kind: count for kind in KINDS if (count := sum(one.matched.get(kind, 0) for one in done))}
    result = Forgetting(tuple(changed), tuple(sorted({*removed, *gone})), tuple(emptied), searched, size, left, matched)
    did = bool(changed or removed or emptied or named)
    if as_json:
        show_json(result._asdict())
    else:
        rows = [("matched", ", ".join(number_of(count, kind) for kind, count in matched.items()), bool(matched))]
        rows += [
            ("changed", number_of(len(changed), "file"), bool(changed)),
            ("removed", f"{number_of(len(named), 'file')} of the session", bool(named)),
            ("removed", f"{number_of(len(emptied), 'file')} of the hook with nothing left", bool(emptied)),
            ("removed", f"{number_of(len(removed), 'file')} that mining makes anew from the rest", bool(removed)),
            ("matched", "nothing: no file that ladder keeps of this project holds it", not did),
        ]
        for name, says, told in rows:
            if told:
                print(f"{name}    {says}")
        says = "STILL THERE" if left else "nothing left" if did or known else "nothing was ever kept of this project"
        print(f"searched   {number_of(searched, 'file')}, {size / 1e6:.1f} MB: {says}")
    if left:
        raise Failure(f"still there: {', '.join(left)}")
    if not did:
        raise typer.Exit(NOTHING_FOUND)


def _told(plan: "list[Forgetting]", named: list[Path]) -> list[str]:
    """Say what would go, a line each; nothing when nothing would."""
    matched = {kind: count for kind in KINDS if (count := sum(one.matched.get(kind, 0) for one in plan))}
    told = ", ".join(number_of(count, kind) for kind, count in matched.items())
    rows = [f"would take out    {told}"] if told else []
    rows += [f"would change      {path}" for path in sorted({path for one in plan for path in one.changed})]
    rows += [f"would remove      {path}" for path in sorted({p for one in plan for p in (*one.removed, *one.emptied)})]
    return rows + [f"would remove      {path}" for path in named]


def _named_after(folders: list[Path], state: Path, session: str) -> list[Path]:
    """The files of a session by their name: mined and archived ones, and what the hook kept of it (`state`)."""
    found = [path for folder in folders if folder.is_dir() for path in folder.rglob(f"{session}*") if path.is_file()]
    return sorted({*found, *([state] if state.is_file() else [])})
