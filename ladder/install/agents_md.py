"""The paragraph on ladder in a project's AGENTS.md: for agents that read that file and run no hook of ours.

It stands between two markers at the file's end, behind a line end that belongs to it; a file that was made for it has
no such line end. So taking it out gives back every byte, without a record of what was there.
"""

import difflib
import os
from pathlib import Path
from typing import NamedTuple

from ladder.install.install import InstallError
from notes.atomic import replacing

BEGIN = b"<!-- ladder: begin; `ladder uninstall --agents-md` takes this paragraph out -->"
END = b"<!-- ladder: end -->"

_PARAGRAPH = b"""## Notes on this project

The user keeps notes on this project. Before you search files or guess, ask them: `ladder answer -b 300 "QUESTION"`
prints the lines that answer, the best first, each with its address, and names further notes with their costs in tokens.
Word the question as the notes would word the answer; if it is not there, ask once more in other words before you search
files. `ladder map NOTE` lists a note's sections, `ladder read NOTE#SECTION` prints one. Dated entries in a note are its
history and are not rewritten: `ladder note append NOTE "TEXT"` adds one, also where an earlier one was wrong.
"""


class Paragraph(NamedTuple):
    """What was done to an AGENTS.md, or would be."""

    file: Path
    before: bytes | None
    """What it held; None when there was no such file."""
    after: bytes | None
    """What it holds then; None when it goes."""

    @property
    def changed(self) -> bool:
        """Whether the file changes."""
        return self.before != self.after

    def difference(self) -> str:
        """Return what changes as a unified diff."""
        old, new = ((side or b"").decode("utf-8").split("\n") for side in (self.before, self.after))
        return "\n".join(difflib.unified_diff(old, new, str(self.file), str(self.file), lineterm=""))


def add_paragraph(root: Path, *, dry_run: bool = False) -> Paragraph:
    """Put the paragraph into the AGENTS.md of `root`; a former one becomes the present one. Raises InstallError."""
    file = root / "AGENTS.md"
    before = _read(file)
    text = before or b""
    line_end = b"\r\n" if b"\r\n" in text else b"\n"
    block = line_end.join([BEGIN, *_PARAGRAPH.rstrip().split(b"\n"), END])
    place = _place(file, text)
    if place is not None:
        after = text[: place[0]] + block + text[place[1] :]
    else:
        after = text + (b"" if before is None else line_end) + block + line_end
    return _done(Paragraph(file, before, after), dry_run=dry_run)


def remove_paragraph(root: Path, *, dry_run: bool = False) -> Paragraph:
    """Take the paragraph out of the AGENTS.md of `root`; a file that was made for it goes. Raises InstallError."""
    file = root / "AGENTS.md"
    before = _read(file)
    text = before or b""
    place = _place(file, text)
    if place is None:
        return Paragraph(file, before, before)
    above, below = text[: place[0]], text[place[1] :]
    below = below.removeprefix(b"\r\n" if below.startswith(b"\r\n") else b"\n")
    after = above.removesuffix(b"\r\n" if above.endswith(b"\r\n") else b"\n") + below
    return _done(Paragraph(file, before, after if above or below else None), dry_run=dry_run)


def _place(file: Path, text: bytes) -> tuple[int, int] | None:
    """Where the paragraph begins and ends in a file's text, its markers included; None where it is not."""
    begin = text.find(BEGIN)
    if begin < 0:
        return None
    end = text.find(END, begin)
    if end < 0:
        line = text.count(b"\n", 0, begin) + 1
        raise InstallError(f"{file}, line {line}: the end of ladder's paragraph is missing; nothing was changed")
    return begin, end + len(END)


def _read(file: Path) -> bytes | None:
    try:
        text = file.read_bytes()
        text.decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InstallError(f"{file}: not UTF-8; nothing was changed") from None
    except OSError as error:
        raise InstallError(f"{file} cannot be read: {error.strerror}; nothing was changed") from None
    return text


def _done(change: Paragraph, *, dry_run: bool) -> Paragraph:
    """Write what changes; a link stays a link, and the file's mode is kept."""
    if dry_run or not change.changed:
        return change
    target = Path(os.path.realpath(change.file))
    try:
        if change.after is None:
            target.unlink()
            return change
        with replacing(target, mode=target.stat().st_mode & 0o777 if target.exists() else None) as file:
            file.write(change.after)
    except OSError as error:
        raise InstallError(f"{change.file} cannot be written: {error.strerror}; nothing was changed") from None
    return change
