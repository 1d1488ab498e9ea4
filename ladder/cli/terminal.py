"""What every command prints with: exit codes, one-line failures, JSON, tables, progress."""

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from ladder.text.plain import one_line

if TYPE_CHECKING:
    from ladder.index.reader import Index
    from notes import Settings

SCHEMA = 1
"""Of what `--json` prints: goes up when a key that was there goes or means something else."""
FOUND = 0
NOTHING_FOUND = 1
WRONG_USE = 2

T = TypeVar("T")
_LONGEST = 2000
"""Characters of a line on stderr."""
_TOLD_FOR = 86_400
"""Seconds for which a warning of the notes is not repeated."""
_FEW = 3
"""Markdown files that any project has: README, CHANGELOG and the like."""
_NAMED = 3
"""Files that a warning names."""


class Failure(Exception):  # noqa: N818 (it is the command that fails; nothing is caught by this name elsewhere)
    """A command cannot go on: one line for the person, and the exit code."""

    def __init__(self, message: str, code: int = WRONG_USE) -> None:
        """Keep the line and the exit code (2 = wrong use, 1 = nothing found)."""
        super().__init__(message)
        self.code = code


def show_json(value: Mapping[Any, Any]) -> None:
    """Print one JSON object, UTF-8, indented by two; `schema` is its first key (docs/json.md)."""
    value = {"schema": SCHEMA, **value}
    try:
        text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode("utf-8")
    except orjson.JSONEncodeError:  # the bytes of a file's name need not be UTF-8; json escapes what stands for them
        text = json.dumps(value, indent=2, default=str)
    sys.stdout.write(text + "\n")


def warn(message: str) -> None:
    """Print one line on stderr, whatever line ends and control characters a name or a text in it brings."""
    print(f"ladder: {one_line(message, _LONGEST)}", file=sys.stderr)


def no_notes(root: str | Path) -> str:
    """What is said where there are no notes at all."""
    from notes.files.elsewhere import markdown_in

    said = f"no notes in {root}: `ladder init` begins with one, `folders` in ladder.toml says where others lie"
    whole = Path(root) in (Path(Path(root).anchor), Path.home())  # nobody's notes are all that
    here = 0 if whole else markdown_in(Path(root))
    return f'{said}; {here} Markdown files are there, folders = ["."] takes them all' if here > _FEW else said


def warn_of_notes(index: "Index", settings: "Settings", *, every: bool = False) -> None:
    """Name on stderr, a line a kind, the notes that are not UTF-8 and what is passed over among the notes.

    With `every` always, and also links that lead out of their folder, with which nothing is wrong; else once a day or
    when it has changed, so that a frequent search does not repeat it. A large store is looked through once a day.
    """
    from ladder.doctor.notes import is_binary_file
    from ladder.indexing.laid_over import LAID_FROM
    from notes.files.find import passed_over

    large = index.count >= LAID_FROM
    if large and not every and _told_lately(index.root):
        return
    said = []
    odd = {path: is_binary_file(path) for path in index.not_utf8}
    for binary, why in (
        (True, "binary, so no note, and nothing of it is indexed"),
        (False, "not UTF-8, so only in part readable, and never written"),
    ):
        if its := [one_line(path, 200) for path in odd if odd[path] == binary]:
            said.append(f"{why}: {_some(its)}")
    passed = [each for each in passed_over(settings, skipped=every) if every or each.broken]
    if passed:
        said.append("passed over: " + _some([f"{one_line(each.path, 200)} {each.why}" for each in passed]))
    news = (large or (bool(said) and not every)) and _is_news(index.root, "\n".join(said))
    if every or news:
        for line in said:
            warn(line)


def _told_file(root: str) -> Path:
    from ladder.lean.paths import project_cache

    return Path(project_cache(root)) / "told.txt"


def _told_lately(root: str) -> bool:
    """Whether what there was to tell of the project was told in the last day."""
    try:
        return 0 <= time.time() - _told_file(root).stat().st_mtime < _TOLD_FOR
    except OSError:
        return False  # it was never told


def _is_news(root: str, text: str) -> bool:
    """Whether this was not told of the project in the last day; it counts as told from now on."""
    from ladder.lean.paths import make_folder

    file = _told_file(root)
    data = text.encode("utf-8", "replace")
    with suppress(OSError):  # it was never told
        if _told_lately(root) and file.read_bytes() == data:
            return False
    with suppress(OSError):  # a cache that cannot be written to: it is told again
        make_folder(file.parent)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(data)
    return True


def _some(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def cost_shown(tokens: int, estimated: bool) -> str:
    """180, 4.1k, ~4.1k."""
    return ("~" if estimated else "") + (str(tokens) if tokens < 1000 else f"{tokens / 1000:.1f}k")


def on_one_line(text: str) -> str:
    """`text` on one line, without control characters."""
    return one_line(text, 200)


def table(
    head: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, right: tuple[int, ...], widest: int = 10_000
) -> None:
    """Print columns apart by two spaces, nothing cut; those numbered in `right` stand to the right.

    A cell of more than `widest` columns stands out of its own.
    """
    wide = [min(max(_width(row[i]) for row in (head, *rows)), widest) for i in range(len(head))]
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


def progress(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yield `items`, with a bar on stderr when that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=label, total=total, console=Console(stderr=True), transient=True)
