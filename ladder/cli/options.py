"""What commands share: options, and the look-ups that these lead to (settings, note, index, query, text)."""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.api import OpenNotes
from ladder.cli.terminal import NOTHING_FOUND, Failure, no_notes, warn, warn_of_notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ladder.index.reader import Index
    from notes import NoteFile, Settings
    from notes.writing.store import Place

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


class _Announced(OpenNotes):
    """Notes that are searched: what of them cannot be is named on stderr."""

    def index(self, *, force: bool = False) -> "Index":
        index = super().index(force=force)
        warn_of_notes(index, self.settings)
        return index


def opened(folder: Path | None, *, search: bool = True) -> OpenNotes:
    """The notes of the project, or of `--notes FOLDER`; with `search` off, for one note, others are not warned of."""
    return (_Announced if search else OpenNotes)(settings_of(folder))


def log_of(log: Path | None) -> Path | None:
    """The log of `--log`, which must be there."""
    if log is not None and not log.is_file():
        raise Failure(f"{log} is no file")
    return log


@contextmanager
def told(notes: OpenNotes) -> "Iterator[None]":
    """Turn what a rung cannot do into a line and an exit code: 1 where a name leads to nothing, 2 where to several."""
    from ladder.reading.rungs import Ambiguous, NoSuchNote, NoSuchSection

    try:
        yield
    except NoSuchNote as error:
        from notes.files.find import passed_over_as

        if passed := passed_over_as(notes.settings, error.name):
            raise Failure(f"{passed.path} {passed.why}", NOTHING_FOUND) from error
        raise Failure(str(error), NOTHING_FOUND) from error
    except NoSuchSection as error:
        raise Failure(str(error), NOTHING_FOUND) from error
    except (Ambiguous, FileNotFoundError) as error:
        raise Failure(str(error)) from error


def say_nothing_found(notes: OpenNotes, message: str, log: Path | None) -> None:
    """Tell on stderr why nothing was printed: there are no notes, none is of that time, or none has to do with it."""
    from ladder.api import plain_query
    from ladder.query.dates.date_only import only_days

    with OpenNotes(notes.settings).index() as index:
        count = index.living
    if not count:
        warn(no_notes(notes.settings.root))
        return
    days = only_days(plain_query(message, log))
    what = f"has an entry of {days}" if days else "has to do with it"
    warn(f"none of the {count} notes {what}" if count > 1 else f"no note {what}; there is one")
