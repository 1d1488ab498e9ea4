"""The notes as they stood at one moment: their bytes, the product's index of them, and the rival's pieces."""

from __future__ import annotations

import hashlib
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from bench import product
from bench.forked import beside, can_fork
from bench.questions import note_name
from bench.rivals.fragments import Ranking
from bench.rivals.grep import Lines
from ladder.indexing.parallel import WORTH_IT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.corpus.cache import Keep
    from bench.rivals.pieces import Cut
    from ladder.index.reader import Index
    from notes import Note


class World:
    """Everything a strategy may look at: notes, index, rankings of pieces; made when first asked for."""

    def __init__(self, files: Mapping[str, bytes], keep: Keep) -> None:
        """Take notes by name (relative to the notes root, without `.md`), and what replays share."""
        self.files = {note_name(name): data for name, data in sorted(files.items())}
        self.names = list(self.files)
        digest = hashlib.sha256()
        for name, data in self.files.items():
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0" + hashlib.sha256(data).digest())
        self.key = digest.hexdigest()[:24]
        self._keep = keep
        self._is_ready = False
        self._numbers: dict[str, int | None] = {}

    @cached_property
    def index(self) -> Index:
        """The product's own index of these notes."""
        return product.opened(self._keep.index(self.files))

    def ready(self) -> None:
        """Make all that questions need, so that processes forked from here share it."""
        if self._is_ready:
            return
        self._is_ready = True

        def build() -> int:
            self._keep.index(self.files)
            return self.tokens

        def cut() -> None:
            self.fragments.ready()
            for _ in (self.sections, self.lines, self.text):
                pass

        if len(self.files) >= WORTH_IT and can_fork():
            tokens = beside(build, cut)
            if tokens is None:
                return  # a product that fails does so again when it is asked, and is a miss
            self.tokens = tokens
            _ = self.index
        else:
            cut()

    def number(self, name: str) -> int | None:
        """The number in the index of the note of that very name; None when it holds none."""
        if name not in self._numbers:
            index = self.index
            self._numbers[name] = next((n for n in index.find(name) if note_name(index.note(n).name) == name), None)
        return self._numbers[name]

    def note(self, name: str) -> Note:
        """The parsed note; KeyError when there was none of that name."""
        return self._keep.note(name, self.files[name])

    def head(self, name: str) -> str:
        """The note's head; empty when it has none."""
        start, end = self._cut[name].head
        return self.files[name][start:end].decode("utf-8", "replace")

    @cached_property
    def fragments(self) -> Ranking:
        """Paragraphs of all notes as pieces."""
        return Ranking(self.files, [cut.paragraphs for cut in self._cut.values()], self._keep.vocabulary)

    @cached_property
    def sections(self) -> Ranking:
        """Sections of all notes as pieces, for the study's way of choosing one."""
        return Ranking(self.files, [cut.sections for cut in self._cut.values()], self._keep.vocabulary)

    @cached_property
    def _cut(self) -> dict[str, Cut]:
        return dict(zip(self.names, self._keep.cut(self.files), strict=True))

    def best_section(self, name: str, weights: Mapping[str, float]) -> str:
        """The note's section with the highest BM25; empty when none shares a term."""
        numbers = self.sections.of_note(name)
        scores = self.sections.scores(weights, numbers)
        best = int(scores.argmax()) if len(scores) else 0  # of equal ones the first
        return self.sections.pieces([numbers[best]])[0].text if len(scores) and scores[best] > 0 else ""

    @cached_property
    def text(self) -> dict[str, str]:
        """The whole text of each note."""
        return {name: data.decode("utf-8", "replace") for name, data in self.files.items()}

    @cached_property
    def tokens(self) -> int:
        """What loading every note costs."""
        return sum(self.costs(list(self.text.values())))

    def cost(self, text: str) -> int:
        """Tokens of a text."""
        return self._keep.costs([text])[0]

    def costs(self, texts: list[str]) -> list[int]:
        """Tokens of many texts, counted together."""
        return self._keep.costs(texts)

    def holds(self, lines: Sequence[str], likely: str) -> bool:
        """Whether any of the lines stands in any note; the `likely` one is looked at first."""
        texts = chain((self.text.get(likely, ""),), self.text.values())
        return any(line in text for text in texts for line in lines)

    @cached_property
    def lines(self) -> Lines:
        """The lines of all notes, for grep."""
        return Lines(self.files)


def read_files(files: Iterable[tuple[str, Path]]) -> dict[str, bytes]:
    """Bytes of note files by name; a file that can't be read is left out."""
    found: dict[str, bytes] = {}
    for name, path in files:
        try:
            found[note_name(name)] = path.read_bytes()
        except OSError:
            continue
    return found
