"""What of a note gets a vector: a paragraph, a short one with what follows in its section, and what it is about.

Before a piece's own text stand the note's title and the headings over it: a paragraph says "it", its heading says what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ladder.index.note_view import NoteRow, Passages

#: Tokens, as costs are counted: a shorter piece takes in the next paragraph of its section, as long as both together
#: have at most LONGEST. By parts of sections of 180 tokens fewer lines are found, by each paragraph alone as many with
#: a third more vectors (F-160, docs/decisions 160).
SHORT = 40
LONGEST = 120
#: Characters of a piece's text: more than the model reads of any text, so that a pasted log costs no time.
MOST_CHARACTERS = 1500
#: Characters of the title and of each heading.
_LABEL = 80
#: The last headings over a piece that stand before it.
_HEADINGS = 2


class Piece(NamedTuple):
    """Paragraphs `first` to `last` of a note, numbered as in its passages, and the text that is encoded."""

    first: int
    last: int
    text: str


def pieces(row: NoteRow, passages: Passages, data: bytes) -> list[Piece]:
    """Return the pieces of a note whose file holds `data`, in file order; paragraphs without a word are in none."""
    found: list[Piece] = []
    sections = passages.sections
    owner, costs, begins, ends = passages.p_section, passages.p_cost, passages.p_start, passages.p_end
    first = 0
    while first < passages.count:
        last, spent = first, costs[first]
        while (
            spent < SHORT
            and last + 1 < passages.count
            and owner[last + 1] == owner[first]
            and spent + costs[last + 1] <= LONGEST
        ):
            last += 1
            spent += costs[last]
        text = data[begins[first] : ends[last]][: MOST_CHARACTERS * 4].decode("utf-8", "replace")[:MOST_CHARACTERS]
        if any(passages.p_length[first : last + 1]) and text.strip():
            over = sections[owner[first] - 1].path if 0 < owner[first] <= len(sections) else ()
            labels = [row.title, *over[-_HEADINGS:]]
            label = " > ".join(dict.fromkeys(each.strip()[:_LABEL] for each in labels if each.strip()))
            found.append(Piece(first, last, f"{label}\n{text.strip()}" if label else text.strip()))
        first = last + 1
    return found
