"""A changed note as the next index will hold it, for use before that is there: parsed, not cut by lines.

To the index that is there it can be put the same questions as provisional_note.CutNote; only its costs are estimates.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ladder.index.format import SPOT_PARAGRAPHS, SPOTS
from ladder.index.note_view import NoteRow, Passages
from ladder.indexing.prepare import Prepared, prepare
from ladder.indexing.vocabulary import Vocabulary


class NewText(NamedTuple):
    """A note's file as it stands now."""

    name: str
    path: str
    changed: int
    """When the file was changed, in seconds since 1970."""
    data: bytes


class ParsedNote(Passages):
    """A note's sections, paragraphs and words, each as the index would have them."""

    __slots__ = ("label_length", "labels", "length", "row", "whole")

    def __init__(self, row: NoteRow, note: Prepared, words: Sequence[str]) -> None:
        """Take a prepared note; `words` are the terms by their numbers."""
        super().__init__(note.forward, len(note.forward))
        self.row = row
        #: How often each term stands in the note, and in its labels; lengths in terms.
        self.whole = _counted(words, note.terms.tolist(), note.tfs.tolist())
        self.labels = _counted(words, note.label_terms.tolist(), note.label_tfs.tolist())
        self.length = note.length
        self.label_length = note.label_length

    def together(self, terms: Sequence[tuple[float, str]]) -> float:
        """As CutNote.together."""
        sums = [0.0] * SPOTS
        for weight, term in terms:
            if term in self.whole:
                for spot in {p // SPOT_PARAGRAPHS % SPOTS for p, _ in self.counts(term)}:
                    sums[spot] += weight
        return max(sums)


def _counted(words: Sequence[str], terms: Iterable[int], counts: Iterable[int]) -> dict[str, int]:
    return dict(zip([words[number] for number in terms], counts, strict=True))


def parsed_notes(texts: Sequence[NewText], head_budget: int) -> Iterator[ParsedNote]:
    """Yield each text as a note of the index."""
    vocabulary = Vocabulary()
    found = prepare([(text.name, text.data) for text in texts], vocabulary, head_budget=head_budget, rough=True)
    for text, note in zip(texts, found, strict=True):
        values = ("", *note.row[1:])
        row = NoteRow(values)
        row.path, row.changed = text.path, text.changed
        yield ParsedNote(row, note, vocabulary.words)
