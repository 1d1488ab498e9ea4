"""Which links of a note lead nowhere: what Markdown, Obsidian, Foam and Logseq would each find is not dead."""

import os
import posixpath
import re
import unicodedata
import urllib.parse
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from notes.files.find import SKIPPED, NoteFile
from notes.markdown.model import Note
from notes.markdown.parse import parse

#: Files and folders that are looked at, at most, when attachments are looked for.
_MOST_FILES = 50_000
#: A link as it is written: `[[target` or `](target` or `]: target`, with the place of its target.
_WRITTEN = re.compile(rb"\[\[([^\[\]\r\n|#]+)|\]\(\s*<?([^()<>\r\n#?]+(?:\([^()\r\n]*\)[^()<>\r\n#?]*)*)|^ {0,3}\[[^\]\r\n]+\]:[ \t]*<?([^\s<>#?]+)", re.MULTILINE)  # fmt: skip  # noqa: E501 (one pattern)
#: What a text says that stands for a name and is none: `{{note}}`, `<name>`, `$NAME`, `…`, and `[[wikilinks]]` itself.
_PLACEHOLDER = re.compile(r"(?i)[{}<>$*%…]|\.\.\.|^wiki[ -]?links?$")


class DeadLink(NamedTuple):
    """A link that leads nowhere."""

    target: str
    """As the parser gives it."""
    at: int
    """The byte of the file where the target stands; -1 when it is written in another way."""


class Targets:
    """What the links of a project's notes can lead to. What only few links need is looked up when one does."""

    def __init__(self, files: Sequence[NoteFile], root: Path) -> None:
        """Take all notes, and the project's folder, from which some people write their links."""
        self.root = root
        self.files = files

    def leads(self, target: str, path: Path, *, wiki: bool) -> bool:
        """Whether `target`, without its anchor, leads from the note at `path` to a file, or by its name to a note."""
        if (path.parent / target).exists() or (self.root / target).exists():
            return True
        if not wiki:
            return False
        name = folded(posixpath.normpath(target.replace("\\", "/"))).removeprefix("../").lstrip("/")
        if name in self._names:
            return True
        if "." in target.rpartition("/")[2] and not target.lower().endswith(".md") and name in self._others:
            return True
        return name in self._titles or not self.uses_wiki_links

    @cached_property
    def _names(self) -> frozenset[str]:
        """Every note's name and path, and every end of them, folded."""
        return frozenset(end for file in self.files for name in (file.name, file.path) for end in _ends(folded(name)))

    @cached_property
    def _others(self) -> frozenset[str]:
        """The same of the files that are no notes: pictures, boards, canvases."""
        found: set[str] = set()
        left = _MOST_FILES
        tops = [os.fspath(self.root), *{os.path.dirname(file.path) for file in self.files}]  # noqa: PTH120 (texts)
        seen: set[str] = set()
        for top in tops:
            for folder, folders, names in os.walk(top):
                folders[:] = [name for name in folders if name not in SKIPPED]
                left -= len(names) + 1
                if folder in seen or left < 0:
                    folders.clear()
                    continue
                seen.add(folder)
                for name in names:
                    found.update(_ends(folded(f"{os.path.relpath(folder, top)}/{name}".replace(os.sep, "/"))))
        return frozenset(found)

    @cached_property
    def _parsed(self) -> tuple[frozenset[str], bool]:
        titles: set[str] = set()
        used = False
        for file in self.files:
            try:
                note = parse(Path(file.path).read_bytes(), file.path)
            except OSError:
                continue
            titles.update(folded(name) for name in (note.title, *note.aliases))
            if not used and b"[[" in note.data:
                wikis = {target for target, _ in _wiki(note)}.intersection(map(bare_target, note.links))
                used = any(folded(target) in self._names for target in wikis)
        return frozenset(titles), used

    @property
    def _titles(self) -> frozenset[str]:
        return self._parsed[0]

    @property
    def uses_wiki_links(self) -> bool:
        """Whether any wiki link leads to a note: where none does, `[[…]]` is another thing, or its mention."""
        return self._parsed[1]


def dead_links(note: Note, path: Path, targets: Targets) -> list[DeadLink]:
    """The links of `note` that lead nowhere: to Markdown files by path, and wiki links by name, each target once.

    A path is looked for from the note's folder and from the project's; a wiki link by any end of a note's name, by
    title and alias, or as any other file of the project.
    """
    if not note.links:
        return []
    wikis = dict(reversed(list(_wiki(note)))) if b"[[" in note.data else {}  # the first of each
    places: dict[str, int] | None = None
    dead = []
    for target in note.links:
        bare = bare_target(target)
        if not bare or bare.startswith(("/", "~", "mailto:")) or ":" in bare.split("/")[0] or _PLACEHOLDER.search(bare):
            continue
        if bare in wikis:
            if not targets.leads(bare, path, wiki=True):
                dead.append(DeadLink(target, wikis[bare]))
        elif bare.lower().endswith(".md") and not targets.leads(bare, path, wiki=False):
            if places is None:
                places = {}
                for written, at in _written(note):
                    places.setdefault(written, at)
            dead.append(DeadLink(target, places.get(bare, -1)))
    return dead


def bare_target(target: str) -> str:
    """A link's target without anchor, shown text and query; in a table a wiki link's `|` has a backslash before it."""
    return urllib.parse.unquote(re.split(r"[?#|]", target)[0]).strip().strip("<>").rstrip("\\")


def folded(name: str) -> str:
    """A name as it is compared: case and Unicode's form do not matter, nor `.md`, nor how a space is written."""
    name = unicodedata.normalize("NFC", name.replace("\\", "/").replace("%20", " ")).casefold()
    return name.strip().removesuffix(".md").removeprefix("./")


def _ends(name: str) -> Iterator[str]:
    """`a/b/c`, `b/c`, `c`."""
    while name:
        yield name
        name = name.partition("/")[2]


def _wiki(note: Note) -> Iterator[tuple[str, int]]:
    for match in _WRITTEN.finditer(note.data):
        if match[1] is not None:
            yield bare_target(match[1].decode("utf-8", "replace")), match.start(1)


def _written(note: Note) -> Iterator[tuple[str, int]]:
    for match in _WRITTEN.finditer(note.data):
        if (group := match.lastindex) and group > 1:
            yield bare_target(match[group].decode("utf-8", "replace")), match.start(group)
