"""`ladder note adopt`: looks at a folder of notes that exists already, and changes nothing unless told."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.options import Json, settings_of
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, progress, show_json, warn


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def adopt(
        folder: Annotated[
            Path, typer.Argument(help="A vault, docs/, the client's memory folder …", show_default=False)
        ],
        write: Annotated[
            bool, typer.Option("--write", help="Make the changes, one note at a time, asking each.")
        ] = False,
        doubts: Annotated[bool, typer.Option("--doubts", help="Only the notes with something ambiguous.")] = False,
        json: Json = False,
    ) -> int:
        """Say what is head, body and history in notes you already have.

        And what is ambiguous in them, and why.

        Costs are tokens. Nothing is changed without --write, and then each change is shown and asked for.
        """
        from ladder.cli.note.check import show_diff
        from ladder.indexing.token_counts import count, estimated
        from notes import find_notes, parse
        from notes.files.lookup import place_of
        from notes.markdown.parse import is_binary
        from notes.review.adopt import survey
        from notes.writing.store import StoreError, rewrite

        settings = settings_of(folder)
        files = find_notes(settings)
        if not files:
            raise Failure(f"no Markdown files in {folder}", NOTHING_FOUND)
        rows = []
        for file in progress(files, "Looking", len(files)):
            try:
                data = Path(file.path).read_bytes()
            except OSError as error:
                warn(f"{file.path}: {error.strerror}")
                continue
            if is_binary(data):
                warn(f"binary, so no note: {file.path}")
                continue
            note = parse(data, file.path, head_budget=settings.head_budget)
            rows.append((file, note, survey(note, count)))
        if json:
            show_json({"notes": [
                {"note": f.name, **{k: v for k, v in s._asdict().items() if k != "change"},
                 "estimated": estimated(), "change": s.change.message if s.change else None}
                for f, _, s in rows
            ]})  # fmt: skip
        else:
            about = "~" if estimated() else ""
            sys.stdout.write(f"{'HEAD':>6} {'BODY':>7} {'HISTORY':>7} {'ENTRIES':>7}  NOTE\n")
            for file, _, s in rows:
                if doubts and not s.doubts:
                    continue
                span = f"  {s.first} to {s.last}" if s.first else ""
                sys.stdout.write(f"{about}{s.head:>6} {s.body:>7} {s.history:>7} {s.entries:>7}  {file.name}{span}\n")
                for doubt in s.doubts:
                    sys.stdout.write(f"{'':>32}- {doubt}\n")
            changes = sum(s.change is not None for _, _, s in rows)
            unsure = sum(bool(s.doubts) for _, _, s in rows)
            warn(f"{len(rows)} notes, {unsure} with something ambiguous, {changes} that --write would change")
        if write:
            for file, note, s in rows:
                if s.change is None:
                    continue
                show_diff(file.name, note.data, s.change.data)
                if typer.confirm(f"{file.name}: {s.change.message}?"):
                    place = place_of(settings, file)
                    try:
                        with told_of_ledger([place.root]):
                            rewrite(place, s.change.data, seen=note.data, why="adopted")
                    except StoreError as error:
                        warn(str(error))
        return FOUND
