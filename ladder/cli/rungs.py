"""`ladder suggest`, `map`, `read`: the three rungs."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.options import (
    Folder,
    Json,
    Log,
    Most,
    Question,
    joined,
    log_of,
    opened,
    say_nothing_found,
    told,
)
from ladder.cli.terminal import FOUND, NOTHING_FOUND, cost_shown, on_one_line, show_json, table, warn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.api import Reading, Suggested
    from ladder.reading.rungs import MapRow

_WIDEST = 48
"""Columns that titles are padded to; a longer one stands out of its column."""


def add(app: typer.Typer) -> None:
    """Add the commands."""
    _add_suggest(app)
    _add_map(app)
    _add_read(app)


def _add_suggest(app: typer.Typer) -> None:
    @app.command()
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
        asked = joined(question)
        at_hand = opened(notes)
        with told(at_hand):
            found = at_hand.suggest(asked, most=most, log=log_of(log))
        if json:
            show_json({"notes": [
                {
                    "note": each.note, "title": each.title, "score": round(each.score, 4), "head": each.head,
                    "sections": each.sections, "all": each.cost, "estimated": each.estimated, "why": each.why,
                    "path": each.path,
                }
                for each in found
            ]})  # fmt: skip
        elif found:
            table(
                ("NOTE", "HEAD", "SECTIONS", "ALL", "WHY"),
                [
                    (
                        on_one_line(each.note), cost_shown(each.head, each.estimated), str(each.sections),
                        cost_shown(each.cost, each.estimated), _why(each),
                    )
                    for each in found
                ],
                right=(1, 2, 3),
            )  # fmt: skip
        else:
            say_nothing_found(at_hand, asked, log_of(log))
        return FOUND if found else NOTHING_FOUND


def _add_map(app: typer.Typer) -> None:
    @app.command("map")
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
        from ladder.ranking.explain import written_terms
        from ladder.reading.map_rows import rows_shown

        asked = joined(question or [])
        at_hand = opened(notes, search=False)
        with told(at_hand):
            name, rows, estimated = at_hand.map(note, asked)
        if json:
            show_json({"note": name, "sections": [_row(row, estimated=estimated) for row in rows]})
        else:
            shown = rows if all_ else rows_shown(rows)
            _show_map(shown, written_terms(asked), estimated=estimated)
            if len(shown) < len(rows):
                which = "those with words of the question" if any(row.hits for row in shown[1:]) else "the first ones"
                warn(f"{len(shown)} of {len(rows)} rows: {which}; --all lists all")
        return FOUND if rows else NOTHING_FOUND


def _add_read(app: typer.Typer) -> None:
    @app.command()
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
        at_hand = opened(notes, search=False)
        with told(at_hand):
            found = at_hand.read(address, " ".join(section or []), whole=whole, raw=raw)
        if found.masked:
            warn("secrets are masked and private parts left out; --raw shows them")
        if json:
            show_json({
                "address": found.address, "note": found.note, "title": found.title, "start": found.start,
                "end": found.end, "text": found.text, "path": found.path,
                "sections": [_row(row, estimated=found.estimated) for row in found.rows], "more": found.more,
            })  # fmt: skip
        else:
            _show_reading(found)
        return FOUND if found.data.strip() or found.rows else NOTHING_FOUND


def _show_reading(found: "Reading") -> None:
    shown = found.data
    if shown:
        sys.stdout.flush()
        sys.stdout.buffer.write(shown if shown.endswith((b"\n", b"\r")) else shown + b"\n")
        sys.stdout.buffer.flush()
    if found.rows:
        name = on_one_line(found.note)
        sys.stdout.write("\n" if shown else "")
        _show_map(found.rows, {}, estimated=found.estimated)
        left = f"; {found.more} more in `ladder map {name}`" if found.more else ""
        cost = cost_shown(found.cost, found.estimated)
        sys.stdout.write(f"Go on with `ladder read {name}#NUMBER`; --all prints all {cost} tokens{left}\n")
    elif not shown:
        warn(f"{found.note} is empty")


def _why(found: "Suggested") -> str:
    """`canary, abort · touched in this session`."""
    return " · ".join(filter(None, (", ".join(found.why), found.seen)))


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
