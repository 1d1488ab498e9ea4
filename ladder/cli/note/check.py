"""`ladder note check`, `fix` and `restore`: what is wrong with notes, and what can safely be repaired or given back."""

import datetime as dt
import difflib
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.ledger_notice import told_of_ledger
from ladder.cli.options import Folder, Json, settings_of
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, no_notes, progress, show_json, warn

if TYPE_CHECKING:
    from notes import NoteFile, Settings
    from notes.markdown.model import Note
    from notes.review.check import Finding
    from notes.writing.git_lines import Lost
    from notes.writing.store import Place

_ALIKE = 10
"""Findings of one kind that are printed of a note; --json has all."""

Names = Annotated[list[str] | None, typer.Argument(help="Notes to look at; all when none is named.")]


def add(group: typer.Typer) -> None:
    """Add `check`, `fix` and `restore`."""
    add_restore(group)

    @group.command()
    def check(
        note: Names = None,
        strict: Annotated[bool, typer.Option("--strict", help="Advice counts for the exit code too.")] = False,
        accept: Annotated[
            bool, typer.Option("--accept", help="Take histories, and notes that are gone, as they are from now on.")
        ] = False,
        look: Annotated[bool, typer.Option("--look", help="Write nothing into the ledger.")] = False,
        unread: Annotated[int, typer.Option("--unread", help="List notes not read in this many days.", min=0)] = 0,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Check notes: changed histories, long heads, dead links, secrets.

        And dates out of order, conflicts that a merge left. What is seen for the first time is written into the
        ledger, .ladder/ beside the notes; commit it with them. Exit code 1 when a history or a ledger was changed, a
        note is not UTF-8 or holds a conflict, or something looks like a live secret.
        """
        from notes.files.lookup import place_of

        settings = settings_of(notes)
        files = _chosen(settings, note)
        if not files:
            raise Failure(no_notes(settings.root), NOTHING_FOUND)
        with told_of_ledger(place_of(settings, file).root for file in files):
            findings = _check(settings, files, look=look, accept=accept, unread=unread, whole=not note)
        if json:
            show_json({"findings": [f._asdict() for f in findings]})
        else:
            _print(findings)
            if any(f.kind in ("history", "gone") and f.serious for f in findings):
                warn("`ladder note restore` gives back what was lost; --accept takes it as it is")
            kinds = Counter(f.kind for f in findings)
            told = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()) or "nothing found"
            warn(f"{len(files)} notes: {told}")
        return NOTHING_FOUND if any(f.serious or strict for f in findings) else FOUND

    @group.command()
    def fix(
        note: Names = None,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes and make none.")] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Repair what is safe, asking first.

        Dead links with one possible target, a missing last line end. Files that killed writers left behind are removed.
        Dated entries are never touched.
        """
        from notes.files.lookup import place_of
        from notes.review.check import parsed
        from notes.review.links import Targets
        from notes.review.repair import repair
        from notes.writing.store import StoreError, remove_temporaries, rewrite

        settings = settings_of(notes)
        files = _chosen(settings, None)
        targets = Targets(files, Path(settings.root))
        done = []
        for file in _chosen(settings, note):
            parsed_note = parsed(file)
            better = repair(parsed_note, Path(file.path), targets)
            if better is None:
                continue
            done.append({"note": file.name, "repairs": list(better.messages)})
            if not json:
                show_diff(file.name, parsed_note.data, better.data)
            if dry_run or not (yes or json or typer.confirm(f"{file.name}: {'; '.join(better.messages)}?")):
                continue
            place = place_of(settings, file)
            try:
                with told_of_ledger([place.root]):
                    rewrite(place, better.data, seen=parsed_note.data)
            except StoreError as error:
                warn(str(error))
        if not dry_run:
            for root in {place_of(settings, f).root for f in files}:
                for path in remove_temporaries(root, 3600, time.time()):
                    warn(f"removed {path}, which a killed writer left")
        if json:
            show_json({"notes": done})
        elif not done:
            warn("nothing to repair")
        return FOUND if done else NOTHING_FOUND


def add_restore(group: typer.Typer) -> None:
    """Add `restore` to the group."""

    @group.command()
    def restore(
        note: Names = None,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes and make none.")] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Give back dated entries that were changed or removed.

        From the ledger, asking first; what stands there now is kept in it, too. A note that is gone is made again from
        its head and entries, without its body: git may have more.
        """
        from notes.files.lookup import place_of
        from notes.review.check import parsed
        from notes.writing.restore import restored
        from notes.writing.store import StoreError, give_back, make_again, read_notes_ledger, rewrite

        settings = settings_of(notes)
        files = _chosen(settings, None)
        roots = sorted({place_of(settings, f).root for f in files})
        gone = [each for root in roots for each in _gone(root, note)]
        named = [n for n in note or () if not any(_is_called(place, n) for place, _ in gone)]
        done: list[dict[str, object]] = []
        for file in _chosen(settings, named) if named or not note else ():
            place, now = place_of(settings, file), parsed(file)
            lacks = _lacks(place, now)
            better = restored(now, lacks.ledger if lacks else read_notes_ledger(place))
            if better is None and lacks is None:
                continue
            if lacks:
                said = f"{len(lacks.lines)} lines of the ledger, from git"
                done.append({"note": file.name, "restored": [said], "left": []})
                if not dry_run and (yes or json or typer.confirm(f"{file.name}: {said}?")):
                    give_back(place, lacks.lines)
            if better is None:
                continue
            done.append({"note": file.name, "restored": list(better.messages), "left": [c.was for c in better.left]})
            for change in better.left:
                warn(f"{file.name}: entry {change.slug} cannot be put back by itself; it was:\n{change.was}")
            if not better.messages:
                continue
            if not json:
                show_diff(file.name, now.data, better.data)
            if dry_run or not (yes or json or typer.confirm(f"{file.name}: {'; '.join(better.messages)}?")):
                continue
            try:
                with told_of_ledger([place.root]):
                    rewrite(place, better.data, seen=now.data, why="restored")
            except StoreError as error:
                warn(str(error))
        for place, data in gone:
            name = place.relative.removesuffix(".md")
            done.append({"note": name, "restored": ["the note, from its head and entries"], "left": []})
            if not json:
                show_diff(name, b"", data)
            if not dry_run and (yes or json or typer.confirm(f"{name}: make it again?")):
                try:
                    make_again(place, data)
                except StoreError as error:
                    warn(str(error))
        if json:
            show_json({"notes": done})
        elif not done:
            warn("no dated entry was lost, as far as the ledger knows")
        return FOUND if done else NOTHING_FOUND


def _lacks(place: "Place", note: "Note") -> "Lost | None":
    """What git has held of the note's ledger and it lacks; None when that is nothing."""
    from notes.writing.git_lines import ever_committed, lost

    name = place.ledger.relative_to(place.root).as_posix()
    if not place.ledger.exists() or not (held := ever_committed(place.root, [name]).get(name)):
        return None
    found = lost(place.root, name, place.ledger.read_bytes(), held, note)
    return found if found and found.lines else None


def _gone(root: Path, names: list[str] | None) -> "list[tuple[Place, bytes]]":
    """Return the notes of `root` that are gone, with what can be made of them: those of `names`, or all."""
    from notes.review.check import gone_notes
    from notes.writing.restore import from_ledger

    found = gone_notes(root)
    return [
        (place, from_ledger(place.path.stem, ledger))
        for place, ledger in found
        if names is None or any(_is_called(place, name) for name in names)
    ]


def _is_called(place: "Place", name: str) -> bool:
    return name.removesuffix(".md").casefold() in (
        place.relative.removesuffix(".md").casefold(),
        place.path.stem.casefold(),
    )


def show_diff(name: str, old: bytes, new: bytes) -> None:
    """Print what changes, as a unified diff."""
    before, after = (d.decode("utf-8", "replace").split("\n") for d in (old, new))
    for line in difflib.unified_diff(before, after, f"{name} (is)", f"{name} (would be)", lineterm="", n=1):
        sys.stdout.write(line.replace("\r", "") + "\n")


def _chosen(settings: "Settings", names: list[str] | None) -> "list[NoteFile]":
    from ladder.cli.options import note_called
    from notes import find_notes

    return [note_called(settings, n)[0] for n in names] if names else find_notes(settings)


def _check(
    settings: "Settings", files: "list[NoteFile]", *, look: bool, accept: bool, unread: int, whole: bool
) -> "list[Finding]":
    from ladder.indexing.token_counts import count
    from notes import find_notes
    from notes.files.lookup import place_of
    from notes.review.check import Checked, Finding, check_note, gone_finding, gone_notes, open_conflicts, parsed
    from notes.review.links import Targets
    from notes.writing.changes import changes
    from notes.writing.edit import parse_whole
    from notes.writing.git_lines import ever_committed, lost
    from notes.writing.ledger import dated, digest, read_ledger
    from notes.writing.past import committed
    from notes.writing.record import chain
    from notes.writing.store import StoreError, observe

    targets = Targets(find_notes(settings), Path(settings.root))
    last_read = _last_read(settings) if unread else None
    if unread and last_read is None:
        warn("nothing mined yet, so no note's last reading is known; `ladder mine` finds them")
    places = {f.path: place_of(settings, f) for f in files}
    anchors: dict[Path, bytes] = {}
    held: dict[Path, list[bytes]] = {}
    for root in {p.root for p in places.values()}:
        ledgers = [p.ledger for p in places.values() if p.root == root and p.ledger.exists()]
        names = [path.relative_to(root).as_posix() for path in ledgers]
        anchors.update({root / name: data for name, data in committed(root, names).items()})
        if any(root / name in anchors for name in names):
            held.update({root / name: lines for name, lines in ever_committed(root, names).items()})
    findings: list[Finding] = []
    entries: set[str] = set()
    for file in progress(files, "Checking", len(files)):
        place = places[file.path]
        try:
            note = parsed(file)
        except OSError as error:
            findings.append(Finding(file.name, "encoding", f"cannot be read: {error.strerror}", 0, serious=True))
            continue
        raw = place.ledger.read_bytes() if place.ledger.exists() else b""
        lacks = (
            lost(place.root, place.ledger.relative_to(place.root).as_posix(), raw, held[place.ledger], note)
            if place.ledger in held
            else None
        )
        ledger = lacks.ledger if lacks else read_ledger(raw)
        found = list(
            check_note(
                Checked(
                    file, note, ledger, anchors.get(place.ledger), raw, targets, settings.head_budget, count, last_read,
                    unread, dt.datetime.now().astimezone().date(), lacks,
                )
            )
        )  # fmt: skip
        findings += found
        entries.update(digest(note.text(e.span)) for e in dated(note))
        if look or not note.encoding_ok or open_conflicts(note) or not (ledger.records or dated(note)):
            continue  # a note without dated entries gets a ledger when ladder first writes it
        if accept or not (ledger.faults or changes(ledger, note) or (lacks and lacks.lines)):
            gone = [chain(line) for line in lacks.lines] if lacks else []
            settled = [*(lacks.vouched if lacks else ()), *((*gone, *ledger.dangling) if accept else ())]
            try:
                observe(place, note, "accepted" if accept and ledger.records else "seen", settled=settled)
            except StoreError as error:
                warn(str(error))
    for root in sorted({p.root for p in places.values()}) if whole else ():
        for place, ledger in gone_notes(root):
            findings.append(gone_finding(place, ledger, entries))
            if accept and not look:
                observe(place, parse_whole(b""), "gone")
    return findings


def _last_read(settings: "Settings") -> "dict[str, dt.date] | None":
    """When each note was last read, from the mined pairs of this project; None when nothing was mined."""
    from ladder.lean.paths import project_data

    path = Path(project_data(settings.root)) / "pairs.jsonl"
    if not path.is_file():
        return None
    from transcripts import read_pairs

    found: dict[str, dt.date] = {}
    for pair in read_pairs(path):
        name = pair.note.removesuffix(".md")
        day = dt.datetime.fromisoformat(pair.time).astimezone().date()
        found[name] = max(day, found.get(name, day))
    return found


def _print(findings: "list[Finding]") -> None:
    """A line each; of a note with hundreds of one kind the first, and how many more."""
    told: Counter[tuple[str, str]] = Counter()
    all_of = Counter((f.note, f.kind) for f in findings)
    for f in findings:
        like = (f.note, f.kind)
        told[like] += 1
        where = f"{f.note}:{f.line}" if f.line else f.note
        if told[like] <= _ALIKE or f.serious:
            sys.stdout.write(f"{where}: {f.kind}: {f.message}\n")
        elif told[like] == all_of[like]:
            sys.stdout.write(f"{f.note}: {f.kind}: {all_of[like] - _ALIKE} more\n")
