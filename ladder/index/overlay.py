"""Lays the notes that changed since the index was built over it, so that the hook is up to date without building.

A line scanner, not the Markdown parser, cuts a changed or new note into words from its raw text. Its costs are
estimates, and its words weigh by the index's mean length. A note whose file is gone is never shown. More than CUT_BYTES
of changed text waits until `ladder index` has run in the background.
"""

from __future__ import annotations

import os
import time

from ladder.index.checked import TICK, CheckedIndex
from ladder.index.format import K1, SEAL, B, IndexBroken, checksum, term_hash, unpack_values
from ladder.index.freshness import changed_at, config_mark, folder_mark, name_in, new_notes, read_file
from ladder.index.name_table import bearers, fold_name, holders, names_ending
from ladder.index.reader import NoteRow
from ladder.lean.math import log1p
from notes.private import without_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from ladder.index.provisional_note import CutNote

#: Notes in the largest store that the hook scans; in a larger one `check` looks at the notes about to be named.
SCANNED = 2000
#: Seconds for which what was announced is enough: then `ladder index` is asked whether more has changed.
LOOK_AGAIN = 30.0
#: Bytes of changed notes that are cut at once; what is over waits for the background.
CUT_BYTES = 400_000


def open_fresh(path: str) -> FreshIndex:
    """Open the index file and look at the notes' files; IndexBroken when there is no usable index."""
    index = FreshIndex(path)
    try:
        if index.count <= SCANNED:
            index.scan()
        else:
            index.take_announced()
    except (KeyError, TypeError, ValueError) as error:
        index.close()
        raise IndexBroken("the table of files is damaged") from error
    except BaseException:
        index.close()
        raise
    return index


def changes_file(path: str) -> str:
    """Where commands say what changed in a large store, as long as the index does not hold it."""
    return path + ".changes"


