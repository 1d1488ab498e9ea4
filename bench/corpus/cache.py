"""Caches what replays share: parsed notes, token counts, terms and indexes. Versions of notes differ little."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import ladder
from bench.rivals.pieces import Cut, cut_notes
from ladder.indexing.token_counts import content_hash, count_many
from ladder.indexing.vocabulary import Vocabulary
from notes import Note, parse
from notes.gc_pause import no_circles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.indexing.pipeline import PreparedNotes
    from ladder.indexing.token_counts import Costs


class Keep:
    """A folder for indexes, and in memory what was worked out from each text once."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made when an index is built; it can be deleted at any time."""
        self.folder = folder
        self.vocabulary = Vocabulary()
        """The terms of all pieces."""
        self._notes: dict[tuple[str, bytes], Note] = {}
        self._cut: dict[tuple[str, bytes], Cut] = {}
        #: By content hash: answers are long, and there are many.
        self._costs: dict[bytes, int] = {}

    def note(self, name: str, data: bytes) -> Note:
        """The parsed note."""
        key = (name, data)
        if key not in self._notes:
            self._notes[key] = parse(data, name + ".md")
        return self._notes[key]

    def costs(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""
        data = [text.encode("utf-8", "replace") for text in texts]
        keys = [content_hash(each) for each in data]
        new = {key: each for key, each in zip(keys, data, strict=True) if key not in self._costs}
        if new:
            self._costs.update(zip(new, count_many(list(new.values())), strict=True))
        return [self._costs[key] for key in keys]

    def cut(self, files: Mapping[str, bytes]) -> list[Cut]:
        """The notes, given by name, cut into pieces whose terms are numbered by `vocabulary`."""
        keys = [(name, content_hash(data)) for name, data in files.items()]
        new = {key: files[key[0]] for key in keys if key not in self._cut}
        if new:
            with no_circles():
                found = cut_notes(((name, data) for (name, _), data in new.items()), self.vocabulary)
            self._cut.update(zip(new, found, strict=True))
        return [self._cut[key] for key in keys]

    def index(self, files: Mapping[str, bytes]) -> Path:
        """The product's index of these notes, by name; built when it is not there."""
        digest = hashlib.sha256(self.product)
        for name, data in files.items():
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0" + hashlib.sha256(data).digest())
        target = self.folder / "indexes" / digest.hexdigest()[:24]
        if not target.exists():
            from ladder.indexing.pipeline import build_from_bytes  # noqa: PLC0415 (a product that can't be imported is a miss)
            from ladder.lean.paths import make_folder  # noqa: PLC0415 (the same)

            make_folder(target.parent)
            build_from_bytes(files, target, costs=self._index_costs, prepared=self._prepared)
            self._index_costs.save()
        return target

    @cached_property
    def product(self) -> bytes:
        """A hash of the product's code: only the version that built an index reads it."""
        digest = hashlib.sha256()
        for package in (Path(ladder.__file__).parent, Path(ladder.__file__).parent.parent / "notes"):
            for path in sorted(package.rglob("*.py")):
                digest.update(path.read_bytes())
        return digest.digest()

    @cached_property
    def _index_costs(self) -> Costs:
        from ladder.indexing.token_counts import Costs  # noqa: PLC0415 (as above)

        return Costs(self.folder / "costs")

    @cached_property
    def _prepared(self) -> PreparedNotes:
        from ladder.indexing.pipeline import PreparedNotes  # noqa: PLC0415 (as above)

        return PreparedNotes()
