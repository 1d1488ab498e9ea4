"""`ladder note new`, `head`, `append`, `show`, `log`, `asof`: makes, rewrites, appends to and shows notes."""

import datetime as dt
import hashlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.options import Folder, Json, NoteName, TextFile, given_text, note_called, read_note, settings_of
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, show_json, warn

Day = Annotated[str, typer.Argument(help="The day, as 2026-09-02.", show_default=False)]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    _add_writing(app)
    _add_showing(app)


def _inside(root: Path, folder: str) -> str:
    """Return a folder as seen from the notes' folder; it may be named from the working folder, as a shell does it."""
    here, root = Path(os.path.abspath(folder)), Path(os.path.abspath(root))  # noqa: PTH100 (links stay as named)
    if not folder or not here.is_relative_to(root) or (root / folder).is_dir():
        return folder
    return here.relative_to(root).as_posix() if here != root else ""


def _add_writing(group: typer.Typer) -> None:
    @group.command()
    def new(
        title: Annotated[str, typer.Argument(help="The note's title; its file is named after it.", show_default=False)],
        folder: Annotated[str, typer.Option("--in", help="The folder for it, inside the notes' folder.")] = "",
        head: Annotated[str | None, typer.Option("--head", help="Its head; - is the standard input.")] = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Make a new note; never over another file."""
        from notes.files.lookup import first_folder
        from notes.writing.store import StoreError, create

        settings = settings_of(notes)
        try:
            text = given_text(head, None, "") if head is not None else ""
            root = first_folder(settings)
            with told_of_ledger([root]):
                place = create(root, title, folder=_inside(root, folder), head=text)
        except StoreError as error:
            raise Failure(str(error)) from error
        if json:
            show_json({"path": str(place.path), "note": place.relative.removesuffix(".md")})
        else:
            print(place.path)
        return FOUND

    @group.command()
    def head(
        note: NoteName,
        text: Annotated[list[str] | None, typer.Argument(help="The new head; - is the standard input.")] = None,
        file: TextFile = None,
        seen: Annotated[
            str | None, typer.Option("--seen", help="Refuse when the note's SHA-256 is not this one.")
        ] = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Rewrite a note's head; the old one is kept.

        From the argument, --file, the standard input or $EDITOR.
        """
        from notes.writing.edit import parse_whole
        from notes.writing.store import StoreError, replace_head

        found, place = note_called(settings_of(notes), note)
        before = read_note(found)
        if seen is not None and hashlib.sha256(before).hexdigest() != seen.strip().lower():
            raise Failure(f"{found.name} changed since read; read it again and repeat the change")
        parsed = parse_whole(before, found.path)
        new_head = given_text(" ".join(text) if text else None, file, parsed.text(parsed.head) + "\n")
        if not new_head.strip():
            raise Failure("an empty text is no head; nothing was written")
        try:
            with told_of_ledger([place.root]):
                after = replace_head(place, new_head, seen=before)
        except StoreError as error:
            raise Failure(str(error)) from error
        if json:
            show_json({"note": found.name, "sha256": hashlib.sha256(after).hexdigest()})
        return FOUND

    @group.command()
    def append(
        note: NoteName,
        text: Annotated[list[str] | None, typer.Argument(help="The entry; - is the standard input.")] = None,
        file: TextFile = None,
        title: Annotated[str, typer.Option("--title", help="What the entry is about, in a few words.")] = "",
        date: Annotated[str, typer.Option("--date", help="Its day, as 2026-09-02; by default today.")] = "",
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Append a dated entry to a note's history.

        Where there is no history, it is begun.
        """
        from notes.writing.store import StoreError, append_entry

        found, place = note_called(settings_of(notes), note)
        day = _day(date) if date else None
        entry = given_text(" ".join(text) if text else None, file, "")
        try:
            with told_of_ledger([place.root]):
                made = append_entry(place, entry, title=title, date=day)
        except StoreError as error:
            raise Failure(str(error)) from error
        if json:
            show_json({"note": found.name, "slug": made.slug, "date": made.date, "start": made.span.start})
        else:
            print(f"{found.name}#{made.slug}")
        return FOUND


def _add_showing(group: typer.Typer) -> None:
    @group.command()
    def show(
        note: Annotated[str, typer.Argument(help="The note, or note#section or note#entry.", show_default=False)],
        head: Annotated[bool, typer.Option("--head", help="Its head alone.")] = False,
        former: Annotated[int, typer.Option("--former", help="A former head, by its number in `note log`.")] = 0,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Show a note, a head, a section or an entry, verbatim."""
        from notes import address_parts, resolve
        from notes.files.lookup import notes_called
        from notes.writing.edit import parse_whole
        from notes.writing.past import heads
        from notes.writing.store import read_notes_ledger

        settings = settings_of(notes)
        name, address = address_parts(note, lambda name: bool(notes_called(settings, name)))
        found, place = note_called(settings, name)
        data = read_note(found)
        parsed = parse_whole(data, found.path)
        if former:
            old = next((h for h in heads(read_notes_ledger(place)) if h.number == former), None)
            if old is None:
                raise Failure(f"{found.name} has no former head {former}; `ladder note log` lists them", NOTHING_FOUND)
            text = old.text + "\n"
        elif head:
            text = parsed.text(parsed.head) + "\n"
        elif address:
            entries = [e.span for e in parsed.entries if e.slug == address]
            spans = entries or [s.span for s in resolve(parsed.sections, "#" + address)]
            if not spans:
                raise Failure(f"{found.name} has no section or entry {address!r}", NOTHING_FOUND)
            if len(spans) > 1:
                several = [s.slug for s in parsed.sections if s.span in spans]
                raise Failure(f"{address!r} may be {', '.join(several)}; name one")
            text = parsed.text(spans[0])
        else:
            text = data.decode("utf-8", "replace")
        if json:
            show_json(
                {"note": found.name, "path": found.path, "sha256": hashlib.sha256(data).hexdigest(), "text": text}
            )
        else:
            sys.stdout.write(text)
        return FOUND

    @group.command()
    def log(note: NoteName, notes: Folder = None, json: Json = False) -> int:
        """List a note's dated entries and its former heads.

        In git, each entry with its author and commit.
        """
        from notes.writing.authors import NOBODY, written_by
        from notes.writing.edit import parse_whole
        from notes.writing.past import heads
        from notes.writing.store import read_notes_ledger

        found, place = note_called(settings_of(notes), note)
        parsed = parse_whole(read_note(found), found.path)
        of = written_by(place.path, parsed)
        old = heads(read_notes_ledger(place))
        now = parsed.text(parsed.head).strip()
        former = [h for n, h in enumerate(old) if n + 1 < len(old) or h.text.strip() != now]
        if json:
            show_json({
                "note": found.name,
                "entries": [
                    {"date": e.date, "slug": e.slug, "title": e.title, **of.get(e.number, NOBODY)._asdict()}
                    for e in parsed.entries
                ],
                "heads": [{"number": h.number, "since": h.time, "text": h.text} for h in former],
            })  # fmt: skip
        else:
            for entry in parsed.entries:
                by = of.get(entry.number, NOBODY)
                who = f"  ({by.author}, {by.commit})" if by.commit else ""
                sys.stdout.write(f"{entry.date or '          '}  {entry.slug}  {entry.title}".rstrip() + f"{who}\n")
            for h in former:
                first = next((line for line in h.text.split("\n") if line.strip()), "(empty)")
                sys.stdout.write(f"head {h.number}, since {h.time[:16].replace('T', ' ')} UTC: {first[:80]}\n")
            if not (parsed.entries or former):
                warn(f"{found.name} has no dated entry and no former head")
        return FOUND if parsed.entries or former else NOTHING_FOUND

    @group.command()
    def asof(note: NoteName, date: Day, notes: Folder = None, json: Json = False) -> int:
        """Show a note as it stood at the end of a day.

        From git, else from its former heads and its entries.
        """
        from notes.writing.past import as_of

        found, place = note_called(settings_of(notes), note)
        old = as_of(place, read_note(found), _day(date))
        if old is None:
            raise Failure(f"{found.name} did not exist on {date}", NOTHING_FOUND)
        if json:
            show_json({"note": found.name, "source": old.source, "text": old.data.decode("utf-8", "replace")})
        else:
            warn(old.source)
            sys.stdout.write(old.data.decode("utf-8", "replace"))
        return FOUND


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise Failure(f"{text!r} is not a day; write it as {dt.date(2026, 9, 2)}") from error
