"""`ladder suggest`, `map`, `read`: the three rungs; `answer`: the block of a budget; `why`: a ranking explained."""

import os
import sys
import time
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from ladder.cli.noteargs import Folder, Json, settings_of
from ladder.cli.out import FOUND, NOTHING_FOUND, Failure, show_json, warn_of_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ladder.cold import Index
    from ladder.context import Query
    from ladder.learned import Learned
    from ladder.rungs import MapRow, Part

P = ParamSpec("P")

Message = Annotated[str, typer.Argument(help="What is asked, in the words of the message.", show_default=False)]
Log = Annotated[
    Path | None,
    typer.Option("--log", help="A running session's log: the conversation before the message counts, too."),
]
#: Seconds for which `ladder map` without a message marks what the last `ladder suggest` asked for.
REMEMBERED = 600
_WIDEST = 48


def add(app: typer.Typer) -> None:
    """Add the commands."""
    _add_suggest(app)
    _add_map(app)
    _add_read(app)
    _add_answer(app)
    _add_why(app)


def _add_suggest(app: typer.Typer) -> None:
    @app.command()
    @_mended
    def suggest(
        message: Message,
        most: Annotated[int, typer.Option("--most", "-n", min=1, help="Notes at most.")] = 5,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Name the notes that may hold the answer, with what each costs in tokens and why."""
        from ladder.rungs import suggest as suggested

        index = _index(notes, search=True)
        query = _query(message, log)
        found = suggested(index, query, learned=_learned(index), most=most)
        _remember(index.root, message)
        rows = [(each, index.note(each.note)) for each in found]
        if json:
            show_json([
                {
                    "note": each.name, "title": row.title, "score": round(each.score, 4), "head": row.head_cost,
                    "sections": row.sections, "all": row.cost, "estimated": row.estimated, "why": each.why,
                    "path": row.path,
                }
                for each, row in rows
            ])  # fmt: skip
        elif rows:
            _table(
                ("NOTE", "HEAD", "SECTIONS", "ALL", "WHY"),
                [
                    (
                        _shown(each.name), _cost(row.head_cost, row.estimated), str(row.sections),
                        _cost(row.cost, row.estimated), _why(each.why, row.path, query),
                    )
                    for each, row in rows
                ],
                right=(1, 2, 3),
            )  # fmt: skip
        return FOUND if rows else NOTHING_FOUND


def _add_map(app: typer.Typer) -> None:
    @app.command("map")
    @_mended
    def map_(
        note: Annotated[str, typer.Argument(help="A note: its name, path, title or alias.", show_default=False)],
        message: Annotated[
            str | None, typer.Argument(help="What is asked; by default what `ladder suggest` was just asked.")
        ] = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """List a note's sections with what each costs in tokens, and mark those that hold words of the question."""
        from ladder.rungs import map_note

        index = _index(notes)
        n = _note(index, note)
        weights, written = _asked(index.root, message)
        rows = map_note(index, n, weights)
        estimated = index.note(n).estimated
        if json:
            show_json([
                {
                    "note": index.note(n).name, "section": row.number or None, "title": row.title, "slug": row.slug,
                    "path": row.path, "level": row.level, "zone": row.zone, "cost": row.cost, "estimated": estimated,
                    "start": row.start, "end": row.end, "hits": row.hits,
                }
                for row in rows
            ])  # fmt: skip
        else:
            _table(
                ("#", "SECTION", "ZONE", "COST", ""),
                [_map_cells(row, written, estimated=estimated) for row in rows],
                right=(3,),
            )
        return FOUND if rows else NOTHING_FOUND


def _add_read(app: typer.Typer) -> None:
    @app.command()
    @_mended
    def read(
        address: Annotated[
            str,
            typer.Argument(
                help="NOTE, NOTE#SLUG, NOTE#NUMBER, NOTE#L120 (a line) or 'NOTE#A > B'; NOTE alone is its head.",
                show_default=False,
            ),
        ],
        section: Annotated[str, typer.Argument(help="The section, when it is not in the address.")] = "",
        whole: Annotated[bool, typer.Option("--all", help="The whole note.")] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Print one section of a note, byte for byte."""
        from ladder.answer import note_bytes
        from notes import address_parts

        index = _index(notes)
        name, part = address_parts(address, lambda name: bool(index.find(name)))
        n = _note(index, name)
        data = note_bytes(index, n)
        if data is None:
            raise Failure(f"{index.note(n).path} cannot be read")
        if whole:
            shown, start, end, title, where = data, 0, len(data), index.note(n).title, index.note(n).name
        else:
            found = _part(index, n, section or part, data)
            shown, start, end = data[found.start : found.end], found.start, found.end
            title, where = found.title, found.address
        text = shown.decode("utf-8", "replace")
        if json:
            show_json({
                "address": where, "note": index.note(n).name, "title": title, "start": start, "end": end, "text": text,
                "path": index.note(n).path,
            })  # fmt: skip
        elif shown:
            sys.stdout.flush()
            sys.stdout.buffer.write(shown if shown.endswith((b"\n", b"\r")) else shown + b"\n")
        return FOUND if shown.strip() else NOTHING_FOUND


def _add_answer(app: typer.Typer) -> None:
    @app.command()
    @_mended
    def answer(
        message: Message,
        budget: Annotated[int, typer.Option("--budget", "-b", min=1, help="Tokens at most, names included.")] = 1000,
        note: Annotated[list[str] | None, typer.Option("--note", help="Only of this note; may be repeated.")] = None,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Print what the notes say on it: the paragraphs that promise most within a budget of tokens."""
        from ladder.answer import answer as answered

        index = _index(notes, search=True)
        only = [_note(index, name) for name in note] if note else None
        query = _query(message, log)
        block = answered(index, query, budget, notes=only, learned=_learned(index))
        if json:
            show_json({
                "tokens": block.tokens, "estimated": index.estimated, "text": block.text,
                "notes": [index.note(n).name for n in block.notes],
                "spans": [
                    {"note": index.note(span.note).name, "start": span.start, "end": span.end} for span in block.spans
                ],
            })  # fmt: skip
        elif block.text:
            sys.stdout.write(block.text + "\n")
        return FOUND if block.text else NOTHING_FOUND


def _add_why(app: typer.Typer) -> None:
    @app.command()
    @_mended
    def why(
        message: Message,
        most: Annotated[int, typer.Option("--most", "-n", min=1, help="Notes at most.")] = 5,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Explain a ranking: what each signal added to each note's score, and the terms that were looked for."""
        from ladder.route import SIGNALS, suggestions, survey

        index = _index(notes, search=True)
        query = _query(message, log)
        scene = survey(index, query, learned=_learned(index))
        found = suggestions(scene, most)
        terms = [(term, round(weight, 4), index.df(term)[0]) for weight, term in scene.weighed.terms]
        if json:
            show_json({
                "notes": [
                    {"note": each.name, "score": each.score, "why": each.why, "signals": each.signals} for each in found
                ],
                "terms": [{"term": term, "weight": weight, "notes": df} for term, weight, df in terms],
                "dates": scene.dates,
            })  # fmt: skip
            return FOUND if found else NOTHING_FOUND
        used = [name for name, *_ in SIGNALS if any(name in each.signals for each in found)]
        if found:
            cells = [
                (_shown(each.name), f"{each.score:.2f}", *(f"{each.signals.get(name, 0.0):.2f}" for name in used))
                for each in found
            ]
            _table(("NOTE", "SCORE", *(name.upper() for name in used)), cells, right=tuple(range(1, len(used) + 2)))
        listed = ", ".join(f"{term} {weight:.2f} (in {df})" for term, weight, df in terms[:20])
        sys.stdout.write(f"Terms: {listed or 'none that any note holds'}\n")
        if scene.dates:
            sys.stdout.write("Dates: " + ", ".join(f"{first} to {last}" for first, last in scene.dates) + "\n")
        return FOUND if found else NOTHING_FOUND


def _index(folder: Path | None, *, search: bool = False) -> "Index":
    """The index of the project, or of `--notes FOLDER`, up to date with the files."""
    from ladder.update import fresh_index

    index = fresh_index(settings_of(folder))
    if search:  # who opens one note is not told of others
        warn_of_bytes(index)
    return index


def _learned(index: "Index") -> "Learned | None":
    """What earlier sessions have taught; None until there is enough."""
    from ladder.learned import open_learned
    from ladder.paths import project_data

    return open_learned(project_data(index.root) + "/learned")


def _mended(command: "Callable[P, int]") -> "Callable[P, int]":
    """Run a command again on an index made anew, when the one that it read turns out damaged."""

    @wraps(command)
    def run(*args: "P.args", **kwargs: "P.kwargs") -> int:
        from ladder.coldformat import IndexBroken
        from ladder.update import fresh_index

        try:
            return command(*args, **kwargs)
        except IndexBroken:
            folder = kwargs.get("notes")
            fresh_index(settings_of(folder if isinstance(folder, Path) else None), force=True).close()
            return command(*args, **kwargs)

    return run


def _query(message: str, log: Path | None) -> "Query":
    """The query of a message, with the conversation in `log` when one is given."""
    from ladder.context import Context, query

    if log is None:
        now = time.strftime("%Y-%m-%dT%H:%M:%S")
        return query(Context(message=message, cwd=str(Path.cwd()), now=now))
    if not log.is_file():
        raise Failure(f"{log} is no file")
    from ladder.tail import context

    return query(context(str(log), message))


def _note(index: "Index", name: str) -> int:
    from ladder.rungs import Ambiguous, NoSuchNote, one_note

    try:
        return one_note(index, name.strip())
    except NoSuchNote as error:
        raise Failure(str(error), NOTHING_FOUND) from error
    except Ambiguous as error:
        raise Failure(str(error)) from error


def _part(index: "Index", n: int, address: str, data: bytes) -> "Part":
    from ladder.rungs import Ambiguous, NoSuchSection, read_section

    try:
        return read_section(index, n, address, data=data)
    except NoSuchSection as error:
        raise Failure(str(error), NOTHING_FOUND) from error
    except Ambiguous as error:
        raise Failure(str(error)) from error


def _map_cells(row: "MapRow", written: "Mapping[str, str]", *, estimated: bool) -> tuple[str, ...]:
    title = "  " * max(row.level - 2, 0) + _shown(row.title)
    return (
        str(row.number or ""),
        title if len(title) <= _WIDEST else title[: _WIDEST - 1] + "…",
        row.zone,
        _cost(row.cost, estimated),
        "<- " + ", ".join(written.get(term, term) for term in row.hits[:4]) if row.hits else "",
    )


def _why(terms: "Iterable[str]", path: str, query: "Query") -> str:
    """`canary, abort · touched in this session`."""
    parts = [", ".join(terms)]
    name = Path(path).name
    if any(opened.replace("\\", "/").rpartition("/")[2] == name for opened in query.opened):
        parts.append("read in this session")
    elif any(touched.replace("\\", "/").rpartition("/")[2] == name for touched in query.touched):
        parts.append("touched in this session")
    return " · ".join(part for part in parts if part)


def _cost(tokens: int, estimated: bool) -> str:
    """180, 4.1k, ~4.1k."""
    return ("~" if estimated else "") + (str(tokens) if tokens < 1000 else f"{tokens / 1000:.1f}k")


def _shown(text: str) -> str:
    """`text` on one line, without control characters."""
    from ladder.hookblock import one_line

    return one_line(text, 200)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]], *, right: tuple[int, ...]) -> None:
    """Print columns apart by two spaces; those numbered in `right` stand to the right."""
    wide = [max(_width(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [
            " " * (wide[i] - _width(cell)) + cell if i in right else cell + " " * (wide[i] - _width(cell))
            for i, cell in enumerate(row)
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _width(text: str) -> int:
    """Columns of a terminal that `text` takes."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _remember(root: str, message: str) -> None:
    """Keep what was asked, so that the next `ladder map` can mark it; nothing where the folder cannot be written to."""
    from ladder.paths import make_folder, project_cache

    folder = Path(project_cache(root))
    try:
        make_folder(folder)
        descriptor = os.open(folder / "asked.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(message.encode("utf-8", "replace"))
    except OSError:
        return


def _asked(root: str, message: str | None) -> tuple["Mapping[str, float]", dict[str, str]]:
    """Terms of a message, by default the last that was remembered, with their weights, and as they were written."""
    from ladder.paths import project_cache
    from ladder.route import written_terms

    if message is None:
        file = Path(project_cache(root)) / "asked.txt"
        try:
            recent = 0 <= time.time() - file.stat().st_mtime < REMEMBERED
            message = file.read_bytes().decode("utf-8", "replace") if recent else ""
        except OSError:
            message = ""
    return _query(message, None).weights, written_terms(message)
