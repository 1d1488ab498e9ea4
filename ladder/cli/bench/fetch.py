"""`ladder bench fetch`: a published set into the data folder."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.bench.public import Data, data_folder
from ladder.cli.terminal import FOUND, NOTHING_FOUND, Failure, warn

if TYPE_CHECKING:
    from bench.public.fetch import Progress


def fetched(
    name: Annotated[str, typer.Argument(metavar="SET", help="Which set.")],
    data: Data = None,
    part: Annotated[str, typer.Option(help="Another file of the set: longmemeval m, oracle, s-cleaned, …")] = "",
    url: Annotated[str, typer.Option(help="Another address than the one in the catalogue.")] = "",
) -> int:
    """Download a published set into the data folder.

    It goes on where an earlier attempt broke off.
    """
    from bench.public import catalogue
    from bench.public.fetch import FetchError, digest, fetch

    entry = catalogue.sets().get(name)
    if entry is None:
        raise Failure(f"{name}: no such set; there are {', '.join(catalogue.sets())}")
    if part and part not in entry.parts:
        raise Failure(f"{name} has no part {part}; there are {', '.join(entry.parts) or 'none'}")
    entry = entry.parts[part] if part else entry
    folder = data_folder(data)
    if folder is None:
        raise Failure("name the data folder with --data or LADDER_DATA")
    if not (url or entry.url):
        raise Failure(f"{name}: can't be had from one address: {entry.hint}")
    try:
        target = fetch(
            url or entry.url,
            folder / (entry.saved_as or f"{name}/{name}.json"),
            sha256="" if url else entry.sha256,
            progress=_counted(name),
        )
    except (FetchError, OSError) as error:
        raise Failure(str(error), NOTHING_FOUND) from error
    if url and entry.sha256 and (found := digest(target)) != entry.sha256:
        warn(f"its SHA-256 is {found}, not that of the published file; kept, since it came from another address")
    sys.stdout.write(f"{target}\n")
    return FOUND


def _counted(name: str) -> "Progress":
    """Return what shows the progress of a download on stderr, when that is a terminal."""

    def show(done: int, whole: int) -> None:
        if sys.stderr.isatty():
            of = f" of {whole / 1e6:.1f}" if whole else ""
            print(f"\r{name}: {done / 1e6:.1f}{of} MB", end="\n" if done == whole else "", file=sys.stderr)

    return show


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("fetch")(fetched)
