"""Where a project's notes are: its folders of Markdown files, with counts, tokens and how often the agent read them."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from notes import NoteFile
from notes.files.find import SKIPPED
from notes.markdown.parse import is_binary
from notes.tokens import estimate
from transcripts import Session, session_turns
from transcripts.logs.locate import Locator

#: Folders that programs fill, or that hold other people's work; proposed only where the logs show them read.
_FILLED = frozenset((
    "dist", "build", "out", "coverage", "generated", "gen", "_build", "_site", "htmlcov", "tmp", "temp", "logs",
    "third_party", "third-party", "external", "deps", "pods", "vendored", "fixtures",
))  # fmt: skip
#: What every repository has and nobody asks about; proposed only where the logs show it read.
_BOILERPLATE = frozenset((
    "license.md", "code_of_conduct.md", "security.md", "pull_request_template.md", "issue_template", "support.md",
))  # fmt: skip
#: Hidden folders of clients and hosts hold settings and logs beside what may be notes: each folder in them counts.
_OPENED = frozenset((".claude", ".agents", ".github", ".cursor", ".codex", ".gemini"))
#: More files than anybody writes: such a folder is looked at part by part.
_HUGE = 2000
#: Entries of folders that are looked at, at most.
_MOST_ENTRIES = 300_000
_COPIED = 0.6  # share of a folder's texts that stand elsewhere, from which it is a copy
_FEW_TEXTS = 0.5  # share of distinct texts below which it is the same text again and again
_LEAST_COPIED = 10  # files


class Candidate(NamedTuple):
    """A folder or single file that may hold notes."""

    path: str
    """Relative to the project, with `/`."""
    notes: int
    tokens: int
    """About, as the parser estimates."""
    reads: int
    """How often the logs show the agent reading a file of it."""
    why_not: str
    """Why it is not proposed; empty when it is."""


def candidates(root: Path, sessions: Iterable[Session] = ()) -> list[Candidate]:
    """Every place with Markdown files in the project, proposed ones first, then those read most and those with most."""
    files = list(_markdown(root))
    reads = _reads(files, root, sessions)
    grouped = _grouped([file.name for file in files])
    by_name = {file.name: file for file in files}
    looked = []
    for path, names in grouped.items():
        texts = [_text(by_name[name].path) for name in names]
        kept = [text for text in texts if text is not None]
        tokens = sum(estimate(text.decode("utf-8", "replace")) for text in kept)
        hashes = [hashlib.sha256(text.strip()).digest() for text in kept if text.strip()]
        looked.append((path, len(kept), tokens, sum(reads[name] for name in names), hashes))
    looked.sort(key=lambda each: (-each[3], -each[1], each[0]))
    seen: set[bytes] = set()
    found = []
    for path, count, tokens, read, hashes in looked:
        if not count:
            continue
        why_not = _why_not(path, count, read, hashes, seen)
        if not why_not:
            seen.update(hashes)
        found.append(Candidate(path, count, tokens, read, why_not))
    return sorted(found, key=lambda each: bool(each.why_not))


def _why_not(path: str, count: int, read: int, hashes: list[bytes], seen: set[bytes]) -> str:
    again = sum(each in seen for each in hashes)
    if again and again >= _COPIED * len(hashes):
        return "copies of what stands elsewhere"
    if len(hashes) >= _LEAST_COPIED and len(set(hashes)) < _FEW_TEXTS * len(hashes):
        return "the same text in many places"
    if read:
        return ""
    if any(part.casefold() in _FILLED for part in path.split("/")):
        return "generated or other people's"
    if path.rpartition("/")[2].casefold() in _BOILERPLATE:
        return "boilerplate, never read"
    return "huge, and never read" if count > _HUGE else ""


def _markdown(root: Path) -> Iterator[NoteFile]:
    """The Markdown files of a project, hidden folders included, other repositories in it and what tools keep not."""
    left = _MOST_ENTRIES
    for folder, folders, names in os.walk(root):
        inner = os.path.relpath(folder, root).replace(os.sep, "/")
        if inner != "." and (".git" in names or ".git" in folders):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        left -= len(names)
        if left < 0:
            return
        for name in sorted(names):
            if name.lower().endswith(".md"):
                path = os.path.join(folder, name)  # noqa: PTH118 (texts: a tree may be large)
                if not os.path.islink(path):  # noqa: PTH114 (as above)
                    yield NoteFile(path, name if inner == "." else f"{inner}/{name}", 0, 0)


def _text(path: str) -> bytes | None:
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    return None if is_binary(data) else data


def _grouped(names: list[str], depth: int = 1) -> dict[str, list[str]]:
    """Files by the folder of that depth that holds them; of what clients keep, and of huge folders, one deeper."""
    grouped: dict[str, list[str]] = {}
    for name in names:
        parts = name.split("/")
        deep = depth + (parts[0] in _OPENED and depth == 1)
        grouped.setdefault("/".join(parts[:deep]), []).append(name)
    for path, held in list(grouped.items()):
        if len(held) > _HUGE and any(name.count("/") > path.count("/") + 1 for name in held):
            del grouped[path]
            grouped |= _grouped(held, path.count("/") + 2)
    return grouped


def _reads(files: list[NoteFile], root: Path, sessions: Iterable[Session]) -> Counter[str]:
    """How often each file was read, by name."""
    opened: Counter[tuple[str, str]] = Counter()
    for session in sessions:
        for turn in session_turns(session):
            opened.update((path, turn.cwd) for read in turn.reads for path in read.paths if read.how != "hook")
    found: Counter[str] = Counter()
    locator = Locator(files, root, {cwd for _, cwd in opened})
    for (path, cwd), times in opened.items():
        located = locator.find(path, cwd)
        if located is not None and located.exists:
            found[located.note] += times
    return found
