"""Taking something out of all that was kept, and proving by a byte search that it is gone."""

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from transcripts.jsontexts import changed, texts_in
from transcripts.private import write_private
from transcripts.tombstones import FILE

MARK = "[forgotten]"
_OWN = ("session", "message", "question", "reply", "candidates", "lines")
"""Keys of a turn or a pair that are its own; the others quote what came before it."""


class Forgetting(NamedTuple):
    """What was done, and what the search afterwards found."""

    changed: tuple[str, ...]
    """Files that lost something."""
    removed: tuple[str, ...]
    """Files that were removed whole: what is made anew from the rest."""
    searched: int
    """Files looked through afterwards, compressed ones unpacked."""
    size: int
    """Bytes looked through."""
    left: tuple[str, ...]
    """Files in which it still stands: must be none."""
    matched: dict[str, int]
    """In how many of each it stood: `pair`, `turn`, `log line`; in other files it is not counted."""


def occurrences(folders: list[Path], pattern: str) -> Iterator[str]:
    """Yield each text in the folders' JSON lines in which a pattern stands, whatever its case."""
    wanted = pattern.casefold()
    for path in _files(folders):
        for line in _content(path).split(b"\n"):
            value = _parsed(line)
            for text in texts_in(value) if value is not None else (line.decode("utf-8", "replace"),):
                if wanted in text.casefold():
                    yield text


def forget(folders: list[Path], pattern: str) -> Forgetting:
    """Take a pattern out of every file in the folders.

    JSON lines: a turn or pair in whose own words it stands goes, where it is only quoted it becomes `[forgotten]`; a
    line of an archived log goes. Any other file with it is removed: it is made from these.
    """
    lessened, removed = [], []
    matched: Counter[str] = Counter()
    scrub = re.compile(re.escape(pattern), re.IGNORECASE)
    for path in _files(folders):
        content = _content(path)
        if not _stands(content, pattern):
            continue
        if path.suffix == ".gz":
            kept = [line for line in content.split(b"\n") if line and not _stands(line, pattern)]
            matched["log line"] += sum(_stands(line, pattern) for line in content.split(b"\n"))
            _write_gz(path, kept)
            lessened.append(str(path))
        elif path.suffix == ".jsonl":
            matched.update(_rows(content, pattern))
            write_private(path, _scrubbed(content, scrub, pattern))
            lessened.append(str(path))
        else:
            path.unlink()
            removed.append(str(path))
    return Forgetting(tuple(lessened), tuple(removed), *search(folders, pattern), dict(matched))


def search(folders: list[Path], pattern: str) -> tuple[int, int, tuple[str, ...]]:
    """Return how many files and bytes were searched for a pattern, whatever its case, and the files that hold it."""
    count = size = 0
    left = []
    for path in _files(folders):
        content = _content(path)
        count, size = count + 1, size + len(content)
        if _stands(content, pattern):
            left.append(str(path))
    return count, size, tuple(left)


def _rows(content: bytes, pattern: str) -> dict[str, int]:
    """Return how many turns of a session's state, or how many pairs of another file, hold the pattern."""
    lines = [line for line in content.split(b"\n") if line]
    head = _parsed(lines[0]) if lines else None
    turns = head is not None and isinstance(head.get("turns"), int)
    return {"turn" if turns else "pair": sum(_stands(line, pattern) for line in lines[2 if turns else 0 :])}


def _scrubbed(content: bytes, scrub: re.Pattern[str], pattern: str) -> list[bytes]:
    """Return the lines of a file of turns or pairs without the pattern.

    The first line of a session's state counts its turns, the second says how to go on: where the pattern stands in
    that, the log is read from its beginning the next time.
    """
    lines = [line for line in content.split(b"\n") if line]
    kept: list[bytes] = []
    head: dict[str, Any] | None = None
    for number, line in enumerate(lines):
        value = _parsed(line)
        if value is None:
            continue
        if not number and isinstance(value.get("turns"), int):
            head = value
        elif _stands(line, pattern):
            if number == 1 and head is not None:
                value |= {"mark": None, "history": None, "seen": "", "closed": 0, "settled": 0, "skipped": []}
            elif any(_stands(orjson.dumps(value[key]), pattern) for key in _OWN if key in value):
                continue
        kept.append(orjson.dumps(changed(value, lambda text: scrub.sub(MARK, text))))
    if head is not None:
        kept[0] = orjson.dumps(changed(head | {"turns": len(kept) - 2}, lambda text: scrub.sub(MARK, text)))
    return kept


def _stands(content: bytes, pattern: str) -> bool:
    """Tell whether a pattern stands in bytes: as it is, as JSON writes it, in any case of its letters."""
    low = content.lower()
    forms = {pattern, orjson.dumps(pattern).decode()[1:-1], ascii(pattern)[1:-1]}
    if any(form.encode("utf-8", "replace").lower() in low for form in forms):
        return True
    return not pattern.isascii() and pattern.casefold() in content.decode("utf-8", "replace").casefold()


def _files(folders: list[Path]) -> list[Path]:
    found = {path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file()}
    return sorted(path for path in found if path.name not in ("lock", FILE))


def _content(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def _write_gz(path: Path, lines: list[bytes]) -> None:
    packed = gzip.compress(b"".join(line + b"\n" for line in lines), 6, mtime=0)
    write_private(path, [packed], end=b"")


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
