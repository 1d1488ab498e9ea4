"""Taking something out of all that was kept, and proving by a byte search that it is gone."""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from notes.atomic import write_private, write_private_lines
from transcripts.logs.json_texts import changed, texts_in
from transcripts.turns.tombstones import FILE

MARK = "[forgotten]"
_OWN = ("session", "message", "question", "reply", "candidates", "lines")
"""Keys of a turn or a pair that are its own; the others quote what came before it."""

_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


class Forgetting(NamedTuple):
    """What was done, and what the search afterwards found."""

    changed: tuple[str, ...]
    """Files that lost something."""
    removed: tuple[str, ...]
    """Files that were removed whole: what is made anew from the rest."""
    emptied: tuple[str, ...]
    """Files of the hook that were removed because nothing else stood in them, or nothing that holds without it."""
    searched: int
    """Files looked through afterwards, compressed ones unpacked."""
    size: int
    """Bytes looked through."""
    left: tuple[str, ...]
    """Files in which it still stands: must be none."""
    matched: dict[str, int]
    """In how many it stood of each: `pair`, `turn`, `log line`, `hook line`, `run`; other files are not counted."""


def occurrences(folders: list[Path], pattern: str) -> Iterator[str]:
    """Yield each text in the folders' JSON lines in which a pattern stands, whatever its case."""
    wanted = pattern.casefold()
    for path in _files(folders):
        for line in _content(path).split(b"\n"):
            value = _parsed(line)
            for text in texts_in(value) if value is not None else (line.decode("utf-8", "replace"),):
                if wanted in text.casefold():
                    yield text


def forget(folders: list[Path], pattern: str, *, note: bool = False, dry: bool = False) -> Forgetting:
    """Take a pattern out of every file in the folders; with `note` it is a note's path, whose name goes with it.

    With `dry` nothing is written, and the result says what would be; the search then finds all as it is.

    JSON lines: a turn or pair in whose own words it stands goes, where it is only quoted it becomes `[forgotten]`; a
    line of an archived log or of the hook goes; of a weekly run the pairs and notes go. Any other file with it is
    removed: it is made from these.
    """
    lessened: list[str] = []
    removed: list[str] = []
    emptied: list[str] = []
    matched: Counter[str] = Counter()
    scrub = re.compile(re.escape(pattern), re.IGNORECASE)
    for path in _files(folders):
        content = _content(path)
        of_hook = _of_hook(path)
        if not _stands(content, pattern) and not (note and of_hook):
            continue
        if of_hook:
            rest, gone = _other_lines(content, pattern, note=note)
            matched["hook line"] += gone
            if not gone:
                continue
            if rest and not dry:
                write_private_lines(path, rest)
            elif not dry:
                path.unlink(missing_ok=True)
            (lessened if rest else emptied).append(str(path))
        elif path.suffix == ".gz":
            kept = [line for line in content.split(b"\n") if line and not _stands(line, pattern)]
            matched["log line"] += sum(_stands(line, pattern) for line in content.split(b"\n"))
            if not dry:
                _write_gz(path, kept)
            lessened.append(str(path))
        elif path.suffix == ".jsonl":
            matched.update(_rows(content, pattern))
            if not dry:
                write_private_lines(path, _scrubbed(content, scrub, pattern))
            lessened.append(str(path))
        elif path.parent.name == "runs" and (run := _parsed(content)) is not None:
            matched["run"] += 1
            if not dry:
                write_private_lines(path, [orjson.dumps(_run_without(run, scrub, pattern))])
            lessened.append(str(path))
        else:
            if not dry:
                path.unlink()
            removed.append(str(path))
    done = search(folders, pattern)
    return Forgetting(tuple(lessened), tuple(removed), tuple(emptied), *done, dict(+matched))


def kept_any(folders: list[Path]) -> bool:
    """Tell whether there is any file to search."""
    return bool(_files(folders))


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


def _of_hook(path: Path) -> bool:
    """Tell whether a file is the hook's log, the former one, or what the hook keeps of a session: lines alone."""
    return path.name in ("hook.log", "hook.log.1") or path.parent.name == "sessions"


def _other_lines(content: bytes, pattern: str, *, note: bool) -> tuple[list[bytes], int]:
    """Return the lines of a file of the hook without the pattern, and how many went.

    Each line holds without the others, but for one that says that what was shown before is void: without it the
    session's file would be wrong, and a session without a file is only one of which nothing is known.
    """
    kept = []
    gone = 0
    void = False
    for line in content.split(b"\n"):
        if _stands(line, pattern) or (note and _names(line, pattern)):
            gone += 1
            void = void or "reset" in (_parsed(line) or {})
        elif line:
            kept.append(line)
    return ([], gone + len(kept)) if void else (kept, gone)


def _names(line: bytes, note: str) -> bool:
    """Tell whether a line of the hook names the note of this path: notes' names there have no ending."""
    wanted = note.replace("\\", "/").casefold().removesuffix(".md")
    value = _parsed(line)
    texts = [text.casefold() for text in texts_in(value, keys=False)] if value else []
    return any(text == wanted or text.endswith("/" + wanted) for text in texts)


def _run_without(run: dict[str, Any], scrub: re.Pattern[str], pattern: str) -> dict[str, Any]:
    """Return a weekly run's record without the pairs and notes in which the pattern stands."""
    for part in ("pairs", "notes"):
        if isinstance(run.get(part), dict):
            run[part] = {k: v for k, v in run[part].items() if not _stands(orjson.dumps([k, v]), pattern)}
    found: dict[str, Any] = changed(run, lambda text: scrub.sub(MARK, text))
    return found


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
    forms = {pattern, orjson.dumps(pattern).decode()[1:-1], json.dumps(pattern)[1:-1]}
    if any(form.encode("utf-8", "replace").lower() in low for form in forms):
        return True
    if pattern.isascii():
        return False
    # A letter and its capital have unlike escapes: they are read before they are compared.
    text = _ESCAPES.sub(lambda found: str(json.loads(f'"{found.group()}"')), content.decode("utf-8", "replace"))
    return pattern.casefold() in text.casefold()


def _files(folders: list[Path]) -> list[Path]:
    found = {path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file()}
    return sorted(path for path in found if path.name not in ("lock", FILE))


def _content(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except FileNotFoundError:  # the hook sweeps the files of sessions long gone
        return b""
    return gzip.decompress(data) if path.suffix == ".gz" else data


def _write_gz(path: Path, lines: list[bytes]) -> None:
    packed = gzip.compress(b"".join(line + b"\n" for line in lines), 6, mtime=0)
    write_private(path, packed)


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
