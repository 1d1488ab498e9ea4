"""What commands share: options, and the look-ups that these lead to (settings, note, index, query, text)."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from ladder.cli.terminal import NOTHING_FOUND, Failure, no_notes, warn, warn_of_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ladder.index.reader import Index
    from ladder.learning.model import Learned
    from ladder.query.query import Query
    from notes import NoteFile, Settings
    from notes.writing.store import Place

P = ParamSpec("P")

NoteName = Annotated[
    str, typer.Argument(help="The note: its name, the end of its name, its file, title or alias.", show_default=False)
]
Folder = Annotated[Path | None, typer.Option("--notes", help="Take the notes of this folder instead of the project's.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TextFile = Annotated[
    Path | None, typer.Option("--file", "-f", help="Take the text from this file; - is the standard input.")
]


Question = Annotated[
    list[str],
    typer.Argument(help="What is asked, quoted or not; - is the standard input.", show_default=False),
]
Most = Annotated[int, typer.Option("--most", "-n", min=1, help="Notes at most.")]
Log = Annotated[
    Path | None,
    typer.Option("--log", help="A running session's log: the conversation before the question counts, too."),
]


def joined(words: list[str]) -> str:
    """A text that was given as words, quoted or not; `-` alone is the standard input."""
    if words == ["-"]:
        return sys.stdin.buffer.read().decode("utf-8-sig", "replace").strip()
    return " ".join(words)


def whole(folder: Path) -> Path:
    """Return the folder's absolute path without `..` and `.`, links as the person named them.

    `Path.absolute` keeps `..`: what was mined as `--notes ../notes` would be forgotten of another folder.
    """
    return Path(os.path.abspath(folder))  # noqa: PTH100 (resolve would follow links)


def settings_of(folder: Path | None, globs: Sequence[str] | None = None) -> "Settings":
    """The settings of `--notes FOLDER --glob …`, else of the current folder's project."""
    from notes import folder_settings, load_settings, project_root

    if folder is None:
        return load_settings(project_root(Path.cwd()))
    if not folder.is_dir():
        raise Failure(f"{folder} is not a folder")
    return folder_settings(folder, tuple(globs)) if globs else folder_settings(folder)


def note_called(settings: "Settings", name: str) -> "tuple[NoteFile, Place]":
    """The one note that `name` means.

    Raises:
        Failure: there is none (exit code 1), or there are several, which are named (exit code 2).
    """
    from notes.files.find import passed_over_as
    from notes.files.lookup import notes_called, place_of

    found = notes_called(settings, name) or _titled(settings, name)
    if not found:
        if passed := passed_over_as(settings, name):
            raise Failure(f"{passed.path} {passed.why}", NOTHING_FOUND)
        from ladder.reading.rungs import NoSuchNote, names_near
        from notes import find_notes

        near = names_near(name, [file.name for file in find_notes(settings)])
        raise Failure(str(NoSuchNote(name, near)), NOTHING_FOUND)
    if len(found) > 1:
        raise Failure(f"{name!r} may be {', '.join(f.name for f in found[:6])}; name one")
    return found[0], place_of(settings, found[0])


def _titled(settings: "Settings", name: str) -> "list[NoteFile]":
    """The notes whose title or alias `name` is, as `ladder read` finds them."""
    from ladder.indexing.update import fresh_index
    from notes import find_notes

    if not name.strip():
        return []
    with fresh_index(settings) as index:
        paths = {index.note(n).path for n in index.find(name.strip())}
    return [file for file in find_notes(settings) if file.path in paths]


def read_note(file: "NoteFile") -> bytes:
    """The note's bytes."""
    try:
        data = Path(file.path).read_bytes()
    except OSError as error:
        raise Failure(f"{file.name}: {error.strerror}") from error
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        warn(f"{file.name} is not UTF-8: shown with U+FFFD, never written")
    return data


def given_text(text: str | None, file: Path | None, start: str) -> str:
    """The text of an argument, a file, the standard input, or else of `$EDITOR`, opened on `start`."""
    if text is not None and file is not None:
        raise Failure("give the text as an argument or with --file, not both")
    if text is not None and text != "-":
        return text
    try:
        if file is not None and str(file) != "-":
            return file.read_bytes().decode("utf-8-sig")
        if text == "-" or file is not None or not sys.stdin.isatty():
            return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure("the text is not UTF-8") from error
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}") from error
    return _edited(start)


def _edited(start: str) -> str:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    with tempfile.TemporaryDirectory(prefix="ladder-") as folder:
        path = Path(folder) / "text.md"
        path.write_text(start, encoding="utf-8", newline="")
        try:
            done = subprocess.run([*shlex.split(editor, posix=os.name != "nt"), str(path)], check=False)
        except OSError as error:
            raise Failure(f"{editor}: {error.strerror}; set EDITOR, or give the text as an argument") from error
        if done.returncode:
            raise Failure(f"{editor} ended with {done.returncode}; nothing was written")
        return path.read_bytes().decode("utf-8-sig")


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


def terms_of(message: str) -> tuple["Mapping[str, float]", dict[str, str]]:
    """Terms of a message with their weights, and as they were written."""
    from ladder.ranking.explain import written_terms

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