class FreshIndex(CheckedIndex):
    """An index with what changed since on top. Notes that came have the numbers behind the index's own."""

    def __init__(self, path: str) -> None:
        """Open the file; nothing is looked at yet."""
        super().__init__(path)
        self.cut: dict[int, CutNote] = {}
        self.gone: set[int] = set()
        self._scanned = False

    # --- looking at the files --------------------------------------------------------------------------------------

    def check(self, n: int) -> bool:
        """Whether note `n` may be named: its file is there, and what the index says of it is true.

        A note that changed since the index was built is taken in (see `taken`): what was found in its old text, such
        as the numbers of its sections and paragraphs, is then void.
        """
        if not self.alive(n):
            return False
        if n in self.cut or self._scanned:
            return True  # the scan has looked, or took it in
        if self._untouched(n):
            return True
        files = self._look()
        if not files["paths"][n] or self._same(n)[0]:
            return True
        self.stale = True
        self._take(n)
        return self.alive(n)

    @property
    def taken(self) -> frozenset[int]:
        """The notes that are not as they were indexed, taken in or gone, as far as that has been found out."""
        return frozenset(self.cut) | self.gone

    def scan(self) -> None:
        """Look at every file and folder; take in what changed, up to CUT_BYTES."""
        files = self._look()
        self._scanned = True
        if not files["surroundings"]:
            return  # made from bytes: there are no files
        begun = time.time()
        racy = False
        changed = []
        assert self._columns is not None
        sure = int((self._verified() - TICK) * 1e9)
        stat = os.stat
        # One pass in few operations: this is most of what the hook does when nothing changed.
        for n, (path, size, mtime, inode) in enumerate(zip(files["paths"], *self._columns)):  # noqa: B905 (of one length)
            try:
                status = stat(path)
            except OSError:
                changed.append(n)
                continue
            if (
                mtime == status.st_mtime_ns and mtime < sure and status.st_ctime_ns < sure
                and size == status.st_size and inode == status.st_ino
            ):  # fmt: skip
                continue
            same, read = self._same(n)
            racy = racy or read
            if not same:
                changed.append(n)
        for n in changed:
            self._take(n)
        for path, name in self._arrived(files):
            self._add(path, name)
        surroundings = files["surroundings"]
        if surroundings.get("config") != config_mark(self.root):
            self.stale = True
        if racy and not changed:
            self._note_check(begun)

    def take_announced(self) -> None:
        """Take in what a command found changed and the index does not hold yet."""
        data = read_file(changes_file(self.path))
        if data is None or len(data) <= SEAL or checksum(data[SEAL:]) != data[:SEAL]:
            return
        found = unpack_values(data[SEAL:])
        if not isinstance(found, dict) or found.get("index") != self.begun:
            return  # of another index: taken in long ago
        before = self.stale
        for n in found["notes"]:
            if n < self._base and not self._same(n)[0]:
                self._take(n)
        for path, name in found["added"]:
            self._add(path, name)
        # All this is known; who looked then need not look again at each call of a tool.
        self.stale = before or abs(time.time() - found.get("looked", 0.0)) > LOOK_AGAIN

    def _take(self, n: int) -> None:
        """Take in note `n` as its file stands now."""
        self.stale = True
        path = self._look()["paths"][n]
        data = read_file(path)
        if data is None or not self._afford(len(data)):
            self.gone.add(n)
            return
        from ladder.index.provisional_note import CutNote  # noqa: PLC0415 (mostly nothing has changed)

        old = super().note(n)
        row = NoteRow((
            old.path, old.name, old.title, 0, 0, changed_at(path), 0, old.description, old.aliases, True,
        ))  # fmt: skip
        self.cut[n] = CutNote(row, without_private(data), super().passages(n))

    def _add(self, path: str, name: str) -> None:
        """Take in a new note."""
        self.stale = True
        data = read_file(path)
        if data is None or not self._afford(len(data)):
            return
        from ladder.index.provisional_note import CutNote, cut_sections  # noqa: PLC0415 (as above)

        data = without_private(data)
        row = NoteRow((path, name, "", 0, 0, changed_at(path), 0, "", (), True))
        row.title = next((title for _, _, level, title, _ in cut_sections(data) if level == 1), name.rpartition("/")[2])
        self.cut[self.count] = CutNote(row, data, None)
        self.count += 1

    def _afford(self, size: int) -> bool:
        return size + sum([cut.sections[-1].end for cut in self.cut.values()]) <= CUT_BYTES

    def _arrived(self, files: dict[str, Any]) -> list[tuple[str, str]]:
        """(path, name) of notes that came, found by the time of the folders; only where the settings are plain."""
        surroundings = files["surroundings"]
        moved = [path for path, mtime in surroundings["folders"] if folder_mark(path) != mtime]
        if not moved:
            return []
        known = set(files["paths"])
        found = []
        for folder in moved:
            for path in new_notes(folder, known, surroundings, {path for path, _ in surroundings["folders"]}):
                name = name_in(path, surroundings["roots"])
                if not name or not surroundings["plain"]:
                    self.stale = True  # which files are notes there, `ladder index` knows
                else:
                    found.append((path, name))
        return found

    # --- what Index answers ----------------------------------------------------------------------------------------

    @property
    def living(self) -> int:
        """As Index.living."""
        return self.count - len(self.gone)

    def alive(self, n: int) -> bool:
        """Whether note `n` may be shown."""
        return 0 <= n < self.count and n not in self.gone

    def note(self, n: int) -> NoteRow:
        """What is known of note `n`."""
        return self.cut[n].row if n in self.cut else super().note(n)

    def changed(self, n: int) -> int:
        """As Index.changed."""
        return self.cut[n].row.changed if n in self.cut else super().changed(n)

    def named_among(self, notes: Sequence[int], keys: Mapping[int, float]) -> list[int]:
        """As Index.named_among; of notes that came the terms are to be asked for."""
        if self.count == self._base:
            return super().named_among(notes, keys)
        came = [n for n in notes if n >= self._base]
        return super().named_among([n for n in notes if n < self._base], keys) + came

    def name_terms(self, n: int) -> list[tuple[int, float]]:
        """As Index.name_terms; a new name's terms weigh as they do in the index."""
        if n < self._base:
            return super().name_terms(n)
        from ladder.text.tokenizer import name_terms  # noqa: PLC0415 (mostly there are no new notes)

        return [(term_hash(term), self.idf(term)) for term in name_terms(self.cut[n].row.name)]

    def passages(self, n: int) -> Any:  # noqa: ANN401 (Passages or CutNote, which answers the same)
        """The sections and paragraphs of note `n`."""
        return self.cut[n] if n in self.cut else super().passages(n)

    def _new_names(self) -> bytes:
        """The table of names (see name_table.py) of the notes that were taken in."""
        lines = []
        for n, cut in self.cut.items():
            row = cut.row
            names = dict.fromkeys(map(fold_name, (row.name, row.path, row.title, *row.aliases)))
            lines += [f"\0{name}\0{n}\n" for name in names if name]
        return "".join(lines).encode("utf-8", "replace")

    def find(self, name: str) -> list[int]:
        """As Index.find, changed notes by what they are called now."""
        if not self.cut:
            return super().find(name)
        key = fold_name(name)
        if not key or "\0" in key:
            return []
        new = self._new_names()
        wanted = key.encode("utf-8", "replace") + b"\0"
        for border, end in ((b"\0", wanted), (b"/", wanted.lstrip(b"/"))):
            found = [n for n in bearers(self._all_names(), border + end) if n not in self.cut and self.alive(n)]
            found += bearers(new, border + end)
            if found:
                return sorted(found)
        return []

    def names_ending(self, last: str) -> list[tuple[str, int]]:
        """As Index.names_ending, changed notes by what they are called now."""
        found = super().names_ending(last)
        if not self.cut:
            return found
        return [each for each in found if each[1] not in self.cut] + names_ending(self._new_names(), last)

    def named(self, names: Sequence[str]) -> list[int]:
        """As Index.named, changed notes by what they are called now."""
        found = super().named(names)
        if self.cut:
            new = self._new_names()
            for i, name in enumerate(names):
                if found[i] in self.cut or f"\0{name}\0".encode("utf-8", "replace") in new:
                    notes = self.named_like(f"\0{name}\0")
                    found[i] = notes[0] if len(notes) == 1 else -1
        return found

    def named_like(self, part: str) -> list[int]:
        """As Index.named_like, changed notes by what they are called now."""
        found = super().named_like(part)
        if not self.cut:
            return found
        return sorted([*[n for n in found if n not in self.cut], *holders(self._new_names(), part)])

    def df(self, term: str) -> tuple[int, int]:
        """As Index.df, counted with what changed."""
        notes, paragraphs = super().df(term)
        if self.cut or self.gone:
            key = term_hash(term)
            for n in self._replaced():
                held = super().passages(n).counts_by_hash(key)
                paragraphs -= len(held)
                notes -= super().passages(n).holds(key)
            for cut in self.cut.values():
                notes += term in cut.whole
                paragraphs += len(cut.counts(term))
        return max(notes, 0), max(paragraphs, 0)

    def paragraph_counts(self, terms: Sequence[str]) -> list[int]:
        """As Index.paragraph_counts, counted with what changed."""
        if self.cut or self.gone:
            return [self.df(term)[1] or self._in_labels(term) for term in terms]
        return super().paragraph_counts(terms)

    def idfs(self, terms: Sequence[str]) -> dict[str, float]:
        """As Index.idfs, counted with what changed."""
        if self.cut or self.gone:
            return {term: self.idf(term) for term in terms if self.df(term)[0]}
        return super().idfs(terms)

    def _in_labels(self, term: str) -> int:
        """1 when labels hold the term, 0 when none do; what a changed note was called may still count."""
        return int(self._entry(term) is not None or any([term in cut.labels for cut in self.cut.values()]))  # noqa: C419 (a generator costs more in the hook)

    def _replaced(self) -> list[int]:
        """The index's own notes that are not what they were."""
        return [n for n in {*self.cut, *self.gone} if n < self._base]

    def _idf(self, term: str, df: int, *, labels: bool = False) -> float:
        if self.cut or self.gone:
            if labels:
                key = term_hash(term)
                df -= sum([super(FreshIndex, self).passages(n).holds_label(key) for n in self._replaced()])
                df += sum([term in cut.labels for cut in self.cut.values()])
            else:
                df = self.df(term)[0]
            df = max(df, 1)
        return log1p((self.count - len(self.gone) - df + 0.5) / (df + 0.5)) if df else 0.0

    def score_notes(self, weights: Mapping[str, float]) -> list[float]:
        """As Index.score_notes, changed notes by their new text."""
        return self._overlay(super().score_notes(weights), weights, labels=False)

    def together(self, terms: Sequence[tuple[float, str]], notes: Iterable[int]) -> dict[int, float]:
        """As Index.together, changed notes by their new text."""
        notes = [n for n in notes if n not in self.gone]
        found = super().together(terms, [n for n in notes if n not in self.cut])
        for n in notes:
            if n in self.cut:
                weight = self.cut[n].together(terms)
                if weight:
                    found[n] = weight
        return found

    def score_labels(self, weights: Mapping[str, float]) -> list[float]:
        """As Index.score_labels, changed notes by their new headings."""
        return self._overlay(super().score_labels(weights), weights, labels=True)

    def _overlay(self, scores: list[float], weights: Mapping[str, float], *, labels: bool) -> list[float]:
        scores.extend([0.0] * (self.count - self._base))
        for n in self.gone:
            scores[n] = 0.0
        mean = (self.mean_label if labels else self.mean_note) or 1.0
        idf: dict[str, float] = {}
        for n, cut in self.cut.items():
            counts, length = (cut.labels, cut.label_length) if labels else (cut.whole, cut.length)
            saturation = K1 * (1 - B + B * length / mean)
            total = 0.0
            for term, weight in weights.items():
                tf = counts.get(term, 0)
                if tf:
                    if term not in idf:
                        entry = self._entry(term)
                        idf[term] = self._idf(term, entry.labels if labels and entry else 0, labels=labels)
                    total += weight * idf[term] * tf / (tf + saturation)
            scores[n] = total
        return scores
