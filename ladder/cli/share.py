"""`ladder share`: what was mined, without the person's words, for the owner of the notes; and the pool of many."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.options import Folder, Json, settings_of
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, on_one_line, progress, show_json, table, warn
from ladder.text.plain import number_of

if TYPE_CHECKING:
    from bench.shared.pool import NoteRow
    from bench.shared.record import Kept
    from notes import NoteFile, Settings

KEY = "share.key"
Key = Annotated[
    Path | None, typer.Option("--key", help="File with the team's key; default: the project's data folder.")
]
_FIVE = 5


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def share(
        folder: Annotated[Path, typer.Argument(help="Where the team collects its files.", show_default=False)],
        pairs: Annotated[Path | None, typer.Option(help="Pairs that `ladder mine` wrote, in another place.")] = None,
        key: Key = None,
        review: Annotated[bool, typer.Option("--review", help="Show each pair, and ask whether it goes in.")] = False,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Hand over what was mined, without your words.

        A file of yours in FOLDER: per question the note's name, hashes of terms and lines under the team's key, the
        day, and at which place the note was found. Only of notes of this project; nothing of what is private. What can
        be learned from it: docs/privacy.md. `ladder bench --shared FOLDER` pools the files.
        """
        from bench.shared.record import SharedError, kept, key_in, write_shared
        from ladder.lean.paths import project_data
        from transcripts import read_pairs

        settings = settings_of(notes)
        data = Path(project_data(str(settings.root)))
        source = pairs or data / "pairs.jsonl"
        if not source.is_file():
            raise Failure(f"{source}: nothing mined yet; `ladder mine` finds what to share", NOTHING_FOUND)
        where = key or data / KEY
        fresh = not where.exists()
        try:
            secret = key_in(where, make=True)
        except SharedError as error:
            raise Failure(str(error)) from error
        who = _mark(data / "share.who")
        mined = [pair for pair in read_pairs(source) if pair.level == "reply"]
        found = kept(progress(mined, "looking", len(mined)), secret, who, *_project(settings))
        records = list(found.records)
        if review:
            records = [record for n, record in enumerate(records) if _agreed(found, n)]
        elif not (yes or json):
            typer.echo(f"{len(records)} questions; --review shows each, in clear and as it is written", err=True)
        if not records:
            raise Failure("nothing to share", NOTHING_FOUND)
        if not (yes or json or review) and not typer.confirm(f"Write them to {folder}?", err=True):
            return FOUND
        path = write_shared(records, folder, records[0].who)
        told = {"file": str(path), "questions": len(records), "foreign": found.foreign, "private": found.private}
        if json:
            show_json({**told, "key": str(where), "key_made": fresh})
        else:
            sys.stdout.write(f"{path}\n")
            left = f"{found.foreign} of notes that are not this project's, {found.private} of private lines"
            warn(f"{number_of(len(records), 'question')} shared; left out: {left}")
            if fresh:
                warn(
                    f"the key is new: {where}. Give it to your team, apart from the files, and let nobody else have it"
                )
        return FOUND


def _agreed(found: "Kept", n: int) -> bool:
    record, (words, lines) = found.records[n], found.clear[n]
    sys.stdout.write(f"\n{record.day}  {record.note}  found at {record.found}\n  terms  {words}\n")
    for line, shared in zip(lines, record.lines, strict=True):
        sys.stdout.write(f"  line   {shared.hash} {shared.state}  {on_one_line(line)[:100]}\n")
    sys.stdout.write(f"  as     {' '.join(record.terms)}\n")
    sys.stdout.flush()
    return typer.confirm("Does it go in?", default=True, err=True)


def _mark(path: Path) -> str:
    """The person's random mark in this project, made once."""
    import secrets

    from notes.atomic import write_private_lines

    if not path.exists():
        write_private_lines(path, [secrets.token_hex(16).encode()])
    return path.read_text(encoding="utf-8").strip()


def _own(settings: "Settings") -> "list[NoteFile]":
    """The notes that lie in the project: not the person's own ones, nor the client's memory."""
    from notes import find_notes

    root = Path(settings.root)
    return [file for file in find_notes(settings) if root in Path(file.path).parents]


def _project(settings: "Settings") -> tuple[dict[str, tuple[bytes, int]], Any]:
    from bench.product import query_of
    from ladder.indexing.update import fresh_index
    from ladder.reading.rungs import suggest

    index = fresh_index(settings)
    costs = {row.name: row.cost for row in (index.note(n) for n in range(index.count) if index.alive(n))}
    notes = {f.name: (Path(f.path).read_bytes(), costs.get(f.name, 0)) for f in _own(settings)}

    def place(context: Mapping[str, Any], note: str) -> int:
        query, _ = query_of(context)
        names = [each.name for each in suggest(index, query, most=_FIVE)] if query else []
        return names.index(note) + 1 if note in names else 0

    return notes, place


def _of(row: "NoteRow", moment: str) -> str:
    return f"{row.found[moment]}/{row.asked[moment]}"


def show_pool(folder: Path, notes: Path | None, key: Path | None, *, json: bool) -> int:
    """Print what the files in `folder` say together of each note."""
    from bench.shared.pool import pool
    from bench.shared.record import SharedError, hashed, key_in, read_shared
    from ladder.lean.paths import project_data

    settings = settings_of(notes)
    try:
        secret = key_in(key or Path(project_data(str(settings.root))) / KEY, make=False)
        records = read_shared(folder)
    except SharedError as error:
        raise Failure(str(error)) from error
    if not records:
        raise Failure(f"{folder}: no file of `ladder share`", NOTHING_FOUND)
    today = {}
    for file in _own(settings):
        lines = Path(file.path).read_bytes().decode("utf-8", "replace").replace("\r", "\n").split("\n")
        today[file.name] = {hashed(secret, "line", line.strip()) for line in lines if line.strip()}
    said = pool(records, today)
    if json:
        show_json({**said._asdict(), "rows": [row._asdict() for row in said.rows]})
        return FOUND
    if said.other_key:
        warn("no line of these files is one of today's notes: is it another key, or are they other notes?")
    table(
        ("NOTE", "PEOPLE", "ANSWERED", "FOUND", "FOUND (TURN)", "ONE LINE", "TOKENS", "LINES GONE"),
        [
            (
                on_one_line(row.note), str(row.people), str(row.answers), _of(row, "message"),
                _of(row, "turn"), str(row.one_line), str(row.tokens), str(row.gone),
            )
            for row in said.rows
        ],
        right=(1, 2, 3, 4, 5, 6, 7),
    )  # fmt: skip
    never = [row.note for row in said.rows if not any(row.found.values())]
    lost = sum(row.gone_asked for row in said.rows)
    sys.stdout.write(
        f"{number_of(said.questions, 'question')} of {said.people} people in {number_of(said.sessions, 'session')}: "
        f"{len(said.rows)} notes answered, {len(never)} of them were never found among five, "
        f"{lost} questions were answered by lines that are gone, {len(said.silent)} notes answered nobody\n"
    )
    return FOUND
