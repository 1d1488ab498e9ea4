"""`ladder suggest`, `map`, `read`: the three rungs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.asked import (
    Log,
    Message,
    Most,
    asked_terms,
    index_of,
    learned_of,
    mended,
    number_of,
    query_of,
    remember,
    say_nothing_found,
)
from ladder.cli.columns import cost_shown, on_one_line, table
from ladder.cli.options import Folder, Json
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, show_json, warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.reading.rungs import MapRow, Part

_WIDEST = 48


def add(app: typer.Typer) -> None:
    """Add the commands."""
    _add_suggest(app)
    _add_map(app)
    _add_read(app)


def _add_suggest(app: typer.Typer) -> None:
    @app.command()
    @mended
    def suggest(
        message: Message,
        most: Most = 5,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Name the notes that may hold the answer, and their costs.

        With the reason for each. A cost is the tokens that reading takes: of the head, of all.
        """
        from ladder.meaning.use import meant
        from ladder.reading.rungs import suggest as suggested

        index = index_of(notes, search=True)
        query = meant(index, query_of(message, log))
        found = suggested(index, query, learned=learned_of(index), most=most)
        remember(index.root, message)
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
            table(
                ("NOTE", "HEAD", "SECTIONS", "ALL", "WHY"),
                [
                    (
                        on_one_line(each.name), cost_shown(row.head_cost, row.estimated), str(row.sections),
                        cost_shown(row.cost, row.estimated), _why(each.why or _by_name(each.signals), row.path, query),
                    )
                    for each, row in rows
                ],
                right=(1, 2, 3),
            )  # fmt: skip
        else:
            say_nothing_found(index, query)
        return FOUND if rows else NOTHING_FOUND


def _add_map(app: typer.Typer) -> None:
    @app.command("map")
    @mended
    def map_(
        note: Annotated[str, typer.Argument(help="A note: its name, path, title or alias.", show_default=False)],
        message: Annotated[
            str | None, typer.Argument(help="What is asked; by default what `ladder suggest` was just asked.")
        ] = None,
        all_: Annotated[bool, typer.Option("--all", help="All sections, also of a note that has hundreds.")] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """List a note's sections with their costs in tokens.

        Those that hold words of the question are marked with them. Of a note with hundreds of sections these alone are
        listed, or the first ones.
        """
        from ladder.reading.map_rows import rows_shown
        from ladder.reading.rungs import map_note

        index = index_of(notes)
        n = number_of(index, note, notes)
        weights, written = asked_terms(index.root, message)
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
            shown = rows if all_ else rows_shown(rows)
            table(
                ("#", "SECTION", "ZONE", "COST", ""),
                [_map_cells(row, written, estimated=estimated) for row in shown],
                right=(3,),
            )
            if len(shown) < len(rows):
                which = "those with words of the question" if any(row.hits for row in shown[1:]) else "the first ones"
                warn(f"{len(shown)} of {len(rows)} rows: {which}; --all lists all")
        return FOUND if rows else NOTHING_FOUND


def _add_read(app: typer.Typer) -> None:
    @app.command()
    @mended
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
        raw: Annotated[
            bool, typer.Option("--raw", help="Secrets and <private> parts as they stand in the file.")
        ] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Print one section of a note, byte for byte.

        But known forms of secrets, which are masked, and what stands in <private>…</private>, which is left out.
        """
        from ladder.reading.answer import note_bytes
        from ladder.reading.rungs import as_told
        from notes import address_parts

        index = index_of(notes)
        name, part = address_parts(address, lambda name: bool(index.find(name)))
        n = number_of(index, name, notes)
        data = note_bytes(index, n)
        if data is None:
            raise Failure(f"{index.note(n).path} cannot be read")
        if whole:
            shown, start, end, title, where = data, 0, len(data), index.note(n).title, index.note(n).name
        else:
            found = _part(index, n, section or part, data)
            shown, start, end = data[found.start : found.end], found.start, found.end
            title, where = found.title, found.address
        if not raw:
            told = as_told(data)[start:end].replace(b"\0", b"")
            if told != shown:
                warn("secrets are masked and private parts left out; --raw shows them")
            shown = told
        text = shown.decode("utf-8", "replace")
        if json:
            show_json({
                "address": where, "note": index.note(n).name, "title": title, "start": start, "end": end, "text": text,
                "path": index.note(n).path,
            })  # fmt: skip
        elif shown:
            sys.stdout.flush()
            sys.stdout.buffer.write(shown if shown.endswith((b"\n", b"\r")) else shown + b"\n")
        else:
            why = "has no head; `ladder map` lists its sections" if data.strip() else "is empty"
            warn(f"{index.note(n).name} {why}")
        return FOUND if shown.strip() else NOTHING_FOUND


def _part(index: "Index", n: int, address: str, data: bytes) -> "Part":
    from ladder.reading.rungs import Ambiguous, NoSuchSection, read_section

    try:
        return read_section(index, n, address, data=data)
    except NoSuchSection as error:
        raise Failure(str(error), NOTHING_FOUND) from error
    except Ambiguous as error:
        raise Failure(str(error)) from error


def _map_cells(row: "MapRow", written: "Mapping[str, str]", *, estimated: bool) -> tuple[str, ...]:
    title = "  " * max(row.level - 2, 0) + on_one_line(row.title)
    return (
        str(row.number or ""),
        title if len(title) <= _WIDEST else title[: _WIDEST - 1] + "…",
        row.zone,
        cost_shown(row.cost, estimated),
        "<- " + ", ".join(written.get(term, term) for term in row.hits[:4]) if row.hits else "",
    )


def _by_name(signals: "Iterable[str]") -> tuple[str, ...]:
    """The reason where no word is one: the message names the note, by a stop word, say."""
    return ("its name",) if "named" in signals else ()


def _why(terms: "Iterable[str]", path: str, query: "Query") -> str:
    """`canary, abort · touched in this session`."""
    parts = [", ".join(terms)]
    name = Path(path).name
    if any(opened.replace("\\", "/").rpartition("/")[2] == name for opened in query.opened):
        parts.append("read in this session")
    elif any(touched.replace("\\", "/").rpartition("/")[2] == name for touched in query.touched):
        parts.append("touched in this session")
    return " · ".join(part for part in parts if part)
