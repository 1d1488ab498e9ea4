"""`ladder promote`: history entries that keep being the answer, proposed for the head."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.noteargs import Folder, Json, note_called, read_note, settings_of
from ladder.cli.out import FOUND, NOTHING_FOUND, Failure, show_json, warn

if TYPE_CHECKING:
    from ladder.promote import Promotion, Use
    from notes import Settings


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def promote(
        pairs: Annotated[
            Path | None, typer.Option(help="Mined pairs; by default those of `ladder mine` for this project.")
        ] = None,
        least: Annotated[int, typer.Option(min=1, help="Turns in which an entry was the answer.")] = 2,
        write: Annotated[bool, typer.Option("--write", help="Ask about each proposal, and write on a yes.")] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Propose history entries for the heads of their notes: those that past sessions were answered with.

        GAINED is what the later half of the sessions would have gained from what the earlier half proposes.
        """
        from ladder.promote import promotions
        from notes import find_notes

        settings = settings_of(notes)
        store = {file.name: Path(file.path).read_bytes() for file in find_notes(settings)}
        found = promotions(_uses(settings, pairs), store, least=least)
        if json:
            show_json([
                {
                    "note": each.note, "slug": each.slug, "text": each.text, "cost": each.cost,
                    "earlier": each.earlier, "later": each.later, "gained": each.gained,
                }
                for each in found
            ])  # fmt: skip
        else:
            _show(found)
        if write:
            for each in found:
                _ask(settings, each)
        return FOUND if found else NOTHING_FOUND


def _uses(settings: "Settings", pairs: Path | None) -> "list[Use]":
    from ladder.paths import project_data
    from ladder.promote import Use
    from transcripts import read_pairs

    file = pairs or Path(project_data(str(settings.root))) / "pairs.jsonl"
    if not file.is_file():
        raise Failure(f"no mined pairs in {file}; run `ladder mine` first", NOTHING_FOUND)
    return [
        Use(
            session=pair.session, turn=pair.key, time=pair.time, note=line.where.removesuffix(".md"),
            lines=(line.text,), context=pair.contexts["turn"],
        )
        for pair in read_pairs(file)
        for line in pair.lines
        if line.where
    ]  # fmt: skip


def _show(found: "list[Promotion]") -> None:
    for each in found:
        gained = "not replayed" if each.gained is None else f"gained {each.gained:+d} of {each.later}"
        sys.stdout.write(
            f"{each.note}#{each.slug}: the answer in {each.earlier} earlier and {each.later} later turns, "
            f"{each.cost} tokens, {gained}\n"
        )
        sys.stdout.write("".join(f"    {line}\n" for line in each.text.split("\n")))


def _ask(settings: "Settings", each: "Promotion") -> None:
    """Write one promotion if the person says yes."""
    from ladder.promote import head_with
    from notes.edit import parse_whole
    from notes.store import StoreError, replace_head

    if not typer.confirm(f"Lift it into the head of {each.note}?", default=False):
        return
    file, place = note_called(settings, each.note)
    before = read_note(file)
    note = parse_whole(before, file.path)
    if each.text in note.text(note.head):
        warn(f"it stands in the head of {file.name} already")
        return
    try:
        replace_head(place, head_with(note, each.text), seen=before)
    except StoreError as error:
        raise Failure(str(error)) from error
