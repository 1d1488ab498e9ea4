"""The cold reader: answers from the index file with a few small reads; the same in hook, command line and bench.

Here is what it knows of notes; terms and scores are in postings.py, the open file in file.py.
"""

from __future__ import annotations

from ladder.index.format import PAGE_NOTES, SEAL, UNIT, IndexBroken, checksum, unpack_values
from ladder.index.name_table import bearers, first_and_last, fold_name, holders, names_ending
from ladder.index.note_view import NoteRow, ParagraphRow, Passages, SectionRow
from ladder.index.postings import Postings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

__all__ = ["Index", "NoteRow", "ParagraphRow", "Passages", "SectionRow", "open_index"]

#: Decoded forward blocks kept in memory.
_KEPT = 4096
#: Pages of notes that are asked for at once: a quarter of a megabyte. Of more, most are not looked at.
_PAGES = 128
#: Names that are looked for one by one; for more, all names are cut up.
_FEW = 12


class _ColdPage:
    """A page of notes: where each lies, when it changed, and the terms of their names; see format.PAGE_NOTES."""

    __slots__ = ("begins", "changed", "hashes", "idf", "places")

    def __init__(self, payload: bytes, notes: int) -> None:
        terms, odd = divmod(len(payload) - notes * 30 - 2, 12)
        if odd or terms < 0:
            raise IndexBroken("a page of notes is of another length")
        view = memoryview(payload)
        at = notes * 24 + terms * 8
        self.places = view[: notes * 24].cast("Q")
        self.idf = view[notes * 24 : at].cast("d")
        self.hashes = view[at : at + terms * 4].cast("I")
        self.changed = view[at + terms * 4 : at + terms * 4 + notes * 4].cast("I")
        self.begins = view[at + terms * 4 + notes * 4 :].cast("H")


