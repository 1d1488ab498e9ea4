"""What the commands that ask have in common: the message and its conversation, the index, what was learned."""

import os
import sys
import time
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from ladder.cli.options import settings_of
from ladder.cli.terminal import NOTHING_FOUND, Failure, no_notes, warn, warn_of_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query

P = ParamSpec("P")


def _given(message: str | None) -> str | None:
    """The message, or what the standard input holds for `-`."""
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace").strip() if message == "-" else message


Message = Annotated[
    str,
    typer.Argument(
        help="What is asked, in the words of the message; - is the standard input.",
        show_default=False,
        callback=_given,
    ),
]
Most = Annotated[int, typer.Option("--most", "-n", min=1, help="Notes at most.")]
Log = Annotated[
    Path | None,
    typer.Option("--log", help="A running session's log: the conversation before the message counts, too."),
]
#: Seconds for which `ladder map` without a message marks what the last `ladder suggest` asked for.
REMEMBERED = 600


def index_of(folder: Path | None, *, search: bool = False) -> "Index":
    """The index of the project, or of `--notes FOLDER`, up to date with the files."""
    from ladder.indexing.update import fresh_index

    settings = settings_of(folder)
    index = fresh_index(settings)
    if search:  # who opens one note is not told of others
        warn_of_notes(index, settings)
    return index


def learned_of(index: "Index") -> "Learned | None":
    """What earlier sessions have taught; None until there is enough."""
    from ladder.lean.paths import project_data
    from ladder.learning.model import open_learned

    return open_learned(project_data(index.root) + "/learned")


def query_of(message: str, log: Path | None, *, search: bool = True) -> "Query":
    """The query of a message, with the conversation in `log` when one is given; else it is a search, or not."""
    from ladder.query.dates.calendar import now_here
    from ladder.query.query import Context, query

    if log is None:
        return query(Context(message=message, cwd=str(Path.cwd()), now=now_here(), search=search))
    if not log.is_file():
        raise Failure(f"{log} is no file")
    from ladder.query.log_tail import context

    return query(context(str(log), message, now=now_here()))


def mended(command: "Callable[P, int]") -> "Callable[P, int]":
    """Run a command again on an index made anew, when the one that it read turns out damaged."""

    @wraps(command)
    def run(*args: "P.args", **kwargs: "P.kwargs") -> int:
        from ladder.index.format import IndexBroken
        from ladder.indexing.update import fresh_index

        try:
            return command(*args, **kwargs)
        except IndexBroken:
            folder = kwargs.get("notes")
        # Out of the clause, which would keep the damaged index open: on Windows nothing could take its place.
        fresh_index(settings_of(folder if isinstance(folder, Path) else None), force=True).close()
        return command(*args, **kwargs)

    return run


def say_nothing_found(index: "Index", query: "Query") -> None:
    """Tell on stderr why nothing was printed: there are no notes, none is of that time, or none has to do with it."""
    from ladder.query.dates.date_only import only_days

    if not index.count:
        warn(no_notes(index.root))
        return
    days = only_days(query)
    what = f"has an entry of {days}" if days else "has to do with it"
    warn(f"none of the {index.count} notes {what}" if index.count > 1 else f"no note {what}; there is one")


def remember(root: str, message: str) -> None:
    """Keep what was asked, so that the next `ladder map` can mark it; nothing where the folder cannot be written to."""
    from ladder.lean.paths import make_folder, project_cache

    folder = Path(project_cache(root))
    try:
        make_folder(folder)
        descriptor = os.open(folder / "asked.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(message.encode("utf-8", "replace"))
    except OSError:
        return


def asked_terms(root: str, message: str | None) -> tuple["Mapping[str, float]", dict[str, str]]:
    """Terms of a message, by default the last that was remembered, with their weights, and as they were written."""
    from ladder.lean.paths import project_cache
    from ladder.ranking.explain import written_terms

    if message is None:
        file = Path(project_cache(root)) / "asked.txt"
        try:
            recent = 0 <= time.time() - file.stat().st_mtime < REMEMBERED
            message = file.read_bytes().decode("utf-8", "replace") if recent else ""
        except OSError:
            message = ""
    return query_of(message, None).weigh()[0], written_terms(message)


def number_of(index: "Index", name: str, folder: Path | None) -> int:
    """The note that `name` means, by its number in the index of `--notes folder`; a failure names what it may be."""
    from ladder.reading.rungs import Ambiguous, NoSuchNote, one_note

    try:
        return one_note(index, name.strip().removeprefix("[[").removesuffix("]]"))
    except NoSuchNote as error:
        from notes.files.find import passed_over_as

        if passed := passed_over_as(settings_of(folder), name.strip()):
            raise Failure(f"{passed.path} {passed.why}", NOTHING_FOUND) from error
        raise Failure(str(error), NOTHING_FOUND) from error
    except Ambiguous as error:
        raise Failure(str(error)) from error
