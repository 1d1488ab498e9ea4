"""What the note commands share: the note that is meant, the text that is given, the settings."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.terminal import NOTHING_FOUND, Failure, warn

if TYPE_CHECKING:
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


def settings_of(folder: Path | None) -> "Settings":
    """The settings of `--notes FOLDER`, else of the current folder's project."""
    from notes import folder_settings, load_settings, project_root

    if folder is not None:
        if not folder.is_dir():
            raise Failure(f"{folder} is not a folder")
        return folder_settings(folder)
    return load_settings(project_root(Path.cwd()))


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
