"""The dated versions of a notes folder that git holds, read with one `git cat-file --batch` and nothing checked out."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from notes import git

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Version:
    """One commit that the notes folder's history holds."""

    commit: str
    time: dt.datetime
    """When it was committed, UTC."""


def when(text: str) -> dt.datetime:
    """An ISO time as UTC; one without a zone is taken as UTC. A time that can't be read is the earliest there is."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return dt.datetime.min.replace(tzinfo=dt.UTC)
    if moment.tzinfo is None:
        return moment.replace(tzinfo=dt.UTC)
    return moment.astimezone(dt.UTC)


class Versions:
    """The versions of one notes folder, oldest first; empty when it is not in git."""

    def __init__(self, folder: Path, globs: Sequence[str] = ("*.md",)) -> None:
        """Look into the git repository that holds `folder`; a note is a file under it that matches a glob."""
        self.folder = folder
        self._globs = tuple(globs)
        self._blobs: dict[str, bytes] = {}
        self._trees: dict[str, dict[str, str]] = {}
        self.versions = self._log()

    def _git(self, *words: str, data: bytes | None = None) -> bytes:
        return git.output(*words, folder=self.folder, given=data or b"", patience=git.WORK_PATIENCE) or b""

    def _log(self) -> list[Version]:
        out = self._git("log", "--first-parent", "--format=%H %ct", "--", ".").decode("ascii", "replace")
        found = []
        for line in out.split("\n"):
            commit, _, seconds = line.partition(" ")
            if seconds.isdigit():
                found.append(Version(commit, dt.datetime.fromtimestamp(int(seconds), dt.UTC)))
        return sorted(found, key=lambda version: version.time)

    def at(self, moment: dt.datetime) -> Version | None:
        """The newest version not younger than the moment; before all, the oldest; None without git."""
        found = None
        for version in self.versions:
            if found is None or version.time <= moment:
                found = version
        return found

    def tree(self, version: Version) -> dict[str, str]:
        """The notes of a version: path relative to the folder -> git's name of its bytes."""
        if version.commit not in self._trees:
            found = {}
            for entry in self._git("ls-tree", "-r", "-z", version.commit).split(b"\0"):
                meta, _, path = entry.partition(b"\t")
                words = meta.split(b" ")
                if len(words) == 3 and words[1] == b"blob" and words[0] != b"120000":
                    name = path.decode("utf-8", "surrogateescape")
                    if any(
                        fnmatchcase(name, glob) or fnmatchcase(name.rpartition("/")[2], glob) for glob in self._globs
                    ):
                        found[name] = words[2].decode("ascii")
            self._trees[version.commit] = found
        return self._trees[version.commit]

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """The bytes that git names so; all that are not yet known are read by one git process."""
        wanted = list(dict.fromkeys(names))
        new = [name for name in wanted if name not in self._blobs]
        if new:
            out = self._git("cat-file", "--batch", data=("\n".join(new) + "\n").encode("ascii"))
            at = 0
            # Each answer is `<name> <type> <size>\n<bytes>\n`.
            while at < len(out):
                end = out.index(b"\n", at)
                words = out[at:end].split(b" ")
                if len(words) != 3:
                    at = end + 1
                    continue
                size = int(words[2])
                self._blobs[words[0].decode("ascii")] = out[end + 1 : end + 1 + size]
                at = end + 2 + size
        return {name: self._blobs[name] for name in wanted if name in self._blobs}

    def files(self, version: Version) -> dict[str, bytes]:
        """The bytes of every note of a version, by path relative to the folder."""
        tree = self.tree(version)
        blobs = self.blobs(tree.values())
        return {path: blobs[blob] for path, blob in tree.items() if blob in blobs}
