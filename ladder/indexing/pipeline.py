"""Builds the index file from notes: prepares each (prepare.py), inverts the counts, writes the parts (format.py).

The file is written beside its place and moved there at once, so a reader sees the old index or the new one.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.index.format import HEADER_SIZE
from ladder.indexing.dictionary import Out
from ladder.indexing.inverted import MOST_NOTES, MOST_TERMS, Totals, add_note, finish
from ladder.indexing.prepare import PORTION, Prepared, prepare
from ladder.indexing.sources import Signature, Source, read_source
from ladder.indexing.token_counts import Costs, content_hash
from ladder.indexing.vocabulary import Vocabulary
from notes import NoteFile
from notes.atomic import private_folder, replacing
from notes.gc_pause import no_circles

if TYPE_CHECKING:
    from ladder.indexing.reuse import Reusable

Preparing = Iterable[tuple[Prepared, Source]]
#: Is handed notes as they are prepared, and how many there will be; yields them.
Watch = Callable[[Preparing, int], Preparing]


class PreparedNotes:
    """Prepared notes by name and content, so that building again costs nothing for what did not change."""

    def __init__(self, *, keep: bool = True) -> None:
        """Begin empty; with `keep` false nothing is remembered (ten thousand notes that are read once)."""
        self.vocabulary = Vocabulary()
        self._keep = keep
        self._found: dict[tuple[str, bytes, int], Prepared] = {}

    @staticmethod
    def hash(data: bytes) -> bytes:
        """What tells one content from another."""
        return content_hash(data)

    def get(self, sources: Sequence[Source], costs: Costs | None, head_budget: int) -> list[Prepared]:
        """The prepared notes; their numbers of terms are those of `vocabulary`."""
        keys = [(source.name, content_hash(source.data), head_budget) for source in sources]
        missing = [i for i, key in enumerate(keys) if key not in self._found]
        fresh = [(sources[i].name, sources[i].data) for i in missing]
        new = dict(zip(missing, prepare(fresh, self.vocabulary, costs, head_budget), strict=True))
        if self._keep:
            self._found.update((keys[i], note) for i, note in new.items())
        return [new[i] if i in new else self._found[key] for i, key in enumerate(keys)]

    def in_portions(
        self, sources: Iterable[Source], costs: Costs | None, head_budget: int
    ) -> Iterator[tuple[Prepared, Source]]:
        """The prepared notes with their sources, as many at a time as pays."""
        portion: list[Source] = []
        size = 0
        for source in sources:
            portion.append(source)
            size += len(source.data)
            if size >= PORTION:
                yield from zip(self.get(portion, costs, head_budget), portion, strict=True)
                portion, size = [], 0
        yield from zip(self.get(portion, costs, head_budget), portion, strict=True)


def build_index(
    files: Sequence[NoteFile],
    target: Path,
    *,
    root: str = "",
    settings: Mapping[str, object] | None = None,
    costs: Costs | None = None,
    prepared: PreparedNotes | None = None,
    surroundings: Mapping[str, object] | None = None,
    old: "Reusable | None" = None,
    processes: int = 1,
    watch: "Watch | None" = None,
) -> int:
    """Index the notes in `files` into the file `target`, replacing it at once; returns how many notes it holds.

    `surroundings` is what overlay.py wants to find again: how the folders looked. `old` is an index to take over what
    did not change from; it was opened with the same `prepared`. With more than one of `processes` they prepare the
    notes (see parallel.py). `watch` is handed the notes as they come and yields them. Unreadable files are left out.
    """
    begun = time.time()
    store = prepared or PreparedNotes(keep=False)
    head_budget = _head_budget(settings)

    def made() -> Iterator[tuple[Prepared, Source]]:
        if processes > 1 and old is None:
            from ladder.indexing.parallel import prepare_files  # noqa: PLC0415 (parallel.py imports this module)

            yield from prepare_files(files, store, costs, head_budget, processes)
            return
        if old is None:
            yield from store.in_portions(filter(None, map(read_source, files)), costs, head_budget)
            return
        for file in files:
            found = old.get(file, costs, head_budget)
            if found is not None:
                yield found
        old.close()

    notes = watch(made(), len(files)) if watch else made()
    return _build(notes, target, root, settings, costs, store, surroundings, begun)


def build_from_bytes(
    notes: Mapping[str, bytes],
    target: Path,
    *,
    root: str = "",
    settings: Mapping[str, object] | None = None,
    costs: Costs | None = None,
    prepared: PreparedNotes | None = None,
    changed: Mapping[str, float] | None = None,
) -> int:
    """Index notes given as name -> content, as they stood at some time; `changed` says when each was last changed.

    Give the same `costs` and `prepared` to a series of builds: only what differs is parsed and counted.
    """
    when = changed or {}
    sources = (
        Source(name, name + ".md", notes[name], Signature(0, int(when.get(name, 0) * 1e9), 0)) for name in sorted(notes)
    )
    store = prepared or PreparedNotes(keep=False)
    head_budget = _head_budget(settings)
    made = store.in_portions(sources, costs, head_budget)
    return _build(made, target, root, settings, costs, store, None, time.time())


def _head_budget(settings: Mapping[str, object] | None) -> int:
    budget = (settings or {}).get("head_budget", 400)
    return budget if isinstance(budget, int) else 400


def _build(
    made: Iterable[tuple[Prepared, Source]],
    target: Path,
    root: str,
    settings: Mapping[str, object] | None,
    costs: Costs | None,
    prepared: PreparedNotes,
    surroundings: Mapping[str, object] | None,
    begun: float,
) -> int:
    private_folder(target.parent)
    with replacing(target, durable=False) as file, no_circles():
        out = Out(file)
        out.write(bytes(HEADER_SIZE))
        totals = Totals()
        for note, source in made:
            add_note(out, totals, note, source)
        if len(totals.names) >= MOST_NOTES or len(prepared.vocabulary.words) >= MOST_TERMS:
            raise ValueError(f"too many notes or words for one index: {len(totals.names)} notes")
        finish(out, totals, prepared.vocabulary, root, dict(settings or {}), begun, surroundings)
    if costs is not None:
        costs.save()
    return len(totals.names)