class Index(Postings):
    """An index file, open for reading. Notes are numbered 0 to count - 1 in the order of their names.

    Any method may raise IndexBroken when the file turns out damaged.
    """

    def __init__(self, path: str) -> None:
        """Open the file and read what it says of itself; IndexBroken when it cannot be used."""
        super().__init__(path)
        self._pages: dict[int, _ColdPage] = {}
        self._passages: dict[int, Passages] = {}
        self._rows: dict[int, NoteRow] = {}
        self._names: bytes | None = None
        #: name -> number of the last note, and of the first, that bears it
        self._named: tuple[dict[bytes, bytes], dict[bytes, bytes]] | None = None

    def _page(self, n: int) -> _ColdPage:
        """The page of note `n`."""
        number = n // PAGE_NOTES
        page = self._pages.get(number)
        if page is None:
            if not 0 <= n < self._base:
                raise IndexError(n)
            pages = self._meta["pages"]
            offset, length = pages[number]
            if self._from_disk and not self._pages and len(pages) <= _PAGES:  # most are needed, to compare names
                self._announce([(pages[0][0], pages[-1][0] + pages[-1][1] - pages[0][0])])
            notes = min(PAGE_NOTES, self._base - number * PAGE_NOTES)
            page = self._pages[number] = _ColdPage(self.block(offset, length), notes)
        return page

    def _place(self, n: int) -> tuple[int, int, int]:
        """Where note `n` lies: offset, length of its row, length of its forward block."""
        if not 0 <= n < self._base:
            raise IndexError(n)
        places = self._page(n).places
        at = n % PAGE_NOTES * 3
        return places[at], places[at + 1], places[at + 2]

    def named_among(self, notes: Sequence[int], keys: Mapping[int, float]) -> list[int]:
        """Those of `notes` whose names hold a term of one of these hashes."""
        pages = self._meta["pages"]
        if self._from_disk and len(pages) > _PAGES:
            self._announce([pages[n // PAGE_NOTES] for n in notes if n // PAGE_NOTES not in self._pages])
        found = []
        among = keys.keys()
        for n in notes:
            page = self._pages.get(n // PAGE_NOTES) or self._page(n)
            at = n % PAGE_NOTES
            if not among.isdisjoint(page.hashes[page.begins[at] : page.begins[at + 1]]):
                found.append(n)
        return found

    def name_terms(self, n: int) -> list[tuple[int, float]]:
        """(hash, idf) of each term of note `n`'s name; idf as of the whole index."""
        page = self._page(n)
        at = n % PAGE_NOTES
        begin, end = page.begins[at], page.begins[at + 1]
        return list(zip(page.hashes[begin:end], page.idf[begin:end]))  # noqa: B905 (both of one slice)

    def note(self, n: int) -> NoteRow:
        """What is known of note `n`; IndexError when there is none."""
        row = self._rows.get(n)
        if row is None:
            offset, length, _ = self._place(n)
            values = unpack_values(self.block(offset, length))
            if not isinstance(values, tuple):
                raise IndexBroken("a note's row is of another kind")
            row = self._rows[n] = NoteRow(values)
        return row

    def passages(self, n: int) -> Passages:
        """The sections and paragraphs of note `n`."""
        found = self._passages.get(n)
        if found is None:
            offset, row_length, length = self._place(n)
            # Checked and read in place: copying forty blocks is a tenth of the hook's work.
            begin = offset + row_length + -row_length % UNIT
            block = self._pread(begin, length)
            if checksum(memoryview(block)[:-SEAL], begin) != block[-SEAL:]:
                raise IndexBroken("a note's checksum is wrong")
            found = Passages(block, length - SEAL)
            if len(self._passages) >= _KEPT:
                self._passages.clear()
            self._passages[n] = found
        return found

    def expect(self, notes: Sequence[int]) -> None:
        """Say that the passages of these notes are about to be asked for."""
        if not self._from_disk:
            return
        places = [self._place(n) for n in notes if n < self._base and n not in self._passages]
        self._announce([(offset, row + length + UNIT) for offset, row, length in places])

    def changed(self, n: int) -> int:
        """When note `n`'s file was changed, in seconds since 1970."""
        return self._page(n).changed[n % PAGE_NOTES]

    @property
    def living(self) -> int:
        """How many notes may be shown."""
        return self.count

    def alive(self, n: int) -> bool:
        """Whether note `n` may be shown: false once its file is gone (see overlay.py)."""
        return 0 <= n < self.count

    def check(self, n: int) -> bool:
        """Whether note `n` may be named; where files are looked at, after a look at its own (see overlay.py)."""
        return self.alive(n)

    def _all_names(self) -> bytes:
        if self._names is None:
            self._names = self._table("names")
        return self._names

    def find(self, name: str) -> list[int]:
        """The notes of that name, path, title or alias (case and Unicode form do not matter, `.md` may be left out).

        When there is none: those whose name or path ends in `/name`. Several when it is ambiguous.
        """
        key = fold_name(name)
        if not key or "\0" in key:
            return []
        names = self._all_names()
        wanted = key.encode("utf-8", "replace") + b"\0"
        for border, end in ((b"\0", wanted), (b"/", wanted.lstrip(b"/"))):
            if found := [n for n in bearers(names, border + end) if self.alive(n)]:
                return found
        return []

    def names_ending(self, last: str) -> list[tuple[str, int]]:
        """(name, note) of each name, path, title and alias whose last part is `last` (folded as `fold_name` does).

        One look through the names for all that a path may mean: a session has read a hundred of ten thousand notes.
        """
        return [found for found in names_ending(self._all_names(), last) if self.alive(found[1])]

    def named(self, names: Sequence[str]) -> list[int]:
        """The note of each name, path, title or alias (folded as `fold_name` does); -1 where none has it, or several.

        Many names are looked up at once: cutting up all names takes as long as looking for a dozen.
        """
        if self._named is None and len(names) > _FEW:
            self._named = first_and_last(self._all_names())
        found = []
        for name in names:
            if self._named is not None:
                key = name.encode("utf-8", "replace")
                number, first = self._named[0].get(key), self._named[1].get(key)
                if number == first:  # notes lie in order: the first and the last that bear the name are one
                    n = int(number) if number is not None and self.alive(int(number)) else -1
                    found.append(n)
                    continue
            notes = self.named_like(f"\0{name}\0")
            found.append(notes[0] if len(notes) == 1 else -1)
        return found

    def named_like(self, part: str) -> list[int]:
        r"""The notes whose name holds `part` (folded as `fold_name` does), ascending; `\0` is a border of the name."""
        return sorted([n for n in holders(self._all_names(), part) if self.alive(n)])

    def files(self) -> dict[str, Any]:
        """What the files looked like when they were read: see build.finish."""
        found = unpack_values(self._table("files"))
        if not isinstance(found, dict):
            raise IndexBroken("the table of files is of another kind")
        return found

    @property
    def made_by(self) -> str:
        """What code made it: see build.made_by."""
        return str(self._meta.get("made_by"))

    @property
    def begun(self) -> float:
        """When the reading of the files began, in seconds since 1970."""
        return float(self._meta["begun"])


def open_index(path: str) -> Index:
    """Open an index file; IndexBroken when it is missing, damaged or of another version."""
    return Index(path)
