"""`ladder suggest`, `map`, `read`: the three rungs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.options import (
    Folder,
    Json,
    Log,
    Most,
    Question,
    index_of,
    joined,
    learned_of,
    mended,
    number_of,
    query_of,
    say_nothing_found,
    terms_of,
)
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, cost_shown, on_one_line, show_json, table, warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ladder.index.reader import Index
    from ladder.query.query import Query
    from ladder.reading.rungs import MapRow, Part

_WIDEST = 48
"""Columns that titles are padded to; a longer one stands out of its column."""


def add(app: typer.Typer) -> None:
    """Add the commands."""
    _add_suggest(app)
    _add_map(app)
    _add_read(app)


def _add_suggest(app: typer.Typer) -> None:
    @app.command()
    @mended
    def suggest(
        question: Question,
        most: Most = 5,
        why: Annotated[bool, typer.Option("--why", help="Explain the ranking: what each signal added.")] = False,
        log: Log = None,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Name the notes that may hold the answer, and their costs.

        With the reason for each. A cost is the tokens that reading takes: of the head, of all. With --why a score is
        explained signal by signal, with the terms that were looked for, and whether the hook would speak at this
        message, and why not.
        """
        if why:
            from ladder.cli.why import explain

            return explain(joined(question), most, log, notes, json=json)
        from ladder.meaning.use import meant
        from ladder.reading.rungs import suggest as suggested

        index = index_of(notes, search=True)
        query = meant(index, query_of(joined(question), log))
        found = suggested(index, query, learned=learned_of(index), most=most)
        rows = [(each, index.note(each.note)) for each in found]
        if json:
            show_json({"notes": [
                {
                    "note": each.name, "title": row.title, "score": round(each.score, 4), "head": row.head_cost,
                    "sections": row.sections, "all": row.cost, "estimated": row.estimated, "why": each.why,
                    "path": row.path,
                }
                for each, row in rows
            ]})  # fmt: skip
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
        question: Annotated[list[str] | None, typer.Argument(help="The question whose words are marked.")] = None,
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
        weights, written = terms_of(joined(question or []))
        rows = map_note(index, n, weights)
        estimated = index.note(n).estimated
        if json:
            show_json({"note": index.note(n).name, "sections": [_row(row, estimated=estimated) for row in rows]})
        else:
            shown = rows if all_ else rows_shown(rows)
            _show_map(shown, written, estimated=estimated)
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
                help="NOTE, NOTE#SLUG, NOTE#NUMBER, NOTE#L120 (a line) or 'NOTE#A > B'.",
                show_default=False,
            ),
        ],
        section: Annotated[list[str] | None, typer.Argument(help="The section, when it is not in the address.")] = None,
        whole: Annotated[bool, typer.Option("--all", help="The whole note.")] = False,
        raw: Annotated[
            bool, typer.Option("--raw", help="Secrets and <private> parts as they stand in the file.")
        ] = False,
        notes: Folder = None,
        json: Json = False,
    ) -> int:
        """Print a note, or one section of it, byte for byte.

        A small note comes whole; of a larger one its head, then its sections with their costs. Known forms
        of secrets are masked, and what stands in <private>…</private> is left out.
        """
        from ladder.reading.answer import note_bytes
        from ladder.reading.rungs import as_told
        from ladder.reading.whole import read_note
        from notes import address_parts

        index = index_of(notes)
        name, part = address_parts(address, lambda name: bool(index.find(name)))
        n = number_of(index, name, notes)
        data = note_bytes(index, n)
        if data is None:
            raise Failure(f"{index.note(n).path} cannot be read")
        rows: tuple[MapRow, ...] = ()
        more = 0
        asked = " ".join(section or []) or (part and "#" + part)
        title, where = index.note(n).title, index.note(n).name
        if whole:
            start, end = 0, len(data)
        elif asked:
            found = _part(index, n, asked, data)
            start, end, title, where = found.start, found.end, found.title, found.address
        else:
            given = read_note(index, n, data)
            start, end, rows, more = given.start, given.end, given.rows, given.more
        shown = data[start:end]
        if not raw:
            told = as_told(data)[start:end].replace(b"\0", b"")
            if told != shown:
                warn("secrets are masked and private parts left out; --raw shows them")
            shown = told
        if json:
            show_json({
                "address": where, "note": index.note(n).name, "title": title, "start": start, "end": end,
                "text": shown.decode("utf-8", "replace"), "path": index.note(n).path,
                "sections": [_row(row, estimated=index.note(n).estimated) for row in rows], "more": more,
            })  # fmt: skip
            return FOUND if shown.strip() or rows else NOTHING_FOUND
        if shown:
            sys.stdout.flush()
            sys.stdout.buffer.write(shown if shown.endswith((b"\n", b"\r")) else shown + b"\n")
            sys.stdout.buffer.flush()
        if rows:
            row = index.note(n)
            sys.stdout.write("\n" if shown else "")
            _show_map(rows, {}, estimated=row.estimated)
            left = f"; {more} more in `ladder map {on_one_line(row.name)}`" if more else ""
            sys.stdout.write(
                f"Go on with `ladder read {on_one_line(row.name)}#NUMBER`; --all prints all "
                f"{cost_shown(row.cost, row.estimated)} tokens{left}\n"
            )
            return FOUND
        if not shown:
            warn(f"{index.note(n).name} is empty")
        return FOUND if shown.strip() else NOTHING_FOUND


def _part(index: "Index", n: int, address: str, data: bytes) -> "Part":
    from ladder.reading.rungs import Ambiguous, NoSuchSection, read_section

    try:
        return read_section(index, n, address, data=data)
    except NoSuchSection as error:
        raise Failure(str(error), NOTHING_FOUND) from error
    except Ambiguous as error:
        raise Failure(str(error)) from error


def _row(row: "MapRow", *, estimated: bool) -> dict[str, object]:
    """A row of a map as JSON has it."""
    return {
        "section": row.number or None, "title": row.title, "slug": row.slug, "path": row.path, "level": row.level,
        "zone": row.zone, "cost": row.cost, "estimated": estimated, "start": row.start, "end": row.end,
        "hits": row.hits,
    }  # fmt: skip


def _show_map(rows: "Sequence[MapRow]", written: "Mapping[str, str]", *, estimated: bool) -> None:
    """Print rows of a map. Titles are never cut: an entry's is its address."""
    cells = [
        (
            str(row.number or ""),
            "  " * max(row.level - 2, 0) + on_one_line(row.title),
            row.zone,
            cost_shown(row.cost, estimated),
            "<- " + ", ".join(written.get(term, term) for term in row.hits[:4]) if row.hits else "",
        )
        for row in rows
    ]
    table(("#", "SECTION", "ZONE", "COST", ""), cells, right=(3,), widest=_WIDEST)


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
